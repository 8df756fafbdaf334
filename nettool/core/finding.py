"""What is wrong, where, and what to do: the one shape every check reports in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from nettool.core.order import cell_order, natural

SCHEMA_VERSION = 1


class Severity(StrEnum):
    """error breaks or silently drops; warning deserves a look; info is a note."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong. `message` gives expected and actual; `hint` what to do.

    `file`, `line`, `column` (from 1) place it in a user's file; `device`, `table`, `key`,
    `field` in a configuration. What does not apply is None.
    """

    rule: str
    severity: Severity
    message: str
    hint: str | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    device: str | None = None
    table: str | None = None
    key: str | None = None
    field: str | None = None

    @property
    def order(self) -> tuple[object, ...]:
        """The stable order of a report: file, line, device, table, key, field, rule.

        The cells of a sheet go by row, then column; names of switches and rows sort naturally.
        """
        cell = cell_order(self.key) if self.key and self.table is None else None
        return (
            self.file or "",
            self.line or 0,
            self.column or 0,
            cell or (),
            natural(self.device or ""),
            self.table or "",
            natural(self.key or ""),
            self.field or "",
            _RANK[self.severity],
            self.rule,
            self.message,
        )


@dataclass(frozen=True, slots=True)
class Report:
    """Findings in a stable order, with what was looked at (`summary`)."""

    findings: tuple[Finding, ...] = ()
    summary: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, findings: Iterable[Finding], **summary: object) -> Report:
        """A report with its findings sorted and equal ones given once."""
        return cls(tuple(sorted(set(findings), key=lambda each: each.order)), summary)

    def __add__(self, other: Report) -> Report:
        return Report.of((*self.findings, *other.findings), **{**self.summary, **other.summary})

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(each.severity is severity for each in self.findings)

    def count_errors(self) -> int:
        """How many findings are errors."""
        return self.count(Severity.ERROR)

    @property
    def has_errors(self) -> bool:
        """True where at least one finding is an error."""
        return self.count_errors() > 0

    def exit_code(self, *, strict: bool = False) -> int:
        """0 fine, 1 errors, 3 warnings only under `strict`."""
        if self.has_errors:
            return 1
        return 3 if strict and self.count(Severity.WARNING) else 0

    def as_json(self) -> dict[str, object]:
        """The contract's JSON form: schema_version, findings, summary."""
        counts = {str(each): self.count(each) for each in Severity}
        return {
            "schema_version": SCHEMA_VERSION,
            "findings": [asdict(each) for each in self.findings],
            "summary": {**counts, **self.summary},
        }
