"""Whether PTP over UDP reaches the clocks that it must: addresses to ask, ports that have one."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding
from nettool.plan.design.fabric import Fabric
from nettool.plan.timing.note import warning
from nettool.plan.timing.profiles import PROFILES
from nettool.plan.timing.timing_plan import TimingPlan

_SHOWN = 8


def check_reach(plan: TimingPlan, fabric: Fabric) -> Iterator[Finding]:
    """Ports that cannot follow or lead over UDP as the fabric is addressed."""
    yield from _unknown(plan)
    if plan.transport != "L2":
        yield from _bridged(plan, fabric)


def _unknown(plan: TimingPlan) -> Iterator[Finding]:
    """Unicast asks a clock by its address: links without one, grandmasters without one."""
    if not PROFILES[plan.profile].is_unicast:
        return
    mute = [
        f"{clock.device}:{port.port} to {port.peer}"
        for clock in plan.clocks.values()
        for port in clock.ports
        if port.may_follow and port.peer_address is None
    ]
    if mute:
        yield warning(
            "TIM021",
            f"{len(mute)} ports know no address to ask for messages, and so never follow: "
            f"{', '.join(mute[:_SHOWN])}",
            "number the links between switches, and give each grandmaster its address",
            "profile",
        )


def _bridged(plan: TimingPlan, fabric: Fabric) -> Iterator[Finding]:
    """A port in a gateway VLAN has no address of its own: UDP does not reach a clock on it."""
    ports = [
        f"{device.name}:{port}"
        for device in fabric.devices
        for gateway in device.gateways
        for port in gateway.ports
        if plan.own_transport.get(device.name, {}).get(port) != "L2"
    ]
    if ports:
        yield warning(
            "TIM022",
            f"{len(ports)} ports face hosts in a gateway VLAN and have no address of their own, "
            f"so PTP over {plan.transport} does not reach their clock: {', '.join(ports[:4])}, …",
            "carry PTP over L2 (profile g8275.1, or transport: L2)",
            "transport",
        )
