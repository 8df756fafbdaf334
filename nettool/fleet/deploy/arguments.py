"""Arguments of a task as people type them: `-e nettool_confirm=10m` is text to Ansible."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from nettool.core.errors import UsageError

CONSENTS = ("reload",)
_TIME = re.compile(r"(\d{1,7}(?:\.\d{1,6})?)\s*([smh]?)")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}
_FLAGS = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}


def seconds_of(args: Mapping[str, Any], name: str, default: float) -> float:
    """A time in seconds: 600, 90s, 10m or 1h; `default` where it is empty. Raises UsageError."""
    value = args.get(name)
    if value is None or value == "":
        return default
    found = _TIME.fullmatch(str(value).strip().lower())
    if found is None or isinstance(value, bool):
        raise UsageError(f"{name} is a time such as 600 (seconds), 90s, 10m or 1h, not {value!r}")
    return float(found[1]) * _UNITS[found[2]]


def flag_of(args: Mapping[str, Any], name: str, *, default: bool = False) -> bool:
    """Yes or no in any of Ansible's spellings; `default` where it is empty. Raises UsageError."""
    value = args.get(name)
    if value is None or value == "":
        return default
    found = _FLAGS.get(str(value).strip().lower())
    if found is None:
        raise UsageError(f"{name} is true or false, not {value!r}")
    return found


def consents_of(args: Mapping[str, Any]) -> frozenset[str]:
    """What is consented to: a list, or text with commas. Raises UsageError for unknown words."""
    given = args.get("consent") or ()
    words = given.split(",") if isinstance(given, str) else map(str, given)
    found = frozenset(filter(None, (each.strip(" []'\"") for each in words)))
    if unknown := sorted(found.difference(CONSENTS)):
        raise UsageError(f"consent is {', '.join(CONSENTS)} or nothing, not {unknown[0]!r}")
    return found
