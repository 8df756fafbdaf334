"""Arguments: the verbs that exist, the flags they share, and exit 64 for a wrong call."""

from __future__ import annotations

import argparse
import ast
import pkgutil
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from nettool.cli import verbs
from nettool.core.errors import UsageError

FORMATS = ("text", "json")
FINDING_FORMATS = ("text", "json", "sarif", "junit")
NOSES = ("sonic", "asternos")


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are the contract's: one line, exit 64."""

    def error(self, message: str) -> NoReturn:
        """Raise UsageError with the message and how to ask for help."""
        raise UsageError(f"{message} (see {self.prog} --help)")


@cache
def verb_names() -> tuple[str, ...]:
    """The verbs, from the files in `cli/verbs`."""
    return tuple(sorted(each.name for each in pkgutil.iter_modules(verbs.__path__)))


def first_line(verb: str) -> str:
    """The first line of a verb's docstring, read without importing it."""
    tree = ast.parse((Path(verbs.__path__[0]) / f"{verb}.py").read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n")[0]


def parser_for(name: str, verb: ModuleType) -> Parser:
    """The parser of one verb: the shared flags and its own."""
    parser = Parser(
        prog=f"nettool {name}",
        description=verb.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_output_flags(parser, getattr(verb, "FORMATS", FORMATS))
    verb.add_arguments(parser)
    return parser


def add_output_flags(parser: argparse.ArgumentParser, formats: Iterable[str]) -> None:
    """The flags that every verb takes."""
    group = parser.add_argument_group("output")
    group.add_argument("--format", choices=tuple(formats), default="text", help="form of results")
    group.add_argument("--no-color", action="store_true", help="plain text (also NO_COLOR)")
    group.add_argument("--strict", action="store_true", help="exit 3 where warnings are left")
    group.add_argument(
        "-v",
        "--verbose",
        action="count",
        default=0,
        help="say more on stderr, each finding on its own, each line of a difference",
    )


def add_fabric(parser: argparse.ArgumentParser) -> None:
    """The FABRIC argument."""
    parser.add_argument(
        "fabric", help="folder with a fabric.yaml, a name under inventories/, or the file"
    )


def add_nos(parser: argparse.ArgumentParser) -> None:
    """The choice of dialect, in place of the fabric's."""
    parser.add_argument(
        "--nos", choices=NOSES,
        help="in place of what nettool.yml beside the fabric, else the fabric file says",
    )  # fmt: skip
