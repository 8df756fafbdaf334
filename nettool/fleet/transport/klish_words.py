"""What went wrong in a klish session, in the switch's own words or in ours.

netmiko's are for programmers, and what it waited for may hold a secret that was typed. A secret is
masked in a command and in what answers that command; everything else is prose, and stays.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any

from netmiko.exceptions import NetmikoAuthenticationException, NetmikoBaseException, ReadTimeout
from paramiko import (  # type: ignore[import-untyped]  # it has no types
    BadHostKeyException,
    SSHException,
)

from nettool.config.diff.masking import masked_answer, masked_line

_SHOWN = 200
_COMMAND = 60
_REFUSAL = re.compile(r"command: (.*?)(?:, matched error: (.*))?", re.DOTALL)
_ERRNO = re.compile(r"^\[Errno [^]]*\] ")
_SSH_PORT = 22


def refused(exc: Exception) -> str:
    """Which line was refused, and the switch's own line about it."""
    found = _REFUSAL.fullmatch(str(exc).partition("at ")[2])
    if found is None:
        return short(str(exc))
    line, answer = found[1].strip(), found[2] or ""
    said = f": {masked_answer(line, short(answer))}" if answer else ""
    return f"`{masked_line(line)}` was refused{said}"


def lost(exc: Exception, line: str, seconds: float, *, in_bash: bool) -> str:
    """Why a line got no answer."""
    at = repr(short(masked_line(line), _COMMAND))
    if isinstance(exc, ReadTimeout):
        return f"its {'bash' if in_bash else 'klish'} did not answer within {seconds:g} s to {at}"
    if isinstance(exc, NetmikoBaseException):  # it may repeat what was typed, in other letters
        return f"lost at {at}: the session broke ({type(exc).__name__})"
    return f"lost at {at}: {masked_answer(line, short(str(exc)))}"


def cannot_connect(exc: Exception, options: Mapping[str, Any]) -> str:
    """Why there is no session, by netmiko's options; with what to do where the key is another."""
    inner = exc.__context__ if isinstance(exc, SSHException) else None
    cause = inner if isinstance(inner, (OSError, SSHException)) else exc
    if isinstance(cause, BadHostKeyException):
        return f"cannot connect: {_another_key(options)}"
    if isinstance(exc, ReadTimeout):
        return "cannot connect: its login led to no prompt of klish (sonic-cli)"
    said = short(_ERRNO.sub("", str(cause)))
    if isinstance(exc, NetmikoAuthenticationException):
        said = f"the login of {options.get('username') or 'nobody'} was refused: {said}"
    return f"cannot connect: {said}"


def short(text: str, letters: int = _SHOWN) -> str:
    """Its words in one line."""
    words = " ".join(text.split())
    return words[:letters] if words else "no message"


def _another_key(options: Mapping[str, Any]) -> str:
    host, port = str(options.get("host")), int(options.get("port") or _SSH_PORT)
    where = shlex.quote(host if port == _SSH_PORT else f"[{host}]:{port}")
    known = str(options.get("alt_key_file") or "~/.ssh/known_hosts")
    return (
        f"host key of {host} does not match the one in {known}: where the switch was replaced or "
        f"installed anew, `ssh-keygen -R {where} -f {known}` and take its new key"
    )
