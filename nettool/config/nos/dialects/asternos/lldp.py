"""What AsterNOS prints of its LLDP neighbours, as values. No I/O.

Layout of `show lldp neighbor summary` as operators' parsers read it: a legend, a head that begins
with LocalPort, then columns that two or more blanks part. Not verified on hardware.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_GAP = re.compile(r"\s{2,}|\t+")
_KLISH = re.compile(r"(?:ethernet\s*)?0/(\d+)", re.IGNORECASE)


def lldp_neighbors(text: str) -> dict[str, tuple[str, str]]:
    """Remote device and port by local port (EthernetN); empty where there is no such table."""
    return dict(_rows(text))


def _rows(text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    headed = False
    for line in text.splitlines():
        cells = _GAP.split(line.strip())
        if cells[0].casefold().replace(" ", "") == "localport":
            headed = True
        elif headed and len(cells) >= 3 and not cells[0].startswith("-"):
            yield _port(cells[0]), (cells[1], cells[2])


def _port(name: str) -> str:
    found = _KLISH.fullmatch(name)
    return f"Ethernet{found[1]}" if found else name
