"""Size a fabric without a file: counts, cables, optics, and alternatives ranked.

    nettool size --gpus 1024 --nic 400G
    nettool size --gpus 4096 --nic 800G --topology rail-clos --oversubscription 2

Optics are counted at both ends of every fibre cable: between switches, and between NIC and leaf
where that cable is longer than 3 m.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.catalog.catalog import load_catalog
from nettool.cli.screen import Screen
from nettool.core.errors import UsageError
from nettool.core.units import parse_length, parse_speed
from nettool.plan.design.size import SizeRequest, Sizing, size
from nettool.plan.design.topology import TOPOLOGIES

_COLUMNS = {
    "topology": "topology", "switch": "switch", "tiers": "tiers", "leaf": "leaf",
    "spine": "spine", "core": "core", "nic_links": "NIC links",
    "leaf_spine_cables": "leaf-spine", "spine_core_cables": "spine-core", "optics": "optics",
    "oversubscription_reached": "down:up",
}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How many GPUs, on which NICs and switches, in which shape."""
    parser.add_argument("--gpus", type=int, required=True, metavar="N", help="GPUs, one NIC each")
    parser.add_argument("--nic", required=True, metavar="400G", help="speed of one NIC")
    parser.add_argument(
        "--gpus-per-node",
        type=int,
        default=8,
        metavar="N",
        help="GPUs in a node (default: %(default)s)",
    )
    parser.add_argument(
        "--switch",
        default="CX864E-N",
        metavar="MODEL",
        help="a name of `nettool catalog list switches` (default: %(default)s)",
    )
    parser.add_argument(
        "--topology",
        default="rail-optimized",
        metavar="NAME",
        help=f"{', '.join(TOPOLOGIES)} (default: %(default)s)",
    )
    parser.add_argument(
        "--oversubscription",
        type=float,
        default=1.0,
        metavar="RATIO",
        help="capacity down over up: 2 is 2:1 (default: %(default)s)",
    )
    parser.add_argument(
        "--nic-cable", default="3m", metavar="LENGTH",
        help="NIC to leaf; up to 3 m is copper without optics (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--catalog", type=Path, metavar="DIR", help="your own catalog files (`nettool catalog`)"
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print the counts; exit 1 where the request does not fit."""
    try:
        nic = parse_speed(arguments.nic)
    except ValueError as exc:
        raise UsageError(f"--nic: {exc}") from exc
    try:
        nic_cable = parse_length(arguments.nic_cable)
    except ValueError as exc:
        raise UsageError(f"--nic-cable: {exc}") from exc
    request = SizeRequest(
        gpus=arguments.gpus,
        nic=nic,
        gpus_per_node=arguments.gpus_per_node,
        switch=arguments.switch,
        topology=arguments.topology,
        oversubscription=arguments.oversubscription,
        nic_cable=nic_cable,
    )
    found = size(request, load_catalog(arguments.catalog))
    if screen.is_json:
        screen.json({"schema_version": 1, **found.as_json()})
    else:
        _show(found, screen, nic_cable)
    return 0 if found.feasible else 1


def _show(found: Sizing, screen: Screen, nic_cable: float) -> None:
    if not found.feasible:
        screen.text(f"does not fit: {found.limit}; at most {found.max_nics} NICs")
    every = ([found] if found.feasible else []) + list(found.alternatives)
    shown = [name for name in _COLUMNS if any(getattr(each, name) != 0 for each in every)]
    rows = [[getattr(each, name) for name in shown] for each in every]
    head = [_COLUMNS[name] for name in shown]
    if found.feasible:
        screen.table(head, rows[:1])
        screen.text(f"{_counted(found, nic_cable)}\n")
    if found.alternatives:
        whys = [each.why for each in found.alternatives]
        table = [[*row, why] for row, why in zip(rows[-len(whys) :], whys, strict=True)]
        screen.table([*head, "why"], table, title="alternatives")


def _counted(found: Sizing, nic_cable: float) -> str:
    """What the numbers of cables and optics hold."""
    between = (found.optics or 0) - (found.nic_optics or 0)
    kind = f"fibre, {found.nic_optics:,} optics" if found.nic_optics else "copper, no optics"
    return (
        f"optics: {between:,} between switches; NIC to leaf is {nic_cable:g} m {kind} "
        "(--nic-cable LENGTH for another)"
    )
