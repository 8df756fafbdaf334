"""Where one rendered value comes from: formula, inputs, file and line, source, bound.

    nettool explain rail-optimized-256 leaf01 'BUFFER_PROFILE|pg_lossless_400000_5m_profile|xoff'
    nettool explain rail-optimized-256 leaf01 120 --nos asternos

PATH is 'TABLE|key|field' of the switch's config_db.json (in quotes: a shell takes | for a pipe),
'TABLE|key' for a whole row, or a line number of asternos.cfg.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from nettool.cli.parser import add_fabric, add_nos
from nettool.cli.planned import planned
from nettool.cli.screen import Screen
from nettool.core.document import Ledger
from nettool.core.provenance import Origin, Provenance
from nettool.intent.load import FILE_NAME
from nettool.pipeline import Plan, explain

_DEEPEST = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC, DEVICE and PATH."""
    add_fabric(parser)
    parser.add_argument("device", help="a switch or host, e.g. leaf01")
    parser.add_argument("path", help="'TABLE|key|field', or a line number")
    add_nos(parser)


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print the value's provenance, inputs below it."""
    plan = planned(arguments.fabric, arguments.nos)
    found = explain(plan, arguments.device, arguments.path)
    if screen.is_json:
        ledger = Ledger()
        screen.json(
            {
                "schema_version": 1,
                "device": found.device,
                "path": found.path,
                "value": str(found.value),
                "why": ledger.number(found.why),
                "provenance": ledger.rows,
            }
        )
    else:
        screen.text(f"{screen.paint('bold', f'{found.device} {found.path}')} = {found.value}")
        screen.text("\n".join(_lines(plan, found.why, 1)))
    return 0


def _lines(plan: Plan, why: Provenance, depth: int) -> Iterator[str]:
    indent = "  " * depth
    yield f"{indent}formula  {why.formula}"
    for given in why.inputs:
        unit = f" {given.unit}" if given.unit else ""
        place = f"  ({_place(plan, given.origin)})" if given.origin else ""
        yield f"{indent}input    {given.name} = {given.value}{unit}{place}"
        if given.why and depth < _DEEPEST:
            yield from _lines(plan, given.why, depth + 2)
    if why.bound:
        yield f"{indent}bound    {why.bound}"
    if why.source:
        yield f"{indent}source   {why.source}"
    yield f"{indent}trust    {why.trust}"


def _place(plan: Plan, origin: Origin) -> str:
    if origin.file != FILE_NAME:
        return f"{origin.file} {'.'.join(map(str, origin.path))}".rstrip()
    return str(plan.places.place(origin.path))
