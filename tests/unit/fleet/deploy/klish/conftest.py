"""A klish session straight into a mock switch: everything is real but the ssh between."""

from __future__ import annotations

import asyncio
import re
import time

import pytest
from netmiko.exceptions import ConfigInvalidException

from nettool.config.diff.asternos import same_lines
from nettool.config.diff.unwritten import NOTHING_UNWRITTEN
from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.fleet.deploy.klish_push import push_klish
from nettool.fleet.deploy.klish_switch import KlishSwitch
from nettool.fleet.deploy.later import confirm_device, rollback_device
from nettool.fleet.deploy.order import Order
from nettool.fleet.deploy.waiting import hold_device
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.klish import klish
from nettool.fleet.mock.session import bash
from nettool.fleet.mock.spec import SwitchSpec
from nettool.fleet.mock.strike import SessionLostError
from nettool.fleet.transport.klish import KlishTransport

SCALE = 0.01
STARTUP = "etc/sonic/startup.cfg"
OLD = """\
vlan 101
interface vlan 101
 ip address 10.1.0.1/24
interface ethernet 0/0
 switchport access vlan 101
interface ethernet 0/8
 switchport access vlan 101
router bgp 65001
 bgp router-id 10.255.0.1
 address-family ipv4 unicast
  maximum-paths 8
"""
NEW = """\
no priority-flow-control enable 4
vlan 102
vlan 101
interface vlan 101
 ip address 10.1.0.254/24
interface ethernet 0/0
 switchport access vlan 102
interface ethernet 0/8
 switchport access vlan 101
router bgp 65001
 bgp router-id 10.255.0.1
 address-family ipv4 unicast
  maximum-paths 64
"""


class Terminal:
    """One session: lines are typed, what is shown is read up to a pattern."""

    def __init__(self, switch) -> None:
        self._switch = switch
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._shown, self._news, self.gone = "", asyncio.Event(), asyncio.Event()
        switch.connections.add(self)
        self._number = switch.sessions.open(self)
        self._work = asyncio.ensure_future(self._serve())

    async def ask(self, line: str, expect: str, timeout: float) -> str:
        """Type a line and read on until the pattern."""
        self._shown = ""
        await self._typed.put(line)
        await asyncio.wait_for(self._until(expect), timeout * self._switch.clock.scale + 2)
        return self._shown

    async def _until(self, expect: str) -> None:
        while not re.search(expect, self._shown):
            self._news.clear()
            if self.gone.is_set():
                raise OSError("connection reset")
            await self._news.wait()

    async def _serve(self) -> None:
        try:
            await klish(self._switch, self, bash)
        finally:
            self.abort()

    async def line(self) -> str | None:
        return None if self.gone.is_set() else await self._typed.get()

    async def chunk(self) -> str:
        await asyncio.Event().wait()
        return ""

    def out(self, text: str) -> bool:
        self._shown += text
        self._news.set()
        return not self.gone.is_set()

    err = out

    def abort(self) -> None:
        self.gone.set()
        self._news.set()
        self._typed.put_nowait(None)
        self._switch.connections.discard(self)
        self._switch.sessions.close(self._number)

    async def foreground(self, switch, command) -> None:
        work = switch.start(command)
        cut = asyncio.ensure_future(self.gone.wait())
        await asyncio.wait({work, cut}, return_when=asyncio.FIRST_COMPLETED)
        cut.cancel()
        if not work.done():
            work.cancel()
        elif not work.cancelled() and isinstance(work.exception(), SessionLostError):
            self.abort()


class Driver:
    """What netmiko's driver offers, on a terminal in this process. `on_line` sees every line."""

    def __init__(self, fleet, name: str, on_line) -> None:
        self._fleet, self._on_line = fleet, on_line
        self._switch = fleet.network.switches[name]
        self.terminal: Terminal | None = None
        on_line(self, "sonic-cli", lambda: fleet.call(self._open()))

    async def _open(self) -> None:
        self.terminal = Terminal(self._switch)

    def send_command(self, line, expect, *, read_timeout, cmd_verify=True, strip_prompt=True):
        return self._on_line(self, line, lambda: self.say(line, expect, read_timeout))

    def say(self, line, expect, timeout):
        try:
            return self._fleet.call(self.terminal.ask(line, expect, timeout))
        except TimeoutError as exc:
            raise OSError(f"no answer to {line}") from exc

    def send_config_set(self, lines, *, read_timeout, error_pattern, **_modes):
        for line in lines:
            shown = self.send_command(line, r"[>#]\s*$", read_timeout=read_timeout)
            if found := re.search(error_pattern, shown, re.MULTILINE):
                said = f"Invalid input detected at command: {line}, matched error: {found[0]}"
                raise ConfigInvalidException(said)
        return ""

    def paramiko_cleanup(self):
        if self.terminal is not None:
            self._fleet.call(self._close())

    async def _close(self) -> None:
        self.terminal.abort()


