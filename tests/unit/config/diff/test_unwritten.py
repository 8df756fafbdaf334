"""Values that no line can write: read from a build, counted, compared, kept in a short word."""

import json

import pytest

from nettool.config.diff.unwritten import NOTHING_UNWRITTEN, packed, read_unwritten, unpacked
from nettool.core.errors import UsageError

TABLES = {
    "BUFFER_PROFILE": {"pg_lossless": {"xoff": "129920", "size": "1518"}},
    "INTERFACE": {"Ethernet0|fd00::/127": {}},
    "PORT": {f"Ethernet{n}": {"mtu": "9216", "fec": "rs"} for n in range(9)},
}
TEXT = json.dumps(
    {"schema_version": 1, "unsaid": ["unnumbered"], "preset": ["BUFFER_PROFILE"], "tables": TABLES}
)
FOUND = read_unwritten(TEXT, "unwritten.json")


def test_every_value_has_a_path():
    assert len(FOUND.values) == 21
    assert FOUND.values["BUFFER_PROFILE|pg_lossless|xoff"] == "129920"
    assert FOUND.values["INTERFACE|Ethernet0|fd00::/127"] == ""
    assert FOUND.unsaid == ("unnumbered",)


def test_they_are_counted_and_the_preset_is_named():
    (said,) = FOUND.said()
    assert said.startswith("21 values cannot be written on AsterNOS by lines")
    assert "BUFFER_PROFILE|pg_lossless|xoff and 1 more" in said
    assert "playbooks/roce.yml sends the Easy RoCE preset" in said
    assert "numbers of its own for BUFFER_PROFILE" in said
    assert NOTHING_UNWRITTEN.said() == ()


def test_what_is_not_as_intended_before_is_named():
    before = {**FOUND.values, "BUFFER_PROFILE|pg_lossless|xoff": "1"}
    del before["INTERFACE|Ethernet0|fd00::/127"]
    assert FOUND.said(before)[1] == (
        "of these 2 are not as intended before: BUFFER_PROFILE|pg_lossless|xoff 1 -> 129920, "
        "INTERFACE|Ethernet0|fd00::/127 none -> there"
    )
    told = FOUND.as_json(before)
    assert told["count"] == 21
    assert told["tables"] == {"BUFFER_PROFILE": 2, "INTERFACE": 1, "PORT": 18}
    assert told["changed"][0] == {
        "path": "BUFFER_PROFILE|pg_lossless|xoff",
        "before": "1",
        "after": "129920",
    }
    assert FOUND.said(FOUND.values) == FOUND.said()


def test_the_short_word_holds_them_all():
    assert unpacked(packed(FOUND.values)) == FOUND.values
    assert len(packed(FOUND.values)) < 400


@pytest.mark.parametrize("word", [None, "", "x", "bm8=", packed({})[:-4]])
def test_a_word_that_nobody_packed_is_none(word):
    assert unpacked(word) is None


def test_a_file_that_is_none_of_ours_is_refused():
    with pytest.raises(UsageError, match="not what `nettool render` writes"):
        read_unwritten("[]", "unwritten.json")
