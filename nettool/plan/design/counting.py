"""From a network's intent to counts: topology, hardware, blocks, and what limits them."""

from __future__ import annotations

from difflib import get_close_matches

from pydantic import ValidationError

from nettool.catalog.catalog import Catalog
from nettool.core.finding import Finding
from nettool.core.source import KeyPath
from nettool.intent.intent import NetworkIntent
from nettool.plan.design.clos import Clos, ClosRequest, Limit, ratio_of
from nettool.plan.design.hardware import Hardware, resolve
from nettool.plan.design.network import Network
from nettool.plan.design.notes import error, warning
from nettool.plan.design.solve import solve
from nettool.plan.design.spare import spare_spines
from nettool.plan.design.topology import TOPOLOGIES, Block, Topology


def count_network(
    name: str, intent: NetworkIntent, nodes: int, ratio: float, catalog: Catalog,
    findings: list[Finding], *, first: bool,
) -> Network | None:  # fmt: skip
    """A network with its counts; None where `findings` got an error."""
    path: KeyPath = ("networks", name)
    before = sum(each.severity == "error" for each in findings)
    topology = _topology(intent, path, findings)
    hardware = resolve(nodes, intent, path, catalog, findings)
    if topology is None or hardware is None:
        return None
    _check_planes(topology, hardware, findings)
    blocks = topology.blocks(hardware.per_node)
    closes = [_solve(block, len(blocks), intent, hardware, ratio, path, findings)
              for block in blocks[:1]] * len(blocks)  # fmt: skip
    if sum(each.severity == "error" for each in findings) > before:
        return None
    found = tuple(each for each in closes if each)
    network = Network(name, intent, first, hardware, blocks, found, nodes, ratio)
    _check_reached(network, findings)
    segments = _share(intent.leaves, len(blocks) * blocks[0].beside, path, [])
    findings += spare_spines(
        network,
        request_for(blocks[0], hardware, ratio, intent.spine_oversubscription, segments,
                    intent.spines),
    )  # fmt: skip
    return network


def request_for(
    block: Block, hardware: Hardware, ratio: float, spine_ratio: float,
    segments: int | None = None, spines: int | None = None,
) -> ClosRequest:  # fmt: skip
    """What one block asks of a Clos."""
    return ClosRequest(
        nodes=hardware.runs,
        on_leaf=block.on_leaf,
        beside=block.beside,
        leaf=hardware.leaf.cages,
        spine=hardware.spine.cages,
        core=hardware.core.cages,
        ratio=ratio_of(ratio),
        spine_ratio=ratio_of(spine_ratio),
        tiers=block.tiers,
        segments=segments,
        spines=spines or block.spines,
        pods=block.pods,
        cores=block.cores,
    )


def _topology(intent: NetworkIntent, path: KeyPath, findings: list[Finding]) -> Topology | None:
    if intent.topology not in TOPOLOGIES:
        known = list(TOPOLOGIES)
        close = get_close_matches(intent.topology, known, n=1, cutoff=0.4)
        hint = f"did you mean {close[0]}? " if close else ""
        findings.append(
            error(
                "DSN002",
                (*path, "topology"),
                f"unknown topology {intent.topology!r}",
                f"{hint}known are {', '.join(known)}",
            )
        )
        return None
    try:
        return TOPOLOGIES[intent.topology].model_validate(intent.options)
    except ValidationError as exc:
        known_options = ", ".join(TOPOLOGIES[intent.topology].model_fields) or "none"
        findings += (
            error(
                "DSN002",
                (*path, "options", *map(str, problem["loc"])),
                f"options of {intent.topology}: {problem['msg']}",
                f"its options: {known_options}",
            )
            for problem in exc.errors()
        )
        return None


def _check_planes(topology: Topology, hardware: Hardware, findings: list[Finding]) -> None:
    findings += (
        error(
            "DSN003",
            (*kind.path, "model"),
            f"{kind.model.name} has {kind.model.ports} network port, "
            f"{topology.planes} planes need {topology.planes}",
            "choose a NIC with a port for each plane",
        )
        for kind in hardware.kinds
        if kind.model.ports < topology.planes
    )


