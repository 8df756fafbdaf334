"""Single cables whose length is not their tier's: `cables.own` of a network.

A cable is named by its port on the lower switch: the leaf for cables to NICs and to spines, the
spine for cables to cores. The legs of a breakout cable have one length.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from nettool.core.finding import Finding
from nettool.core.source import KeyPath
from nettool.plan.design.drafts import Draft
from nettool.plan.design.fabric import Device, LinkKind
from nettool.plan.design.kinds import LinkKinds
from nettool.plan.design.network import Network
from nettool.plan.design.notes import error


@dataclass(frozen=True, slots=True)
class Own:
    """One cable of `cables.own`: its port, and where in the file its length stands."""

    port: str
    length: float
    path: KeyPath


class CableKinds:
    """The kind of each cable of a switch: that of its tier, or one with a length of its own."""

    def __init__(self, network: Network, kinds: LinkKinds) -> None:
        self._kinds = kinds
        self._path = (*network.path, "cables", "own")
        self._own: dict[str, list[Own]] = {}
        for number, each in enumerate(network.intent.cables.own):
            device, _, port = each.port.partition(":")
            own = Own(port, float(each.length), (*self._path, number, "length"))
            self._own.setdefault(device, []).append(own)

    def of(self, lower: Draft, usual: LinkKind) -> Mapping[int, LinkKind]:
        """The kind of the cable in each cage of a lower switch; any other cage has the usual."""
        found = defaultdict(lambda: usual)
        for own in self._own.get(lower.name, ()):
            cages = {slot.name: slot.cage for slot in lower.ports.layout.slots}
            if own.port in cages:
                found[cages[own.port]] = self._kinds.of_length(usual, own.length, own.path)
        return found

    def check(self, devices: Iterable[Device]) -> Iterator[Finding]:
        """An error for each cable whose name is no lower end, or that is given two lengths."""
        by_name = {each.name: each for each in devices} if self._own else {}
        for name, owns in self._own.items():
            lengths: dict[int, float] = {}
            for own in owns:
                problem = _misnamed(by_name, name, own) or _twice(by_name[name], own, lengths)
                if problem:
                    yield error("DSN015", own.path[:-1], *problem)


def _misnamed(devices: Mapping[str, Device], name: str, own: Own) -> tuple[str, str] | None:
    """What is wrong with the name of a cable, and what to write."""
    port = own.port
    device = devices.get(name)
    if device is None:
        close = get_close_matches(name, devices, n=1)
        known = f"did you mean {close[0]}?" if close else f"it begins with {next(iter(devices))}"
        return f"cable {name}:{port}: the network has no switch {name}", known
    faced = device.neighbors.get(port)
    if faced is None:
        cabled = list(device.neighbors)
        hint = f"from {cabled[0]} to {cabled[-1]}" if cabled else "in no port"
        return f"cable {name}:{port}: no cable is in that port", f"{name} has cables {hint}"
    if faced.role != "node" and devices[faced.device].tier < device.tier:
        said = f"cable {name}:{port}: {name} is the upper end of that cable"
        return said, f"name it by the lower end: {faced.device}:{faced.port}"
    return None


def _twice(device: Device, own: Own, lengths: dict[int, float]) -> tuple[str, str] | None:
    cage = next(slot.cage for slot in device.layout.slots if slot.name == own.port)
    length = lengths.setdefault(cage, own.length)
    if length == own.length:
        return None
    said = f"cable {device.name}:{own.port} is {length:g} m in one row and {own.length:g} m here"
    return said, "give one length for all legs of a cable"
