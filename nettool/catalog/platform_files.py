"""The four files by which SONiC describes a switch, read with every fault located.

`platform.json` (cages and their modes), `hwsku.json` (the mode of each cage), `port_config.ini`
(ports of one breakout) and `pg_profile_lookup.ini` (headroom rows). Their forms differ between
platforms: what SONiC accepts is accepted, what it silently reads otherwise is warned of.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from nettool.catalog.asic import HeadroomRow
from nettool.catalog.notes import Notes
from nettool.core.breakout import read_mode
from nettool.core.source import read_text

PORT_NAME = re.compile(r"Ethernet[0-9]+")
"""What SONiC calls a front port."""
_KEY = re.compile(r'"([^"\n]+)"\s*:')
_PORT_COLUMNS = ["name", "lanes", "alias", "index"]
_HEADROOM_COLUMNS = ["speed", "cable", "size", "xon", "xoff", "threshold", "xon_offset"]


@dataclass(frozen=True, slots=True)
class PlatformPort:
    """One interface of platform.json: lanes in order, indexes, and aliases by mode."""

    name: str
    lanes: tuple[int, ...]
    indexes: tuple[int, ...]
    modes: Mapping[str, tuple[str, ...]]
    line: int


@dataclass(frozen=True, slots=True)
class SkuPort:
    """One interface of hwsku.json; a child port has no mode, only its other fields."""

    name: str
    mode: str | None
    fec: str | None
    line: int


@dataclass(frozen=True, slots=True)
class PortRow:
    """One row of port_config.ini; None where the file has no such column."""

    name: str
    lanes: tuple[int, ...]
    alias: str
    index: int | None
    speed: int | None
    fec: str | None
    line: int


@dataclass(frozen=True, slots=True)
class PlatformJson:
    """A platform.json: what the chassis is called, and its interfaces by name."""

    chassis: str
    ports: Mapping[str, PlatformPort] = field(default_factory=dict)


def read_platform_json(path: Path, notes: Notes) -> PlatformJson:
    """The interfaces of a platform.json; those that cannot be read are left out and noted."""
    data, lines = _read_json(path, notes)
    chassis = data.get("chassis")
    ports: dict[str, PlatformPort] = {}
    for name, raw in _mapping(data.get("interfaces"), path, notes).items():
        port = _platform_port(name, raw, notes.at(path, lines.get(name, 1)))
        if port:
            ports[name] = port
    called = chassis.get("name") if isinstance(chassis, dict) else None
    return PlatformJson(str(called or ""), ports)


def read_hwsku_json(path: Path, notes: Notes) -> dict[str, SkuPort]:
    """The mode of each interface of a hwsku.json."""
    data, lines = _read_json(path, notes)
    ports: dict[str, SkuPort] = {}
    for name, raw in _mapping(data.get("interfaces"), path, notes).items():
        fields = raw if isinstance(raw, dict) else {}
        mode, fec = fields.get("default_brkout_mode"), fields.get("fec")
        ports[name] = SkuPort(
            name,
            mode if isinstance(mode, str) else None,
            fec if isinstance(fec, str) else None,
            lines.get(name, 1),
        )
    return ports


def read_port_config(path: Path, notes: Notes) -> tuple[PortRow, ...]:
    """The ports of a port_config.ini, in file order."""
    rows: list[PortRow] = []
    for line, cells in _table(path, _PORT_COLUMNS, "name"):
        row = _port_row(cells, notes.at(path, line))
        if row:
            rows.append(row)
    return tuple(_without_doubles(rows, path, notes))


def read_headroom(path: Path, notes: Notes) -> tuple[HeadroomRow, ...]:
    """The rows of a pg_profile_lookup.ini, bytes."""
    rows: list[HeadroomRow] = []
    for line, cells in _table(path, _HEADROOM_COLUMNS, "speed"):
        here = notes.at(path, line)
        numbers = {
            k: _number(v.removesuffix("m")) for k, v in cells.items() if k in _HEADROOM_COLUMNS
        }
        missing = [each for each in _HEADROOM_COLUMNS[:-1] if numbers.get(each) is None]
        if missing:
            here.error("IMP007", f"no number for {', '.join(missing)}", "columns are listed in #")
            continue
        try:
            rows.append(HeadroomRow.model_validate(numbers))
        except ValidationError as exc:
            bad = [str(each["loc"][0]) for each in exc.errors()]
            said = ", ".join(f"{each} {numbers[each]}" for each in bad)
            here.error("IMP007", f"{said}: too small", "bytes, metres and Mb/s are positive")
    return tuple(rows)


def _platform_port(name: str, raw: object, here: Notes) -> PlatformPort | None:
    if not isinstance(raw, dict) or not PORT_NAME.fullmatch(name):
        here.error("IMP002", f"{name!r} is not EthernetN with its fields", "mend this interface")
        return None
    lanes = _numbers(raw.get("lanes"), f"{name} lanes", here)
    indexes = _numbers(raw.get("index"), f"{name} index", here)
    modes = _modes(name, raw.get("breakout_modes"), here)
    if not lanes or not indexes or not modes:
        return None
    return PlatformPort(name, lanes, indexes, modes, here.line)


def _modes(name: str, raw: object, here: Notes) -> dict[str, tuple[str, ...]]:
    if not isinstance(raw, dict) or not raw:
        here.error(
            "IMP004",
            f"{name} has no breakout_modes object of mode to aliases",
            "the older forms (a list, or one string) name no aliases: rewrite as an object",
        )
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for text, aliases in raw.items():
        try:
            mode, dropped = read_mode(text)
        except ValueError as exc:
            here.error("IMP004", f"{name}: {exc}", "mend the mode's spelling")
            continue
        if dropped:
            lost = " and ".join(repr(each) for each in dropped)
            here.warning(
                "IMP005",
                f"{name}: SONiC silently drops {lost} of mode {text!r}",
                "those speeds or lanes do not exist for the switch; the mode is taken as it reads",
            )
        names = _aliases(name, text, aliases, here)
        if len(names) < mode.count:
            here.error(
                "IMP004",
                f"{name}: mode {text!r} makes {mode.count} ports and names {len(names)} aliases",
                "list one alias a port",
            )
            continue
        found[text] = names
    return found


def _aliases(name: str, mode: str, raw: object, here: Notes) -> tuple[str, ...]:
    if isinstance(raw, list):
        return tuple(str(each) for each in raw)
    here.warning(
        "IMP006",
        f"{name}: aliases of mode {mode!r} are the text {raw!r}, not a list",
        "SONiC would take its first letter as the alias; the whole text is taken here",
    )
    return (str(raw),)


def _port_row(cells: Mapping[str, str], here: Notes) -> PortRow | None:
    name = cells.get("name", "")
    if not PORT_NAME.fullmatch(name):
        here.info("IMP012", f"{name} is no front port", "internal ports have no cage: left out")
        return None
    lanes = _numbers(cells.get("lanes"), f"{name} lanes", here)
    if not lanes:
        return None
    return PortRow(
        name=name,
        lanes=lanes,
        alias=cells.get("alias", name),
        index=_number(cells.get("index")),
        speed=_number(cells.get("speed")),
        fec=cells.get("fec"),
        line=here.line,
    )


def _without_doubles(rows: list[PortRow], path: Path, notes: Notes) -> Iterator[PortRow]:
    owner: dict[int, str] = {}
    for row in rows:
        other = next((owner[lane] for lane in row.lanes if lane in owner), None)
        if other:
            notes.at(path, row.line).error(
                "IMP010", f"{row.name} has a lane of {other}", "give each port lanes of its own"
            )
            continue
        owner.update(dict.fromkeys(row.lanes, row.name))
        yield row


def _table(path: Path, columns: list[str], first: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of a blank-separated table; a comment that holds `first` names the columns."""
    for number, line in enumerate(read_text(path).splitlines(), 1):
        words = line.lstrip("#").split()
        if line.startswith("#"):
            columns = words if first in words else columns
        elif len(words) > 1:
            yield number, dict(zip(columns, words, strict=False))


