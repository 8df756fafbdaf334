"""Marking that was not sure when a queue paused begins earlier."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.provenance import Figure
from nettool.fleet.telemetry.choices import BELOW, LEAST_INTERVALS
from nettool.fleet.telemetry.measured import Sight
from nettool.fleet.telemetry.tuning_rule import RULES, View, Wish
from nettool.plan.qos.settings import marking_of
from nettool.plan.qos.trace import derived


@RULES.add("marking_late")
def marking_late(view: View) -> Iterator[Wish]:
    """Queues shorter than Kmax paused their senders: lower Kmax below them, and Kmin with it.

    ECN must act before PFC (DCQCN, SIGCOMM 2015, section 4). The third shortest queue speaks, so
    that no single odd interval decides.
    """
    for speed, paused in view.measured.paused.items():
        if len(paused) < int(LEAST_INTERVALS):
            continue
        sights = paused[: int(LEAST_INTERVALS)]
        queue, ratio = sights[-1], view.published[speed].ratio
        if queue.bytes >= view.marking(speed, "kmax"):
            continue
        seen = (view.seen("queue", queue), BELOW.as_input("part of it"))
        reason = _reason(len(paused), sights, view.marking(speed, "kmax"))
        low = view.down(queue.bytes * float(BELOW) / float(ratio))
        if view.marking(speed, "kmin") > low:
            why = derived("queue x part of it / ratio, in whole cells",
                          *seen, ratio.as_input("ratio"))  # fmt: skip
            kmin = Figure(low, "B", why)
            yield Wish(marking_of(speed, "kmin"), kmin, raises=False, reason=reason, sights=sights)
        why = derived("queue x part of it, in whole cells", *seen)
        kmax = Figure(view.down(queue.bytes * float(BELOW)), "B", why)
        yield Wish(marking_of(speed, "kmax"), kmax, raises=False, reason=reason, sights=sights)


def _reason(intervals: int, sights: tuple[Sight, ...], kmax: int) -> str:
    marks = sum(each.marks for each in sights)
    return (
        f"queue_watermark, pfc_tx: pauses were sent in {intervals} intervals, in {len(sights)} of "
        f"them with the longest queue at {sights[-1].bytes:,} B or less, below Kmax {kmax:,} B "
        f"({marks:,} packets marked)"
    )
