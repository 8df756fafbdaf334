"""A sheet to cable rows: every leg with its place, and everything that is wrong, at once.

Title rows, blank rows and repeated heads are passed over; a blank device or cable cell of a
further leg is the one above. A cell may name several devices or ports (a range, a list, a split
cage): the row then stands for as many legs. A cage that is named row by row gives its legs in
order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from nettool.core.finding import Finding, Severity
from nettool.plan.cabling.grid import Grid
from nettool.plan.cabling.header import columns_of
from nettool.plan.cabling.names import Names
from nettool.plan.cabling.sheet import HEAD, CableRow
from nettool.plan.cabling.values import is_sum, leg, length, said, speed
from nettool.plan.design.fabric import End, Fabric

_LIST = re.compile(r"\s*[,;\n+&]\s*")
_JOINED = re.compile(r"\s*(?:::|:|\s|(?<=\w)/(?=[A-Za-z]))\s*")
_INHERITED = ("cable", "a_device", "b_device")


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A cable row, and the cell that its a end stands in (`Sheet!B7`). Absent cells are empty."""

    row: CableRow
    place: str


@dataclass(slots=True)
class _Reading:
    file: str
    names: Names
    rows: list[PlacedRow] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    used: dict[End, str] = field(default_factory=dict)
    legs: dict[str, int] = field(default_factory=dict)

    def say(self, rule: str, place: str, message: str, hint: str) -> None:
        severity = Severity.INFO if rule == "CAB008" else Severity.ERROR
        self.findings.append(
            Finding(
                rule=rule, severity=severity, message=message, hint=hint, file=self.file, key=place
            )
        )


@dataclass(frozen=True, slots=True)
class _Line:
    """One row of a grid with the columns of its head."""

    grid: Grid
    number: int
    columns: Mapping[str, int]
    values: Mapping[str, str]

    def place(self, name: str) -> str:
        return self.grid.place(self.number, self.columns.get(name, 0))


def read_rows(
    grids: Iterable[Grid], fabric: Fabric, file: str
) -> tuple[tuple[PlacedRow, ...], tuple[Finding, ...]]:
    """The legs that sheets hold and every finding on them (CAB001 to CAB008)."""
    reading = _Reading(file, Names(fabric))
    headed = False
    for each in grids:
        for line in _lines(each, reading):
            headed = True
            _read_line(line, reading)
    if not headed:
        reading.say(
            "CAB001",
            "",
            "no rows under a head that names device and port of both ends were found",
            "a head such as: a_device, a_port, b_device, b_port (`nettool cabling export` has it)",
        )
    return tuple(reading.rows), tuple(reading.findings)


def _lines(grid: Grid, reading: _Reading) -> Iterator[_Line]:
    columns: Mapping[str, int] = {}
    above: dict[str, str] = {}
    for number, row in enumerate(grid.rows):
        if head := columns_of(row):
            if head != columns:
                _tell_ignored(grid, number, head, reading)
            columns, above = head, {}
        elif columns and any(row[column] for column in columns.values()):
            values = {name: row[column] for name, column in columns.items()}
            if _is_note(values):
                continue
            above = _filled(values, above, reading)
            yield _Line(grid, number, columns, above)


def _is_note(values: Mapping[str, str]) -> bool:
    """A row that is no cable: one filled cell that names no port, or a sum."""
    filled = [each for each in values.values() if each]
    alone = len(filled) == 1 and not _names_port(values)
    return alone or is_sum(filled[0])


def _filled(
    values: Mapping[str, str], above: Mapping[str, str], reading: _Reading
) -> dict[str, str]:
    """The row with what stands for nothing emptied, and what it leaves to the row above."""
    found = {name: said(text, above.get(name, "")) for name, text in values.items()}
    for side in "ab":
        device, port = f"{side}_device", f"{side}_port"
        if device in found and not found[device] and not found.get(port):
            found[port] = _cage_above(above, device, port, reading)
    for name in _INHERITED:
        if name in found:
            found[name] = found[name] or above.get(name, "")
    return found


def _cage_above(above: Mapping[str, str], device: str, port: str, reading: _Reading) -> str:
    """The port of the row above where it has room for a further leg: a cage, or a range."""
    name = reading.names.device(above.get(device, ""))
    word = above.get(port, "")
    return word if name and len(reading.names.ports(name, word)) > 1 else ""


def _names_port(values: Mapping[str, str]) -> bool:
    return any(values.get(name) for name in ("a_port", "b_port", "a_end", "b_end"))


def _tell_ignored(grid: Grid, number: int, head: Mapping[str, int], reading: _Reading) -> None:
    for column, text in enumerate(grid.rows[number]):
        if text and column not in head.values():
            reading.say(
                "CAB008",
                grid.place(number, column),
                f"column {text!r} is not read",
                f"columns that are: {', '.join(HEAD)}",
            )


def _read_line(line: _Line, reading: _Reading) -> None:
    a_side, b_side = (_ends(line, side, reading) for side in "ab")
    plain = _plain_values(line, reading)
    if not a_side or not b_side:
        return
    pairs = _paired(line, a_side, b_side, plain.get("leg", ""), reading)
    for count, (a, b) in enumerate(pairs):
        _take(line, "a", a, reading)
        _take(line, "b", b, reading)
        reading.rows.append(PlacedRow(_row(plain, a, b, count, reading), _spot(line, "a")))


def _spot(line: _Line, side: str) -> str:
    return line.place(f"{side}_port" if f"{side}_port" in line.columns else f"{side}_end")