def _solve(
    block: Block, blocks: int, intent: NetworkIntent, hardware: Hardware, ratio: float,
    path: KeyPath, findings: list[Finding],
) -> Clos | None:  # fmt: skip
    segments = _share(intent.leaves, blocks * block.beside, (*path, "leaves"), findings)
    spines = _share(intent.spines, blocks, (*path, "spines"), findings)
    if intent.spines and 3 in block.tiers and block.tiers == (3,):
        spines = _share(spines, block.pods or 1, (*path, "spines"), findings)
    request = request_for(block, hardware, ratio, intent.spine_oversubscription, segments, spines)
    found = solve(request)
    if isinstance(found, Limit):
        findings.append(
            _no_uplink(hardware, request, path) or _limit(found, request, blocks, intent, path)
        )
        return None
    return found


def _no_uplink(hardware: Hardware, request: ClosRequest, path: KeyPath) -> Finding | None:
    """The finding for tiers whose switches have no port speed in common."""
    pairs = [(hardware.leaf, hardware.spine), (hardware.spine, hardware.core)]
    for lower, upper in pairs[: max(request.tiers) - 1]:
        if lower.cages.up is not None and not lower.cages.up.uses:
            return error(
                "DSN005",
                (*path, "uplink"),
                f"{lower.model.name} and {upper.model.name} have no port speed in common",
                "choose switches, SKUs or a link speed that both ends have",
            )
    return None


def _share(number: int | None, parts: int, path: KeyPath, findings: list[Finding]) -> int | None:
    if number is None:
        return None
    if number % parts:
        findings.append(
            error(
                "DSN003",
                path,
                f"{number} do not divide by {parts}",
                f"give a multiple of {parts}: {max(1, number // parts) * parts}",
            )
        )
    return max(1, number // parts)


def _limit(
    limit: Limit, request: ClosRequest, blocks: int, intent: NetworkIntent, path: KeyPath
) -> Finding:
    asked, most = request.ports * blocks, limit.most * blocks
    each = f"in each of {blocks} parts " if blocks > 1 and limit.hint else ""
    all_parts = f"; the keys count all {blocks} parts" if blocks > 1 else ""
    fits = f"; at most {most} NIC ports fit here" if most else ""
    return error(
        "DSN003",
        (*path, "topology"),
        f"{intent.topology} with {asked} NIC ports on {intent.leaf.model}: {each}{limit.reason}"
        f"{fits}",
        (limit.hint and limit.hint + all_parts) or _hint(request, intent),
    )


def _hint(request: ClosRequest, intent: NetworkIntent) -> str:
    if request.tiers == (1,):
        return (
            "`topology: rail-clos` gives each rail more tiers; or take fewer nodes or a larger "
            "switch (`leaf.model`)"
        )
    if max(request.tiers) == 3:
        split = (
            ""
            if intent.topology == "rail-clos"
            else "`topology: rail-clos` splits the fabric by rail; or "
        )
        return f"{split}raise `oversubscription`, give a slower `uplink`, or a larger `leaf.model`"
    return f"{intent.topology} needs fewer nodes, more `oversubscription`, or a larger `leaf.model`"


def _check_reached(network: Network, findings: list[Finding]) -> None:
    """A warning where whole links leave less up capacity than was asked for."""
    leaf = network.hardware.leaf.cages
    for clos in network.closes[:1]:
        for segment in clos.segments if clos.tiers > 1 else ():
            counts = [0] * len(leaf.down)
            for kind, count in segment.kinds:
                counts[kind] += count * network.blocks[0].on_leaf
            down, up = leaf.capacity(counts), segment.uplinks * leaf.up_speed
            if down > up * ratio_of(network.ratio):
                findings.append(
                    warning(
                        "DSN008",
                        (*network.path, "oversubscription"),
                        f"{network.name}: leaves reach {down / up:.3g}:1 "
                        f"({down // 1000}G down, {up // 1000}G up); {network.ratio:g}:1 is "
                        "asked for",
                        "choose a number of spines that divides a leaf's uplinks",
                    )
                )
                return
