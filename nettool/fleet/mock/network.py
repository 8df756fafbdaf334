"""What a switch sees of the others: cables, links, LLDP neighbours and BGP sessions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nettool.fleet.mock.spec import Cable, SwitchSpec
    from nettool.fleet.mock.store import ConfigStore

End = tuple[str, str]


class Node(Protocol):
    """What the others can tell of a switch: whether it is up, and what it runs."""

    restarting: bool

    @property
    def hostname(self) -> str:
        """The name that it sends."""
        ...

    @property
    def spec(self) -> SwitchSpec:
        """What it is made of."""
        ...

    @property
    def store(self) -> ConfigStore:
        """What it runs."""
        ...


N = TypeVar("N", bound=Node)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """What LLDP says of the far end of a link."""

    local: str
    device: str
    port: str
    description: str
    router: bool


class Network(Generic[N]):
    """The fleet as a network: who is cabled to whom, and what comes up over it."""

    def __init__(self, cables: Iterable[Cable]) -> None:
        self.switches: dict[str, N] = {}
        self._far: dict[End, End] = {}
        for cable in cables:
            self.plug(cable)

    def plug(self, cable: Cable) -> None:
        """Lay a cable; what was in either port is pulled first."""
        a, b = cable.ends()
        self.pull(a)
        self.pull(b)
        self._far[a], self._far[b] = b, a

    def pull(self, end: End) -> None:
        """Take out the cable at one end."""
        far = self._far.pop(end, None)
        if far is not None:
            self._far.pop(far, None)

    def far_end(self, device: str, port: str) -> End | None:
        """The other end of the cable in a port."""
        return self._far.get((device, port))

    def link_up(self, device: str, port: str) -> bool:
        """True where both ends are enabled, lanes are the hardware's own, speed and FEC agree."""
        far = self._far.get((device, port))
        if far is None or not self._ready(device, port):
            return False
        if far[0] not in self.switches:
            return True
        if not self._ready(*far):
            return False
        near_row, far_row = self._row(device, port), self._row(*far)
        same = ("speed", "fec")
        return all(near_row.get(field) == far_row.get(field) for field in same)

    def neighbours(self, device: str) -> list[Neighbour]:
        """What LLDP sees on a switch: the far end of every link that is up."""
        running = self.switches[device].store.running
        if running.get("LLDP", {}).get("GLOBAL", {}).get("enabled") == "false":
            return []
        found = []
        for port in sorted(running.get("PORT", {}), key=port_number):
            far = self.far_end(device, port)
            if far is not None and self.link_up(device, port):
                found.append(self._neighbour(port, far))
        return found

    def _neighbour(self, local: str, far: End) -> Neighbour:
        if far[0] not in self.switches:
            return Neighbour(local, far[0], far[1], far[1], router=False)
        alias = self._row(*far).get("alias", far[1])
        # SONiC sends its alias as the port id and the interface name as its description
        return Neighbour(local, self.switches[far[0]].hostname, alias, far[1], router=True)

    def _ready(self, device: str, port: str) -> bool:
        switch = self.switches[device]
        row = self._row(device, port)
        own = switch.spec.own_ports().get(port)
        lanes = str(row.get("lanes", ""))
        # the first lane tells a wrong port table, and stays through a breakout
        lanes_ok = own is None or own.lanes.split(",")[0] == lanes.split(",", maxsplit=1)[0]
        return row.get("admin_status") == "up" and lanes_ok and not switch.restarting

    def _row(self, device: str, port: str) -> dict[str, str]:
        return self.switches[device].store.running.get("PORT", {}).get(port, {})


def port_number(port: str) -> tuple[int, str]:
    """Ports in the order people count: Ethernet4 before Ethernet100."""
    digits = "".join(c for c in port if c.isdigit())
    return (int(digits) if digits else 0, port)
