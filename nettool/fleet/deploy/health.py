"""What a change must not make worse: links that were up and sessions that were established."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nettool.core.order import natural
from nettool.fleet.deploy.questions import PORTS, SESSIONS
from nettool.fleet.deploy.switch import Switch, Tables

UP = "Established"
_LINK_FIELDS = ("speed", "fec", "lanes", "autoneg", "admin_status")


class LinksAndSessions:
    """Notes which links and sessions are up, and says afterwards which of them are not.

    A port or neighbour that the change itself sets otherwise is not held to what it was: its far
    end may be changed later.
    """

    def __init__(self) -> None:
        self._links: frozenset[str] = frozenset()
        self._sessions: frozenset[str] = frozenset()
        self._was: Tables = {}

    def before(self, switch: Switch, running: Tables, *, restarts: bool = False) -> None:  # noqa: ARG002  # a protocol's signature
        """Note what is up, and how it is configured."""
        self._was = switch.config_db(running)
        self._links, self._sessions = _links(switch), _sessions(switch)

    def after(self, switch: Switch, running: Tables) -> tuple[str, ...]:
        """What was up and is not any more, though its own configuration is the same."""
        tables = switch.config_db(running)
        links = {port for port in self._links if self._same_port(tables, port)}
        peers = {peer for peer in self._sessions if self._same_peer(tables, peer)}
        down = links - _links(switch) if links else set()
        lost = peers - _sessions(switch) if peers else set()
        return (
            *(f"{port} was up and is down" for port in sorted(down, key=natural)),
            *(f"the session with {peer} was up and is down" for peer in sorted(lost)),
        )

    def _same_port(self, running: Tables, port: str) -> bool:
        was, now = (tables.get("PORT", {}).get(port) for tables in (self._was, running))
        if was is None or now is None:
            return False
        return all(was.get(field) == now.get(field) for field in _LINK_FIELDS)

    def _same_peer(self, running: Tables, peer: str) -> bool:
        return _session(self._was, peer) == _session(running, peer) is not None


def _session(tables: Tables, peer: str) -> Mapping[str, Any] | None:
    """What a session rests on: its row, the AS number, and the switch's addresses."""
    rows = tables.get("BGP_NEIGHBOR", {}).items()
    row = next((row for key, row in rows if key.rpartition("|")[2] == peer), None)
    if row is None:
        return None
    asn = tables.get("DEVICE_METADATA", {}).get("localhost", {}).get("bgp_asn")
    return {"row": row, "asn": asn, "addresses": sorted(tables.get("INTERFACE", {}))}


def _links(switch: Switch) -> frozenset[str]:
    states = PORTS.read(PORTS.put(switch))
    return frozenset(port for port, (oper, _) in states.items() if oper == "up")


def _sessions(switch: Switch) -> frozenset[str]:
    reply = SESSIONS.put(switch)
    states = {} if reply.status else SESSIONS.read(reply)
    return frozenset(peer for peer, state in states.items() if state == UP)
