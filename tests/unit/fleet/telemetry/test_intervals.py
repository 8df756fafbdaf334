"""Which stretches of a trace are used, why others are not, and every loss."""

from __future__ import annotations

import pytest

from nettool.fleet.telemetry.intervals import watch
from nettool.fleet.telemetry.measured import lossless_of
from tests.unit.fleet.telemetry.traces import GROUP, QUEUE, ground, look, steady, trace


def _watched(*looks):
    return watch(trace(*looks), lossless_of(ground().qos))


CASES = [
    ("steady", steady(3, ecn_marked=4), ["", "", ""]),
    (
        "a counter that goes back",
        [look(0, ecn_marked=9), look(1, ecn_marked=4), look(2, ecn_marked=6)],
        [f"ecn_marked of {QUEUE} went from 9 to 4, reset or wrapped", ""],
    ),
    (
        "a counter that wraps",
        [look(0, pfc_tx=2**64 - 3), look(1, pfc_tx=5)],
        [f"pfc_tx of {GROUP} went from {2**64 - 3} to 5, reset or wrapped"],
    ),
    (
        "a counter that is missing once",
        [look(0), look(1, ecn_marked=None), look(2)],
        [
            f"ecn_marked of {QUEUE} was 0 and is not counted any more",
            f"ecn_marked of {QUEUE} was not counted before",
        ],
    ),
    (
        "services that began again",
        [look(0, started="a"), look(1, started="b"), look(2, started="b")],
        ["its services began again at b", ""],
    ),
    (
        "looks that are missing",
        [look(0), look(1), look(2), look(4), look(5)],
        ["", "", "looks are missing: 60 s without one", ""],
    ),
    (
        "several at once",
        [look(0, ecn_marked=9, pfc_rx=9), look(1)],
        [f"ecn_marked of {QUEUE} went from 9 to 0, reset or wrapped (and 1 more)"],
    ),
    ("samples in any order", list(reversed(steady(3, ecn_marked=4))), ["", "", ""]),
    ("one look proves nothing", [look(0)], []),
]


@pytest.mark.parametrize(
    ("looks", "doubts"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_an_interval_is_used_or_says_why_not(looks, doubts):
    assert [each.doubt for each in _watched(*looks).intervals] == doubts


def test_growth_and_peaks_are_of_lossless_places_alone():
    looks = steady(1, ecn_marked=4, queue_watermark=700)
    for each in looks:
        each["counters"]["ecn_marked"] |= {"Ethernet0|1": 50, "Ethernet3|3": 50}
        each["counters"]["queue_watermark"] |= {"Ethernet0|1": 9_000_000}
    (interval,) = _watched(*looks).intervals
    assert interval.grown["ecn_marked"] == {QUEUE: 4}
    assert interval.peaks["queue_watermark"] == {QUEUE: 700}


@pytest.mark.parametrize(
    ("counts", "lost"),
    [
        ((0, 0, 0), []),
        ((0, 4, 4), [(4, False)]),
        ((7, 7, 9), [(7, True), (2, False)]),
        ((9, 2, 2), [(9, True), (2, False)]),
        ((0, None, 3), [(3, False)]),
    ],
)
def test_a_loss_counts_whatever_an_interval_is_worth(counts, lost):
    looks = [look(number, pg_drop=count) for number, count in enumerate(counts)]
    found = _watched(*looks).losses
    assert [(each.packets, each.start is None) for each in found] == lost
    assert {(each.kind, each.place) for each in found} <= {("pg_drop", GROUP)}
