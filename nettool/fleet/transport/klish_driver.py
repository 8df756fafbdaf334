"""netmiko's driver for klish, mended, and a proxy's program as its socket.

netmiko 4.8.0 sets the driver's mode after it has connected, so its `asterfusion_asternos` cannot
connect as shipped; the subclass here sets it first.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Protocol

from netmiko.asterfusion.asterfusion import AsterfusionAsterNOSSSH
from netmiko.exceptions import (
    NetmikoAuthenticationException,
    NetmikoBaseException,
    NetmikoTimeoutException,
    ReadException,
)
from paramiko import ProxyCommand, Transport  # type: ignore[import-untyped]  # it has no types

KLISH = r"[>#]\s*$"
"""A prompt of klish."""
LOST = (
    NetmikoBaseException,
    NetmikoTimeoutException,
    NetmikoAuthenticationException,
    ReadException,
    OSError,
    EOFError,
)
"""How netmiko says that a session is gone."""


class Driver(Protocol):
    """What is used of netmiko: a line, and what it shows up to a pattern."""

    def send_command(
        self,
        command_string: str,
        expect_string: str,
        *,
        read_timeout: float,
        cmd_verify: bool,
        strip_prompt: bool,
    ) -> Any:
        """Send a line and read until the pattern."""
        ...

    def send_config_set(
        self,
        config_commands: Sequence[str],
        *,
        read_timeout: float,
        enter_config_mode: bool,
        exit_config_mode: bool,
        error_pattern: str,
    ) -> str:
        """Send lines one after the other; ConfigInvalidException at the first that is refused."""
        ...

    def paramiko_cleanup(self) -> None:
        """Drop the connection."""
        ...


class KlishDriver(AsterfusionAsterNOSSSH):
    """netmiko's driver with its mode set before it connects, and in step once it has."""

    def __init__(self, _cli_mode: str = "klish", **options: Any) -> None:
        self._cli_mode = _cli_mode
        super().__init__(_cli_mode=_cli_mode, **options)

    def session_preparation(self) -> None:
        """As netmiko's own, but waits for each prompt: the next line would take it for its own."""
        self._test_channel_read(pattern=self.prompt_pattern)
        self.set_base_prompt(alt_prompt_terminator="$")
        self._enter_shell()
        self._send_command_str("terminal raw-output", expect_string=KLISH)


class Proxy(ProxyCommand):  # type: ignore[misc]  # paramiko has no types
    """paramiko's, that can be closed twice and leaves no pipe open."""

    def close(self) -> None:
        """End the program, if it runs; the connection's own thread comes last."""
        self.process.terminate()
        if isinstance(threading.current_thread(), Transport):
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                pipe.close()