class Clock:
    """The mock's own seconds."""

    def now(self) -> float:
        return time.monotonic() / SCALE

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds * SCALE)


def straight(_driver, _line, go):
    """Nothing goes wrong."""
    return go()


class OneSwitch:
    """A started fleet of one AsterNOS switch that runs and has saved OLD."""

    def __init__(self, fleet: MockFleet) -> None:
        self.fleet, self.handle, self.clock = fleet, fleet["leaf01"], Clock()
        self.startup = self.handle.folder / STARTUP

    def running(self) -> str:
        return self.fleet.network.switches["leaf01"].klish.text()

    def saved(self) -> str:
        return self.startup.read_text() if self.startup.exists() else ""

    def is_(self, text: str) -> bool:
        """Whether it runs and has saved exactly this, defaults and order apart."""
        wanted = read_lines(text)
        return all(same_lines(read_lines(t), wanted) for t in (self.running(), self.saved()))

    def klish(self, on_line=straight) -> KlishTransport:
        return KlishTransport("leaf01", connect=lambda: Driver(self.fleet, "leaf01", on_line))

    def push(
        self,
        run="r1",
        *,
        intended=NEW,
        on_line=straight,
        unwritten=NOTHING_UNWRITTEN,
        allow_unproved=True,
        **fields,
    ):
        fields = {"settle_seconds": 4.0, "contact_seconds": 60.0, **fields}
        fields.setdefault("consent", frozenset({"reload"}))
        order = Order("leaf01", run, "anna", tables(intended), **fields)
        switch = KlishSwitch(self.klish(on_line), order.answer_seconds)
        return push_klish(
            switch,
            order,
            clock=self.clock,
            unwritten=unwritten,
            allow_unproved=allow_unproved,
        )

    def rollback(self, run="back", *, of="", on_line=straight, **fields):
        """Undo a push, as `nettool rollback` does."""
        fields = {"settle_seconds": 4.0, "contact_seconds": 60.0, **fields}
        order = Order("leaf01", run, "anna", {}, consent=frozenset({"reload"}), **fields)
        klish = self.klish(on_line)

        def push(wanted):
            return push_klish(KlishSwitch(klish), wanted, clock=self.clock)

        return rollback_device(KlishSwitch(klish), order, push, of)

    def confirm(self):
        """Keep what waits to be confirmed."""
        return confirm_device(KlishSwitch(self.klish()), Order("leaf01", "x", "anna", {}))

    def hold(self, seconds):
        """Begin to count the time to confirm, as the end of a push does."""
        order = Order("leaf01", "x", "anna", {}, confirm_seconds=seconds)
        return hold_device(KlishSwitch(self.klish()), order, self.clock)

    def write(self, *lines):
        """Lines that an engineer enters and saves."""
        klish = self.klish()
        klish.configure(lines)
        klish.save()

    def wait_for_guard(self, seconds: float = 3000.0) -> None:
        deadline = self.clock.now() + seconds
        while self.handle.timers() and self.clock.now() < deadline:
            self.clock.sleep(5)


def tables(text):
    return {view: {line: {} for line in lines} for view, lines in read_lines(text).items()}


def started(files):
    config = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf01"}}}
    return MockFleet([SwitchSpec("leaf01", "asternos", config, files=files)], scale=SCALE)


@pytest.fixture
def switch():
    with started({"/etc/sonic/startup.cfg": OLD}) as fleet:
        yield OneSwitch(fleet)


@pytest.fixture
def blank():
    """A switch on which nothing runs and nothing was ever saved."""
    with started({}) as fleet:
        yield OneSwitch(fleet)


@pytest.fixture
def old():
    return OLD


@pytest.fixture
def new():
    return NEW
