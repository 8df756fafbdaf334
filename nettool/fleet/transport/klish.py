"""AsterNOS's klish, which is interactive, and the bash behind it: netmiko in process.

Lines of configuration go in with our own enter and exit, since the driver's mode checks wait
seconds for silence.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from netmiko.exceptions import ConfigInvalidException

from nettool.core.errors import DeviceError, NettoolError
from nettool.fleet.transport.klish_driver import KLISH, LOST, Driver, KlishDriver, Proxy
from nettool.fleet.transport.klish_words import cannot_connect, lost, refused, short
from nettool.fleet.transport.transport import Reply

REFUSED = r"%\s*Error|%\s*Invalid|%\s*Incomplete|%\s*Ambiguous|Syntax error|Unrecognized command"
_REFUSAL = rf"^.*(?:{REFUSED}).*$"
"""The whole line that says so."""
_ANY = r"[>#$]\s*$"
TO_BASH = "system bash"
_ASKS = rf"\[y/N\]|y/n|{KLISH}"
_RAN = re.compile(r"nettool-begin\n(.*)\nnettool-rc=(\d+)", re.DOTALL)
_ENDED = r"nettool-rc=\d+[\r\n]+[^\n]*[$#]\s*$"


class LineRefusedError(NettoolError):
    """The switch refused a line of configuration; those before it are in force."""

    exit_code = 1


class NoBashError(DeviceError):
    """`system bash` does not lead to a shell."""


class KlishTransport:
    """One AsterNOS switch in its klish. Connects on first use; host keys are checked.

    `name` is what it is called in messages. `options` are netmiko's: host, port, username, password
    or key_file, and alt_key_file for known hosts. `proxy` is a command whose input and output lead
    there (%h, %p, %r). `connect` opens a session in klish in netmiko's place.
    """

    def __init__(
        self,
        host: str,
        *,
        name: str = "",
        proxy: str = "",
        connect: Callable[[], Driver] | None = None,
        **options: Any,
    ) -> None:
        self._host, self._proxy = name or host, proxy
        self._options = {
            "host": host,
            "device_type": "asterfusion_asternos",
            "ssh_strict": True,
            "system_host_keys": True,
            "fast_cli": True,
            **options,
        }
        self._connect = connect or self._open
        self._driver: Driver | None = None
        self._way: Any = None
        self._in_bash = False

    def run(self, command: str, *, stdin: str | None = None, timeout: float = 60.0) -> Reply:
        """Run one line; status 1 where the switch answers with an error. Nothing can be fed in."""
        if stdin is not None:
            raise ValueError("klish takes no standard input")
        shown = self._ask(command, KLISH, timeout)
        answer = shown[: shown.rfind("\n") + 1]  # without the prompt
        return Reply(1 if re.search(REFUSED, answer) else 0, answer)

    def configure(self, lines: Sequence[str], timeout: float = 60.0) -> None:
        """Enter lines of configuration in order. Raises LineRefusedError at the first refused."""
        self.configure_blocks((tuple(lines),), timeout)

    def configure_blocks(self, blocks: Iterable[Sequence[str]], timeout: float = 60.0) -> None:
        """Enter blocks of lines, each from the first configuration view on.

        Raises LineRefusedError at the first refused line, having left configuration.
        """
        driver = self._in_klish()
        try:
            driver.send_config_set(
                [line for block in blocks for line in ("configure terminal", *block, "end")],
                enter_config_mode=False,
                exit_config_mode=False,
                error_pattern=_REFUSAL,
                read_timeout=timeout,
            )
        except ConfigInvalidException as exc:
            self._ask("end", KLISH, timeout)
            raise LineRefusedError(f"{self._host}: {refused(exc)}") from exc
        except LOST as exc:
            raise self._lost(exc, "configure terminal …", timeout) from exc

    def save(self, timeout: float = 60.0) -> None:
        """Write the running configuration to where a restart reads it.

        Raises LineRefusedError where the switch says that it did not.
        """
        answer = self._ask("write", _ASKS, timeout)
        if re.search(r"y/n", answer, re.IGNORECASE):
            answer = self._ask("y", KLISH, timeout)
        if found := re.search(_REFUSAL, answer, re.MULTILINE):
            raise LineRefusedError(f"{self._host}: `write` was refused: {short(found[0])}")

    def bash(self, command: str, *, stdin: str | None = None, timeout: float = 60.0) -> Reply:
        """Run a line in the bash that `system bash` opens; errors come with the output.

        Raises NoBashError where there is none.
        """
        self._enter_bash()
        fed = "" if stdin is None else f"printf %s {_packed(stdin)} | base64 -d | "
        line = (
            f"printf 'nettool-%s\\n' begin; {{ {fed}{command}; }} 2>&1; "
            "printf '\\nnettool-%s\\n' rc=$?"
        )
        shown = self._send(line, _ENDED, timeout, shown=command).replace("\r", "")
        found = _RAN.search(shown)
        if found is None:
            raise DeviceError(f"{self._host}: {command[:40]!r} in bash was answered by no status")
        return Reply(int(found[2]), found[1])

    def reconnect(self) -> None:
        """Drop the connection; the next line opens another."""
        if self._driver is not None:
            with suppress(EOFError, OSError):  # the switch may have gone: nothing is left to close
                self._driver.paramiko_cleanup()
            self._driver = None
        self._leave_proxy()

    def _enter_bash(self) -> None:
        if self._driver is not None and self._in_bash:
            return
        answer = self._ask(TO_BASH, _ANY, 30.0)
        if not answer.rstrip().endswith("$"):
            raise NoBashError(f"`system bash` was answered by {short(answer)!r}")
        self._in_bash = True

    def _ask(self, line: str, expect: str, timeout: float) -> str:
        self._in_klish()
        return self._send(line, expect, timeout)

    def _in_klish(self) -> Driver:
        """The session, in klish's first view, opened where there is none."""
        if self._driver is not None and self._in_bash:
            self._in_bash = False
            self._send("exit", KLISH, 30.0)
        return self._connected()

    def _connected(self) -> Driver:
        if self._driver is None:
            try:
                self._driver, self._in_bash = self._connect(), False
            except LOST as exc:
                self._leave_proxy()
                raise DeviceError(f"{self._host}: {cannot_connect(exc, self._options)}") from exc
        return self._driver

    def _send(self, line: str, expect: str, timeout: float, *, shown: str = "") -> str:
        """Send a line; one that is shown as something else is too long to be waited for."""
        driver = self._connected()
        try:
            answer = driver.send_command(
                line,
                expect,
                read_timeout=timeout,
                cmd_verify=not shown,
                strip_prompt=False,
            )
        except LOST as exc:
            raise self._lost(exc, shown or line, timeout) from exc
        return str(answer)

    def _lost(self, exc: Exception, line: str, timeout: float) -> DeviceError:
        in_bash = self._in_bash or line == TO_BASH
        self.reconnect()
        return DeviceError(f"{self._host}: {lost(exc, line, timeout, in_bash=in_bash)}")

    def _open(self) -> Driver:
        driver = KlishDriver(auto_connect=False, **self._options, **self._through())
        try:
            driver._open()  # netmiko's own call, apart so that a failure is closed
        except LOST:
            driver.paramiko_cleanup()
            raise
        made: Driver = driver
        return made

    def _through(self) -> dict[str, Any]:
        self._leave_proxy()
        if not self._proxy:
            return {}
        places = {"%h": "host", "%p": "port", "%r": "username"}
        command = self._proxy
        for mark, option in places.items():
            command = command.replace(mark, str(self._options.get(option, "")))
        self._way = Proxy(command)
        return {"sock": self._way}

    def _leave_proxy(self) -> None:
        """End the proxy's program and wait for its exit."""
        if self._way is not None:
            self._way.process.terminate()
            self._way.process.wait()
            self._way = None


class BashSide:
    """The bash of a klish session as a transport of its own."""

    def __init__(self, klish: KlishTransport) -> None:
        self._klish = klish

    def run(self, command: str, *, stdin: str | None = None, timeout: float = 60.0) -> Reply:
        """Run a line in bash. Raises NoBashError where there is none."""
        return self._klish.bash(command, stdin=stdin, timeout=timeout)

    def reconnect(self) -> None:
        """Drop the connection of both."""
        self._klish.reconnect()


def _packed(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
