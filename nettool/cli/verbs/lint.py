"""Check any CONFIG_DB file, ours or not: one switch, or several with their cables.

    nettool lint config_db.json
    nettool lint build --links build/cabling.csv --traffic traffic.yaml
    nettool lint --explain BUF003

With several files, or with --links, they are checked as a fabric as well. Files beside them (YAML):

    traffic   {rdma: {dscp: 26, lossless: true}, cnp: {dscp: 48}}
    links     [{a: "leaf01:Ethernet0", b: "spine01:Ethernet8"}]
    waivers   [{rule: BUF011, reason: "measured on site", device: leaf01, table: BUFFER_PG}]
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from nettool.cli.parser import FINDING_FORMATS
from nettool.cli.screen import Screen
from nettool.config.validate.declared import load_links, load_traffic
from nettool.config.validate.engine import YangCheck, explain, lint
from nettool.config.validate.known_platforms import KnownPlatforms, platform_at
from nettool.config.validate.waivers import load_waivers
from nettool.core.errors import UsageError

FORMATS = FINDING_FORMATS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The files and what is known about their switches."""
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE",
        help="config_db.json, or a folder: a build, or one with a file a switch",
    )  # fmt: skip
    parser.add_argument(
        "--platform",
        metavar="NAME or FILE",
        help="catalog switch, facts file, or a folder of platform files (default: what each "
        "file's DEVICE_METADATA says)",
    )
    parser.add_argument(
        "--yang",
        type=Path,
        metavar="DIR",
        help="folder of SONiC's YANG models (sonic-yang-models) to load into",
    )
    parser.add_argument(
        "--traffic", type=Path, metavar="FILE", help="what hosts send, by DSCP (YAML)"
    )
    parser.add_argument(
        "--links",
        type=Path,
        metavar="FILE",
        help="cables between the files: YAML, or cabling.csv of a build",
    )
    parser.add_argument(
        "--waivers", type=Path, metavar="FILE", help="findings that are accepted, and why (YAML)"
    )
    parser.add_argument(
        "--explain", metavar="CODE", help="what the code of any finding means, and what to do"
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Report every finding; exit 1 on errors."""
    if arguments.explain:
        screen.text(explain(arguments.explain))
        return 0
    if not arguments.files:
        raise UsageError("name at least one FILE to lint, or --explain CODE")
    platform, known = platform_at(arguments.platform) if arguments.platform else (None, None)
    report = lint(
        [file for given in arguments.files for file in _files(given)],
        platform=platform,
        platforms=(known or KnownPlatforms()).of,
        traffic=load_traffic(arguments.traffic) if arguments.traffic else None,
        links=load_links(arguments.links) if arguments.links else None,
        waivers=load_waivers(arguments.waivers) if arguments.waivers else (),
        yang=yang_check(arguments.yang) if arguments.yang else None,
    )
    screen.report(report)
    return report.exit_code(strict=arguments.strict)


def _files(given: Path) -> list[Path]:
    """A file itself; of a folder, one file a switch, as a build or a backup keeps them."""
    if not given.is_dir():
        return [given]
    for pattern in ("devices/*/config_db.json", "*/config_db.json", "*.json"):
        found = sorted(given.glob(pattern))
        if found:
            return found
    raise UsageError(f"{given} holds no config_db.json: neither a folder a switch nor *.json")


def yang_check(models: Path) -> YangCheck:
    """The check of one device's tables against a folder of YANG models."""
    from nettool.config.validate.yang import check  # noqa: PLC0415 - only --yang needs libyang

    return partial(check, models=models)
