"""What the lossless proof takes for granted, in words, each with its figure and its trust."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nettool.core.provenance import Figure
from nettool.core.units import format_speed
from nettool.intent.intent import FabricIntent
from nettool.plan.qos.chip import Chip
from nettool.plan.qos.ecn import base_rtt
from nettool.plan.qos.qos_plan import SwitchQos
from nettool.plan.qos.switch import Task
from nettool.plan.qos.wire import response

Planned = tuple[Task, SwitchQos]


def assumptions(intent: FabricIntent, planned: Iterable[Planned]) -> tuple[str, ...]:
    """MTU, response times, cables, bursts, and every chip figure, each line once."""
    every = tuple(planned)
    asked, rtt = intent.qos, base_rtt(intent.qos.ecn)
    mtus = ", ".join(sorted({f"{each.mtu} B" for each in intent.networks.values()}))
    lines = [
        f"port MTU {mtus}; largest lossless frame {asked.lossless_mtu} B",
        *_responses(every),
        "cables carry 5 ns/m and are not longer than the intent says",
        *_cables(every),
        "hosts and switches trust DSCP, and hosts mark as the class table says",
        f"base round trip {float(rtt):g} us ({rtt.why.trust})",
        "bursts: every lossless queue may congest at once; one ingress may feed them all",
        *_bursts(every),
        "routing goes up and then down; no flooding of lossless traffic",
        *(_chip(task.chip) for task, _ in every),
        *(_headroom(switch) for _, switch in every),
    ]
    return tuple(dict.fromkeys(lines))


def _responses(planned: tuple[Planned, ...]) -> Iterator[str]:
    speeds = {port.speed for task, _ in planned for port in task.switch.counts if port.lossless}
    told = [(speed, figure) for speed in sorted(speeds) if (figure := response(speed))]
    if told:
        listed = ", ".join(f"{format_speed(speed)} {_shown(each)}" for speed, each in told)
        yield f"a peer obeys a pause within the longest response of IEEE 802.3 31B.3.7: {listed}"


def _cables(planned: tuple[Planned, ...]) -> Iterator[str]:
    told = {
        (port.speed, port.length, float(switch.ports[name].cable))
        for task, switch in planned
        for name, port in task.switch.ports.items()
        if port.lossless
    }
    for speed, length, row in sorted(told):
        yield f"{format_speed(speed)} cables of {length:g} m have the headroom of {row:g} m"


def _bursts(planned: tuple[Planned, ...]) -> Iterator[str]:
    for task, _ in planned:
        network, senders = task.switch.network, task.incast
        noun = "sender" if float(senders) == 1 else "senders"
        yield f"incast in {network}: {float(senders):g} {noun} to one port ({senders.why.trust})"


def _chip(chip: Chip) -> str:
    """Every figure of a chip that a claim may rest on."""
    holds = "holds" if chip.xoff_is_inside else "does not hold"
    parts = [
        f"buffer {_shown(chip.buffer)}" if chip.buffer else "buffer not known",
        f"cell {_shown(chip.cell)}",
        f"a pool's size {holds} its xoff ({chip.includes_xoff.why.trust})",
        *(f"{pool.name} {_shown(pool.size)}" for pool in chip.pools),
    ]
    return f"{chip.asic.name}: {', '.join(parts)}"


def _headroom(switch: SwitchQos) -> str:
    table = f" ({switch.table})" if switch.table else ""
    return f"{switch.asic}: headroom by {switch.variant}{table}, trust {switch.trust}"


def _shown(figure: Figure) -> str:
    return f"{float(figure):,.0f} {figure.unit} ({figure.why.trust})"
