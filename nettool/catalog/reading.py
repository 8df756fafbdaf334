"""Reading one catalog file: everything that is wrong with it at once, by file and line."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from nettool.catalog.entry import Entry
from nettool.catalog.soundness import faults
from nettool.core.errors import FindingsError
from nettool.core.finding import Report
from nettool.core.located import Located
from nettool.core.source import SourceMap, load_yaml

M = TypeVar("M", bound=Entry)


def read_entry(path: Path, model: type[M]) -> M:
    """The thing that a catalog file describes. Raises FindingsError with every fault of it."""
    source = load_yaml(path)
    try:
        entry = model.model_validate(source.data)
    except ValidationError as exc:
        raise FindingsError(Report.of(_unreadable(source.map).each(exc))) from exc
    if entry.name != path.stem:
        said = f"the file is {path.name}, the name in it is {entry.name}"
        raise FindingsError(Report.of([_misnamed(source.map).said(said, ("name",))]))
    unsound = _unsound(source.map)
    found = [unsound.at(path, text) for path, text in faults(entry)]
    if found:
        raise FindingsError(Report.of(found))
    return entry


def _unreadable(places: SourceMap) -> Located:
    return Located(
        places, "CAT001", "write the entry as the shipped ones of the same kind are written"
    )


def _misnamed(places: SourceMap) -> Located:
    return Located(
        places,
        "CAT002",
        "give both the same name: the catalog finds things by the name of their file",
    )


def _unsound(places: SourceMap) -> Located:
    return Located(
        places, "CAT003", "every cage needs its own number, port and lanes, and modes that fit them"
    )
