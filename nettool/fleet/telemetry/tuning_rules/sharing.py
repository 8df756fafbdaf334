"""A share of the buffer that was used up before marking was sure gets larger."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.provenance import Figure, Input
from nettool.fleet.telemetry.choices import LEAST_INTERVALS
from nettool.fleet.telemetry.measured import Sight, port_of
from nettool.fleet.telemetry.tuning_rule import RULES, View, Wish
from nettool.plan.qos.settings import POWER, of_profile
from nettool.plan.qos.sharing import Sharing
from nettool.plan.qos.threshold import POWERS
from nettool.plan.qos.trace import derived


@RULES.add("sharing")
def sharing(view: View) -> Iterator[Wish]:
    """Queues shorter than Kmax paused, and Kmax cannot go below them: raise dynamic_th.

    The smallest one at which a group alone may hold Kmax while the switch is as full as it was:
    alpha (B - used) >= Kmax, used being the highest use of all groups, which is cautious since
    they need not have had it at once.
    """
    for speed, paused in view.measured.paused.items():
        sights = paused[: int(LEAST_INTERVALS)]
        kmax = view.marking(speed, "kmax")
        known = [each.shared for each in sights if each.shared is not None]
        if len(sights) < int(LEAST_INTERVALS) or len(known) < len(sights):
            continue
        if sights[-1].bytes >= kmax:
            continue
        fullest = max(sights, key=lambda each: each.shared or 0)
        setting = of_profile(
            port_of(view.qos, fullest.device, fullest.place).lossless_profile, POWER
        )
        target = _power(view, fullest, kmax)
        if target and setting in view.values and int(target) > view.values[setting]:
            yield Wish(
                setting,
                target,
                raises=True,
                reason=f"queue_watermark, pg_watermark, pfc_tx: pauses were sent with the queue at "
                f"{sights[-1].bytes:,} B and {fullest.shared:,} B of the shared buffer in use; "
                f"marking cannot be sure before Kmax {kmax:,} B",
                sights=sights,
            )


def _power(view: View, sight: Sight, kmax: int) -> Figure | None:
    """The smallest log2 alpha that leaves a group Kmax; None where the buffer itself was full."""
    shared, used = view.qos.switches[sight.device].shared, sight.shared or 0
    if shared is None:
        return None
    inputs = (
        Input(f"used, {sight.text}", used, "B"),
        Input("Kmax", kmax, "B"),
        shared.as_input("B"),
    )
    why = derived("smallest n for which 2^n (B - used) >= Kmax", *inputs)
    for power in POWERS:
        divided = Sharing(shared, 1, Figure(power, "", why), None)
        if divided.room(used) + used >= kmax:
            return Figure(power, "", why)
    return None
