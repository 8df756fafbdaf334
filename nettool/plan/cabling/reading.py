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
from nettool.core.units import format_speed, parse_speed
from nettool.plan.cabling.grid import Grid
from nettool.plan.cabling.header import columns_of
from nettool.plan.cabling.names import Names
from nettool.plan.cabling.sheet import HEAD, CableRow
from nettool.plan.design.fabric import End, Fabric

_LIST = re.compile(r"\s*[,;\n+&]\s*")
_JOINED = re.compile(r"\s*(?:::|:|\s|(?<=\w)/(?=[A-Za-z]))\s*")
_NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*(?:m|metres?|meters?)?", re.IGNORECASE)
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
            if sum(map(bool, values.values())) == 1 and not _names_port(values):
                continue
            for name in _INHERITED:
                if name in values:
                    values[name] = values[name] or above.get(name, "")
            above = values
            yield _Line(grid, number, columns, values)


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
    sides = {side: _ends(line, side, reading) for side in "ab"}
    plain = _plain_values(line, reading)
    if not all(sides.values()):
        return
    pairs = _paired(line, sides["a"], sides["b"], plain.get("leg", ""), reading)
    for count, (a, b) in enumerate(pairs):
        _take(line, "a", a, reading)
        _take(line, "b", b, reading)
        reading.rows.append(PlacedRow(_row(plain, a, b, count, reading), _spot(line, "a")))


def _spot(line: _Line, side: str) -> str:
    return line.place(f"{side}_port" if f"{side}_port" in line.columns else f"{side}_end")


def _ends(line: _Line, side: str, reading: _Reading) -> tuple[tuple[End, ...], ...]:
    """The ends that a side names; each word's ends stay together, as a split cage is one plug."""
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
        return ()
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
        return ()
    found = [
        _ports(line, side, device, word, reading) for device, word in zip(known, words, strict=True)
    ]
    return tuple(found) if all(found) else ()


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


def _paired(
    line: _Line,
    a: tuple[tuple[End, ...], ...],
    b: tuple[tuple[End, ...], ...],
    leg: str,
    reading: _Reading,
) -> list[tuple[End, End]]:
    flat_a, flat_b = ([end for group in side for end in group] for side in (a, b))
    if len(flat_a) > len(flat_b) and len(a) == 1:
        flat_a = _next_legs(flat_a, len(flat_b), leg, reading)
    elif len(flat_b) > len(flat_a) and len(b) == 1:
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
    for name, read in (("speed", _speed), ("length_m", _length), ("leg", _leg)):
        try:
            found[name] = read(found[name]) if found[name] else ""
        except ValueError as exc:
            reading.say("CAB006", line.place(name), f"{name}: {exc}", "correct the cell")
            found[name] = ""
    return found


def _speed(text: str) -> str:
    bare = text.replace(" ", "").upper().removesuffix("BPS").removesuffix("B/S")
    if bare.isdigit():
        bare += "M" if int(bare) >= 10_000 else "G"
    try:
        return format_speed(parse_speed(bare.removesuffix("BE")))
    except ValueError:
        raise ValueError(f"a speed such as 400G is expected, not {text!r}") from None


def _length(text: str) -> str:
    found = _NUMBER.fullmatch(text.strip().replace(",", "."))
    if not found:
        raise ValueError(f"a length in metres is expected, not {text!r}")
    return f"{float(found[1]):g}"


def _leg(text: str) -> str:
    if not text.isdigit() or not int(text):
        raise ValueError(f"a leg counts from 1, not {text!r}")
    return text


def _row(plain: Mapping[str, str], a: End, b: End, count: int, reading: _Reading) -> CableRow:
    cable = plain["cable"]
    reading.legs[cable] = reading.legs.get(cable, 0) + 1 if cable else 1
    leg = int(plain["leg"]) + count if plain["leg"] else reading.legs[cable]
    ends = {"a_device": a.device, "a_port": a.port, "b_device": b.device, "b_port": b.port}
    texts = {name: value for name, value in plain.items() if name != "leg"}
    return CableRow(leg=leg, **{**texts, **ends})
