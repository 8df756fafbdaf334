"""Marking that begins before a queue keeps its link busy begins later."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.provenance import Figure
from nettool.fleet.telemetry.choices import LEAST_INTERVALS
from nettool.fleet.telemetry.tuning_rule import RULES, View, Wish
from nettool.plan.qos.settings import marking_of
from nettool.plan.qos.trace import derived


@RULES.add("marking_early")
def marking_early(view: View) -> Iterator[Wish]:
    """Senders were slowed below one bandwidth-delay product of queue, and nothing paused: raise.

    DCTCP (SIGCOMM 2010) and DCQCN (SIGCOMM 2015): a queue marked below it costs throughput. Kmax
    goes first where it would come too near. A single pause anywhere in the trace forbids it.
    """
    if view.measured.ever_paused:
        return
    for speed, marked in view.measured.marked.items():
        known, kmin = view.published[speed], view.marking(speed, "kmin")
        least = view.up(float(known.least))
        if not kmin or kmin >= float(known.least) or len(marked) < int(LEAST_INTERVALS):
            continue
        told = f"ecn_marked: {sum(each.marks for each in marked):,} packets in {len(marked)} "
        reason = f"{told}intervals, no pause: Kmin {kmin:,} B is under rate x RTT {least:,} B"
        kmax = view.up(least * float(known.ratio))
        if view.marking(speed, "kmax") < kmax:
            why = derived(
                "rate x RTT x least published ratio",
                known.least.as_input("rate x RTT"),
                known.ratio.as_input("ratio"),
            )
            top = Figure(kmax, "B", why)
            yield Wish(marking_of(speed, "kmax"), top, raises=True, reason=reason, sights=marked)
        target = Figure(least, "B", known.least.why)
        yield Wish(marking_of(speed, "kmin"), target, raises=True, reason=reason, sights=marked)
