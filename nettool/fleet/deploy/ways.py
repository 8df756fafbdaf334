"""How each network operating system is read, pushed and looked at: one object a dialect.

Tasks speak to this alone, so a playbook does the same whatever a switch runs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol

from nettool.config.diff.asternos import diff_asternos
from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.core.errors import DeviceError, UsageError
from nettool.fleet.deploy.collecting import observe
from nettool.fleet.deploy.health import LinksAndSessions
from nettool.fleet.deploy.klish_push import push_klish
from nettool.fleet.deploy.klish_switch import KlishSwitch
from nettool.fleet.deploy.lossless_health import AllOf, LosslessTraffic
from nettool.fleet.deploy.order import NoHealth, Order
from nettool.fleet.deploy.outcome import Result
from nettool.fleet.deploy.switch import Switch, Tables
from nettool.fleet.deploy.transaction import push_device
from nettool.fleet.transport.klish import KlishTransport
from nettool.fleet.transport.transport import Transport
from nettool.fleet.verify.observed import Observed, Seen

_NOT_PUBLIC = "no public page says how AsterNOS shows it"
_UNREAD = dict.fromkeys(("links", "counters", "lossless set"), _NOT_PUBLIC)


class Ways(Protocol):
    """What a task needs of a dialect."""

    def intended(self, path: Path) -> Tables:
        """What a rendered file wants. Raises UsageError where it cannot be read."""
        ...

    def switch(self, order: Order) -> Switch:
        """The switch in the words of a transaction."""
        ...

    def push(self, order: Order, *, health: bool = True) -> Result:
        """A guarded push."""
        ...

    def look(self, order: Order) -> Seen:
        """Everything that checks look at, beside what was intended."""
        ...


class SonicWays:
    """SONiC: CONFIG_DB tables through its updater."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def intended(self, path: Path) -> Tables:
        """The tables of a `config_db.json`."""
        try:
            data: Tables = json.loads(_text(path))
        except ValueError as exc:
            raise UsageError(f"{path}: not JSON ({exc})") from exc
        return data

    def switch(self, order: Order) -> Switch:
        """The switch over its transport."""
        return Switch(self._transport, order.answer_seconds)

    def push(self, order: Order, *, health: bool = True) -> Result:
        """By patch or by install."""
        look = AllOf(LinksAndSessions(), LosslessTraffic()) if health else NoHealth()
        return push_device(self._transport, order, health=look)

    def look(self, order: Order) -> Seen:
        """Tables, links, sessions, counters, and what the chip was told."""
        observed = observe(order.device, self.switch(order))
        rows = order.intended.get("DEVICE_NEIGHBOR", {}).items()
        far = {port: (str(row.get("name", "")), str(row.get("port", ""))) for port, row in rows}
        return Seen(order.device, order.intended, observed, far)


class KlishWays:
    """AsterNOS: command lines through klish."""

    def __init__(self, klish: KlishTransport, startup: str) -> None:
        self._klish, self._startup = klish, startup
        self._far: dict[str, tuple[str, str]] = {}

    def intended(self, path: Path) -> Tables:
        """The lines of an `asternos.cfg` by view; the planned far ends stand beside it."""
        self._far = _far_ends(path.with_name("device.json"))
        return {
            view: {line: {} for line in lines} for view, lines in read_lines(_text(path)).items()
        }

    def switch(self, order: Order) -> KlishSwitch:
        """The switch over its klish."""
        return KlishSwitch(self._klish, order.answer_seconds, self._startup)

    def push(self, order: Order, *, health: bool = True) -> Result:  # noqa: ARG002  # no public page shows links in klish
        """By lines."""
        return push_klish(self.switch(order), order)

    def look(self, order: Order) -> Seen:
        """Lines, running and saved; what no public page says how to read is named."""
        switch, name = self.switch(order), order.device
        if obstacle := switch.obstacle():
            raise DeviceError(f"{name}: {obstacle}")
        running, saved = switch.running(), switch.saved()
        guard = str(switch.holder()) if switch.guard_waits() else ""
        lldp = switch.neighbours() if self._far else {}
        observed = Observed(name, running, saved, guard, lldp=lldp, unread=_UNREAD)
        left = diff_asternos(name, running, order.intended)
        unsaved = None if saved is None else switch.differences(name, saved, running)
        return Seen(name, order.intended, observed, self._far, left=left, unsaved=unsaved)


def _far_ends(path: Path) -> dict[str, tuple[str, str]]:
    """The far device and port by local port, as `device.json` plans them; none without it."""
    if not path.is_file():
        return {}
    try:
        links = json.loads(path.read_text())["interfaces"]["links"]
        return {port: (str(each["device"]), str(each["port"])) for port, each in links.items()}
    except (ValueError, KeyError, TypeError) as exc:
        raise UsageError(f"{path}: not a device of nettool's ({exc})") from exc


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError as exc:
        raise UsageError(f"{path}: {exc.strerror}") from exc
