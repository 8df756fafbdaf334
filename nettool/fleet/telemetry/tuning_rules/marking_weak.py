"""Marking that was sure and did not hold the senders gets a higher probability on the way."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.fleet.telemetry.choices import BEYOND, LEAST_INTERVALS
from nettool.fleet.telemetry.tuning_rule import RULES, View, Wish
from nettool.plan.qos.settings import marking_of


@RULES.add("marking_weak")
def marking_weak(view: View) -> Iterator[Wish]:
    """Queues far above Kmax paused although packets were marked: raise Pmax to what others use.

    Between Kmin and Kmax the probability rises to Pmax, and published figures differ most there.
    """
    for speed, paused in view.measured.paused.items():
        sights = paused[: int(LEAST_INTERVALS)]
        kmax, pmax = view.marking(speed, "kmax"), view.marking(speed, "pmax")
        target = view.published[speed].pmax
        is_far = kmax and sights[-1].bytes >= float(BEYOND) * kmax
        if len(sights) < int(LEAST_INTERVALS) or not is_far or not all(s.marks for s in sights):
            continue
        if pmax and pmax < int(target):
            yield Wish(
                marking_of(speed, "pmax"),
                target,
                raises=True,
                reason=f"queue_watermark, ecn_marked, pfc_tx: pauses were sent with the queue at "
                f"{sights[-1].bytes:,} B, far above Kmax {kmax:,} B, though packets were marked",
                sights=sights,
            )
