"""PTP profiles: domains, transport, priorities and message intervals, each with its source."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.core.provenance import Trust

DSCP = 56
"""CS7: what PTP over UDP is marked with, so that it stays out of the lossless classes."""


@dataclass(frozen=True, slots=True)
class Interval:
    """How often a message is sent, log2 of seconds, and what a profile allows."""

    default: int
    fastest: int
    slowest: int


@dataclass(frozen=True, slots=True)
class PtpProfile:
    """One profile; intervals in log2 of seconds, domains inclusive, first transport used."""

    name: str
    title: str
    domain: int
    domains: tuple[int, int]
    transports: tuple[str, ...]
    delay: str
    priority1_fixed: int | None
    priority2: int
    announce: Interval
    sync: Interval
    delay_request: Interval
    source: str
    trust: Trust

    @property
    def is_unicast(self) -> bool:
        """True where clocks ask a named clock for messages, in place of multicast."""
        return self.name == "g8275.2"


PROFILES = {
    each.name: each
    for each in (
        PtpProfile(
            "ieee1588", "IEEE 1588 default (end to end)", 0, (0, 127), ("UDPv4", "UDPv6", "L2"),
            "E2E", None, 128, Interval(1, 0, 4), Interval(0, -1, 1), Interval(0, 0, 5),
            "IEEE 1588-2019 default profile, intervals as linuxptp's defaults", Trust.PUBLISHED,
        ),
        PtpProfile(
            "g8275.1", "G.8275.1 full timing support", 24, (24, 43), ("L2",), "E2E",
            128, 128, Interval(-3, -3, -3), Interval(-4, -4, -4), Interval(-4, -4, -4),
            "ITU-T G.8275.1: domains 24-43, L2 multicast, 8 announce and 16 sync a second",
            Trust.PUBLISHED,
        ),
        PtpProfile(
            "g8275.2", "G.8275.2 partial timing support", 44, (44, 63), ("UDPv4", "UDPv6"), "E2E",
            None, 128, Interval(0, -3, 0), Interval(-4, -7, 0), Interval(-4, -7, 0),
            "ITU-T G.8275.2: domains 44-63, unicast; intervals within its published ranges",
            Trust.RECALLED,
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClockClass:
    """G.8273.2 noise generation of one clock class, ns.

    `cte` constant, `dte` the MTIE of the low-passed dynamic part, `te_max` the unfiltered
    bound; class D has only a low-passed maximum (`te_l`).
    """

    name: str
    cte: float | None
    dte: float | None
    te_max: float | None
    te_l: float | None


CLOCK_CLASSES = {
    each.name: each
    for each in (
        ClockClass("A", 50, 40, 100, None),
        ClockClass("B", 20, 40, 70, None),
        ClockClass("C", 10, 10, 30, None),
        ClockClass("D", None, None, None, 5),
    )
}
CLOCK_CLASS_SOURCE = "ITU-T G.8273.2 noise generation limits, as tabulated by Calnex"

MOST_CLOCKS = {"A": 10, "B": 10, "C": 20, "D": 20}
"""Boundary clocks in a row that the reference chain of a class has (G.8271.1, recalled)."""
MOST_CLOCKS_SOURCE = "ITU-T G.8271.1 reference chains: 10 clocks of class A or B, 20 of C"

REFERENCES = {"PRTC-A": 100.0, "PRTC-B": 40.0, "ePRTC": 30.0}
"""Largest error of a primary reference against UTC, ns (ITU-T G.8272, recalled)."""
