"""Traffic classes and their maps, the same on every hop: DSCP to class, queue and group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from nettool.core.finding import Finding
from nettool.core.provenance import Figure, Input, Origin, Provenance, Trust
from nettool.intent.intent import ClassIntent, QosIntent
from nettool.plan.placement.matrix import ClassShare, TrafficMatrix
from nettool.plan.qos.note import error, info
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.qos_plan import TrafficClass
from nettool.plan.qos.trace import FILE, derived
from nettool.plan.qos.weights import weigh

BEST_EFFORT, CNP, CONTROL = "best-effort", "cnp", "control"
CONTROL_TC = 7
PTP_DSCP = 56
"""CS7: what PTP over UDP is marked with (AsterNOS prints it as its default)."""
ROUTING_DSCP = 48
"""CS6: what BGP speakers mark; also the field's default for CNP."""
_CONVENTION = "RoCEv2 convention of NVIDIA and host drivers: DSCP 26 on priority 3, CNP 48 on 6"


@dataclass(frozen=True, slots=True)
class ClassPlan:
    """The classes and the four maps with their provenance.

    `by_network` are the same classes with the weights that the demand of one network gives,
    where other networks have demand too.
    """

    classes: tuple[TrafficClass, ...]
    dscp_to_tc: Mapping[int, int]
    tc_to_queue: Mapping[int, int]
    tc_to_pg: Mapping[int, int]
    pfc_to_queue: Mapping[int, int]
    why: Mapping[str, Provenance]
    by_network: Mapping[str, tuple[TrafficClass, ...]] = field(default_factory=dict)

    @property
    def lossless(self) -> tuple[int, ...]:
        """Lossless priorities, ascending."""
        return tuple(sorted(each.tc for each in self.classes if each.lossless))


def plan_classes(
    asked: QosIntent, matrix: TrafficMatrix, overrides: Overrides, networks: Iterable[str] = ()
) -> tuple[ClassPlan, tuple[Finding, ...]]:
    """Classes as asked, with DWRR weights from the demand's shares, and what contradicts itself.

    Each network gets the weights of what its own wires carry.
    """
    findings = tuple(_check(asked))
    plan = _maps(_classes(asked, matrix.classes, overrides), asked)
    own = {name: tuple(s for s in matrix.classes if s.network == name) for name in networks}
    parted = {
        name: _classes(asked, shares, overrides)
        for name, shares in own.items()
        if shares != matrix.classes
    }
    return replace(plan, by_network=parted), findings


def _classes(
    asked: QosIntent, shares: tuple[ClassShare, ...], overrides: Overrides
) -> tuple[TrafficClass, ...]:
    names = (*(each.name for each in asked.lossless), BEST_EFFORT)
    weights = weigh(names, shares, overrides)
    return (
        _best_effort(weights[BEST_EFFORT]),
        *(
            _lossless(number, each, weights[each.name])
            for number, each in enumerate(asked.lossless)
        ),
        _strict(CNP, (asked.cnp_dscp,), asked.cnp_tc, 0, _given("cnp_dscp", asked.cnp_dscp)),
        _strict(CONTROL, _control_dscps(asked), CONTROL_TC, CONTROL_TC, _control_why()),
    )


def _best_effort(weight: Figure) -> TrafficClass:
    why = Provenance("everything that no other class names", (), _CONVENTION, Trust.PUBLISHED)
    return TrafficClass(BEST_EFFORT, (), 0, 0, 0, False, False, weight, why)


def _lossless(number: int, asked: ClassIntent, weight: Figure) -> TrafficClass:
    path = ("qos", "lossless", number)
    inputs = (
        Input("dscp", ",".join(map(str, asked.dscp)), origin=Origin(FILE, (*path, "dscp"))),
        Input("tc", asked.tc, origin=Origin(FILE, (*path, "tc"))),
    )
    why = Provenance("queue = PG = traffic class, as PFC numbers them", inputs, _CONVENTION)
    return TrafficClass(
        asked.name, asked.dscp, asked.tc, asked.tc, asked.tc, True, True, weight, why
    )


