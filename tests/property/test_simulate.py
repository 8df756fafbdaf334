"""Whatever is planned: no byte is lost from the books, and enough headroom loses none."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from nettool.plan.simulate.run import Run
from nettool.plan.simulate.setup import PS_PER_US
from tests.unit.plan.simulate.setups import DCQCN, FEED, bound, fed

SPEEDS = (100_000, 200_000, 400_000, 800_000)


@st.composite
def setups(draw, *, headroom=None):
    """A queue of any speed with up to nine feeds, each its own, for 30 us."""
    frame = draw(st.integers(512, 9216))
    mtu = draw(st.integers(frame, 9216))
    cell = draw(st.sampled_from([80, 144, 254, 256]))
    feeds = []
    for _ in range(draw(st.integers(1, 9))):
        feed = replace(
            FEED, speed=draw(st.sampled_from(SPEEDS)), cable=draw(st.floats(0, 300)),
            senders=draw(st.integers(1, 3)), own=draw(st.integers(0, 20_000)),
            xon_offset=draw(st.integers(0, 50_000)),
        )  # fmt: skip
        enough = bound(feed, mtu, frame, cell)
        feeds.append(replace(feed, xoff=headroom or enough))
    return replace(
        fed(1), feeds=tuple(feeds), speed=draw(st.sampled_from(SPEEDS)), frame=frame, mtu=mtu,
        cell=cell, alpha=draw(st.sampled_from([0.125, 1.0, 8.0])),
        shared=draw(st.integers(0, 3_000_000)), drains=draw(st.booleans()),
        reaction=draw(st.sampled_from([None, DCQCN])), end_ps=6 * PS_PER_US,
    )  # fmt: skip


@settings(max_examples=20, deadline=None)
@given(setups(headroom=20_000))
def test_what_is_sent_is_somewhere_at_every_step(setup):
    run = Run(setup)
    while run.step():
        assert run.sent == run.delivered + len(run.queue) + run.dropped + run.on_wire
        held = sum(each.use + each.headroom for each in run.buffer.groups)
        assert held == len(run.queue) * setup.occupied
        assert 0 <= run.buffer.used <= setup.shared
        assert all(0 <= x.headroom <= x.feed.xoff for x in run.buffer.groups)


@settings(max_examples=20, deadline=None)
@given(setups())
def test_enough_headroom_loses_nothing(setup):
    run = Run(setup).finish()
    assert run.dropped == 0
