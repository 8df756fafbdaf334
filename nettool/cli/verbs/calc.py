"""One formula at a time, with its source: headroom, ECN, collectives and more.

    nettool calc
    nettool calc headroom --asic teralynx10 --speed 400G --cable 40
    nettool calc collective --op all-reduce --algorithm ring --gpus 64 --bytes 1GB

Without a name it lists the calculators; `nettool calc NAME --help` tells one's flags, with units.
"""

from __future__ import annotations

import argparse
from typing import Any

from nettool.cli.parser import Parser
from nettool.cli.screen import Screen
from nettool.plan.calculators.calculator import (
    CALCULATORS,
    SWITCH,
    Calculation,
    Calculator,
    Flag,
    calculate,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The calculator's name and its own flags, which the calculator declares."""
    parser.add_argument("name", nargs="?", help="the calculator (default: list them)")
    parser.add_argument(
        "flags", nargs=argparse.REMAINDER, help="flags of the calculator: nettool calc NAME --help"
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """List the calculators, or run one."""
    if arguments.name is None:
        return _list(screen)
    if arguments.name not in CALCULATORS:
        calculate(arguments.name, {})
    given = _parse(CALCULATORS[arguments.name], arguments.flags, screen)
    result = calculate(arguments.name, given)
    if screen.is_json:
        screen.json(result.as_json())
    else:
        _show(result, screen)
    return 0


def _list(screen: Screen) -> int:
    rows = [(name, CALCULATORS[name].purpose) for name in CALCULATORS]
    if screen.is_json:
        screen.json({"schema_version": 1, "calculators": dict(rows)})
    else:
        screen.table(("calculator", "tells"), rows)
    return 0


def _parse(calculator: Calculator, words: list[str], screen: Screen) -> dict[str, str | None]:
    parser = Parser(
        prog=f"nettool calc {calculator.name}", description=calculator.purpose, allow_abbrev=False
    )
    parser.add_argument("--format", choices=("text", "json"), default=screen.format)
    parser.add_argument("--no-color", action="store_true")
    for flag in calculator.flags:
        bare: dict[str, Any] = {"nargs": "?", "const": "on"} if flag.kind is SWITCH else {}
        parser.add_argument(
            flag.option, dest=flag.name, metavar=flag.kind.label, help=_help(flag), **bare
        )
    given = vars(parser.parse_args(words))
    screen.format = given.pop("format")
    del given["no_color"]
    return given


def _help(flag: Flag) -> str:
    legal = f" ({', '.join(flag.choices)})" if flag.choices else ""
    default = "" if flag.default is None else f" [default: {flag.kind.write(flag.default)}]"
    return f"{flag.help}{legal}{default}".replace("%", "%%")


def _show(result: Calculation, screen: Screen) -> None:
    plain = {name: value for name, value in result.result.items() if not isinstance(value, tuple)}
    rows = [(name, value, result.units.get(name, "")) for name, value in plain.items()]
    screen.table(("result", "value", "unit"), rows, title=result.calculator)
    for name, value in result.result.items():
        if isinstance(value, tuple) and value:
            head = list(value[0])
            screen.table(head, [[row.get(key) for key in head] for row in value], title=name)
    given = ", ".join(
        f"{name} {value}" for name, value in result.inputs.items() if value is not None
    )
    screen.text(f"formula  {result.formula}\ninputs   {given}")
    screen.text(f"source   {result.source}\ntrust    {result.trust}")
