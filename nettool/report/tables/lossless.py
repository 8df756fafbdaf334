"""Lossless traffic in tables: classes, headroom, marking, the proof, and the simulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nettool.core.spans import named
from nettool.core.units import format_speed
from nettool.plan.qos.qos_plan import QosPlan, SwitchQos, TrafficClass
from nettool.plan.simulate.outcome import Outcome
from nettool.plan.simulate.simulate import Simulation
from nettool.report.page import Table

_LOSSY = "no lossless port"


def class_table(qos: QosPlan, networks: Sequence[str]) -> Table:
    """The traffic classes, with the scheduler of each network."""
    rows = [
        (c.name, ",".join(map(str, c.dscp)) or "others", c.tc, c.queue, c.pg, c.lossless, c.ecn,
         *(_scheduler(each) for each in own))
        for c, *own in zip(qos.classes, *map(qos.classes_of, networks), strict=True)
    ]  # fmt: skip
    names = [f"in {each}" for each in networks] if len(networks) > 1 else ["scheduler"]
    head = ("class", "DSCP", "TC", "queue", "PG", "lossless", "ECN", *names)
    return Table(head, rows, "traffic classes, the same on every hop")


def switch_tables(qos: QosPlan) -> Iterator[Table]:
    """Headroom, marking and proof of each kind of switch."""
    alike: dict[int, list[str]] = {}
    for name, switch in qos.switches.items():
        alike.setdefault(id(switch), []).append(name)
    for names in alike.values():
        switch = qos.switches[names[0]]
        yield _headroom(names, switch)
        yield _marking(switch)
        yield _proofs(switch)


def simulation_table(result: Simulation) -> Table:
    """One row a case of the simulation."""
    head = (
        "switch", "egress", "faces", "case", "from", "senders", "dropped B", "peak queue B",
        "first mark us", "first pause us", "pauses", "headroom B", "xoff B", "used, %",
        "goodput, %", "trust",
    )  # fmt: skip
    return Table(head, [_case(each) for each in result.outcomes], "incast on the planned buffers")


def _scheduler(traffic: TrafficClass) -> str:
    return "strict" if traffic.weight is None else f"DWRR {int(traffic.weight)}"


def _headroom(names: list[str], switch: SwitchQos) -> Table:
    rows = [
        (p.name, p.xoff.value, p.xon.value if p.xon else None, p.size.value, str(p.xoff.why.trust))
        for p in switch.profiles
        if p.xoff is not None
    ]
    model = switch.key.partition("/")[0]
    by = f"headroom by {switch.variant} ({switch.trust})" if rows else _LOSSY
    title = f"{named(names, 'switches')}: {model}, {switch.asic}, {by}"
    return Table(("profile", "xoff B", "xon B", "size B", "trust"), rows, title)


def _marking(switch: SwitchQos) -> Table:
    rows = [
        (w.name, format_speed(w.speed), w.kmin.value, w.kmax.value, w.pmax.value)
        for w in switch.wreds
    ]
    return Table(("ECN profile", "speed", "Kmin B", "Kmax B", "Pmax %"), rows)


def _proofs(switch: SwitchQos) -> Table:
    rows = [
        (p.claim, p.left.value, p.relation, p.right.value, p.left.unit, p.holds, p.binding,
         str(p.trust))
        for p in switch.proofs
    ]  # fmt: skip
    return Table(("proof", "left", "", "right", "unit", "holds", "binding", "trust"), rows)


def _case(outcome: Outcome) -> tuple[object, ...]:
    case = outcome.scenario
    return (
        named(case.devices, "switches"), f"{case.port} {format_speed(case.speed)}", case.tier,
        case.kind, case.feeds, int(case.senders) if case.kind == "incast" else None,
        outcome.dropped.value, outcome.queue_peak.value,
        outcome.first_mark.value if outcome.first_mark else None,
        outcome.first_pause.value if outcome.first_pause else None,
        outcome.pauses.value, outcome.headroom.value, outcome.xoff.value,
        round(100 * outcome.headroom_share, 1),
        round(100 * float(outcome.goodput), 1) if outcome.goodput else None,
        str(outcome.dropped.why.trust),
    )  # fmt: skip
