"""The control socket of a mock fleet: faults, drift, restarts and logs from another process.

One JSON object a line in, one out: `{"switch": "leaf01", "do": "inject", "fault": {...}}`.
`do` is inject, heal, drift, reboot, cut, count, plug, forget or state.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from nettool.core.errors import UsageError
from nettool.fleet.mock.fault import fault_from_json
from nettool.fleet.mock.spec import Cable

if TYPE_CHECKING:
    from pathlib import Path

    from nettool.fleet.mock.network import Network
    from nettool.fleet.mock.switch import MockSwitch

LIMIT = 1 << 24


class Control:
    """Listens on `path` for requests about the switches of a network."""

    def __init__(self, network: Network[MockSwitch], path: Path) -> None:
        self.path = str(path)
        self._network = network
        self._server: asyncio.AbstractServer | None = None

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_unix_server(self._answer, self.path, limit=LIMIT)

    def stop(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            try:
                answer = await self._obey(json.loads(line))
            except (UsageError, ValueError, KeyError, TypeError, AttributeError) as exc:
                answer = {"ok": False, "error": str(exc)}
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
        writer.close()

    async def _obey(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["do"] == "plug":
            self._network.plug(Cable(request["a"], request["b"]))
            return {"ok": True}
        switch = self._network.switches[request["switch"]]
        if request["do"] == "state":
            return {"ok": True, **_state(switch)}
        await _act(switch, request)
        return {"ok": True}


async def _act(switch: MockSwitch, request: dict[str, Any]) -> None:
    match request["do"]:
        case "inject":
            await switch.inject(fault_from_json(request["fault"]))
        case "heal":
            await switch.heal()
        case "drift":
            switch.drift(request["config"])
        case "reboot":
            await switch.reboot(request.get("back", 0.0))
        case "cut":
            await switch.cut(request.get("back", 0.0))
        case "count":
            place = request["kind"], request["port"], int(request.get("index", 0))
            switch.counters.add(*place, by=int(request.get("by", 1)))
        case "forget":
            switch.journal.clear()
        case unknown:
            raise UsageError(f"mock control: {unknown!r} is not known")


def _state(switch: MockSwitch) -> dict[str, Any]:
    journal = switch.journal
    return {
        "running": switch.store.running,
        "saved": switch.store.saved,
        "checkpoints": switch.store.checkpoints(),
        "timers": [unit.name for unit in switch.timers.list()],
        "commands": [asdict(entry) for entry in journal.commands],
        "writes": [asdict(entry) for entry in journal.writes],
        "events": [asdict(entry) for entry in journal.events],
    }
