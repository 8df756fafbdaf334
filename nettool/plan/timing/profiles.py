"""PTP profiles: domains, transport, priorities and message intervals, each with its source."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.core.provenance import Trust


@dataclass(frozen=True, slots=True)
class PtpProfile:
    """One profile; intervals are log2 of seconds, domains inclusive."""

    name: str
    title: str
    domain: int
    domains: tuple[int, int]
    transport: str
    delay: str
    priority1_fixed: int | None
    priority2: int
    log_announce: int
    log_sync: int
    log_delay: int
    source: str
    trust: Trust


PROFILES = {
    each.name: each
    for each in (
        PtpProfile(
            "ieee1588", "IEEE 1588 default (end to end)", 0, (0, 127), "UDPv4", "E2E",
            None, 128, 1, 0, 0,
            "IEEE 1588-2019 default profile, intervals as linuxptp's defaults", Trust.PUBLISHED,
        ),
        PtpProfile(
            "g8275.1", "G.8275.1 full timing support", 24, (24, 43), "L2", "E2E",
            128, 128, -3, -4, -4,
            "ITU-T G.8275.1: domains 24-43, L2 multicast, 8 announce and 16 sync a second",
            Trust.PUBLISHED,
        ),
        PtpProfile(
            "g8275.2", "G.8275.2 partial timing support", 44, (44, 63), "UDPv4", "E2E",
            None, 128, 0, -4, -4,
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

REFERENCES = {"PRTC-A": 100.0, "PRTC-B": 40.0, "ePRTC": 30.0}
"""Largest error of a primary reference against UTC, ns (ITU-T G.8272, recalled)."""
