"""Names as people write them, resolved to the devices and ports of a design.

A port's word is its name (Ethernet8), alias, panel label (E2, QC1, with or without its subport:
E2/1, Eth1/2/1), the AsterNOS number (0/8), a NIC (NIC 3), or a range (Eth1/1/1-4, E1-E4,
Ethernet0-12, nic1-8). A label of a split cage stands for all ports of the cage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from nettool.catalog.ports import PortSlot
from nettool.core.order import natural
from nettool.plan.design.fabric import Device, Fabric, Node

_RANGE = re.compile(r"(.*?)(\d+)\s*(?:-|\.\.|\u2013|to)\s*(?:(\D.*?))?(\d+)", re.IGNORECASE)
_NUMBERED = re.compile(r"(.*?)0*(\d+)")
_SLOTTED = re.compile(r"(?:eth|ethernet|et|e)?\s*1/(\d+)(?:[/:.](\d+))?", re.IGNORECASE)
_KLISH = re.compile(r"(?:ethernet\s*)?0/(\d+)", re.IGNORECASE)
_WIDEST = 1024


@dataclass(frozen=True)
class Names:
    """The names of one design; a lookup returns None, or no ports, where a word is unknown."""

    fabric: Fabric

    def device(self, word: str) -> str | None:
        """The device that a word means: any case, with a domain, or with fewer zeros."""
        key = word.strip().casefold()
        return self._devices.get(key) or self._devices.get(_plain(key.partition(".")[0]))

    def close(self, word: str) -> str:
        """A hint: the device that was probably meant, or which there are."""
        close = get_close_matches(word.casefold(), self._devices, n=1)
        if close:
            return f"did you mean {self._devices[close[0]]}?"
        some = list(dict.fromkeys(self._devices.values()))[:4]
        return f"the design has {', '.join(some)}, …"

    def ports(self, device: str, word: str) -> tuple[str, ...]:
        """The ports that a word means on a device, in panel order."""
        known = self._ports_of(device)
        return known.one(word) or known.many(word)

    def is_range(self, device: str, word: str) -> bool:
        """Whether a word counts ports out (Eth1/1/1-4) in place of naming a port or a cage."""
        return not self._ports_of(device).one(word)

    def port(self, device: str, words: Sequence[str]) -> str | None:
        """The one port that any of some words (an LLDP port ID and description) names."""
        for word in words:
            found = self._ports_of(device).one(word) if word else ()
            if len(found) == 1:
                return found[0]
        return None

    def some_ports(self, device: str) -> str:
        """A hint: the first and last port of a device."""
        names = self._ports_of(device).names
        return f"{device} has {names[0]} to {names[-1]}" if names else f"{device} has no ports"

    @cached_property
    def _devices(self) -> dict[str, str]:
        names = [each.name for each in self.fabric.devices]
        names += [each.name for each in self.fabric.nodes]
        exact = {name.casefold(): name for name in names}
        return {**{_plain(name.casefold()): name for name in names}, **exact}

    @cached_property
    def _layouts(self) -> dict[str, _Ports]:
        return {}

    def _ports_of(self, device: str) -> _Ports:
        switch = self.fabric.by_name.get(device)
        key = switch.layout.key if switch else device
        if key not in self._layouts:
            made = _of_switch(switch) if switch else _of_node(self.fabric.node_by_name[device])
            self._layouts[key] = made
        return self._layouts[key]


@dataclass(frozen=True)
class _Ports:
    names: tuple[str, ...]
    words: Mapping[str, tuple[str, ...]]
    cages: Mapping[str, tuple[str, ...]]

    def one(self, word: str) -> tuple[str, ...]:
        key = _word(word)
        if key in self.words:
            return self.words[key]
        if klish := _KLISH.fullmatch(word.strip()):
            return self.words.get(f"ethernet{klish[1]}", ())
        if slotted := _SLOTTED.fullmatch(word.strip()):
            cage = self.cages.get(slotted[1], ())
            child = int(slotted[2] or 0)
            return cage if not child else cage[child - 1 : child]
        return ()

    def many(self, word: str) -> tuple[str, ...]:
        found = _RANGE.fullmatch(word.strip())
        if not found:
            return ()
        head, first, again, last = found[1], int(found[2]), found[3], int(found[4])
        if (again and _word(again) != _word(head)) or not first <= last < first + _WIDEST:
            return ()
        if _word(head) == "ethernet":
            ends = {f"Ethernet{first}", f"Ethernet{last}"}
            inside = (each for each in self.names if first <= _number(each) <= last)
            return tuple(inside) if ends <= set(self.names) else ()
        parts = [self.one(f"{head}{number}") for number in range(first, last + 1)]
        return tuple(port for part in parts for port in part) if all(parts) else ()


def _of_switch(switch: Device) -> _Ports:
    slots = (*switch.layout.slots, *switch.layout.extras)
    words: dict[str, tuple[str, ...]] = {}
    cages: dict[str, tuple[str, ...]] = {}
    for slot in slots:
        words[_word(slot.label)] = (*words.get(_word(slot.label), ()), slot.name)
        cages[str(slot.cage)] = (*cages.get(str(slot.cage), ()), slot.name)
    words |= {word: ports for word, ports in cages.items() if word not in words}
    for slot in slots:
        words |= {_word(word): (slot.name,) for word in _spellings(slot)}
    return _Ports(tuple(slot.name for slot in slots), words, cages)


def _spellings(slot: PortSlot) -> Iterator[str]:
    if slot.subport:
        yield from (f"{slot.label}{mark}{slot.subport}" for mark in "/.:")
    yield slot.alias
    yield slot.name


def _of_node(node: Node) -> _Ports:
    words = {_word(nic.name): (nic.name,) for nic in node.nics}
    for nic in node.nics:
        words.setdefault(_word(nic.name).removeprefix("nic"), (nic.name,))
    return _Ports(tuple(sorted((nic.name for nic in node.nics), key=natural)), words, {})


def _word(text: str) -> str:
    return re.sub(r"\s|(?<=[a-z])[-_ ](?=[a-z0-9])", "", text.casefold())


def _plain(name: str) -> str:
    found = _NUMBERED.fullmatch(name)
    return f"{found[1]}{found[2]}" if found else name


def _number(name: str) -> int:
    digits = name.removeprefix("Ethernet")
    return int(digits) if digits.isdigit() else -1