def _strict(name: str, dscp: tuple[int, ...], tc: int, pg: int, why: Provenance) -> TrafficClass:
    return TrafficClass(name, dscp, tc, tc, pg, False, False, None, why)


def _given(key: str, value: int) -> Provenance:
    where = Input(key, value, origin=Origin(FILE, ("qos", key)))
    return Provenance("strict priority: congestion news must not queue", (where,), _CONVENTION)


def _control_dscps(asked: QosIntent) -> tuple[int, ...]:
    taken = {asked.cnp_dscp, *(dscp for each in asked.lossless for dscp in each.dscp)}
    return tuple(dscp for dscp in (ROUTING_DSCP, PTP_DSCP) if dscp not in taken)


def _control_why() -> Provenance:
    return Provenance(
        "strict priority outside the lossless classes: PTP (CS7), and routing (CS6) where CNP "
        "does not use that DSCP",
        (),
        "IANA DSCP registry: CS6 48, CS7 56",
        Trust.PUBLISHED,
    )


def _maps(classes: tuple[TrafficClass, ...], asked: QosIntent) -> ClassPlan:
    by_dscp = {dscp: each.tc for each in classes for dscp in each.dscp}
    lossless = sorted(dscp for each in classes if each.lossless for dscp in each.dscp)
    groups = {each.tc: each.pg for each in classes}
    marks = Input("lossless DSCP", str(lossless), origin=Origin(FILE, ("qos", "lossless")))
    cnp = Input("CNP DSCP", asked.cnp_dscp, origin=Origin(FILE, ("qos", "cnp_dscp")))
    same = derived("identity: queue n serves class and PFC priority n", source=_CONVENTION)
    return ClassPlan(
        classes,
        {dscp: by_dscp.get(dscp, 0) for dscp in range(64)},
        {tc: tc for tc in range(8)},
        {tc: groups.get(tc, 0) for tc in range(8)},
        {priority: priority for priority in range(8)},
        {
            "dscp_to_tc": derived(
                "the class that names the DSCP, else TC 0", marks, cnp, source=_CONVENTION
            ),
            "tc_to_queue": same,
            "tc_to_pg": derived(
                "lossless classes and control have a PG each, the rest share PG 0", marks
            ),
            "pfc_to_queue": same,
        },
    )


def _check(asked: QosIntent) -> Iterator[Finding]:
    owners: dict[int, str] = {asked.cnp_dscp: CNP}
    classes: dict[int, str] = {0: BEST_EFFORT, CONTROL_TC: CONTROL}
    if asked.cnp_tc in classes:
        yield _taken_tc(asked.cnp_tc, classes[asked.cnp_tc], CNP, "qos", "cnp_tc")
    classes[asked.cnp_tc] = CNP
    for number, each in enumerate(asked.lossless):
        if each.tc in classes:
            yield _taken_tc(each.tc, classes[each.tc], each.name, "qos", "lossless", number, "tc")
        classes[each.tc] = each.name
        for dscp in each.dscp:
            if dscp in owners:
                yield error(
                    "QOS001",
                    f"DSCP {dscp} of class {each.name} already marks {owners[dscp]}",
                    "give each class its own DSCP values",
                    *("qos", "lossless", number, "dscp"),
                )
            owners[dscp] = each.name
    if asked.cnp_dscp == ROUTING_DSCP:
        yield info(
            "QOS003",
            f"routing marks CS6 (48) as CNP does, so both ride TC {asked.cnp_tc}: strict, lossy, "
            "outside PFC",
            "nothing to do; to part them, mark CNP with another DSCP here and on the NICs",
            *("qos", "cnp_dscp"),
        )


def _taken_tc(tc: int, owner: str, name: str, *path: str | int) -> Finding:
    return error(
        "QOS001",
        f"class {name} asks for TC {tc}, which is {owner}'s",
        "choose a free one of TC 1..6",
        *path,
    )
