"""What klish shows of a mock AsterNOS switch: the few commands whose output is public.

Layouts: operators' parsers for LLDP, the vendor's page on PFC. Ports by klish's own names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nettool.fleet.mock.network import port_number
from nettool.fleet.mock.tables import simple_table

if TYPE_CHECKING:
    from nettool.fleet.mock.switch import MockSwitch

LLDP = ["LocalPort", "RemoteDevice", "RemotePortID", "Capability"]
PFC = ["Interface", "Lossless priorities"]


def shown(switch: MockSwitch, line: str) -> str | None:
    """The answer to a `show` line; None for one that is not public."""
    answer = _SHOWN.get(" ".join(line.split()))
    return None if answer is None else answer(switch)


def _neighbours(switch: MockSwitch) -> str:
    """Legend, head and rows."""
    rows = [
        [_port(n.local), n.device, n.port, "BR" if n.router else "O"]
        for n in switch.network.neighbours(switch.name)
    ]
    head = "Capability codes: (R) Router, (B) Bridge, (O) Other\n"
    return f"{head}{simple_table(LLDP, rows, right=False)}\n"


def _priorities(switch: MockSwitch) -> str:
    """The lossless priorities of each port."""
    rows = switch.store.running.get("PORT_QOS_MAP", {})
    cells = [[_port(port), rows[port]["pfc_enable"]] for port in sorted(rows, key=port_number)]
    return f"{simple_table(PFC, cells, right=False)}\n"


def _version(switch: MockSwitch) -> str:
    return f"AsterNOS {switch.spec.version}\n"


def _lines(switch: MockSwitch) -> str:
    return switch.klish.text()


def _port(name: str) -> str:
    return f"0/{name.removeprefix('Ethernet')}"


_SHOWN = {
    "show running-config": _lines,
    "show version": _version,
    "show lldp neighbor summary": _neighbours,
    "show interface priority-flow-control": _priorities,
}
