"""Runs against what is known beforehand: the headroom bound, fill times, fair shares, no loss."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nettool.plan.simulate.run import Run
from nettool.plan.simulate.setup import PS_PER_MS, PS_PER_US
from tests.unit.plan.simulate.setups import CELL, DCQCN, FEED, FRAME, IN_CELLS, bound, fed, late

MANY = 100
"""So many ports start so evenly that one of them is at the worst moment when a pause is due."""


def worst_mtu(feed):
    """The largest MTU up to 9216 for which one frame more begins to arrive just in time."""
    return next(mtu for mtu in range(9216, 0, -1) if late(feed, mtu) % FRAME == 60)


def stopped(feed, mtu, **parts):
    return Run(fed(MANY, feed, mtu=mtu, drains=False, **parts)).finish()


@pytest.mark.parametrize("cable", [1.0, 5.0, 40.0, 100.0])
@pytest.mark.parametrize(("below", "loses"), [(0, False), (CELL, True)])
def test_headroom_at_the_bound_and_one_cell_below(cable, below, loses):
    feed = replace(FEED, cable=cable)
    mtu = worst_mtu(feed)
    run = stopped(replace(feed, xoff=bound(feed, mtu) - below), mtu)
    assert (run.dropped > 0) is loses
    assert run.first_drop < 0 or run.first_drop > run.first_pause


def test_no_headroom_loses_though_pauses_are_sent():
    run = stopped(replace(FEED, xoff=0), 9216)
    assert run.pauses == MANY
    assert run.dropped * FRAME >= MANY * (late(FEED, 9216) - FRAME)


@pytest.mark.parametrize("reaction", [None, DCQCN])
def test_a_thousand_senders_lose_nothing(reaction):
    feed = replace(FEED, xoff=bound(FEED, 9216))
    end = 40 * PS_PER_US
    run = Run(fed(1000, feed, reaction=reaction, end_ps=end, shared=1_000_000)).finish()
    assert run.dropped == 0
    assert run.pauses >= 1000


def test_a_shared_headroom_pool_that_is_too_small_loses():
    need = 2 * bound(FEED, 9216)
    feed = replace(FEED, xoff=need)
    assert stopped(feed, 9216, headroom=MANY * need // 2).dropped == 0
    assert stopped(feed, 9216, headroom=MANY * need // 8).dropped > 0


@pytest.mark.parametrize(
    ("senders", "level", "us"), [(7, 1_000_000, 3.333), (2, 400_000, 8.0), (4, 3_000_000, 20.0)]
)
def test_a_burst_fills_the_queue_in_the_time_of_its_excess(senders, level, us):
    """X bytes at k:1 and rate R take X / ((k - 1) R); 1 MB at 7:1 and 400G takes 3.3 us."""
    setup = fed(senders, kmin=level, kmax=level, shared=100_000_000, end_ps=30 * PS_PER_US)
    run = Run(setup).finish()
    assert (run.first_mark - run.first_arrival) / PS_PER_US == pytest.approx(us, abs=0.15)


@pytest.mark.parametrize(
    ("count", "reaction"), [(2, None), (3, None), (7, None), (2, DCQCN), (3, DCQCN)]
)
def test_alike_senders_get_equal_shares(count, reaction):
    run = Run(fed(count, reaction=reaction, end_ps=2 * PS_PER_MS)).finish()
    parts = [each.delivered for each in run.senders]
    assert run.delivered > 0
    assert min(parts) >= 0.9 * max(parts)


def test_pfc_alone_keeps_the_line_busy():
    run = Run(fed(4)).finish()
    assert run.pauses > 4
    assert run.delivered * FRAME * 20 >= 0.99 * run.now
    assert run.now == pytest.approx(run.first_pause + PS_PER_MS, rel=0.01)


def test_marks_come_before_pauses_where_there_is_room_for_them():
    roomy = Run(fed(4, shared=10_000_000, reaction=DCQCN)).finish()
    tight = Run(fed(4, shared=200_000, reaction=DCQCN)).finish()
    assert roomy.first_mark > 0
    assert roomy.first_pause < 0
    assert 0 < tight.first_pause < tight.first_mark


def test_senders_that_listen_need_less_buffer():
    deaf, listening = (Run(fed(4, shared=50_000_000, reaction=x)).finish() for x in (None, DCQCN))
    assert listening.queue_peak < deaf.queue_peak / 2


def test_what_fits_the_line_is_neither_queued_nor_paused():
    slow = replace(FEED, speed=200_000)
    run = Run(fed(2, slow, reaction=DCQCN)).finish()
    assert run.queue_peak <= 2
    assert run.pauses == run.marks == run.dropped == 0


def test_senders_behind_one_port_share_it():
    run = Run(fed(2, replace(FEED, senders=5), end_ps=PS_PER_MS)).finish()
    assert len(run.senders) == 10
    assert max(x.delivered for x in run.senders) - min(x.delivered for x in run.senders) <= 20


def test_a_static_threshold_holds_each_group():
    run = Run(fed(2, alpha=None, fixed=500_000, shared=10_000_000, drains=False)).finish()
    assert {each.use // IN_CELLS for each in run.buffer.groups} == {(500_000 + 1518) // IN_CELLS}


def test_a_run_is_bounded():
    run = Run(fed(63, end_ps=1_000 * PS_PER_MS, most=5_000)).finish()
    assert run.is_cut
    assert run.sent == 5_000
