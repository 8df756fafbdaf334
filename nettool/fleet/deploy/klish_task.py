"""A task for an AsterNOS switch: from the options of Ansible's connection to a klish session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nettool.core.errors import NettoolError
from nettool.fleet.deploy.klish_switch import STARTUP
from nettool.fleet.deploy.outcome import Outcome, Result
from nettool.fleet.deploy.task import run_task, told
from nettool.fleet.deploy.ways import KlishWays
from nettool.fleet.transport.klish import KlishTransport
from nettool.fleet.transport.openssh import netmiko_options


def run_klish_task(
    args: Mapping[str, Any], host: str, options: Mapping[str, Any], *, check: bool
) -> dict[str, Any]:
    """Run one task over klish. `startup` names the file that `write` writes there."""
    given = dict(args)
    startup = str(given.pop("startup", "") or STARTUP)
    try:
        klish = KlishTransport(name=host, **netmiko_options(options))
    except NettoolError as exc:
        return told(Result(host, Outcome.FAILED, str(exc)))
    try:
        return run_task(given, host, KlishWays(klish, startup), check=check)
    finally:
        klish.reconnect()
