"""What a trace is told of beside suggestions, and what suggestions do."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nettool.fleet.telemetry.tune import tune
from tests.unit.fleet.telemetry.traces import (
    GROUP,
    PROFILE,
    QUEUE,
    START,
    ground,
    look,
    steady,
    trace,
)

SHARED = 33_933_312
PAUSED = {"pfc_tx": 5, "queue_watermark": 1_700_000, "pg_watermark": SHARED - 600_000}


def _found(*looks):
    tuning, report = tune(ground(), trace(*looks))
    return tuning, [(each.rule, each.severity.value, each.message) for each in report.findings]


def _ported(looks, port):
    """The looks with one lossless place renamed."""
    for each in looks:
        row = each["counters"]["pg_drop"]
        row[f"{port}|3"] = row.pop(GROUP) + 1
    return looks


CASES = [
    ("quiet", steady(), []),
    ("marks and pauses as planned", steady(**PAUSED, ecn_marked=7), []),
    (
        "packets lost in a group",
        [look(0), look(1), look(2, pg_drop=7), look(3, pg_drop=7), look(4, pg_drop=7)],
        [
            f"TUN001 error leaf01 {GROUP}: 7 packets of a lossless priority group were dropped "
            "between 2026-03-01T10:00:30Z and 2026-03-01T10:01:00Z; 0 is expected"
        ],
    ),
    (
        "packets lost in a queue before the trace",
        [look(n, queue_drop=7) for n in range(5)],
        [
            f"TUN001 warning leaf01 {QUEUE}: 7 packets of a lossless queue were dropped before "
            "2026-03-01T10:00:00Z, when the trace begins; 0 is expected"
        ],
    ),
    (
        "packets lost in too short a trace, and where a counter began again",
        [look(0, pg_drop=9), look(1, pg_drop=2)],
        [
            "TUN003 info 0 intervals over 0 s can be used, and at least 3 over 60 s are needed: "
            "nothing is suggested",
            f"TUN002 info leaf01: 2026-03-01T10:00:00Z to 2026-03-01T10:00:30Z is not used: "
            f"pg_drop of {GROUP} went from 9 to 2, reset or wrapped",
            f"TUN001 error leaf01 {GROUP}: 2 packets of a lossless priority group were dropped "
            "between 2026-03-01T10:00:00Z and 2026-03-01T10:00:30Z; 0 is expected",
            f"TUN001 warning leaf01 {GROUP}: 9 packets of a lossless priority group were dropped "
            "before 2026-03-01T10:00:00Z, when the trace begins; 0 is expected",
        ],
    ),
    (
        "few pauses",
        [look(0), look(1, pfc_tx=3, queue_watermark=9_000), *(
            look(n, pfc_tx=3) for n in range(2, 6)
        )],
        [
            "TUN003 info 400G: pauses were sent in 1 intervals, and at least 3 are needed to judge "
            "marking by them"
        ],
    ),
    (
        "paused itself",
        steady(**PAUSED, pfc_rx=1),
        [
            "TUN006 info in 6 of 6 intervals with pauses the port of the longest queue was paused "
            "itself: the congestion is further on, and they say nothing of the switch's own marking"
        ],
    ),
    (
        "pauses without the watermark of a queue",
        [look(n, pfc_tx=5 * n, queue_watermark=None) for n in range(5)],
        [
            "TUN008 info in 4 of 4 intervals with pauses no queue has a watermark: nothing is "
            "concluded from them",
            "TUN008 info the trace has no queue_watermark: what needs it is not judged",
        ],
    ),
    (
        "far above Kmax and not marked",
        steady(**{**PAUSED, "queue_watermark": 2_400_000}),
        [
            "TUN005 warning 400G: in 6 intervals queues stood at 2,400,000 B and more, above Kmax "
            f"1,600,000 B, and no packet was marked (leaf01 {QUEUE} "
            "2026-03-01T10:00:00Z-10:00:30Z)"
        ],
    ),
    (
        "paused long before the planned threshold",
        steady(**{**PAUSED, "pg_watermark": 1_000_000}),
        [
            "TUN011 warning leaf01: in 6 intervals groups paused with at most 1,000,000 B, where "
            f"the planned threshold gives 65,866,624 B with 1,000,000 B in use (leaf01 {QUEUE} "
            "2026-03-01T10:00:00Z-10:00:30Z)"
        ],
    ),
    (
        "a port without a cable",
        _ported(steady(), "Ethernet3"),
        [
            "TUN007 warning leaf01: Ethernet3 counted something and the plan has no cable there: "
            "nothing is concluded from that"
        ],
    ),
    (
        "no lossless place at all",
        [{**look(n), "counters": {"pfc_tx": {"Ethernet0|1": 7 * n}}} for n in range(5)],
        [
            "TUN012 warning no lossless place of the plan is counted: it has queue 3, group 3, "
            "priority 3"
        ],
    ),
    (
        "a switch that is not planned",
        [*steady(), *steady(device="leaf9")],
        ["TUN007 warning leaf9 is no switch of the plan: nothing is concluded from it"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("looks", "told"), [row[1:] for row in CASES], ids=[
    row[0] for row in CASES
])  # fmt: skip
def test_a_trace_is_told_of(looks, told):
    tuning, findings = _found(*looks)
    assert [" ".join(each) for each in findings] == told
    assert not tuning.suggestions


def test_too_short_a_trace_suggests_nothing_however_loud_it_is():
    loud = {**PAUSED, "queue_watermark": 9_000, "headroom_watermark": 117_000}
    assert _found(*steady(2, **loud))[0].suggestions == ()
    assert len(_found(*steady(3, **loud))[0].suggestions) == 2
    quick = steady(5, **loud)
    for number, each in enumerate(quick):
        each["time"] = (START + timedelta(seconds=10 * number)).isoformat()
    tuning, findings = _found(*quick)
    assert tuning.suggestions == ()
    assert findings[0][2].startswith("5 intervals over 50 s can be used")


def test_what_suggestions_do_is_told_by_proof_and_simulation():
    tuning, _ = _found(*steady(headroom_watermark=110_000))
    (suggestion,) = tuning.suggestions
    assert (suggestion.ports, len(suggestion.devices)) == (128, 4)
    assert (suggestion.present.value, suggestion.suggested.value) == (117_536, 137_728)
    (claim, *_) = tuning.moved
    assert suggestion.moved == tuning.moved
    assert (claim.before.right.value, claim.after.right.value) == (117_536, 137_728)
    assert {each.before.scenario.kind for each in tuning.shifts} == {"incast", "stopped"}
    assert all(each.after.xoff.value == 137_728 for each in tuning.shifts)
    assert not any(each.after.dropped.value for each in tuning.shifts)


def test_a_figure_knows_what_it_was_measured_from():
    tuning, _ = _found(*steady(headroom_watermark=110_000))
    seen, filled = tuning.suggestions[0].suggested.why.inputs
    assert seen.name == f"highest use, leaf01 {GROUP} 2026-03-01T10:00:00Z-10:00:30Z"
    assert (seen.value, seen.why.source, filled.why.trust) == (110_000, "trace.yaml", "assumed")


def test_each_suggestion_knows_what_it_does_alone():
    loud = {**PAUSED, "queue_watermark": 1_200_000, "headroom_watermark": 110_000}
    tuning, _ = _found(*steady(**loud))
    alone = {str(s.setting): {each.before.claim for each in s.moved} for s in tuning.suggestions}
    marking, headroom = alone["ecn.400G.kmax"], alone[f"profiles.{PROFILE}.xoff"]
    assert {each.partition(",")[0] for each in marking} == {"certain marking before a pause"}
    assert any("xoff holds" in each for each in headroom)
    assert {each.before.claim for each in tuning.moved} == marking | headroom