@dataclass(frozen=True, slots=True)
class _Side:
    """The ends that one side of a row names; `cage` where they are the legs of one plug.

    `counted` is true of a range: its ports were counted out, a cage's were not.
    """

    ends: tuple[End, ...]
    cage: bool
    counted: bool

    def may_give(self, legs: int) -> bool:
        """Whether a row with so many ends at the other side may mean the first of these."""
        return self.cage and len(self.ends) > legs and (legs == 1 or not self.counted)


def _ends(line: _Line, side: str, reading: _Reading) -> _Side | None:
    """The ends that a side names, None where it does not name them."""
    devices, words = _written(line, side)
    for name, written in ((f"{side}_device", devices), (f"{side}_port", words)):
        if not written:
            reading.say(
                "CAB002",
                line.place(name if name in line.columns else f"{side}_end"),
                f"the {side} end has no {name[2:]}",
                "fill the cell, or empty the whole row",
            )
    resolved = [_device(line, side, each, reading) for each in devices]
    known = [each for each in resolved if each]
    if not words or len(known) < len(devices):
        return None
    if len(known) == 1:
        known *= len(words)
    elif len(words) == 1:
        words *= len(known)
    if len(known) != len(words):
        reading.say(
            "CAB005",
            _spot(line, side),
            f"the {side} end has {len(known)} devices and {len(words)} ports",
            "one device, one port, or as many of the one as of the other",
        )
        return None
    named = list(zip(known, words, strict=True))
    found = [_ports(line, side, device, word, reading) for device, word in named]
    if not all(found):
        return None
    counted = any(reading.names.is_range(device, word) for device, word in named)
    return _Side(tuple(end for group in found for end in group), len(found) == 1, counted)


def _written(line: _Line, side: str) -> tuple[list[str], list[str]]:
    if f"{side}_end" not in line.columns:
        cells = (line.values.get(f"{side}_{name}", "") for name in ("device", "port"))
        devices, ports = ([each for each in _LIST.split(cell) if each] for cell in cells)
        return devices, ports
    pieces = [each for each in _LIST.split(line.values[f"{side}_end"]) if each]
    parts = [_JOINED.split(each, maxsplit=1) for each in pieces]
    devices = [part[0] for part in parts]
    return devices, [part[1] for part in parts if len(part) > 1]


def _device(line: _Line, side: str, word: str, reading: _Reading) -> str | None:
    found = reading.names.device(word)
    if found is None:
        name = f"{side}_device" if f"{side}_device" in line.columns else f"{side}_end"
        reading.say(
            "CAB003",
            line.place(name),
            f"{word!r} is no device of {reading.names.fabric.name}",
            reading.names.close(word),
        )
    return found


def _ports(line: _Line, side: str, device: str, word: str, reading: _Reading) -> tuple[End, ...]:
    found = reading.names.ports(device, word)
    if not found:
        reading.say(
            "CAB004",
            _spot(line, side),
            f"{device} has no port {word!r}",
            reading.names.some_ports(device),
        )
    return tuple(End(device, port) for port in found)


def _paired(line: _Line, a: _Side, b: _Side, leg: str, reading: _Reading) -> list[tuple[End, End]]:
    flat_a, flat_b = list(a.ends), list(b.ends)
    if a.may_give(len(flat_b)):
        flat_a = _next_legs(flat_a, len(flat_b), leg, reading)
    elif b.may_give(len(flat_a)):
        flat_b = _next_legs(flat_b, len(flat_a), leg, reading)
    if len(flat_a) == len(flat_b):
        return list(zip(flat_a, flat_b, strict=True))
    reading.say(
        "CAB005",
        _spot(line, "b"),
        f"{len(flat_a)} ports at the a end, {len(flat_b)} at the b end",
        "a row joins as many ports at one end as at the other",
    )
    return []


def _next_legs(cage: list[End], count: int, leg: str, reading: _Reading) -> list[End]:
    """The legs of a cage that a row means: those its leg cell counts, or the first free ones."""
    if leg and int(leg) + count - 1 <= len(cage):
        return cage[int(leg) - 1 : int(leg) - 1 + count]
    free = [end for end in cage if end not in reading.used]
    return (free if len(free) >= count else cage)[:count]


def _take(line: _Line, side: str, end: End, reading: _Reading) -> None:
    place = _spot(line, side)
    if end in reading.used:
        reading.say(
            "CAB007",
            place,
            f"{end.device}:{end.port} is used here and in {reading.used[end]}",
            "a port takes one cable; correct one of the two rows",
        )
    reading.used.setdefault(end, place)


def _plain_values(line: _Line, reading: _Reading) -> dict[str, str]:
    """The cells that are no ends, as the export spells them; what is no value is left out."""
    found = {name: line.values.get(name, "") for name in HEAD}
    for name, read in (("speed", speed), ("length_m", length), ("leg", leg)):
        try:
            found[name] = read(found[name]) if found[name] else ""
        except ValueError as exc:
            reading.say("CAB006", line.place(name), f"{name}: {exc}", "correct the cell")
            found[name] = ""
    return found


def _row(plain: Mapping[str, str], a: End, b: End, count: int, reading: _Reading) -> CableRow:
    cable = plain["cable"]
    reading.legs[cable] = reading.legs.get(cable, 0) + 1 if cable else 1
    leg = int(plain["leg"]) + count if plain["leg"] else reading.legs[cable]
    ends = {"a_device": a.device, "a_port": a.port, "b_device": b.device, "b_port": b.port}
    texts = {name: value for name, value in plain.items() if name != "leg"}
    return CableRow(leg=leg, **{**texts, **ends})
