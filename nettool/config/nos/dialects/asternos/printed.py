"""What AsterNOS prints in klish, as values. No I/O.

`show lldp neighbor summary` as operators' parsers read it: a legend, a head that begins with
LocalPort, then columns that two or more blanks part. `show interface priority-flow-control` as on
the vendor's page on PFC: Interface and Lossless priorities. Not verified on hardware.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_GAP = re.compile(r"\s{2,}|\t+")
_KLISH = re.compile(r"(?:ethernet\s*)?0/(\d+)", re.IGNORECASE)


def lldp_neighbors(text: str) -> dict[str, tuple[str, str]]:
    """Remote device and port by local port (EthernetN); empty where there is no such table."""
    return {cells[0]: (cells[1], cells[2]) for cells in _rows(text, "localport", 3)}


def lossless_priorities(text: str) -> dict[str, int]:
    """`port|priority` (EthernetN) for each priority that is paused; empty without such a table."""
    return {
        f"{cells[0]}|{priority.strip()}": 1
        for cells in _rows(text, "interface", 2)
        for priority in cells[1].split(",")
        if priority.strip().isdigit()
    }


def _rows(text: str, head: str, columns: int) -> Iterator[list[str]]:
    """The rows below a head that begins with a word, as far as they have so many columns."""
    headed = False
    for line in text.splitlines():
        cells = _GAP.split(line.strip())
        if cells[0].casefold().replace(" ", "") == head:
            headed = True
        elif headed and len(cells) >= columns and not cells[0].startswith("-"):
            yield [_port(cells[0]), *cells[1:]]


def _port(name: str) -> str:
    found = _KLISH.fullmatch(name)
    return f"Ethernet{found[1]}" if found else name
