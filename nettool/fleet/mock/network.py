"""What a switch sees of the others: cables, links, LLDP neighbours and BGP sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nettool.fleet.mock.shims import Shims

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from nettool.fleet.mock.spec import Cable
    from nettool.fleet.mock.switch import MockSwitch

End = tuple[str, str]


class Network:
    """The fleet as a network: who is cabled to whom, and what comes up over it."""

    def __init__(self, folder: Path, cables: Iterable[Cable]) -> None:
        self.shims = Shims(folder)
        self.switches: dict[str, MockSwitch] = {}
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

    def _ready(self, device: str, port: str) -> bool:
        row = self._row(device, port)
        own = self.switches[device].spec.own_ports().get(port)
        lanes_ok = own is None or not own.lanes or own.lanes == row.get("lanes")
        return row.get("admin_status") == "up" and lanes_ok

    def _row(self, device: str, port: str) -> dict[str, str]:
        return self.switches[device].store.running.get("PORT", {}).get(port, {})
