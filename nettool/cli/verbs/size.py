"""Size a fabric without a file: counts, cables, optics, and alternatives ranked."""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.catalog.catalog import load_catalog
from nettool.cli.screen import Screen
from nettool.core.errors import UsageError
from nettool.core.units import parse_speed
from nettool.plan.design.size import SizeRequest, Sizing, size

_COLUMNS = (
    "topology", "switch", "tiers", "leaf", "spine", "core", "nic_links", "leaf_spine_cables",
    "spine_core_cables", "optics", "oversubscription_reached",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How many GPUs, on which NICs and switches, in which shape."""
    parser.add_argument("--gpus", type=int, required=True, help="GPUs, one NIC each")
    parser.add_argument("--nic", required=True, metavar="400G", help="speed of one NIC")
    parser.add_argument("--gpus-per-node", type=int, default=8, help="default: %(default)s")
    parser.add_argument("--switch", default="CX864E-N", help="switch model (default: %(default)s)")
    parser.add_argument("--topology", default="rail-optimized", help="default: %(default)s")
    parser.add_argument(
        "--oversubscription", type=float, default=1.0, help="down over up (default: %(default)s)"
    )
    parser.add_argument(
        "--catalog", type=Path, metavar="DIR", help="your own catalog files (`nettool catalog`)"
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print the counts; exit 1 where the request does not fit."""
    try:
        nic = parse_speed(arguments.nic)
    except ValueError as exc:
        raise UsageError(f"--nic: {exc}") from exc
    request = SizeRequest(
        gpus=arguments.gpus,
        nic=nic,
        gpus_per_node=arguments.gpus_per_node,
        switch=arguments.switch,
        topology=arguments.topology,
        oversubscription=arguments.oversubscription,
    )
    found = size(request, load_catalog(arguments.catalog))
    if screen.is_json:
        screen.json({"schema_version": 1, **found.as_json()})
    else:
        _show(found, screen)
    return 0 if found.feasible else 1


def _show(found: Sizing, screen: Screen) -> None:
    if not found.feasible:
        screen.text(f"does not fit: {found.limit}; at most {found.max_nics} NICs")
    rows = [[getattr(each, name) for name in _COLUMNS] for each in (found, *found.alternatives)]
    head = [name.replace("_", " ") for name in _COLUMNS]
    screen.table(head, rows[:1] if found.feasible else [])
    if found.alternatives:
        whys = [each.why for each in found.alternatives]
        table = [[*row, why] for row, why in zip(rows[1:], whys, strict=True)]
        screen.table([*head, "why"], table, title="alternatives")
