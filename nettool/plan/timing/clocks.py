"""The clock of every switch: whom it follows, its priorities, and the role of each port."""

from __future__ import annotations

from collections.abc import Sequence

from nettool.core.provenance import Figure, Input, Provenance, Trust
from nettool.intent.intent import TimingIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.timing.facts import ClockFacts
from nettool.plan.timing.profiles import PROFILES, PtpProfile
from nettool.plan.timing.references import SWITCH_PRIORITY1, ports_of
from nettool.plan.timing.roles import Addresses, Trees, clock_ports, frequency_parent
from nettool.plan.timing.timing_plan import Clock, Reference


def plan_clocks(
    asked: TimingIntent,
    fabric: Fabric,
    trees: Trees,
    facts: ClockFacts,
    references: Sequence[Reference],
) -> dict[str, Clock]:
    """The clocks by device, in design order; a switch that no grandmaster reaches has none."""
    profile = PROFILES[asked.profile]
    cabled = ports_of(references)
    addresses = _addresses(asked, profile)
    first = _priority1(profile)
    depths = {branch.hops for branch in trees.followed.values()}
    second = {hops: _priority2(profile, hops) for hops in sorted(depths)}
    clocks = {}
    for device in fabric.devices:
        branch = trees.followed.get(device.name)
        if branch is None:
            continue
        model = facts.of(device)
        ports = clock_ports(device, trees, cabled.get(device.name, {}), addresses)
        clocks[device.name] = Clock(
            device=device.name,
            kind=facts.kinds[device.role],
            parent=branch.parent,
            hops=branch.hops,
            priority1=first,
            priority2=second[branch.hops],
            clock_class=model.clock_class,
            clock_class_why=model.why,
            ports=tuple(ports),
            frequency=frequency_parent(device.name, trees),
        )
    return clocks


def _addresses(asked: TimingIntent, profile: PtpProfile) -> Addresses | None:
    """The grandmasters' addresses, where clocks ask for messages."""
    if not profile.is_unicast:
        return None
    return {each.name: each.address for each in asked.grandmasters}


def _priority1(profile: PtpProfile) -> Figure:
    why = Provenance(f"default of {profile.title}", (), profile.source, profile.trust)
    return Figure(profile.priority1_fixed or SWITCH_PRIORITY1, "", why)


def _priority2(profile: PtpProfile, hops: int) -> Figure:
    why = Provenance(
        "profile's priority2 + clocks from the grandmaster - 1: nearer switches win",
        (Input("clocks from the grandmaster", hops),),
        profile.source,
        Trust.COMPUTED,
        "grandmaster < standby < switches <= 255",
    )
    return Figure(min(255, profile.priority2 + hops - 1), "", why)
