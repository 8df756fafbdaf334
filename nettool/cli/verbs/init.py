"""Write a starter fabric into a folder.

    nettool init site --example rail-optimized-256

An existing file is never overwritten.
"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from nettool.cli.screen import Screen
from nettool.core.errors import UsageError
from nettool.core.resources import shipped
from nettool.core.written import write_file
from nettool.intent.load import FILE_NAME

_NAMES = (FILE_NAME, "nettool.yml")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """DIR and the example to start from."""
    parser.add_argument("dir", type=Path, help="folder to write; made where it does not exist")
    parser.add_argument(
        "--example",
        metavar="NAME",
        default="rail-only-128",
        help=f"a shipped fabric: {', '.join(_examples())} (default: %(default)s)",
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Copy the example's files; an existing file is never overwritten."""
    examples = _examples()
    source = examples.get(arguments.example)
    if source is None:
        raise UsageError(
            f"no example {arguments.example!r}; there are: {', '.join(sorted(examples))}"
        )
    target: Path = arguments.dir
    for name in _NAMES:
        if (target / name).exists():
            raise UsageError(f"{target / name} exists; nothing was written")
    written = write_starter(source, target)
    if screen.is_json:
        screen.json({"schema_version": 1, "written": [str(each) for each in written]})
    else:
        screen.text("\n".join(f"wrote {each}" for each in written))
        screen.text(f"next: nettool plan {shlex.quote(str(target))}")
    return 0


def write_starter(source: Path, target: Path) -> list[Path]:
    """Copy fabric.yaml and the inventory source, both or none; returns what was written."""
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise UsageError(f"{target}: {exc.strerror or exc}") from exc
    written: list[Path] = []
    try:
        for name in _NAMES:
            if (source / name).is_file():
                write_file(target / name, (source / name).read_bytes())
                written.append(target / name)
    except UsageError:
        for each in written:
            each.unlink()
        raise
    return written


def _examples() -> dict[str, Path]:
    """The folders of the shipped fabrics, by name."""
    found = sorted(shipped("inventories").glob(f"*/{FILE_NAME}"))
    return {each.parent.name: each.parent for each in found}
