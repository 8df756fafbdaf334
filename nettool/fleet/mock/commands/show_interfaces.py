"""`show interfaces …`: what a port is set to, whether it is up, what it counted.

Layouts: sonic-utilities scripts/intfutil and portstat, and their tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nettool.fleet.mock.command import COMMANDS, Call, ok
from nettool.fleet.mock.network import port_number
from nettool.fleet.mock.tables import grouped, simple_table

if TYPE_CHECKING:
    from nettool.fleet.transport.transport import Reply

STATUS = ["Interface", "Lanes", "Speed", "MTU", "FEC", "Alias", "Vlan", "Oper", "Admin", "Type"]
COUNTERS = [
    "IFACE",
    "STATE",
    "RX_OK",
    "RX_BPS",
    "RX_UTIL",
    "RX_ERR",
    "RX_DRP",
    "RX_OVR",
    "TX_OK",
    "TX_BPS",
    "TX_UTIL",
]


@COMMANDS.add("show interfaces status")
async def status(call: Call) -> Reply:
    """One row a port."""
    rows = [_status_row(call, port) for port in ports(call, "show", "interfaces", "status")]
    return ok(simple_table([*STATUS, "Asym PFC"], rows, right=True))


@COMMANDS.add("show interfaces description")
async def description(call: Call) -> Reply:
    """Oper, admin, alias and description."""
    running = call.switch.store.running.get("PORT", {})
    rows = [
        [
            port,
            oper(call, port),
            running[port].get("admin_status", "down"),
            running[port].get("alias", "N/A"),
            running[port].get("description", "N/A"),
        ]
        for port in ports(call, "show", "interfaces", "description")
    ]
    return ok(
        simple_table(["Interface", "Oper", "Admin", "Alias", "Description"], rows, right=True)
    )


@COMMANDS.add("show interfaces counters")
async def counters(call: Call) -> Reply:
    """Packets, errors and drops by port."""
    rows = [_counter_row(call, port) for port in ports(call, "show", "interfaces", "counters")]
    return ok(simple_table([*COUNTERS, "TX_ERR", "TX_DRP", "TX_OVR"], rows, right=True))


def ports(call: Call, *command: str) -> list[str]:
    """The ports a command asks for: those it names, or all."""
    known = call.switch.store.running.get("PORT", {})
    named = [name for name in call.operands(*command) if name in known]
    return named or sorted(known, key=port_number)


def oper(call: Call, port: str) -> str:
    """`up` or `down`."""
    return "up" if call.switch.network.link_up(call.switch.name, port) else "down"


def _status_row(call: Call, port: str) -> list[str]:
    running = call.switch.store.running
    row = running["PORT"][port]
    return [
        port,
        row.get("lanes", ""),
        _speed(row.get("speed", "0")),
        row.get("mtu", "9100"),
        row.get("fec", "N/A"),
        row.get("alias", port),
        _vlan(call, port),
        oper(call, port),
        row.get("admin_status", "down"),
        "N/A",
        row.get("pfc_asym", "off"),
    ]


def _speed(text: str) -> str:
    number = int(text)
    return f"{number // 1000}G" if number >= 1000 else f"{number}M"


def _vlan(call: Call, port: str) -> str:
    """`routed`, `trunk`, `access` or the port's LAG, as intfutil says it."""
    running = call.switch.store.running
    for key in running.get("PORTCHANNEL_MEMBER", {}):
        lag, _, member = key.partition("|")
        if member == port:
            return lag
    in_vlan = any(key.partition("|")[2] == port for key in running.get("VLAN_MEMBER", {}))
    return "trunk" if in_vlan else "routed"


def _counter_row(call: Call, port: str) -> list[str]:
    count = call.switch.counters
    state = "U" if oper(call, port) == "up" else "D"
    if call.switch.store.running["PORT"][port].get("admin_status") != "up":
        state = "X"
    number = {kind: grouped(count.get(kind, port)) for kind in KINDS}
    rate = ["0.00 B/s", "0.00%"]
    received = [number["rx_ok"], *rate, number["rx_err"], number["rx_drp"], number["rx_ovr"]]
    sent = [number["tx_ok"], *rate, number["tx_err"], number["tx_drp"], number["tx_ovr"]]
    return [port, state, *received, *sent]


KINDS = ("rx_ok", "rx_err", "rx_drp", "rx_ovr", "tx_ok", "tx_err", "tx_drp", "tx_ovr")
