"""A transport straight into a mock switch's shell: everything is real but the ssh between."""

from __future__ import annotations

import asyncio
import copy
import json
import time

import pytest

from nettool.core.errors import DeviceError
from nettool.fleet.deploy.order import Order
from nettool.fleet.deploy.transaction import push_device
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.shell import run_line
from nettool.fleet.mock.spec import SwitchSpec
from nettool.fleet.mock.strike import SessionLostError
from nettool.fleet.transport.transport import Reply


class _Console:
    def __init__(self, stdin: str | None) -> None:
        self._stdin = [stdin] if stdin else []
        self.stdout, self.stderr, self.cut = [], [], asyncio.Event()

    async def chunk(self) -> str:
        return self._stdin.pop() if self._stdin else ""

    def out(self, text: str) -> bool:
        self.stdout.append(text)
        return not self.cut.is_set()

    def err(self, text: str) -> bool:
        self.stderr.append(text)
        return not self.cut.is_set()

    def abort(self) -> None:
        self.cut.set()


class MockTransport:
    """Runs lines on one switch of a started fleet; a cut or a closed listener is a DeviceError."""

    def __init__(self, fleet, name: str) -> None:
        self._fleet, self._switch = fleet, fleet.network.switches[name]
        self._open = True
        listen = self._switch.on_listen

        async def listening(value: bool) -> None:
            self._open = value
            await listen(value)

        self._switch.on_listen = listening

    def run(self, command: str, *, stdin: str | None = None, timeout: float = 60.0) -> Reply:
        if not self._open:
            raise DeviceError(f"{self._switch.name} refuses the connection")
        return self._fleet.call(self._run(command, stdin, timeout))

    def reconnect(self) -> None:
        """Each line is a session of its own."""

    async def _run(self, command: str, stdin: str | None, timeout: float) -> Reply:
        console = _Console(stdin)
        self._switch.connections.add(console)
        work = self._switch.start(run_line(self._switch, command, console))
        cut = asyncio.ensure_future(console.cut.wait())
        limit = timeout * self._switch.clock.scale + 1
        await asyncio.wait({work, cut}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
        cut.cancel()
        self._switch.connections.discard(console)
        return self._reply(work, console, command)

    def _reply(self, work: asyncio.Task[int], console: _Console, command: str) -> Reply:
        if console.cut.is_set() or not work.done() or work.cancelled():
            console.cut.set()
            raise DeviceError(f"{self._switch.name}: lost while running {command[:40]}")
        if isinstance(work.exception(), SessionLostError):
            raise DeviceError(f"{self._switch.name}: lost while running {command[:40]}")
        return Reply(work.result(), "".join(console.stdout), "".join(console.stderr))


class MockClock:
    """The mock's own seconds."""

    def __init__(self, scale: float) -> None:
        self._scale = scale

    def now(self) -> float:
        return time.monotonic() / self._scale

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds * self._scale)


SCALE = 0.02
OLD = {
    "DEVICE_METADATA": {
        "localhost": {"hostname": "leaf01", "hwsku": "mock", "platform": "x86_64-mock-r0",
                      "mac": "00:00:5e:00:53:01", "type": "LeafRouter"}
    },
    "PORT": {
        f"Ethernet{n}": {"lanes": str(n + 1), "index": str(n), "alias": f"Eth{n}",
                         "speed": "25000", "mtu": "9100", "admin_status": "up"}
        for n in range(4)
    },
    "WRED_PROFILE": {
        "R": {"green_min_threshold": "1000", "green_max_threshold": "2000", "ecn": "ecn_all"}
    },
}  # fmt: skip


class OneSwitch:
    """A started fleet of one switch, and the way to push to it."""

    def __init__(self, fleet: MockFleet, new=None) -> None:
        self.fleet, self.handle = fleet, fleet["leaf01"]
        self.transport = MockTransport(fleet, "leaf01")
        self.clock = MockClock(SCALE)
        self.old = self.handle.running()
        self.new = new or _changed(self.old)

    def push(self, run="r1", *, intended=None, operator="anna", health=None, **fields):
        fields = {"settle_seconds": 4.0, "contact_seconds": 60.0, **fields}
        order = Order("leaf01", run, operator, intended or self.new, **fields)
        return push_device(self.transport, order, clock=self.clock, health=health)

    def wait_for_guard(self, seconds: float = 1500.0) -> None:
        """Let the guard fire and finish."""
        deadline = self.clock.now() + seconds
        while self.handle.timers() and self.clock.now() < deadline:
            self.clock.sleep(5)

    def is_old(self) -> bool:
        return self.handle.running() == self.old == self.handle.saved()

    def is_new(self) -> bool:
        return self.handle.running() == self.new == self.handle.saved()


def _changed(old):
    new = copy.deepcopy(old)
    new["PORT"]["Ethernet1"]["mtu"] = "9216"
    new["WRED_PROFILE"]["R"]["green_max_threshold"] = "3000"
    return new


@pytest.fixture
def switch():
    with MockFleet([SwitchSpec("leaf01", config=copy.deepcopy(OLD))], scale=SCALE) as fleet:
        yield OneSwitch(fleet)


@pytest.fixture
def made_build(tmp_path):
    """A build as a push reads it: a folder with a configuration for each of some switches."""

    def make(hosts):
        for name in hosts:
            folder = tmp_path / "build" / "devices" / name
            folder.mkdir(parents=True)
            (folder / "config_db.json").write_text(json.dumps({"PORT": {name: {}}}))
        return tmp_path / "build"

    return make
