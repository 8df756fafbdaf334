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
        "(training jobs run); it is Mon 11:00 there and this takes about 4 min: "
        "allowed from Mon 20:00"
    )
    assert policy.forbids(Impact.REBOOT, at("2026-07-05T09:00")) == (
        "reboot is forbidden every day Europe/Berlin; it is Sun 11:00 there and this takes "
        "about 1 min: no hour of the week allows it"
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
    "no keys": ("- a\n", [(1, "the policy: keys and values are expected")]),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), FAULTS.values(), ids=FAULTS)
def test_faults_stand_at_their_lines(tmp_path, text, said):
    path = tmp_path / "policy.yaml"
    path.write_text(text)
    with pytest.raises(FindingsError) as caught:
        load_policy(path)
    assert [(each.line, each.message) for each in caught.value.report.findings] == said
