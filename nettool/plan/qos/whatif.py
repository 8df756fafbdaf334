"""What if one thing fails, or two: incast, load, buffer fit and ECN before PFC, each again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from nettool.catalog.catalog import Catalog
from nettool.core.finding import Finding, Report, Severity
from nettool.core.provenance import Figure, Input, Provenance
from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Device, Fabric
from nettool.plan.placement.matrix import TrafficMatrix
from nettool.plan.qos.failures import Failure, degrade, double_failures, single_failures
from nettool.plan.qos.note import warning
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.plan import plan_qos
from nettool.plan.qos.qos_plan import Proof, QosPlan
from nettool.plan.qos.routes import graph_of
from nettool.plan.qos.trace import derived

_FIRST = "first marking"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is left after one failure.

    `cut_off` NICs reach no other; `incast` senders meet at the worst port; `load` is the burst
    of the busiest switch over what is left of its uplinks (0 where nothing goes up);
    `tightest` is the claim with the least relative margin above nothing, `broken` those that fail
    (the cautious bound of certain marking is not among them).
    """

    failure: Failure
    cut_off: int
    incast: Figure
    load: Figure
    fits: bool
    ecn_first: bool
    tightest: Proof | None
    broken: tuple[Proof, ...]

    @property
    def severity(self) -> tuple[object, ...]:
        """Orders outcomes, the worst last."""
        return (
            len(self.broken),
            not self.fits,
            self.cut_off,
            float(self.load),
            float(self.incast),
            self.failure.name,
        )

    @property
    def row(self) -> dict[str, str | int | float | bool]:
        """The outcome as a row of a table, and its JSON form."""
        return {
            "failed": f"{self.failure.kind} {self.failure.name}",
            "alike": self.failure.count,
            "cut_off_nics": self.cut_off,
            "incast": float(self.incast),
            "uplink_load": float(self.load),
            "buffer_fits": self.fits,
            "ecn_first": self.ecn_first,
            "tightest": self.tightest.claim if self.tightest else "",
        }

    @property
    def text(self) -> str:
        """The outcome in one sentence."""
        verdicts = ("fits" if self.fits else "does not fit",
                    "first" if self.ecn_first else "not first")  # fmt: skip
        return (
            f"{self.failure.kind} {self.failure.name} down ({self.failure.count} alike): "
            f"{self.cut_off} NICs cut off, incast {float(self.incast):g}, uplink load "
            f"{float(self.load):.0%}, buffer {verdicts[0]}, ECN {verdicts[1]}"
        )


@dataclass(frozen=True, slots=True)
class WhatIf:
    """All failures asked for, equal ones once, and the worst of them."""

    outcomes: tuple[Outcome, ...]

    @property
    def worst(self) -> Outcome | None:
        """The outcome that loses most."""
        return max(self.outcomes, key=lambda each: each.severity, default=None)

    @property
    def worst_first(self) -> tuple[Outcome, ...]:
        """The outcomes, those that lose most first."""
        return tuple(sorted(self.outcomes, key=lambda each: each.severity, reverse=True))


def what_if(
    intent: FabricIntent,
    fabric: Fabric,
    matrix: TrafficMatrix,
    catalog: Catalog,
    overrides: Overrides | None = None,
    *,
    pairs: bool = False,
) -> tuple[WhatIf, Report]:
    """Every single failure of the fabric, or every pair of them, planned and proved again."""
    failures = double_failures(fabric) if pairs else single_failures(fabric)
    outcomes = tuple(
        _outcome(intent, fabric, matrix, catalog, overrides or Overrides(), failure)
        for failure in failures
    )
    result = WhatIf(outcomes)
    worst = result.worst.text if result.worst else "nothing can fail"
    return result, Report.of(_findings(outcomes), worst_failure=worst)


def _outcome(
    intent: FabricIntent,
    fabric: Fabric,
    matrix: TrafficMatrix,
    catalog: Catalog,
    overrides: Overrides,
    failure: Failure,
) -> Outcome:
    left = degrade(fabric, failure)
    incast = {name: _incast(left, name, matrix) for name in fabric.topology}
    plan, report = plan_qos(intent, left, replace(matrix, incast=incast), catalog, overrides)
    proofs = list(_proofs(plan))
    broken = tuple(each for each in proofs if not each.holds and "one ingress" not in each.claim)
    return Outcome(
        failure,
        cut_off(left, fabric) + _lost_nics(fabric, failure),
        max(incast.values(), key=float),
        _load(left, matrix, failure),
        not any(f.rule == "QOS006" and f.severity is Severity.ERROR for f in report.findings),
        all(each.holds for each in proofs if each.claim.startswith(_FIRST)),
        min((each for each in proofs if each.margin > 0), key=_relative, default=None),
        broken,
    )


