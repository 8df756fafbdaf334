"""How many switches, links, cables and optics a fabric takes, without a file.

Counts are the design's own (`solve`), with uplinks as legs at the NIC's speed, so that a switch
has one radix: 64 x 800G, 128 x 400G or 256 x 200G. Alternatives change one thing each and are
ranked by switches, optics and metres of cable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from math import ceil

from nettool.catalog.catalog import Catalog
from nettool.core.errors import UsageError
from nettool.core.units import format_speed
from nettool.intent.intent import CablesIntent
from nettool.plan.design.breakouts import Breakouts
from nettool.plan.design.cages import CageSet, SwitchCages
from nettool.plan.design.clos import Clos, ClosRequest, Limit, ratio_of
from nettool.plan.design.solve import solve
from nettool.plan.design.topology import TOPOLOGIES, Block, Topology

COPPER_M = 3.0
"""Longest NIC cable, in metres, that is counted as copper: no optics."""
MOST_NODES, MOST_GPUS_A_NODE, MOST_RATIO = 1_000_000, 1024, 1000
"""The bounds of the fabric file."""
_LENGTHS = CablesIntent()


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeRequest:
    """What is asked: speeds in Mb/s (of one NIC port), lengths in metres."""

    gpus: int
    nic: int
    gpus_per_node: int = 8
    switch: str = "CX864E-N"
    topology: str = "rail-optimized"
    oversubscription: float = 1.0
    nic_cable: float = float(_LENGTHS.nic)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """Counts over all rails and planes; links at NIC speed. Counts are None where infeasible.

    `oversubscription_reached` is that of the fullest leaf. `limit` says what an infeasible
    request hits, `max_nics` how many NIC ports would fit.
    """

    topology: str
    switch: str
    feasible: bool
    tiers: int | None = None
    leaf: int | None = None
    spine: int | None = None
    core: int | None = None
    switches: int | None = None
    nic_links: int | None = None
    leaf_spine_links: int | None = None
    spine_core_links: int | None = None
    leaf_spine_cables: int | None = None
    spine_core_cables: int | None = None
    nic_optics: int | None = None
    """Optics on cables between NICs and leaves, of both ends; in `optics` as well."""
    optics: int | None = None
    cable_m: float | None = None
    oversubscription: float = 1.0
    oversubscription_reached: float | None = None
    limit: str | None = None
    max_nics: int | None = None
    why: str | None = None
    alternatives: tuple[Sizing, ...] = field(default=())

    def as_json(self) -> dict[str, object]:
        """The JSON-ready form, alternatives nested (each without alternatives of its own)."""
        row = asdict(self)
        row["alternatives"] = [
            {key: value for key, value in asdict(each).items() if key != "alternatives"}
            for each in self.alternatives
        ]
        return row


def size(request: SizeRequest, catalog: Catalog) -> Sizing:
    """What the request takes, with alternatives.

    Raises UsageError for an unknown topology or switch, or a number that makes no sense.
    """
    _check(request)
    asked = _count(request, catalog)
    return replace(asked, alternatives=tuple(_alternatives(request, asked, catalog)))


def _check(request: SizeRequest) -> None:
    if request.topology not in TOPOLOGIES:
        close = get_close_matches(request.topology, list(TOPOLOGIES), n=1, cutoff=0.4)
        hint = f"did you mean {close[0]}? " if close else ""
        raise UsageError(
            f"unknown topology {request.topology!r}: {hint}known are {', '.join(TOPOLOGIES)}"
        )
    nodes = request.gpus / max(1, request.gpus_per_node)
    bounds = (
        ("GPUs", request.gpus, request.gpus > 0 and nodes <= MOST_NODES,
         f"above 0, and of {MOST_NODES:,} nodes at most"),
        ("GPUs a node", request.gpus_per_node, 0 < request.gpus_per_node <= MOST_GPUS_A_NODE,
         f"1 to {MOST_GPUS_A_NODE:,}"),
        ("oversubscription", request.oversubscription,
         0 < request.oversubscription <= MOST_RATIO, f"above 0, {MOST_RATIO:,} at most"),
    )  # fmt: skip
    for name, given, fits, wanted in bounds:
        if not fits:
            raise UsageError(f"{name} {given}: must be {wanted}")


def _count(request: SizeRequest, catalog: Catalog) -> Sizing:
    model = catalog.switch(request.switch)
    ports = Breakouts(model).carrying(request.nic, None)
    base = Sizing(
        topology=request.topology,
        switch=request.switch,
        feasible=False,
        oversubscription=request.oversubscription,
    )
    if not ports.uses:
        limit = f"{model.name} has no port at {format_speed(request.nic)}"
        return replace(base, limit=limit, max_nics=0)
    topology: Topology = TOPOLOGIES[request.topology]()
    blocks = topology.blocks(request.gpus_per_node)
    found = solve(_request_of(request, blocks[0], ports))
    if isinstance(found, Limit):
        most = found.most * len(blocks) // topology.planes
        return replace(base, limit=found.reason, max_nics=most)
    return _counted(base, request, found, (len(blocks), topology.planes, blocks[0].on_leaf), ports)


def _request_of(request: SizeRequest, block: Block, ports: CageSet) -> ClosRequest:
    box = SwitchCages((ports,), ports)
    return ClosRequest(
        nodes=((0, ceil(request.gpus / request.gpus_per_node)),),
        on_leaf=block.on_leaf,
        beside=block.beside,
        leaf=box,
        spine=box,
        core=box,
        ratio=ratio_of(request.oversubscription),
        tiers=block.tiers,
    )


def _counted(
    base: Sizing, request: SizeRequest, found: Clos, times: tuple[int, int, int], ports: CageSet
) -> Sizing:
    blocks, planes, on_leaf = times
    legs = max(each.ports for each in ports.uses)
    nic_links = request.gpus * planes
    lower, upper = found.leaf_spine_links * blocks, found.spine_core_links * blocks
    lower_cables, upper_cables = ceil(lower / legs), ceil(upper / legs)
    nic_fibres = nic_links if request.nic_cable > COPPER_M else 0
    leaf, spine = found.leaves * blocks, found.spines_in_all * blocks
    return replace(
        base,
        feasible=True,
        tiers=found.tiers,
        leaf=leaf,
        spine=spine,
        core=found.cores * blocks,
        switches=leaf + spine + found.cores * blocks,
        nic_links=nic_links,
        leaf_spine_links=lower,
        spine_core_links=upper,
        leaf_spine_cables=lower_cables,
        spine_core_cables=upper_cables,
        nic_optics=2 * nic_fibres,
        optics=2 * (lower_cables + upper_cables + nic_fibres),
        cable_m=nic_links * request.nic_cable
        + lower_cables * float(_LENGTHS.leaf_spine)
        + upper_cables * float(_LENGTHS.spine_core),
        oversubscription_reached=_reached(found, on_leaf),
    )


def _reached(found: Clos, on_leaf: int) -> float:
    """Down over up of the fullest leaf; a single switch is non-blocking."""
    if found.tiers == 1:
        return 1.0
    ratios = (each.count * on_leaf / each.uplinks for each in found.segments)
    return round(max(ratios), 4)


def _alternatives(request: SizeRequest, asked: Sizing, catalog: Catalog) -> Iterator[Sizing]:
    """Feasible changes of one thing, best first."""
    found = {}
    for changed, reason in _changes(request, catalog):
        sizing = _count(changed, catalog)
        if sizing.feasible and not _says_nothing(changed, sizing, request):
            key = (sizing.topology, sizing.switch, sizing.oversubscription)
            another = changed.oversubscription != request.oversubscription
            said = f"{reason}{_reached_said(sizing) if another else ''}"
            found[key] = replace(sizing, why=f"{said}; {_compared(sizing, asked)}")
    yield from sorted(
        found.values(),
        key=lambda each: (
            each.switches, each.optics, each.cable_m, each.topology, each.switch,
            each.oversubscription,
        ),
    )  # fmt: skip


def _reached_said(sizing: Sizing) -> str:
    """What whole links make of a ratio that they do not meet."""
    reached = sizing.oversubscription_reached
    if reached is None or reached == sizing.oversubscription:
        return ""
    return f" at most: whole links give {reached:.4g}:1"


def _says_nothing(changed: SizeRequest, sizing: Sizing, asked: SizeRequest) -> bool:
    """A leaf without uplinks has no oversubscription that could be another."""
    return sizing.tiers == 1 and changed.oversubscription != asked.oversubscription


def _changes(request: SizeRequest, catalog: Catalog) -> Iterator[tuple[SizeRequest, str]]:
    for name in TOPOLOGIES:
        if name == request.topology:
            continue
        changed = replace(request, topology=name)
        reason = _REASONS.get(name, name)
        planes = TOPOLOGIES[name]().planes
        if planes > TOPOLOGIES[request.topology]().planes:
            changed = replace(changed, nic=request.nic // planes)
            reason = f"each NIC as {planes} ports of {format_speed(changed.nic)}; {reason}"
        yield changed, reason
    for ratio in (1.0, 2.0, 3.0):
        if ratio != request.oversubscription:
            yield replace(request, oversubscription=ratio), f"{ratio:g}:1 at the leaf"
    for switch in catalog.switches():
        if switch.name != request.switch and Breakouts(switch).carrying(request.nic, None).uses:
            yield replace(request, switch=switch.name), f"built from {switch.name}"


_REASONS = {
    "rail-only": "a leaf a rail, no path between rails but inside a node",
    "rail-clos": "a Clos a rail, no path between rails but inside a node",
    "rail-optimized": "rails meet at the spines",
    "clos": "leaves are filled with whole nodes, rails share leaves",
    "clos3": "three tiers from the start, pods can be added",
    "dual-plane": "planes never meet, one may fail",
}


def _compared(sizing: Sizing, asked: Sizing) -> str:
    if not asked.feasible:
        return f"fits, with {sizing.switches} switches and {sizing.optics} optics"
    switches = (sizing.switches or 0) - (asked.switches or 0)
    optics = (sizing.optics or 0) - (asked.optics or 0)
    return f"{_more(switches, 'switches')}, {_more(optics, 'optics')}"


def _more(number: int, what: str) -> str:
    if number == 0:
        return f"as many {what}"
    return f"{abs(number):,} {'more' if number > 0 else 'fewer'} {what}"
