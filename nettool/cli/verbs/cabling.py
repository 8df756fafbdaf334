"""The cable plan as CSV or XLSX, both ways, and what LLDP sees against it.

    nettool cabling export FABRIC -o cables.xlsx
    nettool cabling import FABRIC cables.xlsx --sheet "row 3"
    nettool cabling check FABRIC --lldp lldp/

export writes one row a cable leg. import reads a sheet as people keep it (other words in its head,
merged cells, ranges, blank rows) and tells where it differs from the plan. check holds what the
switches see by LLDP (`show lldp table` or `lldpctl -f json`, saved) against it, with the fewest
moves that mend it.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

from nettool.cli.parser import FINDING_FORMATS, add_fabric
from nettool.cli.screen import Screen
from nettool.config.nos.neighbors import Neighbors, neighbors_of, read_neighbors
from nettool.core.errors import UsageError
from nettool.core.finding import Finding, Report, Severity
from nettool.core.source import read_text
from nettool.core.written import write_file
from nettool.intent.load import find_fabric
from nettool.pipeline import design_only
from nettool.plan.cabling.compare import differences
from nettool.plan.cabling.grid import read_grids
from nettool.plan.cabling.names import Names
from nettool.plan.cabling.reading import read_rows
from nettool.plan.cabling.seen import Verdict, check_seen, move_text
from nettool.plan.cabling.sheet import HEAD, cable_rows, cells, csv_text
from nettool.plan.cabling.workbook import workbook
from nettool.plan.design.fabric import Fabric

FORMATS = FINDING_FORMATS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do, FABRIC, and the file to read or write."""
    parser.add_argument("action", choices=("export", "import", "check"), help="what to do")
    add_fabric(parser)
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="import: sheet to read (.csv, .tsv, .xlsx)",
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE", help="export: sheet to write (.csv or .xlsx)"
    )
    parser.add_argument(
        "--sheet", metavar="NAME", help="import: the one sheet of a workbook (default: all)"
    )
    parser.add_argument(
        "--lldp",
        type=Path,
        metavar="PATH",
        help="check: folder of NAME.txt or NAME.json, one a switch, or one JSON file of all",
    )
    parser.add_argument("--exit-code", action="store_true", help="exit 2 where they differ")


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Write the sheet, or report what a sheet or the switches say otherwise than the plan."""
    actions = {"export": _export, "import": _import, "check": _check}
    needed = {"export": "out", "import": "file", "check": "lldp"}[arguments.action]
    if getattr(arguments, needed) is None:
        flag = {"out": "-o FILE", "file": "FILE", "lldp": "--lldp PATH"}[needed]
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
    write_file(path, written[path.suffix.lower()]())
    if screen.is_json:
        screen.json({"schema_version": 1, "file": str(path), "legs": len(rows)})
    else:
        screen.text(f"{len(rows)} cable legs written to {path}")
    return 0


def _import(fabric: Fabric, arguments: argparse.Namespace, screen: Screen) -> int:
    file = str(arguments.file)
    rows, wrong = read_rows(read_grids(arguments.file, arguments.sheet), fabric, file)
    different = tuple(differences(rows, fabric, file)) if rows else ()
    report = Report.of((*wrong, *different), legs=len(rows), planned=len(fabric.links))
    screen.report(report)
    code = report.exit_code(strict=arguments.strict)
    return 2 if different and arguments.exit_code and code != 1 else code


def _check(fabric: Fabric, arguments: argparse.Namespace, screen: Screen) -> int:
    neighbors, wrong = _read_lldp(arguments.lldp, fabric)
    if not neighbors and not wrong:
        raise UsageError(f"{arguments.lldp} holds the neighbours of no switch: nothing was checked")
    silent = [each.name for each in fabric.devices if each.name not in neighbors]
    if silent:
        screen.progress(f"no neighbours were given of {len(silent)} switches: {_some(silent)}")
    verdict = check_seen(fabric, neighbors)
    verdict = replace(verdict, report=Report.of(wrong) + verdict.report)
    if screen.format == "json":
        screen.json(verdict.as_json())
    else:
        screen.report(verdict.report)
    if screen.format == "text":
        _show_moves(verdict, screen)
    code = verdict.report.exit_code(strict=arguments.strict)
    return 2 if verdict.repairs and arguments.exit_code else code


def _show_moves(verdict: Verdict, screen: Screen) -> None:
    said = verdict.report.summary
    swaps = f" ({_counted(said['swaps'], 'swap')} of plugs)" if said["swaps"] else ""
    mended = f"; {_counted(said['moves'], 'move')} to mend it{swaps}"
    screen.text(
        f"{said['right']} of {said['planned']} cables right, {said['wrong']} wrong, the rest "
        f"unknown{mended if verdict.repairs else ''}"
    )
    for number, repair in enumerate(verdict.repairs, 1):
        for move in repair.moves:
            screen.text(f"  {number}. {move_text(move)}")


def _some(names: list[str]) -> str:
    return ", ".join(names[:6]) + (", …" if len(names) > 6 else "")


def _counted(count: object, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _read_lldp(path: Path, fabric: Fabric) -> tuple[dict[str, Neighbors], list[Finding]]:
    """Neighbours by switch, of a file each or of one JSON file, and what cannot be read."""
    names = Names(fabric)
    found: dict[str, Neighbors] = {}
    wrong: list[Finding] = []
    files = sorted(each for each in path.iterdir() if each.is_file()) if path.is_dir() else [path]
    for file in files:
        try:
            rows_of = _switches(file, names)
        except ValueError as exc:
            wrong.append(_unreadable(file, str(exc)))
            continue
        for word, rows in rows_of.items():
            device = names.device(word)
            if device in fabric.by_name:
                found[device or word] = rows
            else:
                problem = f"{word!r} is no switch of the plan: {names.close(word)}"
                wrong.append(_unreadable(file, problem))
    return found, wrong


def _switches(file: Path, names: Names) -> dict[str, Neighbors]:
    text = read_text(file)
    data = json.loads(text) if text.lstrip().startswith("{") else None
    if isinstance(data, dict) and data and names.device(file.stem) is None and "lldp" not in data:
        return {name: neighbors_of(rows) for name, rows in data.items()}
    return {file.stem: read_neighbors(text)}


def _unreadable(file: Path, problem: str) -> Finding:
    return Finding(
        rule="CAB037",
        severity=Severity.ERROR,
        message=problem,
        hint="a file is named after its switch (leaf01.txt), or is JSON by switch",
        file=str(file),
    )
