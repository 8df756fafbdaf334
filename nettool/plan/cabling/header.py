"""Which column holds what: the head of a sheet in the words that people use."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

_A = "a source src from local near left origin start 1"
_B = "b z dest destination dst to remote far peer neighbor neighbour right target end2 2"
_SIDES = {word: side for side, words in (("a", _A), ("b", _B)) for word in words.split()}
_WORDS = {
    "device": "device devices switch host hostname node system server box equipment dev leaf spine",
    "port": "port ports interface interfaces intf if iface nic portname ifname",
    "optic": "optic optics transceiver transceivers module xcvr plug",
    "label": "label labels tag",
    "cable": "cable cables cableid cableno link wire",
    "leg": "leg legs breakout",
    "speed": "speed rate bandwidth",
    "fec": "fec",
    "length_m": "length len lengthm metres meters",
    "medium": "medium media type",
    "tier": "tier layer level",
}
_FIELDS = {word: name for name, words in _WORDS.items() for word in words.split()}
_FILLERS = "end side id no number name nr the of m g in gbps gb s endpoint point"
_FILLER = frozenset(_FILLERS.split(" "))
_TWO_SIDED = frozenset(("device", "port", "optic", "label"))
_PRECEDENCE = ("length_m", "medium", "speed", "leg", "label", "optic", "port", "device")
_REQUIRED = (("a_end", "b_end"), ("a_device", "a_port", "b_device", "b_port"))


def columns_of(row: Sequence[str]) -> Mapping[str, int]:
    """Column indexes by field (`a_device`, `speed`, `a_end` for device and port in one cell).

    Empty where the row is no head: a head names both ends. Where a sheet repeats `device` and
    `port` without saying whose, the first is the a end and the second the b end.
    """
    found: dict[str, int] = {}
    for number, text in enumerate(row):
        side, name = _meaning(text)
        if not name or (name == "end" and not side):
            continue
        keys = [f"{side}_{name}"] if side else [name]
        if name in _TWO_SIDED and not side:
            keys = [f"a_{name}", f"b_{name}"]
        free = next((key for key in keys if key not in found), None)
        if free:
            found[free] = number
    complete = any(all(name in found for name in names) for names in _REQUIRED)
    return found if complete else {}


@lru_cache(maxsize=1 << 16)
def _meaning(text: str) -> tuple[str, str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    words = re.findall(r"[a-z]+|\d+", spaced.casefold())
    sides = [_SIDES[word] for word in words if word in _SIDES]
    names = [_FIELDS[word] for word in words if word in _FIELDS]
    if not words or any(
        word not in _SIDES and word not in _FIELDS and word not in _FILLER for word in words
    ):
        return "", ""
    if not names:
        return (sides[0], "end") if len(set(sides)) == 1 else ("", "")
    name = next((each for each in _PRECEDENCE if each in names), names[0])
    side = sides[0] if sides and name in _TWO_SIDED else ""
    return side, name
