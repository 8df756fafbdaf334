"""`show lldp`, `show ip bgp summary`, `vtysh`: what the switch sees of the others.

Layouts: sonic-utilities scripts/lldpshow and tests/bgp_commands_test.py; FRR's JSON.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from nettool.fleet.mock.bgp import Session, sessions
from nettool.fleet.mock.command import COMMANDS, Call, failed, ok
from nettool.fleet.mock.tables import simple_table

if TYPE_CHECKING:
    from nettool.fleet.transport.transport import Reply

LLDP = ["LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr"]
BGP = [
    "Neighbhor",
    "V",
    "AS",
    "MsgRcvd",
    "MsgSent",
    "TblVer",
    "InQ",
    "OutQ",
    "Up/Down",
    "State/PfxRcd",
    "NeighborName",
]
UPTIME_MS = 86_400_000


@COMMANDS.add("show lldp table")
async def lldp_table(call: Call) -> Reply:
    """One row a neighbour."""
    rows = [
        [n.local, n.device, n.port, "BR" if n.router else "O", n.description]
        for n in call.switch.network.neighbours(call.switch.name)
    ]
    text = simple_table(LLDP, rows, right=False)
    head = "Capability codes: (R) Router, (B) Bridge, (O) Other"
    return ok(f"{head}\n{text}\n{'-' * 50}\nTotal entries displayed:  {len(rows)}")


@COMMANDS.add("show ip bgp summary")
async def bgp_summary(call: Call) -> Reply:
    """The IPv4 sessions."""
    return ok(_summary(call, "IPv4", [s for s in sessions(call.switch) if ":" not in s.neighbor]))


@COMMANDS.add("show ipv6 bgp summary")
async def bgp_summary6(call: Call) -> Reply:
    """The IPv6 sessions."""
    return ok(_summary(call, "IPv6", [s for s in sessions(call.switch) if ":" in s.neighbor]))


@COMMANDS.add("vtysh")
async def vtysh(call: Call) -> Reply:
    """FRR's shell with -c: the BGP summaries, as text or JSON."""
    said = " ".join(call.argv[2:]) if call.argv[1:2] == ("-c",) else ""
    if "bgp" not in said or "summary" not in said:
        return failed(f"% Unknown command: {said}")
    wanted = sessions(call.switch)
    if "json" not in said.split():
        return ok(_summary(call, "IPv4", wanted))
    four = _json(call, [s for s in wanted if ":" not in s.neighbor])
    six = _json(call, [s for s in wanted if ":" in s.neighbor])
    families = {"ipv4Unicast": four} if four["peers"] or not six["peers"] else {}
    if six["peers"] and " ip " not in f" {said} ":
        families["ipv6Unicast"] = six
    return ok(json.dumps(families, indent=2))


def _summary(call: Call, family: str, wanted: list[Session]) -> str:
    frr = call.switch.frr
    rows = [
        [s.neighbor, 4, s.remote_as, *([1200, 1180] if s.up else [0, 0]), 0, 0, 0, *_state(s)]
        for s in wanted
    ]
    return (
        f"\n{family} Unicast Summary:\n"
        f"BGP router identifier {frr.router_id}, local AS number {frr.asn} vrf-id 0\n"
        f"BGP table version 1\nRIB entries 1, using 184 bytes of memory\n"
        f"Peers {len(rows)}, using {len(rows) * 20920} KiB of memory\n"
        f"Peer groups 0, using 0 bytes of memory\n\n\n"
        f"{simple_table(BGP, rows, right=False)}\n\nTotal number of neighbors {len(rows)}"
    )


def _state(session: Session) -> list[str]:
    if session.up:
        return ["1d00h00m", str(session.prefixes), session.name]
    return ["never", "Active", session.name]


def _json(call: Call, wanted: list[Session]) -> dict[str, Any]:
    frr = call.switch.frr
    return {
        "routerId": frr.router_id,
        "as": frr.asn,
        "vrfId": 0,
        "vrfName": "default",
        "tableVersion": 1,
        "peerCount": len(wanted),
        "peers": {s.neighbor: _peer(s, frr.asn) for s in wanted},
        "failedPeers": sum(not s.up for s in wanted),
        "displayedPeers": len(wanted),
        "totalPeers": len(wanted),
        "dynamicPeers": 0,
    }


def _peer(session: Session, local: int) -> dict[str, Any]:
    return {
        "hostname": session.name,
        "remoteAs": session.remote_as,
        "localAs": local,
        "version": 4,
        "msgRcvd": 1200 if session.up else 0,
        "msgSent": 1180 if session.up else 0,
        "tableVersion": 0,
        "outq": 0,
        "inq": 0,
        "peerUptime": "1d00h00m" if session.up else "never",
        "peerUptimeMsec": UPTIME_MS if session.up else 0,
        "pfxRcd": session.prefixes,
        "pfxSnt": session.prefixes,
        "state": "Established" if session.up else "Active",
        "peerState": "OK",
        "connectionsEstablished": int(session.up),
        "connectionsDropped": 0,
        "idType": "ipv6" if ":" in session.neighbor else "ipv4",
    }