def _read_json(path: Path, notes: Notes) -> tuple[dict[str, Any], dict[str, int]]:
    text = read_text(path)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as exc:
        notes.at(path, exc.lineno, exc.colno).error(
            "IMP001", f"not valid JSON: {exc.msg}", "mend the syntax at this place"
        )
        return {}, {}
    except (RecursionError, ValueError) as exc:
        problem = "nested too deeply" if isinstance(exc, RecursionError) else f"not JSON: {exc}"
        notes.at(path).error("IMP001", problem, "give a platform file")
        return {}, {}
    if not isinstance(data, dict):
        notes.at(path).error("IMP001", "the file is not a JSON object", "give a platform file")
        return {}, {}
    return data, _key_lines(text)


def _key_lines(text: str) -> dict[str, int]:
    lines: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        for key in _KEY.findall(line):
            lines.setdefault(key, number)
    return lines


def _mapping(raw: object, path: Path, notes: Notes) -> dict[str, Any]:
    if isinstance(raw, dict):
        return raw
    notes.at(path).error("IMP002", "no object `interfaces`", "give a file that lists interfaces")
    return {}


def _numbers(raw: object, what: str, here: Notes) -> tuple[int, ...]:
    parts = [each.strip() for each in str(raw).split(",")] if isinstance(raw, str | int) else []
    if parts and not parts[-1]:
        here.warning("IMP006", f"{what} end with a comma", "the empty last item is ignored")
        parts.pop()
    if not parts or not all(re.fullmatch(r"[0-9]{1,9}", each) for each in parts):
        here.error("IMP002", f"{what} are {raw!r}, not numbers with commas", "mend this field")
        return ()
    return tuple(int(each) for each in parts)


def _number(text: str | None) -> int | None:
    return int(text) if text and re.fullmatch(r"-?[0-9]{1,18}", text) else None
