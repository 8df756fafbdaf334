"""Findings that the user has looked at and accepts: by rule and place, each with its reason.

    - {rule: PRT004, key: "Ethernet5*", reason: "links to the old core run without FEC"}
    - {rule: SEC001, file: "lab/*.json", table: SNMP_COMMUNITY, reason: "lab only"}

`rule` and `reason` are needed; file, device, table, key and field are patterns (`*`, `?`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from nettool.config.validate.rule import RULES
from nettool.core.errors import UsageError
from nettool.core.finding import Finding, Severity
from nettool.core.source import load_yaml

_PLACES = ("file", "device", "table", "key", "field")


@dataclass(frozen=True, slots=True)
class Waiver:
    """One accepted finding, or kind of finding. Patterns that are None match anything."""

    rule: str
    reason: str
    places: tuple[tuple[str, str], ...] = ()
    number: int = 0

    def covers(self, finding: Finding) -> bool:
        """True where the finding is of this rule and at this place."""
        return finding.rule == self.rule and all(
            fnmatchcase(getattr(finding, name) or "", pattern) for name, pattern in self.places
        )


@dataclass(frozen=True, slots=True)
class Waived:
    """Findings that stay, those that were waived, and notes on waivers that matched nothing."""

    stay: tuple[Finding, ...]
    waived: tuple[tuple[Finding, Waiver], ...]


def load_waivers(path: Path) -> tuple[Waiver, ...]:
    """A waivers file. Raises UsageError for an unknown rule, key, or a missing reason."""
    rows = load_yaml(path).data
    if isinstance(rows, dict):
        rows = rows.get("waivers")
    if not isinstance(rows, list):
        raise UsageError(f"{path}: a list of waivers is expected: rule, reason and places")
    return tuple(_waiver(row, number, path) for number, row in enumerate(rows, 1))


def _waiver(row: Any, number: int, path: Path) -> Waiver:
    where = f"{path}: waiver {number}"
    if not isinstance(row, dict) or not row.get("rule"):
        raise UsageError(f"{where}: rule is missing")
    if not isinstance(row.get("reason"), str) or not row["reason"].strip():
        raise UsageError(f"{where}: reason is missing: say why this is acceptable")
    unknown = row.keys() - {"rule", "reason", *_PLACES}
    if unknown:
        raise UsageError(f"{where}: unknown key {min(unknown)!r}; known are {', '.join(_PLACES)}")
    if row["rule"] not in RULES:
        raise UsageError(f"{where}: there is no rule {row['rule']!r}")
    places = tuple((name, str(row[name])) for name in _PLACES if row.get(name) is not None)
    return Waiver(str(row["rule"]), row["reason"].strip(), places, number)


def apply(waivers: Iterable[Waiver], findings: Iterable[Finding]) -> Waived:
    """Findings with waived ones taken out. A waiver that covers nothing is a finding itself."""
    given = tuple(waivers)
    used: set[int] = set()
    stay: list[Finding] = []
    waived: list[tuple[Finding, Waiver]] = []
    for finding in findings:
        by = next((each for each in given if each.covers(finding)), None)
        if by is None:
            stay.append(finding)
        else:
            used.add(by.number)
            waived.append((finding, by))
    stay.extend(_idle(each) for each in given if each.number not in used)
    return Waived(tuple(stay), tuple(waived))


def _idle(waiver: Waiver) -> Finding:
    return Finding(
        rule="WAV001",
        severity=Severity.INFO,
        message=f"waiver {waiver.number} ({waiver.rule}: {waiver.reason}) matches no finding",
        hint="remove it",
    )
