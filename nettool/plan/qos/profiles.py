"""Buffer profiles of a switch, named as SONiC would name them itself."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from nettool.core.provenance import Figure
from nettool.plan.qos.budget import LOSSY_POOL, Budget
from nettool.plan.qos.chip import EGRESS_LOSSLESS_POOL, LOSSLESS_POOL
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.ports import PortClass
from nettool.plan.qos.qos_plan import Pool, Profile
from nettool.plan.qos.sharing import Sharing, never
from nettool.plan.qos.trace import assumed, derived
from nettool.plan.qos.variant import Headroom

INGRESS_LOSSY = "ingress_lossy_profile"
EGRESS_LOSSY = "egress_lossy_profile"
EGRESS_LOSSLESS = "egress_lossless_profile"
_FIELDS = ("size", "xon", "xoff", "xon_offset", "dynamic_th", "static_th")


@dataclass(frozen=True, slots=True)
class Needs:
    """Frame sizes that profiles are made for."""

    mtu: Figure
    lossless_mtu: Figure


def lossless_name(speed: int, cable: float) -> str:
    """The name the switch's buffer manager gives the profile itself; another one is replaced."""
    return f"pg_lossless_{speed}_{math.ceil(cable)}m_profile"


def lossless_profile(
    port: PortClass, headroom: Headroom, sharing: Sharing, needs: Needs, overrides: Overrides
) -> Profile:
    """The profile of the lossless groups of a port class."""
    size = headroom.size or _one_frame(needs)
    resume = headroom.xon_offset
    if resume is None and headroom.xon is None:
        resume = _two_frames(needs)
    planned = Profile(
        lossless_name(port.speed, float(headroom.cable)),
        LOSSLESS_POOL,
        _whole(size),
        xon=_whole(headroom.xon) if headroom.xon else None,
        xoff=_whole(headroom.xoff),
        xon_offset=_whole(resume) if resume else None,
        dynamic_th=sharing.power,
        static_th=sharing.fixed,
    )
    return _overridden(planned, overrides)


def common_profiles(budget: Budget, overrides: Overrides) -> tuple[Profile, ...]:
    """The lossy profiles of both directions and the lossless one of the egress."""
    inward = budget.pool("ingress_lossy_pool") or budget.pool(LOSSY_POOL)
    outward = budget.pool("egress_lossy_pool") or budget.pool(LOSSY_POOL)
    lossless_out = budget.pool(EGRESS_LOSSLESS_POOL)
    profiles = (
        _ingress_lossy(inward or _own(budget, LOSSLESS_POOL), alone=inward is not None),
        _egress_lossless(lossless_out or _own(budget, LOSSLESS_POOL)),
        _egress_lossy(outward or lossless_out or _own(budget, LOSSLESS_POOL)),
    )
    return tuple(_overridden(each, overrides) for each in profiles)


def _own(budget: Budget, name: str) -> Pool:
    return next(each for each in budget.pools if each.name == name)


def _ingress_lossy(pool: Pool, *, alone: bool) -> Profile:
    size = assumed(0, "B", "nothing is reserved for what may be dropped")
    power = assumed(3, "", "alpha 8: the egress limit binds first") if alone else assumed(
        -1, "", "alpha 1/2: lossy traffic may not crowd the lossless pool it shares"
    )  # fmt: skip
    return _limited(Profile(INGRESS_LOSSY, pool.name, size), pool, power, 1.0)


def _egress_lossy(pool: Pool) -> Profile:
    size = assumed(1518, "B", "one standard frame, so that CNP and control pass a full pool")
    power = assumed(0, "", "alpha 1: one congested queue may take half of the pool")
    return _limited(Profile(EGRESS_LOSSY, pool.name, size), pool, power, 0.5)


def _egress_lossless(pool: Pool) -> Profile:
    size = assumed(0, "B", "egress only counts; the ingress pool holds the bytes")
    return _limited(Profile(EGRESS_LOSSLESS, pool.name, size), pool, never(), 1.0)


def _limited(profile: Profile, pool: Pool, power: Figure, part: float) -> Profile:
    """The profile with the kind of threshold that its pool takes."""
    if pool.mode == "dynamic":
        return replace(profile, dynamic_th=power)
    why = derived(f"pool size x {part:g}", pool.size.as_input("pool size"))
    return replace(profile, static_th=Figure(int(float(pool.size) * part), "B", why))


def _overridden(profile: Profile, overrides: Overrides) -> Profile:
    """The profile with the operator's figures; a threshold of one kind displaces the other."""
    own = {key: overrides.profile(profile.name, key) for key in _FIELDS}
    power, fixed = own["dynamic_th"], own["static_th"]
    return replace(
        profile,
        size=own["size"] or profile.size,
        xon=own["xon"] or profile.xon,
        xoff=own["xoff"] or profile.xoff,
        xon_offset=own["xon_offset"] or profile.xon_offset,
        dynamic_th=None if fixed else power or profile.dynamic_th,
        static_th=None if power else fixed or profile.static_th,
    )


def _one_frame(needs: Needs) -> Figure:
    why = derived("one lossless frame, as the variant gives no size",
                  needs.lossless_mtu.as_input("lossless MTU"))  # fmt: skip
    return Figure(needs.lossless_mtu.value, "B", why)


def _two_frames(needs: Needs) -> Figure:
    why = derived("resume two frames below the pause point", needs.mtu.as_input("MTU"),
                  source="DCQCN (SIGCOMM 2015) section 4")  # fmt: skip
    return Figure(2 * needs.mtu.value, "B", why)


def _whole(figure: Figure) -> Figure:
    """The figure in whole bytes, rounded up."""
    if float(figure).is_integer():
        return Figure(int(figure), figure.unit, figure.why)
    return Figure(math.ceil(float(figure)), figure.unit, figure.why)
