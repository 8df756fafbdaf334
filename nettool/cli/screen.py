"""The only place that prints: results to stdout, progress and problems to stderr."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from nettool.core.cells import is_number, shown
from nettool.core.errors import UsageError
from nettool.core.finding import Finding, Report, Severity
from nettool.core.told import json_text
from nettool.report.alike import grouped

_COLORS = {"error": "31;1", "warning": "33", "info": "36", "good": "32", "dim": "2", "bold": "1"}
_MAX_TEXT_FINDINGS = 500
_COLOR = re.compile(r"\033\[[0-9;]*m")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What a terminal would act upon; a file, a switch or a name may hold it."""


def open_streams() -> None:
    """Let no text fail: characters the terminal lacks become `?`, a closed stream takes nothing."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - for good
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


class Screen:
    """Where a verb says things. Colour only on a terminal, and never under NO_COLOR."""

    def __init__(self) -> None:
        self.format = "text"
        self.verbose = 0
        self._plain = bool(os.environ.get("NO_COLOR"))
        self._has_said = False

    def configure(self, arguments: argparse.Namespace) -> None:
        """Take the shared flags."""
        self.format = arguments.format
        self.verbose = arguments.verbose
        self._plain = self._plain or arguments.no_color

    @property
    def is_json(self) -> bool:
        """True where results are for a program."""
        return self.format == "json"

    def text(self, text: str) -> None:
        """A result as text, to stdout."""
        self._has_said = True
        text = self._harmless(text, sys.stdout)
        _out(text if text.endswith("\n") else text + "\n")

    def json(self, value: object) -> None:
        """A result as JSON, to stdout."""
        _out(json_text(value))

    def progress(self, text: str) -> None:
        """A line of progress, to stderr."""
        _err(self._harmless(text, sys.stderr) + "\n")

    def problem(self, text: str) -> None:
        """What is wrong, to stderr."""
        said = self._harmless(text, sys.stderr)
        _err(f"{self.paint('error', 'nettool:', sys.stderr)} {said}\n")

    def bug(self, exc: BaseException, *, verbose: bool) -> None:
        """An error of ours: one line, and the trace where asked for."""
        self.problem(
            f"internal error ({type(exc).__name__}: {exc}): a bug of nettool; -v shows where"
        )
        if verbose:
            traceback.print_exception(exc)

    def paint(self, style: str, text: str, stream: Any = None) -> str:
        """The text in a style, where the stream is a terminal."""
        if not self._is_painted(stream or sys.stdout):
            return text
        return f"\033[{_COLORS[style]}m{text}\033[0m"

    def _is_painted(self, stream: Any) -> bool:
        return not self._plain and bool(stream.isatty())

    def _harmless(self, text: str, stream: Any) -> str:
        """The text with control characters as people write them; colours stay where we paint."""
        if not _CONTROL.search(text):
            return text
        kept = _COLOR.findall(text) if self._is_painted(stream) else []
        parts = _COLOR.split(text) if kept else [text]
        plain = [_CONTROL.sub(lambda each: f"\\x{ord(each[0]):02x}", part) for part in parts]
        return "".join(part + color for part, color in zip(plain, [*kept, ""], strict=True))

    def table(self, head: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
        """A table in plain aligned columns, numbers to the right, a blank line above it.

        Without rows its title alone is said.
        """
        cells = list(rows)
        told = self.aligned(head, cells, title) if cells else self.paint("bold", title)
        if told:
            self.text("\n" * self._has_said + told)

    def aligned(
        self, head: Sequence[str], rows: Iterable[Sequence[object]], title: str = ""
    ) -> str:
        """The text of a table."""
        cells = [[shown(each) for each in row] for row in rows]
        right = [bool(cells) and all(is_number(row[n]) for row in cells) for n in range(len(head))]
        widths = [max(len(row[n]) for row in [list(head), *cells]) for n in range(len(head))]

        def line(row: Sequence[str]) -> str:
            padded = [
                text.rjust(width) if to_right else text.ljust(width)
                for text, width, to_right in zip(row, widths, right, strict=True)
            ]
            return "  ".join(padded).rstrip()

        rule = "  ".join("─" * width for width in widths)
        lines = [self.paint("bold", title)] if title else []
        lines += [self.paint("bold", line(head)), self.paint("dim", rule), *map(line, cells)]
        return "\n".join(lines) + "\n"

    def report(self, report: Report, *, formatted: str | None = None) -> None:
        """Findings in the chosen form."""
        form = formatted or self.format
        if form == "json":
            self.json(report.as_json())
        elif form in {"sarif", "junit"}:
            from nettool.config.validate.reports import render_report  # noqa: PLC0415 - seldom used

            self.text(render_report(report, form))
        else:
            self.text(self.findings(report))

    def findings(self, report: Report) -> str:
        """Findings as text, the worst last, and a line that counts them.

        What is alike is shown once with its number and the next places; -v shows each.
        """
        every = list(grouped(report, every=bool(self.verbose), crowds=True))
        listed = every[-_MAX_TEXT_FINDINGS:]
        lines = [self._finding(each.finding, each.others) for each in listed]
        if len(every) > len(listed):
            lines.insert(0, f"{len(every) - len(listed)} more are left out (--format json has all)")
        counts = [f"{report.count(each)} {each}{_s(report.count(each), each)}" for each in Severity]
        style = "error" if report.has_errors else "good"
        lines.append(self.paint(style, ", ".join(counts)))
        lines.extend(_not_checked(report))
        return "\n".join(lines)

    def _finding(self, finding: Finding, others: str) -> str:
        place = ":".join(str(n) for n in (finding.file, finding.line, finding.column) if n)
        row = "|".join(filter(None, (finding.table, finding.key, finding.field)))
        row = "" if finding.line and finding.table == "fabric.yaml" else row
        where = _in_a_line(" ".join(filter(None, (place, finding.device, row))))
        head = self.paint(str(finding.severity), f"{finding.severity} {finding.rule}")
        alike = f" ({others}; -v shows each)" if others else ""
        hint = f"\n    → {_in_a_line(finding.hint)}" if finding.hint else ""
        said = f"{head} {_in_a_line(finding.message)}{alike}{hint}"
        return f"{where}: {said}" if where else said


def _in_a_line(text: str) -> str:
    """Names and places may hold a line break; a finding is one line and its hint another."""
    return text.replace("\n", "\\n")


def _not_checked(report: Report) -> Iterator[str]:
    """A line for each option or entry that rules which could not run would need."""
    lacking: dict[str, dict[str, list[str]]] = {}
    skipped = report.summary.get("not_checked")
    for rule, need in skipped.items() if isinstance(skipped, dict) else ():
        whole, _, part = need.partition(" with its ")
        lacking.setdefault(whole, {}).setdefault(part, []).append(rule)
    for whole, parts in lacking.items():
        said = (f"{', '.join(rules)}{part and f' ({part})'}" for part, rules in parts.items())
        yield f"not checked without {whole}: {'; '.join(said)}"


def silence(stream: Any) -> None:
    """Nobody reads it any more: what is still to be said there goes nowhere.

    The verb goes on, for its exit code is a verdict, and a push is not to be cut by a pager.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _err(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except BrokenPipeError:
        silence(sys.stderr)


def _out(text: str) -> None:
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as exc:
        raise UsageError(f"the output could not be written: {exc.strerror}") from exc


def _s(count: int, severity: Severity) -> str:
    return "" if count == 1 or severity is Severity.INFO else "s"
