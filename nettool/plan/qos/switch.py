"""The QoS of one kind of switch: headroom, budget, thresholds, watchdog and proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from nettool.core.finding import Finding, Severity
from nettool.core.provenance import Figure, Trust, weakest
from nettool.intent.intent import FabricIntent
from nettool.plan.qos.advice import Asked, what_would_fit, what_would_serve
from nettool.plan.qos.budget import Budget, Load, make_budget
from nettool.plan.qos.cables import DYNAMIC_MODEL, Cabled, cable_for
from nettool.plan.qos.chip import LOSSLESS_POOL, Chip
from nettool.plan.qos.ecn import DERIVED, base_rtt, mark, turned_round, wred_name, wreds
from nettool.plan.qos.note import error
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.ports import PortClass, SwitchClass
from nettool.plan.qos.preset import Marking
from nettool.plan.qos.profiles import (
    EGRESS_LOSSLESS,
    EGRESS_LOSSY,
    INGRESS_LOSSY,
    Needs,
    common_profiles,
    lossless_name,
    lossless_profile,
)
from nettool.plan.qos.proof import Case, prove, total_at
from nettool.plan.qos.qos_plan import PortQos, Profile, SwitchQos, Watchdog
from nettool.plan.qos.sharing import Sharing, choose_sharing
from nettool.plan.qos.trace import derived, given
from nettool.plan.qos.variant import (
    VARIANTS,
    Headroom,
    HeadroomQuery,
    Refusal,
    worst_small_packets,
)
from nettool.plan.qos.verdict import judged, named
from nettool.plan.qos.watchdog import incoherent, longest_pause, plan_watchdog


@dataclass(frozen=True, slots=True)
class Task:
    """One kind of switch to plan, with everything that bears on it.

    `hops` switch buffers may stand one behind the other on a route.
    """

    intent: FabricIntent
    switch: SwitchClass
    chip: Chip
    variant: str
    priorities: tuple[int, ...]
    incast: Figure
    hops: int
    overrides: Overrides

    @property
    def needs(self) -> Needs:
        """Frame sizes: the port MTU and the largest lossless frame."""
        path = ("networks", self.switch.network, "mtu")
        return Needs(
            given(self.switch.mtu, "B", *path),
            given(self.intent.qos.lossless_mtu, "B", "qos", "lossless_mtu"),
        )


@dataclass(frozen=True, slots=True)
class Laid:
    """The figures of a switch as they are decided one after the other."""

    cabled: Mapping[PortClass, Cabled]
    headrooms: Mapping[PortClass, Headroom]
    budget: Budget
    sharing: Sharing
    markings: Mapping[int, Marking]


def plan_switch(task: Task) -> tuple[SwitchQos | None, tuple[Finding, ...]]:
    """The plan of one kind of switch, or None with the errors that forbid one."""
    cabled = {port: cable_for(port, task.chip) for port in task.switch.counts}
    headrooms, refused = _headrooms(task, cabled)
    findings = [*(each.finding for each in cabled.values() if each.finding), *refused]
    if task.chip.buffer is None:
        findings.append(_unknown_buffer(task))
    if task.chip.buffer is None or any(each.severity is Severity.ERROR for each in findings):
        return None, tuple(findings)
    load = Load(headrooms, task.switch.counts, len(task.priorities))
    shared_headroom = task.intent.qos.shared_headroom
    budget = make_budget(task.chip, task.chip.buffer, load, shared_headroom=shared_headroom)
    if not budget.fits:
        return None, (
            *findings,
            what_would_fit(task.switch, budget, load, task.chip, float(task.incast)),
        )
    sharing, markings = _share(task, budget, headrooms)
    findings += turned_round(markings, task.intent.qos.ecn, named(task.switch))
    switch, told = _assemble(task, Laid(cabled, headrooms, budget, sharing, markings))
    return switch, (*findings, *told, *_unserved(task, sharing, load, markings))


def _headrooms(
    task: Task, cabled: Mapping[PortClass, Cabled]
) -> tuple[dict[PortClass, Headroom], list[Finding]]:
    """Headroom of each lossless port class at the length it is configured with."""
    answers: dict[PortClass, Headroom] = {}
    findings = []
    for port, cable in cabled.items():
        if not port.lossless or (cable.finding and cable.finding.severity is Severity.ERROR):
            continue
        answer = VARIANTS[task.variant](_query(task, port, cable.length))
        if isinstance(answer, Refusal):
            message = f"{named(task.switch)}: {answer.message}"
            findings.append(error("QOS004", message, answer.hint, "qos", "headroom"))
        else:
            answers[port] = _own_figures(answer, port, task.overrides)
    return answers, findings


def _own_figures(answer: Headroom, port: PortClass, overrides: Overrides) -> Headroom:
    """The answer with what the operator says of its profile, so that proofs hold for that."""
    name = lossless_name(port.speed, float(answer.cable))
    return replace(
        answer,
        xoff=overrides.profile(name, "xoff") or answer.xoff,
        xon=overrides.profile(name, "xon") or answer.xon,
        size=overrides.profile(name, "size") or answer.size,
        xon_offset=overrides.profile(name, "xon_offset") or answer.xon_offset,
    )


def _query(task: Task, port: PortClass, cable: Figure) -> HeadroomQuery:
    return HeadroomQuery(
        asic=task.chip.asic,
        speed=port.speed,
        cable=cable,
        mtu=task.needs.mtu,
        lossless_mtu=task.needs.lossless_mtu,
        small_packets=worst_small_packets(),
        lanes=port.lanes,
        shared=task.intent.qos.shared_headroom,
        table=task.chip.table,
    )


def _unknown_buffer(task: Task) -> Finding:
    return error(
        "QOS006",
        f"{named(task.switch)}: the packet buffer of {task.chip.asic.name} is not known",
        f"give asics.{task.chip.asic.name}.buffer in the overrides file",
        *("qos", "overrides"),
    )


def _share(
    task: Task, budget: Budget, headrooms: Mapping[PortClass, Headroom]
) -> tuple[Sharing, dict[int, Marking]]:
    """Alpha from what marking needs first, then marking within what alpha allows."""
    asked, counts = task.intent.qos.ecn, task.switch.counts
    speeds = sorted({port.speed for port in headrooms})
    first = {each: mark(each, asked, task.incast, task.overrides) for each in speeds}
    lossless = {port: counts[port] for port in headrooms}
    queues = max(1, len(task.priorities) * sum(lossless.values()))
    kmins = {speed: float(each.kmin) for speed, each in first.items()}
    need = max((each.kmin for each in first.values()), key=float, default=budget.reserved)
    total = total_at(lossless, kmins, len(task.priorities))
    why = derived("sum of Kmin over all lossless queues",
                  *(each.kmin.as_input("Kmin") for each in first.values()))  # fmt: skip
    pool = budget.pool(LOSSLESS_POOL)
    sharing = choose_sharing(
        mode=pool.mode if pool else "dynamic",
        shared=budget.shared,
        queues=queues,
        need=need,
        total=Figure(total, "B", why),
        preferred=_on_box_threshold(headrooms),
        given=_given_threshold(task, headrooms),
    )
    final = {each: mark(each, asked, task.incast, task.overrides, sharing) for each in speeds}
    return sharing, final


def _on_box_threshold(headrooms: Mapping[PortClass, Headroom]) -> Figure | None:
    return next((each.threshold for each in headrooms.values() if each.threshold), None)


def _given_threshold(task: Task, headrooms: Mapping[PortClass, Headroom]) -> Figure | None:
    """A threshold the operator gave for one of the lossless profiles; it then holds for all."""
    for port, headroom in headrooms.items():
        name = lossless_name(port.speed, float(headroom.cable))
        figure = task.overrides.profile(name, "dynamic_th") or task.overrides.profile(
            name, "static_th"
        )
        if figure:
            return figure
    return None


def _assemble(task: Task, laid: Laid) -> tuple[SwitchQos, tuple[Finding, ...]]:
    common = common_profiles(laid.budget, task.overrides)
    watchdog = plan_watchdog(task.intent.qos.watchdog, task.switch.rows, task.overrides)
    proofs = tuple(prove(_case(task, laid, common, watchdog)))
    switch = SwitchQos(
        key=task.switch.key,
        asic=task.chip.asic.name,
        variant=task.variant,
        trust=_trust(laid),
        table=task.chip.table.name if task.chip.table else None,
        pools=laid.budget.pools,
        profiles=(*_lossless_profiles(task, laid), *common),
        ingress_lists=_lists(task, INGRESS_LOSSY),
        egress_lists=_lists(task, EGRESS_LOSSLESS, EGRESS_LOSSY),
        lossy_pg_profile=INGRESS_LOSSY,
        lossless_queue_profile=EGRESS_LOSSLESS,
        lossy_queue_profile=EGRESS_LOSSY,
        wreds=wreds(laid.markings),
        watchdog=watchdog,
        ports=_ports(task, laid),
        proofs=tuple(proof for _, proof in proofs),
        pfc_to_pg=task.chip.asic.sonic_asic_type in DYNAMIC_MODEL,
        shared=laid.budget.shared,
        headroom=laid.budget.set_aside,
        cell=task.chip.cell,
    )
    findings = judged(proofs, task.switch, own_table=task.variant == "table")
    order = incoherent(watchdog) if watchdog else ()
    return switch, (*findings, *order)


def _case(task: Task, laid: Laid, common: tuple[Profile, ...], watchdog: Watchdog | None) -> Case:
    slowest = min((port.speed for port in laid.headrooms), default=None)
    return Case(
        switch=task.switch,
        chip=task.chip,
        headrooms=laid.headrooms,
        markings=laid.markings,
        budget=laid.budget,
        sharing=laid.sharing,
        priorities=task.priorities,
        mtu=task.needs.mtu,
        lossless_mtu=task.needs.lossless_mtu,
        incast=task.incast,
        common=common,
        watchdog=watchdog,
        pause=longest_pause(laid.budget.shared, slowest, task.hops) if slowest else None,
    )


def _lossless_profiles(task: Task, laid: Laid) -> tuple[Profile, ...]:
    lossless: dict[str, Profile] = {}
    for port, headroom in laid.headrooms.items():
        each = lossless_profile(port, headroom, laid.sharing, task.needs, task.overrides)
        lossless.setdefault(each.name, each)
    return tuple(lossless.values())


def _ports(task: Task, laid: Laid) -> dict[str, PortQos]:
    planned = {port: _port(port, laid) for port in task.switch.counts}
    return {name: planned[port] for name, port in task.switch.ports.items()}


def _port(port: PortClass, laid: Laid) -> PortQos:
    cable = laid.cabled[port].length
    if port not in laid.headrooms:
        return PortQos(port.speed, port.length, cable, "", "", lossless=False)
    name = lossless_name(port.speed, float(cable))
    return PortQos(port.speed, port.length, cable, name, wred_name(port.speed))


def _trust(laid: Laid) -> Trust:
    headrooms = (each.xoff.why.trust for each in laid.headrooms.values())
    return weakest(*headrooms, *(each.size.why.trust for each in laid.budget.pools))


def _lists(task: Task, *profiles: str) -> tuple[str, ...]:
    """Port profile lists; the Teralynx family's own configuration has none."""
    return () if task.chip.asic.sonic_asic_type == "marvell-teralynx" else profiles


def _unserved(
    task: Task, sharing: Sharing, load: Load, markings: Mapping[int, Marking]
) -> Iterator[Finding]:
    """Said where no alpha leaves ECN what it needs."""
    if sharing.served:
        return
    kmins = {speed: float(each.kmin) for speed, each in markings.items()}
    counts = {port: task.switch.counts[port] for port in load.headrooms}
    total = total_at(counts, kmins, len(task.priorities))
    ecn = task.intent.qos.ecn
    own = ecn.kmin is not None or any(task.overrides.ecn(speed, "kmin") for speed in kmins)
    rtt = None if own or ecn.preset != DERIVED else base_rtt(ecn)
    asked = Asked(max(kmins.values()), total, sharing.queues, rtt)
    yield what_would_serve(task.switch, sharing, load, task.chip, asked)
