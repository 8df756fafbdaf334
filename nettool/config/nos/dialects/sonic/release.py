"""What a SONiC release has: tables, fields and their spellings, as data with its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from nettool.core.provenance import Provenance, Traced, Trust

_DATA = Path(__file__).parent / "data"
View = dict[str, dict[str, dict[str, Any]]]
"""Tables, rows and fields of one template; a value is a str, None or a list of str."""


@dataclass(frozen=True, slots=True)
class Release:
    """One release: `lacks` are paths (TABLE, TABLE|key, TABLE||field) that it does not have."""

    name: str
    source: str
    lacks: Mapping[str, str]

    def trim(self, view: View) -> View:
        """The view without what this release lacks: tables emptied, rows gone, fields None."""
        for path in self.lacks:
            table, key, field = _split(path)
            rows = view.get(table)
            if rows is None:
                continue
            if field:
                view[table] = {name: {**row, field: None} for name, row in rows.items()}
            elif key:
                view[table] = {name: row for name, row in rows.items() if name != key}
            else:
                view[table] = {}
        return view

    def notes(self, view: View) -> list[str]:
        """What of an untrimmed view this release lacks, in words for the user."""
        return [
            f"not emitted, {self.name} has no {path.replace('||', ' field ')}: {why}"
            for path, why in self.lacks.items()
            if _says(view, *_split(path))
        ]


@lru_cache
def releases() -> dict[str, Release]:
    """The known releases, oldest first."""
    data = yaml.safe_load((_DATA / "releases.yaml").read_text(encoding="utf-8"))
    lacks = data["lacks"]
    return {
        name: Release(
            name,
            f"sonic-buildimage {given['commit']} (branch {given['branch']}) {data['models']}",
            {path: row["why"] for path, row in lacks.items() if name in row["releases"]},
        )
        for name, given in data["releases"].items()
    }


class Defaults:
    """Values that no plan decides: SONiC's own defaults and our choices, each with its source."""

    def __init__(self, rows: Mapping[str, Mapping[str, str]]) -> None:
        self._values = {path: _traced(row) for path, row in rows.items()}

    def __getitem__(self, path: str) -> Traced:
        return self._values[path]

    def row(self, path: str) -> dict[str, Traced]:
        """All values under `path`, by their last part."""
        start = path + "|"
        return {k[len(start) :]: v for k, v in self._values.items() if k.startswith(start)}


@lru_cache
def defaults() -> Defaults:
    """The values of data/defaults.yaml."""
    return Defaults(yaml.safe_load((_DATA / "defaults.yaml").read_text(encoding="utf-8")))


def _traced(row: Mapping[str, str]) -> Traced:
    why = Provenance(row["why"], source=row["source"], trust=Trust(row.get("trust", "published")))
    return Traced.of(row["value"], why)


def _split(path: str) -> tuple[str, str, str]:
    table, _, rest = path.partition("|")
    key, _, field = rest.partition("|")
    return table, key, field


def _says(view: View, table: str, key: str, field: str) -> bool:
    rows = view.get(table) or {}
    if field:
        return any(row.get(field) is not None for row in rows.values())
    return key in rows if key else bool(rows)
