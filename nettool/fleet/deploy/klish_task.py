"""A task for an AsterNOS switch: from the options of Ansible's connection to a klish session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nettool.core.errors import NettoolError
from nettool.fleet.deploy.arguments import flag_of
from nettool.fleet.deploy.klish_switch import STARTUP
from nettool.fleet.deploy.outcome import Outcome, Result
from nettool.fleet.deploy.refusals import is_loopback
from nettool.fleet.deploy.task import run_task, told
from nettool.fleet.deploy.ways import KlishWays
from nettool.fleet.transport.klish import KlishTransport
from nettool.fleet.transport.openssh import netmiko_options


def run_klish_task(
    args: Mapping[str, Any], host: str, options: Mapping[str, Any], *, check: bool
) -> dict[str, Any]:
    """Run one task over klish. `startup` names the file that `write` writes there.

    Lines that no page proves take something away where that is allowed, and on loopback.
    """
    given = dict(args)
    startup = str(given.pop("startup", "") or STARTUP)
    try:
        there = netmiko_options(options)
        klish = KlishTransport(name=host, **there)
        allowed = flag_of(given, "allow_unverified") or is_loopback(there["host"])
    except NettoolError as exc:
        return told(Result(host, Outcome.FAILED, str(exc)))
    try:
        ways = KlishWays(klish, startup, allow_unproved=allowed)
        return run_task(given, host, ways, check=check)
    finally:
        klish.reconnect()
