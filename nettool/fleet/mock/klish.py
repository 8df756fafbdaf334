"""AsterNOS's klish on a mock switch: views and prompts, paging, `show running-config`, `write`.

It takes any line of configuration as it stands: which lines a release knows is not public. Views,
prompts and `write` with its question are those netmiko's driver and the vendor's pages show.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nettool.fleet.mock.klish_config import View
from nettool.fleet.mock.klish_refusals import refusal
from nettool.fleet.mock.klish_show import shown
from nettool.fleet.mock.strike import strike
from nettool.fleet.transport.transport import Reply

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from nettool.fleet.mock.switch import MockSwitch
    from nettool.fleet.mock.terminal import SshConsole

PAGE = 24
MORE = "--More--"
ASK = "Save the running configuration? [y/N]: "
UNKNOWN = "% Error: Invalid input detected"
_OPENS = re.compile(
    r"(?:interface|vlan|router|class-map|policy-map|wred|buffer-profile|diffserv-map|bfd|vrf)\b"
)
_INNER = re.compile(r"(?:address-family|class)\b")
_KINDS = {"ethernet": "if", "vlan": "vlanif", "link-aggregation": "lagif", "loopback": "loopif"}


async def klish(
    switch: MockSwitch,
    console: SshConsole,
    bash: Callable[[MockSwitch, SshConsole], Awaitable[None]],
) -> None:
    """A klish session until `exit` in its first view, or a hang-up. `system bash` nests a shell."""
    session = _Klish(switch, console)
    while console.out(session.prompt()):
        line = await console.line()
        if line is None or (line == "exit" and not session.configuring):
            return
        if line:
            switch.journal.command("klish", line)
        if line == "system bash" and not switch.faults.falls_on(line):
            await bash(switch, console)
        elif line:
            await console.foreground(switch, session.obey(line))


class _Klish:
    """One session: its view and whether it pages."""

    def __init__(self, switch: MockSwitch, console: SshConsole) -> None:
        self._switch, self._console = switch, console
        self.configuring = False
        self._view: View = ()
        self._paging = True

    def prompt(self) -> str:
        """`leaf01# `, `leaf01(config)# `, `leaf01(config-if-0/0)# `."""
        place = f"(config{_tag(self._view)})" if self.configuring else ""
        return f"{self._switch.hostname}{place}# "

    async def obey(self, line: str) -> None:
        """Run one line, with the fault that falls on it."""

        async def go() -> Reply:
            return Reply(0, await self._answer(line))

        fault = self._switch.faults.strike(line)
        reply = await (strike(fault, self._switch, self._console, go) if fault else go())
        text = reply.stdout + (f"% Error: {reply.stderr}" if reply.stderr else "")
        await self._print(text if not text or text.endswith("\n") else f"{text}\n")

    async def _answer(self, line: str) -> str:
        match line.split():
            case ["configure", "terminal"] | ["configure"]:
                self.configuring, self._view = True, ()
            case ["end"]:
                self.configuring = False
            case ["exit"]:
                self.configuring, self._view = bool(self._view), self._view[:-1]
            case ["terminal", "raw-output"]:
                self._paging = False
            case ["show", *_]:
                answer = shown(self._switch, line)
                return UNKNOWN if answer is None else answer
            case ["write"]:
                return await self._write()
            case _ if self.configuring:
                return self._configure(line)
            case _:
                return UNKNOWN
        return ""

    def _configure(self, line: str) -> str:
        """Enter a line; a command of the first view leads out of any other one."""
        if why := refusal(self._switch.klish.views, self._view, line):
            return f"% Error: {why}"
        inner: View
        if self._view and _INNER.match(line):
            inner = (self._view[0], line)
        elif _OPENS.match(line) and len(self._view) < 2:
            inner = (line,)
        else:
            self._switch.klish.enter(self._view, line)
            return ""
        self._switch.klish.enter(inner[:-1], line)
        self._view = inner
        return ""

    async def _write(self) -> str:
        self._console.out(ASK)
        if await self._console.line() != "y":
            return "Aborted\n"
        self._switch.klish.save()
        return "Configuration saved\n"

    async def _print(self, text: str) -> None:
        lines = text.splitlines(keepends=True)
        while self._paging and len(lines) > PAGE:
            self._console.out("".join(lines[:PAGE]) + MORE)
            if await self._console.line() in {"q", None}:
                return
            lines = lines[PAGE:]
        self._console.out("".join(lines))


def _tag(view: View) -> str:
    """What the prompt says of a view: `-if-0/0` of `interface ethernet 0/0`."""
    words = view[-1].split() if view else []
    if words[:1] == ["interface"]:
        words = [_KINDS.get(words[1], words[1]), *words[2:]]
    return "".join(f"-{word}" for word in words[:2])
