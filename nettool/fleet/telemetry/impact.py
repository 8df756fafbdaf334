"""What it means for a training job that a switch runs other than intended: the impact of a change.

The table is data, one file a dialect (`data/sonic.yaml`, `data/asternos.yaml`), each entry with
its reason, source and trust; this reads it and finds the entry that fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from pydantic import model_validator

from nettool.config.diff.changeset import Change
from nettool.config.diff.lines import LINE
from nettool.core.finding import Severity
from nettool.core.model import Model
from nettool.core.provenance import Trust
from nettool.core.source import load_yaml

_DATA = Path(__file__).with_name("data")
ROW, ANY = "row", "*"
_NO = "no "


class JobImpact(StrEnum):
    """What a change does to a training job, the worst first."""

    LOSSLESS = "lossless"
    PATHS = "paths"
    MARKING = "marking"
    SHARES = "shares"
    TIMING = "timing"
    MANAGEMENT = "management"
    UNKNOWN = "unknown"
    MONITORING = "monitoring"
    COSMETIC = "cosmetic"

    @property
    def rule(self) -> str:
        """The code of its findings."""
        return _RULES[self]

    @property
    def means(self) -> str:
        """The impact in words that follow a subject: `breaks losslessness`."""
        return _impacts()[self].means


_RULES: Mapping[JobImpact, str] = {
    JobImpact.LOSSLESS: "DRF001",
    JobImpact.PATHS: "DRF002",
    JobImpact.MARKING: "DRF003",
    JobImpact.SHARES: "DRF004",
    JobImpact.TIMING: "DRF005",
    JobImpact.MANAGEMENT: "DRF006",
    JobImpact.UNKNOWN: "DRF007",
    JobImpact.MONITORING: "DRF008",
    JobImpact.COSMETIC: "DRF009",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The impact of one change: how bad it is, why, and on what that rests."""

    impact: JobImpact
    severity: Severity
    why: str
    source: str
    trust: Trust


def judge(change: Change, nos: str) -> Judgement:
    """The impact of a change in the configuration of the dialect `nos` (sonic or asternos)."""
    table = impact_table(nos)
    found = _whole(change, table) or _worst(change, table)
    if found is None:
        what = _named(change) if nos == "sonic" else "this line"
        return Judgement(
            impact=JobImpact.UNKNOWN,
            severity=_impacts()[JobImpact.UNKNOWN].severity,
            why=f"nettool does not know what {what} does to traffic",
            source="no entry in its table of impacts",
            trust=Trust.ASSUMED,
        )
    return Judgement(
        impact=found.impact,
        severity=found.level,
        why=found.why,
        source=table.sources[found.source],
        trust=found.trust,
    )


def _named(change: Change) -> str:
    return " ".join(filter(None, (change.table, change.field)))


def _whole(change: Change, table: ImpactTable) -> Entry | None:
    """The entry that is about a whole row coming or going, where there is one."""
    is_row = change.field is None
    rows = (e for e in table.entries if is_row and change.table in e.tables and ROW in e.fields)
    return next(rows, None)


def _worst(change: Change, table: ImpactTable) -> Entry | None:
    """The entry about a change; of a row that came or went, that of its worst field."""
    entries = (next((e for e in table.entries if e.fits(each)), None) for each in _parts(change))
    return min((each for each in entries if each), key=_rank, default=None)


def _parts(change: Change) -> Iterator[Change]:
    """The fields of a row that came or went as changes of their own; else the change itself."""
    row = change.before if change.after is None else change.after
    if change.field is not None or not isinstance(row, Mapping) or not row:
        yield change
        return
    for name, value in row.items():
        ends = (value, None) if change.after is None else (None, value)
        yield Change(change.kind, change.table, change.key, name, *ends)


def _rank(entry: Entry) -> tuple[int, int]:
    """The worst first: by level, then by impact."""
    return list(Severity).index(entry.level), list(JobImpact).index(entry.impact)


class Entry(Model):
    """One line of a table of impacts: which changes it is about, and what they do."""

    impact: JobImpact
    why: str
    source: str
    trust: Trust
    severity: Severity | None = None
    tables: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    intended: str | None = None
    view: str = ""
    line: str = ""

    @property
    def level(self) -> Severity:
        """How bad it is: its own word, else its impact's."""
        return self.severity or _impacts()[self.impact].severity

    def fits(self, change: Change) -> bool:
        """Whether a change of a field, or of a line, is one of those it is about."""
        return self._fits_row(change) if self.tables else self._fits_line(change)

    def _fits_row(self, change: Change) -> bool:
        if change.table not in self.tables or (self.keys and change.key not in self.keys):
            return False
        if self.intended is not None and str(change.after) != self.intended:
            return False
        return ANY in self.fields or change.field in self.fields

    def _fits_line(self, change: Change) -> bool:
        line = str(change.after or change.before) if change.field == LINE else change.key
        return bool(
            re.match(self.view, change.table) and re.match(self.line, line.removeprefix(_NO))
        )


class ImpactTable(Model):
    """One dialect's table: where its reasons stand, and its entries, the first that fits wins."""

    sources: dict[str, str]
    entries: tuple[Entry, ...]

    @model_validator(mode="after")
    def _every_source_is_named(self) -> ImpactTable:
        if unknown := {each.source for each in self.entries} - set(self.sources):
            raise ValueError(f"sources without a name: {', '.join(sorted(unknown))}")
        return self


class _Meaning(Model):
    severity: Severity
    means: str


@cache
def impact_table(nos: str) -> ImpactTable:
    """The table of one dialect, read once."""
    return ImpactTable.model_validate(load_yaml(_DATA / f"{nos}.yaml").data)


@cache
def _impacts() -> dict[JobImpact, _Meaning]:
    rows = load_yaml(_DATA / "impacts.yaml").data
    return {JobImpact(name): _Meaning.model_validate(row) for name, row in rows.items()}
