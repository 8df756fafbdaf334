"""What a SONiC switch prints, as values: tables of `show`, FRR's JSON. No I/O.

Layouts: sonic-utilities scripts/intfutil, lldpshow, pfcstat, queuestat, wredstat, pg-drop,
pfcwd/main.py; FRR `show bgp summary json`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

Row = Mapping[str, str]
_RULE = re.compile(r"-+(?:  ?-+)+\s*$")
_NUMBER = re.compile(r"[\d,]+$")


def rows(text: str) -> Iterator[Row]:
    """The rows of every table in a text, each by its header; columns lie under the dashes."""
    lines = text.splitlines()
    spans: list[tuple[int, int]] = []
    header: list[str] = []
    for number, line in enumerate(lines):
        if number and _is_rule(line, lines[number - 1]):
            spans = [found.span() for found in re.finditer(r"-+", line)]
            header = _cells(lines[number - 1], spans)
        elif not line.strip() or line.startswith("---"):
            spans = []
        elif spans and not _is_header(lines, number):
            yield dict(zip(header, _cells(line, spans), strict=True))


def port_states(text: str) -> dict[str, tuple[str, str]]:
    """Oper and admin status by port, of `show interfaces status`."""
    return {row["Interface"]: (row["Oper"], row["Admin"]) for row in rows(text) if "Oper" in row}


def lldp_neighbors(text: str) -> dict[str, tuple[str, str]]:
    """Remote device and port by local port, of `show lldp table`."""
    return {
        row["LocalPort"]: (row["RemoteDevice"], row["RemotePortID"])
        for row in rows(text)
        if "RemoteDevice" in row
    }


def bgp_states(text: str) -> dict[str, str]:
    """State by neighbour, of `show bgp summary json`. Raises ValueError where it is no JSON."""
    families = json.loads(text or "{}")
    return {
        neighbor: str(peer.get("state", "unknown"))
        for family in families.values()
        if isinstance(family, dict)
        for neighbor, peer in family.get("peers", {}).items()
    }


def bgp_as_numbers(text: str) -> dict[str, int]:
    """AS number by neighbour, of the same answer; its own under the empty name."""
    found: dict[str, int] = {}
    for family in json.loads(text or "{}").values():
        if isinstance(family, dict) and "as" in family:
            found[""] = int(family["as"])
            peers = family.get("peers", {}).items()
            found.update({name: int(peer.get("remoteAs", 0)) for name, peer in peers})
    return found


def by_index(text: str, prefix: str) -> dict[str, int]:
    """`port|n` to a count, of a table with columns `<prefix>0` to `<prefix>7`."""
    return {
        f"{next(iter(row.values()))}|{name.removeprefix(prefix)}": _count(value)
        for row in rows(text)
        for name, value in row.items()
        if name.startswith(prefix) and _NUMBER.match(value)
    }


def pfc_frames(text: str) -> dict[str, dict[str, int]]:
    """Pause frames `rx` and `tx` by `port|priority`, of `show pfc counters`."""
    frames: dict[str, dict[str, int]] = {"rx": {}, "tx": {}}
    for row in rows(text):
        title = "rx" if "Port Rx" in row else "tx"
        port = row.get("Port Rx", row.get("Port Tx", ""))
        for name, value in row.items():
            if name.startswith("PFC") and _NUMBER.match(value):
                frames[title][f"{port}|{name[3:]}"] = _count(value)
    return frames


def by_queue(text: str, column: str) -> dict[str, int]:
    """`port|queue` to one column, of `show queue counters` or `wredcounters`."""
    return {
        f"{row['Port']}|{row['TxQ'].removeprefix('UC')}": _count(row[column])
        for row in rows(text)
        if row.get("TxQ", "").startswith("UC") and _NUMBER.match(row.get(column, ""))
    }


def storms(text: str) -> dict[str, int]:
    """Storms detected by `port|queue`, of `show pfcwd stats`."""
    found = {}
    for row in rows(text):
        port, _, queue = row.get("QUEUE", "").partition(":")
        seen = row.get("STORM DETECTED/RESTORED", "").partition("/")[0]
        if queue and seen.isdigit():
            found[f"{port}|{queue}"] = int(seen)
    return found


def lossless_priorities(text: str) -> dict[str, int]:
    """`port|priority` for each priority that is paused, of `show pfc priority`."""
    return {
        f"{row['Interface']}|{priority.strip()}": 1
        for row in rows(text)
        if "Lossless priorities" in row
        for priority in row["Lossless priorities"].split(",")
        if priority.strip().isdigit()
    }


def errors(text: str) -> dict[str, int]:
    """Errors received by port, of `show interfaces counters`."""
    return {
        row["IFACE"]: _count(row["RX_ERR"])
        for row in rows(text)
        if "IFACE" in row and _NUMBER.match(row.get("RX_ERR", ""))
    }


def _is_rule(line: str, above: str) -> bool:
    return _RULE.match(line.strip()) is not None and bool(above.strip())


def _is_header(lines: list[str], number: int) -> bool:
    return number + 1 < len(lines) and _is_rule(lines[number + 1], lines[number])


def _cells(line: str, spans: list[tuple[int, int]]) -> list[str]:
    ends = [start for start, _ in spans[1:]] + [max(len(line), spans[-1][1])]
    return [line[span[0] : end].strip() for span, end in zip(spans, ends, strict=True)]


def _count(text: str) -> int:
    return int(text.replace(",", ""))
