"""The proof that a switch is lossless: inequalities with their numbers and the port that binds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nettool.core.provenance import Figure, Input, weakest
from nettool.core.units import format_speed
from nettool.plan.qos.budget import Budget
from nettool.plan.qos.chip import LOSSLESS_POOL, Chip
from nettool.plan.qos.ports import PortClass, SwitchClass
from nettool.plan.qos.preset import Marking
from nettool.plan.qos.profiles import EGRESS_LOSSLESS
from nettool.plan.qos.qos_plan import Profile, Proof, Watchdog
from nettool.plan.qos.sharing import Sharing
from nettool.plan.qos.trace import derived
from nettool.plan.qos.variant import Headroom
from nettool.plan.qos.wire import PFC_FRAME_BYTES, in_cells, response, round_trip

CAUTIOUS = "certain marking before a pause, one ingress feeding every egress queue"
"""A claim that real incast does not need; where it does not hold, that is told and no fault."""
IN_FLIGHT = "xoff holds what arrives after a pause"
_ANNEX_O = "IEEE 802.1Qbb annex O"


@dataclass(frozen=True, slots=True)
class Case:
    """What is to be proved of one kind of switch."""

    switch: SwitchClass
    chip: Chip
    headrooms: Mapping[PortClass, Headroom]
    markings: Mapping[int, Marking]
    budget: Budget
    sharing: Sharing
    priorities: tuple[int, ...]
    mtu: Figure
    lossless_mtu: Figure
    incast: Figure
    common: tuple[Profile, ...] = ()
    watchdog: Watchdog | None = None
    pause: Figure | None = None


def prove(case: Case) -> Iterator[tuple[str, Proof]]:
    """Each inequality with the rule that reports it where it does not hold."""
    for port, headroom in case.headrooms.items():
        for priority in case.priorities:
            yield "QOS007", _headroom(case, port, headroom, priority)
    yield "QOS006", _room_for_headroom(case)
    if case.budget.ratio > 1:
        yield "QOS016", _worst_incast(case)
    yield "QOS006", _fits_chip(case)
    yield from (("QOS019", each) for each in _egress(case))
    if case.markings:
        yield "QOS008", _first_marking(case)
        yield "QOS009", _certain_marking(case)
        yield "QOS008", _incast_marking(case)
    if case.watchdog and case.pause:
        claim = "the watchdog waits longer than any legal pause"
        yield "QOS010", compared(claim, case.pause, case.watchdog.detection, _fastest(case))


def in_flight(
    port: PortClass, cable: Figure, mtu: Figure, lossless_mtu: Figure, cell: Figure
) -> Figure | None:
    """Bytes of buffer that may fill after a pause is due, at the longest legal response.

    None where no response time is published for the speed.
    """
    peer = response(port.speed)
    if peer is None:
        return None
    wire = round_trip(port.speed, cable)
    frame = float(lossless_mtu)
    inflation = in_cells(frame, float(cell)) * float(cell) / frame
    parts = float(mtu) + PFC_FRAME_BYTES + float(peer) + float(wire) + frame
    why = derived(
        "(MTU + 84 + response + 2 cable + lossless MTU) x cells of a lossless frame / its bytes",
        mtu.as_input("MTU"),
        peer.as_input("response"),
        wire.as_input("2 cable"),
        lossless_mtu.as_input("lossless MTU"),
        cell.as_input("cell"),
        source=_ANNEX_O,
    )
    return Figure(math.ceil(parts * inflation), "B", why)


def compared(claim: str, left: Figure, right: Figure, binding: str) -> Proof:
    """The inequality left <= right."""
    trust = weakest(left.why.trust, right.why.trust)
    return Proof(claim, left, "<=", right, float(left) <= float(right), binding, trust)


def _headroom(case: Case, port: PortClass, headroom: Headroom, priority: int) -> Proof:
    needed = in_flight(port, _cable(port), case.mtu, case.lossless_mtu, case.chip.cell)
    label = f"{format_speed(port.speed)} at {port.length:g} m"
    return compared(
        f"PG {priority}, {label}: {IN_FLIGHT}",
        needed or headroom.xoff,
        headroom.xoff,
        case.switch.first_port(port),
    )


def _cable(port: PortClass) -> Figure:
    where = Input("cable", port.length, "m", port.origin)
    return Figure(port.length, "m", derived("as given", where))


def _room_for_headroom(case: Case) -> Proof:
    budget, largest = case.budget, _largest(case)
    if budget.ratio <= 1:
        claim = "the pool holds the headroom of every lossless group at once"
        return compared(claim, budget.headroom, budget.set_aside, largest)
    paused = min(float(case.incast), len(case.switch.ports)) * len(case.priorities)
    claim = f"the shared headroom pool holds the {paused:g} groups that the jobs' incast pauses"
    return compared(claim, _paused(case, paused), budget.set_aside, largest)


def _worst_incast(case: Case) -> Proof:
    """Every port but one sends to that one."""
    paused = (sum(case.switch.counts[each] for each in case.headrooms) - 1) * len(case.priorities)
    claim = f"the shared headroom pool holds all {paused} groups that one port can pause"
    return compared(claim, _paused(case, paused), case.budget.set_aside, _largest(case))


def _paused(case: Case, groups: float) -> Figure:
    worst = max(case.headrooms.values(), key=lambda each: float(each.xoff))
    why = derived(
        "paused groups (senders to one port x lossless priorities) x largest xoff",
        Input("paused groups", groups),
        case.incast.as_input("senders"),
        worst.xoff.as_input("largest xoff"),
        bound=f"headroom is oversubscribed {case.budget.ratio:.2f} times",
    )
    return Figure(groups * float(worst.xoff), "B", why)


def _egress(case: Case) -> Iterator[Proof]:
    """A static egress limit must not drop what the lossless pool accepts."""
    pool = case.budget.pool(LOSSLESS_POOL)
    for each in case.common:
        if each.name == EGRESS_LOSSLESS and each.static_th and pool:
            claim = "egress takes all that the lossless pool accepts"
            outside = 0.0 if case.chip.xoff_is_inside else float(case.budget.set_aside)
            why = derived(
                "lossless pool with its headroom",
                pool.size.as_input("pool size"),
                case.budget.set_aside.as_input("headroom"),
                case.chip.includes_xoff.as_input("size holds xoff"),
            )
            most = Figure(round(float(pool.size) + outside), "B", why)
            yield compared(claim, most, each.static_th, _largest(case))


def _fits_chip(case: Case) -> Proof:
    claim = "all pools fit the chip"
    return compared(claim, case.budget.used, case.budget.capacity, _largest(case))


def _largest(case: Case) -> str:
    port = max(case.headrooms, key=lambda each: float(case.headrooms[each].xoff), default=None)
    return case.switch.first_port(port) if port else ""


def total_at(case_ports: Mapping[PortClass, int], by_speed: Mapping[int, float], n: int) -> float:
    """Bytes in `n` lossless queues of every port, each at its speed's threshold."""
    return n * sum(count * by_speed[port.speed] for port, count in case_ports.items())


