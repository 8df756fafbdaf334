"""What one run is told: whole numbers alone, so that it can be repeated to the byte.

A run is about one lossless queue of one egress port, and the priority groups of the ports that
feed it.
"""

from __future__ import annotations

from dataclasses import dataclass

PS_PER_US = 1_000_000
PS_PER_MS = 1_000 * PS_PER_US
_PS_PER_METRE = 5_000
_PS_PER_BYTE_AT_1_MBPS = 8_000_000
MAX_FRAMES = 200_000
"""A second or two of work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """One ingress port that sends to the queue: speed Mb/s, cable m, all else bytes.

    `own` is what its group holds outright, `xoff` its headroom; it resumes at the larger of
    `xon` and its threshold less `xon_offset`. `response` may leave the peer after a pause came.
    `senders` share the port.
    """

    speed: int
    cable: float
    xoff: int
    response: int
    xon: int = 0
    xon_offset: int = 0
    own: int = 0
    senders: int = 1

    @property
    def byte_ps(self) -> int:
        """Picoseconds of one byte."""
        return byte_time(self.speed)

    @property
    def cable_ps(self) -> int:
        """Picoseconds on the cable, one way."""
        return round(self.cable * _PS_PER_METRE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """How a sender answers to marks (DCQCN, SIGCOMM 2015): times in ps, rates in Mb/s."""

    gain: float
    cnp_ps: int
    alpha_ps: int
    timer_ps: int
    counter: int
    recoveries: int
    additive: float
    hyper: float
    least: float
    feedback_ps: int
    """From a marked frame's way out of the queue until its sender knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """One queue and what feeds it. Bytes, unless a name says otherwise.

    Exactly one of `alpha` and `fixed` is set: the threshold of a group is alpha times what is
    free of `shared`, or `fixed`. `headroom` bounds the headroom of all groups together (None:
    each has its own). `frame` is every frame's size, `mtu` the one that may hold up a pause.
    Without `reaction` senders ignore marks; where the queue does not `drain`, its port is paused.
    """

    feeds: tuple[Feed, ...]
    speed: int
    shared: int
    alpha: float | None
    fixed: int | None = None
    headroom: int | None = None
    cell: int
    frame: int
    mtu: int
    kmin: int
    kmax: int
    pmax: float
    """0..1"""
    reaction: Reaction | None = None
    drains: bool = True
    end_ps: int | None = None
    """None: until things have settled."""
    most: int = MAX_FRAMES
    """Frames after which the run ends, whatever else it was told."""

    @property
    def occupied(self) -> int:
        """Bytes of buffer that a frame takes: whole cells."""
        return -(-self.frame // self.cell) * self.cell


def byte_time(speed: int) -> int:
    """Picoseconds of one byte at a speed in Mb/s."""
    return _PS_PER_BYTE_AT_1_MBPS // speed