def cut_off(left: Fabric, intact: Fabric) -> int:
    """NICs that have no port left, or whose leaf lost touch with the larger rest of its part.

    A part is what was joined before: rails and planes that never met lose nothing by it.
    """
    ports = {(device.name, port) for device in left.devices for port in device.facing_hosts}
    lost = sum((nic.switch, nic.port) not in ports for node in left.nodes for nic in node.nics)
    return lost + sum(_apart(left, intact, network) for network in intact.topology)


def _apart(left: Fabric, intact: Fabric, network: str) -> int:
    before = _parts(graph_of(intact, network).links)
    home = {name: number for number, part in enumerate(before) for name in part}
    hosts = {each.name: len(each.facing_hosts) for each in left.of_network(network)}
    sizes: dict[int, list[int]] = {}
    for part in _parts(graph_of(left, network).links):
        size = sum(hosts[name] for name in part)
        sizes.setdefault(home[next(iter(part))], []).append(size)
    return sum(sum(each) - max(each) for each in sizes.values())


def _parts(links: Mapping[str, Mapping[str, int]]) -> Iterator[set[str]]:
    """Switches that reach each other."""
    seen: set[str] = set()
    for start in links:
        part: set[str] = set()
        frontier = [start] if start not in seen else []
        while frontier:
            name = frontier.pop()
            if name not in part:
                part.add(name)
                frontier.extend(links[name])
        seen |= part
        if part:
            yield part


def _lost_nics(fabric: Fabric, failure: Failure) -> int:
    return sum(len(each.nics) for each in fabric.nodes if each.name in failure.nodes)


def _incast(fabric: Fabric, network: str, matrix: TrafficMatrix) -> Figure:
    """Senders to one port: the jobs' incast, or what the uplinks left must take, if more."""
    jobs = matrix.incast.get(network)
    ratios = [_ratio(each) for each in fabric.of_network(network) if each.role == "leaf"]
    squeezed = math.ceil(max(ratios, default=1.0))
    most = max(squeezed, int(float(jobs)) if jobs else 1)
    why = derived(
        "max(incast of the jobs, down capacity over up capacity left, rounded up)",
        *((jobs.as_input("incast of the jobs"),) if jobs else ()),
        Input("down over up", max(ratios, default=1.0)),
    )
    return Figure(most, "senders", why)


def _ratio(device: Device) -> float:
    down, up = _capacities(device)
    return down / up if up else 1.0


def _capacities(device: Device) -> tuple[int, int]:
    """Mb/s towards hosts and towards switches."""
    down = up = 0
    for slot, neighbor in device.used:
        if neighbor.role == "node":
            down += slot.speed
        else:
            up += slot.speed
    return down, up


def _load(fabric: Fabric, matrix: TrafficMatrix, failure: Failure) -> Figure:
    """The largest burst from a leaf over the least capacity left to the next tier.

    The planes that are left carry what the lost one did.
    """
    moved = failure.planes / max(1, failure.planes - failure.lost) if failure.lost else 1.0
    bursts = [
        each for each in matrix.loads if each.tier == "leaf-spine" and each.traffic == "training"
    ]
    left = [up for each in fabric.devices if each.role == "leaf" and (up := _capacities(each)[1])]
    worst = max(bursts, key=lambda each: float(each.burst), default=None)
    if worst is None or not left:
        return Figure(0.0, "", Provenance("no traffic goes up"))
    why = derived(
        "burst of the busiest leaf x share of a lost plane / up capacity left of the weakest leaf",
        worst.burst.as_input("burst"),
        Input("share of a lost plane", moved),
        Input("capacity left", min(left) / 1000, "Gbit/s"),
    )
    return Figure(float(worst.burst) * moved * 1000 / min(left), "", why)


def _proofs(plan: QosPlan) -> Iterator[Proof]:
    for switch in {id(each): each for each in plan.switches.values()}.values():
        yield from switch.proofs


def _relative(proof: Proof) -> float:
    return proof.margin / float(proof.right) if float(proof.right) else -1.0


def _findings(outcomes: tuple[Outcome, ...]) -> Iterator[Finding]:
    for each in outcomes:
        if each.fits and not each.broken and float(each.load) <= 1:
            continue
        broken = "; ".join(
            f"{proof.claim}: {float(proof.left):,.0f} against {float(proof.right):,.0f} "
            f"{proof.right.unit}"
            for proof in each.broken
        )
        yield warning(
            "QOS018",
            each.text + (f"; {broken}" if broken else ""),
            "add uplinks or spines, or lower the load of the jobs",
            *("networks",),
        )
