"""What is refused: a wrong build, lines that nobody has proved, a reload without consent."""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nettool.config.diff.plan import UpdatePlan
from nettool.core.errors import RefusedError, UsageError

CONFIGS = ("config_db.json", "asternos.cfg")
_SHOWN = 3
"""Reasons that a sentence gives at most."""
_ANOTHER_KEY = re.compile(r"host key|host identification has changed", re.IGNORECASE)


def check_build(build: Path, hosts: Iterable[str]) -> None:
    """Raises UsageError where a device has nothing in the build that could be pushed."""
    if not (build / "devices").is_dir():
        raise UsageError(f"{build} is not a folder of `nettool render` (no devices/)")
    missing = [
        name
        for name in hosts
        if not any((build / "devices" / name / each).is_file() for each in CONFIGS)
    ]
    more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
    if missing and not (build / "devices" / missing[0]).is_dir():
        raise UsageError(
            f"{missing[0]} is in the inventory and not in the fabric that {build} was rendered of: "
            f"take it out of the inventory, or leave it out with --limit 'all:!{missing[0]}'{more}"
        )
    if missing:
        raise UsageError(
            f"{missing[0]} has neither {' nor '.join(CONFIGS)} in {build}: render again, or name "
            f"others with --limit{more}"
        )


def refuse_unverified(
    build: Path, hosts: Mapping[str, Mapping[str, Any]], *, allowed: bool
) -> None:
    """Raises RefusedError where lines nobody has proved on hardware would leave this machine."""
    lines = _unverified(build)
    outside = [
        name
        for name in hosts
        if lines.get(name) and not is_loopback(hosts[name].get("ansible_host"))
    ]
    if outside and not allowed:
        said = dict.fromkeys(line for name in outside for line in lines[name])
        raise RefusedError(
            f"{len(outside)} devices ({', '.join(outside[:3])}) get what nobody has proved on "
            f"hardware: {'; '.join(list(said)[:3])}. Look at it, then --allow-unverified (by a "
            "playbook: nettool_allow_unverified)"
        )


def _unverified(build: Path) -> Mapping[str, Sequence[str]]:
    path = build / "unverified.json"
    if not path.is_file():
        return {}
    try:
        lines: Mapping[str, Sequence[str]] = json.loads(path.read_text())["devices"]
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise UsageError(f"{path}: not what `nettool render` writes ({exc})") from exc
    return lines


def reload_wanted(plan: UpdatePlan) -> str:
    """What `--consent reload` is asked for; empty where nothing of the plan needs a reload."""
    if plan.way == "install":
        why = _few(plan.reasons)
        return f"this needs a config reload, which drops all traffic ({why}): --consent reload"
    if plan.undo_reasons:
        why = _few(plan.undo_reasons)
        return f"the way back would need a config reload ({why}): --consent reload"
    return ""


def by_hand(plan: UpdatePlan) -> str:
    """What somebody has to do before, whatever is consented to; empty where nothing is."""
    return _few(plan.blocked)


def _few(reasons: Sequence[str]) -> str:
    """The first reasons and how many more there are: a switch may have one for each cage."""
    more = len(reasons) - _SHOWN
    left = [f"and {more} more, which `nettool diff --live --plan` shows"] if more > 0 else []
    return "; ".join([*reasons[:_SHOWN], *left])


def is_another_key(message: str) -> bool:
    """Whether a switch was not reached because its host key is not the one that is known.

    In the words of OpenSSH and of paramiko. Such a switch stops itself alone: it may be another
    machine, which says nothing of the rest.
    """
    return _ANOTHER_KEY.search(message) is not None


def is_loopback(address: object) -> bool:
    """Whether an address, as Ansible gives it, never leaves this machine."""
    text = address.get("__ansible_unsafe", "") if isinstance(address, dict) else str(address)
    try:
        return ipaddress.ip_address(text).is_loopback
    except ValueError:
        return text == "localhost"
