"""What hardware is known, and any SONiC platform made known.

    nettool catalog list switches
    nettool catalog import device/acme/x86_64-box-r0 -o FABRIC/catalog --asic th5 --name box
    nettool catalog import pg_profile_lookup.ini -o FABRIC/catalog --asic th5 --name box

PATH is a platform's folder in SONiC's device tree, one of its SKU folders, or single files
(platform.json, hwsku.json, port_config.ini, pg_profile_lookup.ini). The entry is written as YAML
that can be read and corrected; a folder named `catalog` beside a fabric.yaml is read with it.
A pg_profile_lookup.ini alone, taken from a switch, becomes the headroom table of the switch model
or SKU that --name tells: plans are then made with it and held against it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nettool.catalog.catalog import KINDS, Catalog, load_catalog
from nettool.catalog.imports import About, import_platform, write_import
from nettool.cli.screen import Screen
from nettool.core.errors import UsageError
from nettool.core.units import parse_speed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do, and what the files of a platform do not say."""
    parser.add_argument("action", choices=("list", "import"), help="what to do")
    parser.add_argument(
        "what",
        nargs="*",
        metavar="KIND or PATH",
        help=f"list: one of {', '.join(KINDS)} (default: all); import: files or folders",
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="DIR", help="import: folder to write entries to"
    )
    parser.add_argument(
        "--catalog",
        type=Path,
        metavar="DIR",
        help="your own catalog files, read with the shipped ones",
    )
    parser.add_argument(
        "--asic", metavar="CHIP", help="import: the chip, a name of `nettool catalog list asics`"
    )
    parser.add_argument(
        "--name",
        metavar="NAME",
        help="import: switch model or SKU (default: what the files call it)",
    )
    parser.add_argument(
        "--vendor",
        metavar="NAME",
        default="unknown",
        help="import: who makes it (default: %(default)s)",
    )
    parser.add_argument(
        "--lane-rate",
        metavar="100G",
        help="import: speed of one lane, for a port_config.ini without a speed column",
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """List the names of a kind, or import a platform; exit 1 where nothing could be used."""
    return {"list": _list, "import": _import}[arguments.action](arguments, screen)


def _list(arguments: argparse.Namespace, screen: Screen) -> int:
    catalog = load_catalog(arguments.catalog)
    wanted = arguments.what or list(KINDS)
    unknown = [each for each in wanted if each not in KINDS]
    if unknown:
        raise UsageError(f"no kind {unknown[0]!r} in the catalog: kinds are {', '.join(KINDS)}")
    names = {str(kind): catalog.names(kind) for kind in KINDS if kind in wanted}
    if screen.is_json:
        screen.json({"schema_version": 1, "names": names})
    else:
        screen.table(("kind", "name"), [(kind, each) for kind in names for each in names[kind]])
    return 0


def _import(arguments: argparse.Namespace, screen: Screen) -> int:
    for given, flag in ((arguments.what, "PATH"), (arguments.out, "-o DIR"),
                        (arguments.asic, "--asic CHIP")):  # fmt: skip
        if not given:
            raise UsageError(f"catalog import needs {flag}")
    catalog = load_catalog(arguments.catalog)
    chip = catalog.asic(arguments.asic)
    _refuse_other_chip(catalog, chip.name, arguments.name)
    about = About(
        name=arguments.name,
        vendor=arguments.vendor,
        asic=chip.name,
        lane_rate=_lane_rate(arguments.lane_rate),
    )
    imported = import_platform(*map(Path, arguments.what), about=about)
    try:
        usable = imported.model or not imported.report.has_errors
        there = set(arguments.out.rglob("*.yaml"))
        written = write_import(imported, arguments.out) if usable else ()
    except OSError as exc:
        raise UsageError(f"{arguments.out}: {exc.strerror}") from exc
    if screen.is_json:
        files = [str(each) for each in written]
        screen.json({**imported.report.as_json(), "files": files})
    else:
        screen.text(screen.findings(imported.report))
        for each in written:
            screen.text(f"{'replaced' if each in there else 'wrote'} {each}")
    return imported.report.exit_code(strict=arguments.strict)


def _refuse_other_chip(catalog: Catalog, chip: str, name: str | None) -> None:
    """A headroom table or SKU of a known switch with another chip is no use to it."""
    if name is None or name not in catalog.names("switches"):
        return
    known = [each.asic for each in catalog.switch(name).asics]
    if chip not in known:
        raise UsageError(
            f"--asic {chip}: {name} is known with {' or '.join(known)}; "
            "give that chip, or another --name"
        )


def _lane_rate(text: str | None) -> int | None:
    try:
        return int(parse_speed(text)) if text else None
    except ValueError as exc:
        raise UsageError(f"--lane-rate: {exc}") from exc
