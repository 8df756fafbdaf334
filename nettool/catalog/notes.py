"""Findings gathered while files are read, each with its file and line."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from nettool.core.finding import Finding, Report, Severity


@dataclass(frozen=True, slots=True)
class Notes:
    """A growing list of findings, and the place that the next one is about."""

    found: list[Finding] = field(default_factory=list)
    file: str | None = None
    line: int = 1
    column: int = 1

    def at(self, path: Path, line: int = 1, column: int = 1) -> Notes:
        """The same list, at another place."""
        return replace(self, file=str(path), line=line, column=column)

    def error(self, rule: str, message: str, hint: str) -> None:
        """Note what makes the data unusable."""
        self._note(Severity.ERROR, rule, message, hint)

    def warning(self, rule: str, message: str, hint: str) -> None:
        """Note what deserves a look."""
        self._note(Severity.WARNING, rule, message, hint)

    def info(self, rule: str, message: str, hint: str) -> None:
        """Note what the reader should know."""
        self._note(Severity.INFO, rule, message, hint)

    @property
    def report(self) -> Report:
        """All of them, in order."""
        return Report.of(self.found)

    def _note(self, severity: Severity, rule: str, message: str, hint: str) -> None:
        self.found.append(
            Finding(
                rule=rule,
                severity=severity,
                message=message,
                hint=hint,
                file=self.file,
                line=self.line if self.file else None,
                column=self.column if self.file else None,
            )
        )
