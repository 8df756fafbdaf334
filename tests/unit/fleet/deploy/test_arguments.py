"""Arguments as people type them after `-e`: taken, or refused with what is legal."""

import pytest

from nettool.core.errors import UsageError
from nettool.fleet.deploy.arguments import consents_of, flag_of, seconds_of


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("10m", 600),
        ("90s", 90),
        ("1h", 3600),
        ("600", 600),
        (600, 600),
        (0.5, 0.5),
        ("", 7),
        (0, 0),
    ],
)
def test_a_time_is_seconds_or_has_a_unit(given, seconds):
    assert seconds_of({"confirm": given}, "confirm", 7) == seconds


@pytest.mark.parametrize("given", ["ten", "-5", "10 d", True, "1e3", [600]])
def test_what_is_no_time_says_what_is(given):
    with pytest.raises(
        UsageError, match=r"confirm is a time such as 600 .seconds., 90s, 10m or 1h"
    ):
        seconds_of({"confirm": given}, "confirm", 0)


@pytest.mark.parametrize(
    ("given", "value"),
    [("true", True), (True, True), ("Yes", True), ("off", False), (False, False), ("", False)],
)
def test_a_flag_has_ansibles_spellings(given, value):
    assert flag_of({"look": given}, "look") is value


def test_a_misspelt_flag_is_no_consent():
    with pytest.raises(UsageError, match="allow_unverified is true or false, not 'flase'"):
        flag_of({"allow_unverified": "flase"}, "allow_unverified")


@pytest.mark.parametrize("given", ["reload", ["reload"], '["reload"]', "reload,"])
def test_consent_is_a_list_or_text(given):
    assert consents_of({"consent": given}) == {"reload"}


def test_an_unknown_consent_is_named():
    with pytest.raises(UsageError, match="consent is reload or nothing, not 'relaod'"):
        consents_of({"consent": "relaod"})
    assert consents_of({"consent": []}) == consents_of({}) == frozenset()
