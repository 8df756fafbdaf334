"""Labels forbidden by hour: time zones, midnight, what takes long, and faults of the file."""

from datetime import UTC, datetime

import pytest

from nettool.config.diff.policy import load_policy
from nettool.config.nos.dialects.sonic.updater import Impact
from nettool.core.errors import FindingsError

WORK = """
timezone: Europe/Berlin
rules:
  - at_least: link flap
    days: [mon, tue, wed, thu, fri]
    from: 08:00
    to: 20:00
    why: training jobs run
  - forbid: [session reset]
    from: "22:00"
    to: 2:00
  - forbid: [reboot]
"""


def at(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
def policy(tmp_path):
    path = tmp_path / "policy.yaml"
    path.write_text(WORK)
    return load_policy(path)


# Berlin is UTC+2 in summer and UTC+1 in winter; 6 July 2026 and 30 November 2026 are Mondays
CASES = {
    "in the window": (Impact.LINK_FLAP, "2026-07-06T09:00", 0, True),
    "worse is forbidden too": (Impact.QOS_RELOAD, "2026-07-06T09:00", 0, True),
    "milder is not": (Impact.SESSION_RESET, "2026-07-06T09:00", 0, False),
    "at its first minute, in summer": (Impact.LINK_FLAP, "2026-07-06T06:00", 0, True),
    "at the same hour of UTC in winter it is closed": (
        Impact.LINK_FLAP,
        "2026-11-30T06:00",
        0,
        False,
    ),
    "at its end": (Impact.LINK_FLAP, "2026-07-06T18:00", 0, False),
    "on Sunday": (Impact.LINK_FLAP, "2026-07-05T09:00", 0, False),
    "begins before and goes on into it": (Impact.LINK_FLAP, "2026-07-06T05:58", 240, True),
    "ends before it": (Impact.LINK_FLAP, "2026-07-06T05:50", 240, False),
    "before midnight": (Impact.SESSION_RESET, "2026-07-06T21:00", 0, True),
    "after midnight": (Impact.SESSION_RESET, "2026-07-06T23:30", 0, True),
    "at any hour": (Impact.REBOOT, "2026-07-05T03:00", 0, True),
    "nothing is disturbed": (Impact.NONE, "2026-07-06T09:00", 3600, False),
}


@pytest.mark.parametrize(("impact", "when", "seconds", "forbidden"), CASES.values(), ids=CASES)
def test_forbidden(policy, impact, when, seconds, forbidden):
    assert bool(policy.forbids(impact, at(when), seconds)) is forbidden


def test_the_sentence_says_when_it_is_allowed(policy):
    assert policy.forbids(Impact.LINK_FLAP, at("2026-07-06T09:00"), 240) == (
        "link flap is forbidden mon, tue, wed, thu, fri 08:00-20:00 Europe/Berlin "
        "(policy.yaml:4: training jobs run); it is Mon 11:00 there and this takes about 4 min: "
        "allowed from Mon 20:00"
    )
    assert policy.forbids(Impact.REBOOT, at("2026-07-05T09:00")) == (
        "reboot is forbidden every day Europe/Berlin (policy.yaml:12); it is Sun 11:00 "
        "there and this takes about 1 min: no hour of the week allows it"
    )


ONLY = """
timezone: UTC
rules:
  - forbid: [reboot]
    switches: [spine, rail_03]
    why: storage jobs
  - forbid: [link flap]
    switches: [leaf07]
"""


@pytest.mark.parametrize(
    ("names", "impact", "forbidden"),
    [
        ({"leaf03", "all", "leaf", "rail_03"}, Impact.REBOOT, True),
        ({"spine01", "all", "spine"}, Impact.REBOOT, True),
        ({"leaf01", "all", "leaf", "rail_01"}, Impact.REBOOT, False),
        ({"leaf07", "all", "leaf", "rail_01"}, Impact.LINK_FLAP, True),
        ({"leaf08", "all", "leaf", "rail_01"}, Impact.LINK_FLAP, False),
    ],
)
def test_a_rule_holds_for_the_switches_and_groups_that_it_names(tmp_path, names, impact, forbidden):
    path = tmp_path / "policy.yaml"
    path.write_text(ONLY)
    told = load_policy(path).on(names).forbids(impact, at("2026-07-06T09:00"))
    assert bool(told) is forbidden


def test_a_rule_says_where_it_stands_and_whom_it_is_for(tmp_path):
    path = tmp_path / "policy.yaml"
    path.write_text(ONLY)
    told = load_policy(path).on({"spine01", "spine"})
    assert told.forbids(Impact.REBOOT, at("2026-07-06T09:00")).startswith(
        "reboot is forbidden every day UTC on spine, rail_03 (policy.yaml:4: storage jobs); it is"
    )


def test_names_that_the_inventory_does_not_have_stand_at_their_lines(tmp_path):
    path = tmp_path / "policy.yaml"
    path.write_text(ONLY.replace("rail_03", "rial_03"))
    with pytest.raises(FindingsError) as caught:
        load_policy(path, {"all", "spine", "rail_03", "leaf01"})
    assert [(each.line, each.message) for each in caught.value.report.findings] == [
        (5, "rules.0.switches.1: 'rial_03' is no switch or group of the inventory; "
            "did you mean 'rail_03'?"),
        (8, "rules.1.switches.0: 'leaf07' is no switch or group of the inventory; "
            "did you mean 'leaf01'?"),
    ]  # fmt: skip


NIGHT = """
timezone: Europe/Berlin
rules: [{at_least: link flap, from: "%s", to: "%s", days: [%s]}]
"""

# clocks go from 02:00 to 03:00 on Sunday 29 March 2026, and from 03:00 to 02:00 on Sunday
# 25 October 2026: 01:00 UTC in both
CLOCKS = {
    "over midnight, on the day it begins": (("22:00", "04:00", "sat"), "2026-03-28T22:30", True),
    "over midnight, on the day it ends": (("22:00", "04:00", "sat"), "2026-03-29T01:30", True),
    "its end on the day clocks go forward": (("22:00", "04:00", "sat"), "2026-03-29T02:00", False),
    "the night before is another day's": (("22:00", "04:00", "sat"), "2026-03-28T01:30", False),
    "an hour that is skipped": (("02:00", "03:00", "sun"), "2026-03-29T01:00", False),
    "just before the hour that is skipped": (("02:00", "03:00", "sun"), "2026-03-29T00:59", False),
    "an hour that comes twice, first": (("02:00", "03:00", "sun"), "2026-10-25T00:30", True),
    "an hour that comes twice, again": (("02:00", "03:00", "sun"), "2026-10-25T01:30", True),
    "after it": (("02:00", "03:00", "sun"), "2026-10-25T02:00", False),
}


@pytest.mark.parametrize(("window", "when", "forbidden"), CLOCKS.values(), ids=CLOCKS)
def test_nights_and_changed_clocks(tmp_path, window, when, forbidden):
    path = tmp_path / "policy.yaml"
    path.write_text(NIGHT % window)
    told = load_policy(path).forbids(Impact.LINK_FLAP, at(when))
    assert bool(told) is forbidden
    if forbidden and window[1] == "03:00":
        assert "allowed from Sun 03:00" in told


def test_the_zone_of_who_asks_is_no_matter(policy):
    here = datetime.fromisoformat("2026-07-06T09:07+09:00")
    assert policy.forbids(Impact.LINK_FLAP, here) == policy.forbids(
        Impact.LINK_FLAP, here.astimezone(UTC)
    )


FAULTS = {
    "no zone": ("rules: []\n", [(1, "timezone: Field required")]),
    "unknown zone": (
        "timezone: Europe/Berln\nrules: []\n",
        [(1, "timezone: a time zone such as Europe/Berlin is expected, not 'Europe/Berln'")],
    ),
    "all at once": (
        "timezone: UTC\nrules:\n  - at_least: flap\n    from: 25:00\n    whi: x\n  - days: [mon]\n",
        [
            (3, "rules.0.at_least: Input should be 'none', 'brief drop', 'session reset', "
                "'link flap', 'QoS reload' or 'reboot'"),
            (4, "rules.0.from: a time such as 08:00 is expected, not 1500"),
            (5, "rules.0.whi: Extra inputs are not permitted"),
            (6, "rules.1: give either forbid (a list of labels) or at_least (one label)"),
        ],
    ),
    "nobody": (
        "timezone: UTC\nrules:\n  - forbid: [reboot]\n    switches: []\n",
        [(3, "rules.0: switches is empty: leave it out for every switch")],
    ),
    "no keys": ("- a\n", [(1, "the policy: keys and values are expected")]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), FAULTS.values(), ids=FAULTS)
def test_faults_stand_at_their_lines(tmp_path, text, said):
    path = tmp_path / "policy.yaml"
    path.write_text(text)
    with pytest.raises(FindingsError) as caught:
        load_policy(path)
    assert [(each.line, each.message) for each in caught.value.report.findings] == said
