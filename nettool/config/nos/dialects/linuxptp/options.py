"""The options of ptp4l and synce4l by version, and what is wrong with a file by that table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from nettool.config.nos.dialects.linuxptp.blocks import Parsed, kind_of, parse, version
from nettool.core.finding import Finding, Severity
from nettool.core.model import Model
from nettool.core.source import load_yaml

Program = Literal["ptp4l", "synce4l"]
_TABLE = "unicast_master_table"
_IN_TABLE = frozenset({"table_id", "logQueryInterval", "peer_address", "L2", "UDPv4", "UDPv6"})
_REACH = {
    "global": ("global",),
    "device": ("global", "device"),
    "port": ("global", "device", "port", "external"),
    "external": ("global", "device", "external"),
}
_ASAP = "ASAP"


class OptionRow(Model):
    """One option: the narrowest section that may set it, its values, and its versions."""

    scope: Literal["global", "device", "port", "external"]
    least: int | None = None
    most: int | None = None
    words: tuple[str, ...] = ()
    number: bool = False
    since: str | None = None
    renamed: str | None = Field(default=None, description="its name from `from` on")
    from_: str | None = Field(default=None, alias="from")

    def refuses(self, value: str) -> str | None:
        """What it takes in place of a value that it does not; None where it takes it."""
        if self.words and value not in self.words:
            return " or ".join(self.words)
        if self.least is not None and self.most is not None:
            number = _number(value)
            if number is None or not self.least <= number <= self.most:
                return f"{self.least} to {self.most}"
        return None


class OptionTable(Model):
    """The options of one program, and where they were read."""

    source: str
    options: Mapping[str, OptionRow]


@cache
def table(program: Program) -> OptionTable:
    """The options of ptp4l or synce4l."""
    data = load_yaml(Path(__file__).with_name("options.yaml")).data
    return OptionTable.model_validate(data[program])


def check(text: str, program: Program, release: str, *, file: str) -> Iterator[Finding]:
    """What a daemon of this release refuses in a file, and what contradicts itself.

    TIM101 no such option, TIM102 not a value of it, TIM103 not in this section, TIM104 a
    boundary clock that only follows, TIM105 a boundary clock with one port.
    """
    sections, options = parse(text)
    for each in options:
        yield from _option(each, program, release, file)
    if program == "ptp4l":
        yield from _clock(sections, options, file)


def _option(each: Parsed, program: Program, release: str, file: str) -> Iterator[Finding]:
    if each.section == _TABLE and each.option in _IN_TABLE:
        return
    row = table(program).options.get(each.option)
    if row is None or (row.since and version(release) < version(row.since)):
        hint = "look up its spelling in the daemon's manual"
        if row is not None:
            hint = f"it exists from {row.since} on"
        said = f"{program} {release} has no option {each.option}"
        yield _finding("TIM101", said, hint, each, file)
        return
    if kind_of(each.section) not in _REACH[row.scope]:
        said = f"{each.option} is set for [{each.section}], and is {row.scope}'s only"
        yield _finding("TIM103", said, f"move it to the {row.scope} section", each, file)
    legal = None if each.value == _ASAP else row.refuses(each.value)
    if legal:
        said = f"{each.option} takes {legal}, not {each.value}"
        yield _finding("TIM102", said, f"use {legal}", each, file)
    if row.renamed and row.from_ and version(release) >= version(row.from_):
        said = f"{each.option} is {row.renamed} from {row.from_} on"
        yield _finding("TIM101", said, f"write {row.renamed}", each, file, Severity.WARNING)


def _clock(sections: Mapping[str, int], options: list[Parsed], file: str) -> Iterator[Finding]:
    """A boundary clock leads as well as it follows, so it needs two ports and both roles."""
    said = {each.option: each for each in options if each.section == "global"}
    kind = said.get("clock_type")
    if kind is None or kind.value != "BC":
        return
    for word in ("clientOnly", "slaveOnly"):
        only = said.get(word)
        if only is not None and only.value != "0":
            message = (
                f"{word} {only.value} is not possible with clock_type BC: it must lead as well"
            )
            yield _finding("TIM104", message, f"{word} 0, or clock_type OC", only, file)
    ports = [name for name in sections if name not in {"global", _TABLE}]
    if len(ports) < 2:
        yield Finding(
            rule="TIM105",
            severity=Severity.ERROR,
            message=f"a boundary clock needs two or more PTP ports; this file has {len(ports)}",
            hint="add a port that leads time on, or clock_type OC",
            file=file,
            line=kind.line,
            key=ports[0] if ports else None,
            field="clock_type",
        )


def _finding(
    rule: str,
    message: str,
    hint: str,
    at: Parsed,
    file: str,
    severity: Severity = Severity.ERROR,
) -> Finding:
    return Finding(
        rule=rule, severity=severity, message=message, hint=hint, file=file, line=at.line,
        key=at.section, field=at.option,
    )  # fmt: skip


def _number(value: str) -> int | None:
    try:
        return int(value, 0)
    except ValueError:
        return None
