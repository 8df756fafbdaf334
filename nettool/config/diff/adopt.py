"""What is the switch's own: lanes, index, alias and MAC are taken from it, never assumed.

A catalog's lanes of a model without public lane map are assumed. Before a diff or a push the
intended tables take the switch's values; a port whose lanes the switch does not show is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.meaning import Row, meaning_of, spelled
from nettool.config.diff.tables import diff_tables
from nettool.config.nos.artifact import Tables
from nettool.core.breakout import same_ports
from nettool.core.finding import Finding, Severity
from nettool.core.order import natural

_PORT = re.compile(r"Ethernet(\d+)$")
_NO_ROWS: Mapping[str, Row] = {}


@dataclass(frozen=True, slots=True)
class Adopted:
    """The intended tables with the switch's own values, and what had to be said about it."""

    tables: Tables
    findings: tuple[Finding, ...]

    @property
    def is_usable(self) -> bool:
        """False where a port's lanes could not be taken from the switch."""
        return all(each.severity is not Severity.ERROR for each in self.findings)


@dataclass(frozen=True, slots=True)
class _Slot:
    lane: str
    index: str | None


def adopt(device: str, intended: Tables, running: Tables) -> Adopted:
    """`intended` with PORT lanes, index and alias, mode spellings and the MAC as in `running`."""
    findings: list[Finding] = []
    tables = dict(intended)
    if "PORT" in intended:
        board = _board(running.get("PORT", _NO_ROWS))
        tables["PORT"] = {
            name: _port(device, name, row, running, board, findings)
            for name, row in intended["PORT"].items()
        }
    if "BREAKOUT_CFG" in intended:
        modes = running.get("BREAKOUT_CFG", _NO_ROWS)
        tables["BREAKOUT_CFG"] = {
            port: _mode(row, modes.get(port)) for port, row in intended["BREAKOUT_CFG"].items()
        }
    mac = running.get("DEVICE_METADATA", _NO_ROWS).get("localhost", {}).get("mac")
    if mac is not None and "localhost" in intended.get("DEVICE_METADATA", _NO_ROWS):
        metadata = dict(intended["DEVICE_METADATA"])
        metadata["localhost"] = {**metadata["localhost"], "mac": mac}
        tables["DEVICE_METADATA"] = metadata
    return Adopted(tables, tuple(findings))


def diff_running(
    device: str, running: Tables, intended: Tables
) -> tuple[ChangeSet, tuple[Finding, ...]]:
    """What a push would change on a switch that runs `running`, and what has to be said of it.

    The switch's own values are adopted first, and what its operators keep there is left alone.
    """
    adopted = adopt(device, intended, running)
    owned = meaning_of(on_switch=True)
    return diff_tables(device, running, adopted.tables, owned=owned), adopted.findings


def _port(
    device: str,
    name: str,
    row: Row,
    running: Tables,
    board: Mapping[int, _Slot],
    findings: list[Finding],
) -> Row:
    have = running.get("PORT", _NO_ROWS).get(name)
    lanes = spelled(row.get("lanes", "")).split(",")
    if have is not None and len(spelled(have.get("lanes", "")).split(",")) == len(lanes):
        own = {f: have[f] for f in ("lanes", "index", "alias") if f in have and f in row}
        findings.extend(_changed(device, name, row, own))
        return {**row, **own}
    slots = list(_slots(name, len(lanes), board))
    if not slots:
        findings.append(_unknown(device, name, lanes, have))
        return row
    own = {"lanes": ",".join(each.lane for each in slots)}
    if slots[0].index is not None and "index" in row:
        own["index"] = slots[0].index
    findings.extend(_changed(device, name, row, own))
    return {**row, **own}


def _mode(row: Row, have: Row | None) -> Row:
    """A breakout mode in the switch's own spelling, where it makes the same ports."""
    own, mode = (spelled(each.get("brkout_mode", "")) if each else "" for each in (have, row))
    return {**row, "brkout_mode": own} if own and same_ports(own, mode) else row


def _board(ports: Mapping[str, Row]) -> dict[int, _Slot]:
    """The lane behind each port number: EthernetN has its lanes at N and after."""
    board: dict[int, _Slot] = {}
    for name in sorted(ports, key=natural):
        if found := _PORT.match(name):
            index = ports[name].get("index")
            own = None if index is None else str(index)
            for offset, lane in enumerate(spelled(ports[name].get("lanes", "")).split(",")):
                board.setdefault(int(found[1]) + offset, _Slot(lane, own))
    return board


def _slots(name: str, width: int, board: Mapping[int, _Slot]) -> Iterator[_Slot]:
    found = _PORT.match(name)
    first = int(found[1]) if found else -1
    own = [board[number] for number in range(first, first + width) if number in board]
    if len(own) == width and all(each.lane for each in own):
        yield from own


def _changed(device: str, name: str, row: Row, own: Row) -> Iterator[Finding]:
    for field, value in own.items():
        if spelled(value) != spelled(row.get(field, "")):
            yield Finding(
                rule="PSH001",
                severity=Severity.INFO,
                message=f"{name} {field} {spelled(row.get(field, ''))} is ours, "
                f"{spelled(value)} the switch's: the switch's is kept",
                hint="correct the catalog's lane map, if the switch's is right for every unit",
                device=device,
                table="PORT",
                key=name,
                field=field,
            )


def _unknown(device: str, name: str, lanes: list[str], have: Row | None) -> Finding:
    shown = (
        "the switch has no such port"
        if have is None
        else (f"the switch has {len(spelled(have.get('lanes', '')).split(','))}")
    )
    return Finding(
        rule="PSH002",
        severity=Severity.ERROR,
        message=f"{name} needs {len(lanes)} lanes and {shown}: its lanes cannot be taken from it",
        hint="check model and HwSKU of the device, or load the switch's factory ports first",
        device=device,
        table="PORT",
        key=name,
        field="lanes",
    )