def _room(case: Case, queued: float, inputs: tuple[Input, ...], formula: str) -> Figure:
    given = case.sharing.alpha or case.sharing.fixed or case.sharing.shared
    name = "alpha" if case.sharing.alpha else "static threshold"
    why = derived(formula, case.sharing.shared.as_input("B"), given.as_input(name), *inputs)
    return Figure(max(0, math.floor(case.sharing.room(queued) + queued)), "B", why)


def _first_marking(case: Case) -> Proof:
    kmins = {speed: float(each.kmin) for speed, each in case.markings.items()}
    counts = {port: case.switch.counts[port] for port in case.headrooms}
    total = total_at(counts, kmins, len(case.priorities))
    inputs = tuple(each.kmin.as_input(f"Kmin {format_speed(speed)}")
                   for speed, each in case.markings.items())  # fmt: skip
    why = derived("sum of Kmin over all lossless queues", *inputs)
    right = _room(case, total, inputs, "alpha (B - sum of Kmin)")
    claim = "first marking before a pause, one ingress feeding every egress queue"
    return compared(claim, Figure(math.ceil(total), "B", why), right, _fastest(case))


def _certain_marking(case: Case) -> Proof:
    worst = max(case.markings.values(), key=lambda each: float(each.kmax))
    sharing = case.sharing
    given = sharing.alpha or sharing.fixed or sharing.shared
    why = derived(
        "alpha B / (n (1 + alpha))" if sharing.alpha else "static threshold / n",
        sharing.shared.as_input("B"),
        given.as_input("alpha" if sharing.alpha else "static threshold"),
        Input("n", sharing.queues),
        source="DCQCN (SIGCOMM 2015) section 4",
    )
    limit = Figure(math.floor(sharing.certain_limit()), "B", why)
    return compared(CAUTIOUS, worst.kmax, limit, _fastest(case))


def _incast_marking(case: Case) -> Proof:
    worst = max(case.markings.values(), key=lambda each: float(each.kmax))
    senders = max(1.0, float(case.incast))
    held = derived("Kmax / k: what each of k senders' ingresses holds",
                   worst.kmax.as_input("Kmax"), case.incast.as_input("k"))  # fmt: skip
    right = _room(case, float(worst.kmax), (worst.kmax.as_input("Kmax"),), "alpha (B - Kmax)")
    claim = f"certain marking before a pause, {senders:g} senders to one port"
    left = Figure(math.ceil(float(worst.kmax) / senders), "B", held)
    return compared(claim, left, right, _fastest(case))


def _fastest(case: Case) -> str:
    port = max(case.headrooms, key=lambda each: each.speed, default=None)
    return case.switch.first_port(port) if port else ""
