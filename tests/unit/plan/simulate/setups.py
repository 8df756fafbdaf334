"""Setups of runs: a 400G queue fed by alike 400G ports, each part to be replaced."""

from __future__ import annotations

from dataclasses import replace

from nettool.plan.qos.wire import PFC_FRAME_BYTES
from nettool.plan.simulate.setup import PS_PER_US, Feed, Reaction, Setup

FRAME, CELL, MTU = 4178, 256, 9216
IN_CELLS = 17 * CELL
FEED = Feed(speed=400_000, cable=5.0, xoff=129_920, response=57_920, xon_offset=13_824, own=1518)
DCQCN = Reaction(
    gain=1 / 256, cnp_ps=50 * PS_PER_US, alpha_ps=55 * PS_PER_US, timer_ps=60 * PS_PER_US,
    counter=10_000_000, recoveries=5, additive=40, hyper=200, least=100,
    feedback_ps=8 * PS_PER_US,
)  # fmt: skip
QUEUE = Setup(
    feeds=(FEED, FEED), speed=400_000, shared=2_000_000, alpha=1.0, cell=CELL, frame=FRAME,
    mtu=MTU, kmin=100_000, kmax=400_000, pmax=0.1,
)  # fmt: skip


def fed(count=2, feed=FEED, **parts):
    """The queue with so many alike feeds, and other parts."""
    return replace(QUEUE, feeds=(feed,) * count, **parts)


def late(feed, mtu):
    """Bytes that may begin to arrive after a pause is due, at the feed's line rate."""
    return mtu + PFC_FRAME_BYTES + feed.response + -(-2 * feed.cable_ps // feed.byte_ps)


def bound(feed, mtu, frame=FRAME, cell=CELL):
    """The planned bound, computed here: all that is in flight and one frame more, in cells."""
    cells = -(-frame // cell) * cell
    return -(-(late(feed, mtu) + frame) * cells // frame)
