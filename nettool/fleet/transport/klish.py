"""AsterNOS's klish, which is interactive: netmiko in process, and nowhere else.

netmiko 4.8.0 sets the driver's mode after it has connected, so its `asterfusion_asternos` cannot
connect as shipped; the subclass here sets it first. Configuration goes in as one view with our
own enter and exit, since the driver's mode checks wait seconds for silence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from netmiko.asterfusion.asterfusion import AsterfusionAsterNOSSSH
from netmiko.exceptions import (
    ConfigInvalidException,
    NetmikoBaseException,
    NetmikoTimeoutException,
    ReadException,
)

from nettool.core.errors import DeviceError, NettoolError
from nettool.fleet.transport.transport import Reply

REFUSED = r"%\s*Error|%\s*Invalid|%\s*Incomplete|%\s*Ambiguous|Syntax error|Unrecognized command"
_PROMPT = r"[>#]\s*$"


class LineRefusedError(NettoolError):
    """The switch refused a line of configuration; those before it are in force."""

    exit_code = 1


class KlishDriver(AsterfusionAsterNOSSSH):
    """netmiko's driver with its mode set before it connects."""

    def __init__(self, _cli_mode: str = "klish", **options: Any) -> None:
        self._cli_mode = _cli_mode
        super().__init__(_cli_mode=_cli_mode, **options)


class KlishTransport:
    """One AsterNOS switch in its klish. Connects on first use; host keys are checked.

    `options` are netmiko's: host, port, username, password or key_file, sock, and
    alt_key_file for known hosts.
    """

    def __init__(self, host: str, **options: Any) -> None:
        self._host = host
        self._options = {
            "host": host,
            "device_type": "asterfusion_asternos",
            "ssh_strict": True,
            "system_host_keys": True,
            "fast_cli": True,
            **options,
        }
        self._driver: KlishDriver | None = None

    def run(self, command: str, *, stdin: str | None = None, timeout: float = 60.0) -> Reply:
        """Run one line; status 1 where the switch answers with an error. Nothing can be fed in."""
        if stdin is not None:
            raise ValueError("klish takes no standard input")
        try:
            text = self._connected().send_command(
                command, expect_string=_PROMPT, read_timeout=timeout
            )
        except (NetmikoBaseException, NetmikoTimeoutException, ReadException, OSError) as exc:
            raise self._lost(exc, command) from exc
        answer = str(text)
        return Reply(1 if re.search(REFUSED, answer) else 0, answer)

    def configure(self, lines: Sequence[str], timeout: float = 60.0) -> None:
        """Enter lines of configuration in order. Raises LineRefusedError at the first refused."""
        entered = ["configure terminal", *lines, "end"]
        try:
            self._connected().send_config_set(
                entered,
                enter_config_mode=False,
                exit_config_mode=False,
                error_pattern=REFUSED,
                read_timeout=timeout,
            )
        except ConfigInvalidException as exc:
            raise LineRefusedError(f"{self._host}: {_said(str(exc))}") from exc
        except (NetmikoBaseException, ReadException, OSError) as exc:
            raise self._lost(exc, "configure terminal") from exc

    def save(self, timeout: float = 60.0) -> None:
        """Write the running configuration to where a restart reads it."""
        driver = self._connected()
        try:
            asked = driver.send_command(
                "write", expect_string=rf"\[y/N\]|y/n|{_PROMPT}", read_timeout=timeout
            )
            if re.search(r"y/n", str(asked), re.IGNORECASE):
                driver.send_command("y", expect_string=_PROMPT, read_timeout=timeout)
        except (NetmikoBaseException, ReadException, OSError) as exc:
            raise self._lost(exc, "write") from exc

    def reconnect(self) -> None:
        """Drop the connection; the next line opens another."""
        if self._driver is not None:
            with suppress(EOFError, OSError):  # the switch may have gone: nothing is left to close
                self._driver.paramiko_cleanup()
            self._driver = None

    def _connected(self) -> KlishDriver:
        if self._driver is None:
            driver = KlishDriver(auto_connect=False, **self._options)
            try:
                driver._open()  # netmiko's own call, apart so that a failure is closed
            except (NetmikoBaseException, ReadException, OSError) as exc:
                driver.paramiko_cleanup()
                raise self._lost(exc, "sonic-cli") from exc
            self._driver = driver
        return self._driver

    def _lost(self, exc: Exception, command: str) -> DeviceError:
        self._driver = None
        return DeviceError(f"{self._host}: lost at {command[:40]!r}: {_said(str(exc))}")


def _said(text: str) -> str:
    words = " ".join(text.split())
    return words[:200] if words else "no message"
