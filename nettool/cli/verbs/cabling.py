"""The cable plan as CSV or XLSX, both ways.

    nettool cabling export FABRIC -o FILE.csv or FILE.xlsx
    nettool cabling import FABRIC FILE [--sheet NAME]

A sheet may be as people keep it: other words in its head, merged cells, ranges, blank rows.
The vendor's planning tool (AID) publishes no schema of its sheets, so none of its own is read by
name: readers of file kinds are a registry, and one more module would read it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.cli.parser import FINDING_FORMATS, add_fabric
from nettool.cli.screen import Screen
from nettool.core.errors import UsageError
from nettool.core.finding import Report
from nettool.intent.load import find_fabric
from nettool.pipeline import design_only
from nettool.plan.cabling.compare import differences
from nettool.plan.cabling.grid import read_grids
from nettool.plan.cabling.reading import read_rows
from nettool.plan.cabling.sheet import HEAD, cable_rows, cells, csv_text
from nettool.plan.cabling.workbook import workbook
from nettool.plan.design.fabric import Fabric

FORMATS = FINDING_FORMATS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do, FABRIC, and the file to read or write."""
    parser.add_argument("action", choices=("export", "import"))
    add_fabric(parser)
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="sheet to import")
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="sheet to write")
    parser.add_argument("--sheet", metavar="NAME", help="the one sheet to read (default: all)")
    parser.add_argument("--exit-code", action="store_true", help="exit 2 where they differ")


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Write the sheet, or report what a sheet or the switches say otherwise than the plan."""
    actions = {"export": _export, "import": _import}
    needed = {"export": "out", "import": "file"}[arguments.action]
    if getattr(arguments, needed) is None:
        flag = {"out": "-o FILE", "file": "FILE"}[needed]
        raise UsageError(f"cabling {arguments.action} needs {flag}")
    fabric, _ = design_only(find_fabric(arguments.fabric))
    return actions[arguments.action](fabric, arguments, screen)


def _export(fabric: Fabric, arguments: argparse.Namespace, screen: Screen) -> int:
    rows = [cells(row) for row in cable_rows(fabric)]
    path: Path = arguments.out
    written = {
        ".csv": lambda: csv_text(HEAD, rows).encode(),
        ".xlsx": lambda: workbook("cabling", HEAD, rows),
    }
    if path.suffix.lower() not in written:
        raise UsageError(f"{path}: a cable plan is written as .csv or .xlsx")
    try:
        path.write_bytes(written[path.suffix.lower()]())
    except OSError as exc:
        raise UsageError(f"{path}: {exc.strerror}") from exc
    if screen.is_json:
        screen.json({"schema_version": 1, "file": str(path), "legs": len(rows)})
    else:
        screen.text(f"{len(rows)} cable legs written to {path}")
    return 0


def _import(fabric: Fabric, arguments: argparse.Namespace, screen: Screen) -> int:
    file = str(arguments.file)
    rows, wrong = read_rows(read_grids(arguments.file, arguments.sheet), fabric, file)
    different = tuple(differences(rows, fabric, file))
    report = Report.of((*wrong, *different), legs=len(rows), planned=len(fabric.links))
    screen.report(report)
    code = report.exit_code(strict=arguments.strict)
    return 2 if different and arguments.exit_code and code != 1 else code
