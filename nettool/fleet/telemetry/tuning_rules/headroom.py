"""Headroom that was nearly full gets more."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.provenance import Figure
from nettool.fleet.telemetry.choices import FILLED, FULL
from nettool.fleet.telemetry.tuning_rule import RULES, View, Wish
from nettool.plan.qos.settings import XOFF, of_profile
from nettool.plan.qos.trace import derived


@RULES.add("headroom")
def headroom(view: View) -> Iterator[Wish]:
    """A group used more of its headroom than a slower peer would leave room for: raise xoff.

    One sight is enough: headroom is made for the worst moment. It is never lowered: what was not
    seen may still come (IEEE 802.1Qbb annex O).
    """
    for profile, highest in view.measured.headroom.items():
        setting = of_profile(profile, XOFF)
        xoff = view.values.get(setting, 0)
        if not xoff or highest.bytes <= float(FULL) * xoff:
            continue
        why = derived(
            "highest use / part to be filled, in whole cells",
            view.seen("highest use", highest),
            FILLED.as_input("part to be filled"),
        )
        yield Wish(
            setting,
            Figure(view.up(highest.bytes / float(FILLED)), "B", why),
            raises=True,
            reason=f"headroom_watermark: {highest.bytes:,} B of {xoff:,} B headroom were used "
            f"({highest.bytes / xoff:.0%})",
            sights=(highest,),
        )
