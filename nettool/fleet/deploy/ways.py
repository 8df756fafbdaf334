"""How each network operating system is read, pushed and looked at: one object a dialect.

Tasks speak to this alone, so a playbook does the same whatever a switch runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from nettool.config.diff.adopt import diff_running
from nettool.config.diff.asternos import diff_asternos, kept_asternos
from nettool.config.diff.foreign import (
    left_alone,
    left_alone_text,
    operators_own,
    operators_own_text,
)
from nettool.config.diff.restored import named_lines
from nettool.config.diff.tables import diff_tables
from nettool.config.diff.unwritten import NOTHING_UNWRITTEN, UNWRITTEN_FILE, read_unwritten
from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.core.errors import DeviceError, UsageError
from nettool.fleet.deploy.collecting import observe
from nettool.fleet.deploy.health import LinksAndSessions
from nettool.fleet.deploy.klish_push import push_klish
from nettool.fleet.deploy.klish_switch import KlishSwitch
from nettool.fleet.deploy.lossless_health import AllOf, LosslessTraffic
from nettool.fleet.deploy.order import Health, NoHealth, Order
from nettool.fleet.deploy.outcome import Result
from nettool.fleet.deploy.questions import KLISH, TRUST
from nettool.fleet.deploy.routing_health import RoutingFollows
from nettool.fleet.deploy.switch import Switch, Tables
from nettool.fleet.deploy.transaction import push_device
from nettool.fleet.telemetry.drift import Compared
from nettool.fleet.transport.klish import KlishTransport
from nettool.fleet.transport.transport import Transport
from nettool.fleet.verify.expected import Expected, expected_of_lines
from nettool.fleet.verify.observed import Seen

_NO_MODEL: Mapping[str, Any] = {"qos": None, "interfaces": {"links": {}}, "ports": {"ports": {}}}


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

    def compare(self, order: Order, pushed: Path | None) -> Compared:
        """What runs against what is intended, what was last pushed, and what is saved."""
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
        return push_device(self._transport, order, health=_health(order, wanted=health))

    def look(self, order: Order) -> Seen:
        """Tables, links, sessions, counters, and what the chip was told."""
        observed = observe(order.device, self.switch(order))
        rows = order.intended.get("DEVICE_NEIGHBOR", {}).items()
        far = {port: (str(row.get("name", "")), str(row.get("port", ""))) for port, row in rows}
        return Seen(order.device, order.intended, observed, far)

    def compare(self, order: Order, pushed: Path | None) -> Compared:
        """By tables, the switch's own and its operators' rows left alone."""
        name, switch = order.device, self.switch(order)
        running = switch.running()
        saved = switch.saved()
        last = None if pushed is None else self.intended(pushed)
        return Compared(
            device=name,
            nos="sonic",
            left=diff_running(name, running, order.intended)[0],
            since=None if last is None else diff_running(name, running, last)[0],
            # rows that a daemon writes again after a restart are no loss
            unsaved=None if saved is None else diff_tables(name, running, saved),
            restarted=None if saved is None else diff_running(name, saved, order.intended)[0],
            guard=str(switch.holder()) if switch.guard_waits() else "",
            unread={} if saved is not None else {"saved": "the saved file is missing or broken"},
            notes=_told(
                left_alone_text(left_alone(running, order.intended)),
                operators_own_text(operators_own(running, order.intended)),
            ),
        )


class KlishWays:
    """AsterNOS: command lines through klish; its state as SONiC tells it, in the bash below."""

    def __init__(
        self, klish: KlishTransport, startup: str, *, allow_unproved: bool = False
    ) -> None:
        self._klish, self._startup, self._allow_unproved = klish, startup, allow_unproved
        self._model: Mapping[str, Any] | None = None
        self._unwritten = NOTHING_UNWRITTEN

    def intended(self, path: Path) -> Tables:
        """The lines of an `asternos.cfg` by view.

        The rendered device model stands beside it, and what no line can say.
        """
        self._model = _model(path.with_name("device.json"))
        beside = path.with_name(UNWRITTEN_FILE)
        if beside.is_file():
            self._unwritten = read_unwritten(_text(beside), str(beside))
        return _lines(path)

    def switch(self, order: Order) -> KlishSwitch:
        """The switch over its klish."""
        return KlishSwitch(self._klish, order.answer_seconds, self._startup)

    def push(self, order: Order, *, health: bool = True) -> Result:
        """By lines."""
        return push_klish(
            self.switch(order),
            order,
            health=_health(order, wanted=health),
            unwritten=self._unwritten,
            allow_unproved=self._allow_unproved,
        )

    def look(self, order: Order) -> Seen:
        """Lines, running and saved, and all that is looked at on SONiC."""
        switch, name = self.switch(order), order.device
        if obstacle := switch.obstacle():
            raise DeviceError(f"{name}: {obstacle}")
        trust = "; ".join(filter(None, (TRUST, self._unwritten.unseen())))
        observed = replace(observe(name, switch, KLISH), trust=trust)
        if self._model is None:
            unread = {**observed.unread, "cabling": "no device.json stands beside its lines"}
            observed = replace(observed, unread=unread)
        far, expected = self._planned(order.intended)
        unsaid = self._unwritten.unsaid
        left = diff_asternos(name, observed.running, order.intended, unsaid=unsaid)
        saved = observed.saved
        unsaved = (
            None if saved is None else diff_asternos(name, saved, observed.running, exact=True)
        )
        return Seen(
            name, order.intended, observed, far, left=left, unsaved=unsaved, expected=expected
        )

    def compare(self, order: Order, pushed: Path | None) -> Compared:
        """By lines; what nettool never writes there is left alone."""
        name, switch = order.device, self.switch(order)
        running, unsaid = switch.running(), self._unwritten.unsaid
        obstacle = switch.obstacle()
        saved = None if obstacle else switch.saved()
        last = None if pushed is None else _lines(pushed)
        against = partial(diff_asternos, name, intended=order.intended, unsaid=unsaid)
        left = against(running)
        kept = kept_asternos(left, running, order.intended, unsaid)
        why = obstacle or "the saved configuration is no command text: name its file (startup)"
        return Compared(
            device=name,
            nos="asternos",
            left=left,
            since=None if last is None else diff_asternos(name, running, last, unsaid=unsaid),
            unsaved=None if saved is None else diff_asternos(name, running, saved, exact=True),
            restarted=None if saved is None else against(saved),
            guard=str(switch.holder()) if not obstacle and switch.guard_waits() else "",
            unread={} if saved is not None else {"saved": why},
            notes=_told(
                f"not nettool's, not judged: {named_lines(kept)}" if kept else "",
                self._unwritten.unseen(),
            ),
        )

    def _planned(self, lines: Tables) -> tuple[dict[str, tuple[str, str]], Expected]:
        """The far ends by local port, and what is expected; of sessions alone without a model."""
        model = _NO_MODEL if self._model is None else self._model
        try:
            links = model["interfaces"]["links"]
            far = {port: (str(each["device"]), str(each["port"])) for port, each in links.items()}
            return far, expected_of_lines(lines, model)
        except (ValueError, KeyError, TypeError, AttributeError) as exc:
            raise UsageError(f"device.json is no device of nettool's ({exc!r})") from exc


def _health(order: Order, *, wanted: bool) -> Health:
    """What a change must not cost, on a switch of either dialect."""
    if not wanted:
        return NoHealth()
    return AllOf(LinksAndSessions(), RoutingFollows(), LosslessTraffic(order.poll_seconds))


def _model(path: Path) -> Mapping[str, Any] | None:
    """The device model of a build; None where there is none."""
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text())
    except ValueError as exc:
        raise UsageError(f"{path}: not JSON ({exc})") from exc
    return data if isinstance(data, dict) else {}


def _lines(path: Path) -> Tables:
    """The lines of a rendered file by view."""
    return {view: {line: {} for line in lines} for view, lines in read_lines(_text(path)).items()}


def _told(*sentences: str) -> tuple[str, ...]:
    return tuple(filter(None, sentences))


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError as exc:
        raise UsageError(f"{path}: {exc.strerror}") from exc
