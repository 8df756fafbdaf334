"""Reading one catalog file: everything that is wrong with it at once, by file and line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from nettool.catalog.entry import Entry
from nettool.core.errors import FindingsError
from nettool.core.finding import Finding, Report, Severity
from nettool.core.source import KeyPath, SourceMap, load_yaml

M = TypeVar("M", bound=Entry)


def read_entry(path: Path, model: type[M]) -> M:
    """The thing that a catalog file describes. Raises FindingsError with every fault of it."""
    source = load_yaml(path)
    try:
        entry = model.model_validate(source.data)
    except ValidationError as exc:
        raise FindingsError(Report.of(_findings(exc, source.map))) from exc
    if entry.name != path.stem:
        raise FindingsError(Report.of([_misnamed(entry, path, source.map)]))
    faults = [_fault(path, text, source.map) for path, text in entry.faults()]
    if faults:
        raise FindingsError(Report.of(faults))
    return entry


def _findings(error: ValidationError, places: SourceMap) -> Iterator[Finding]:
    for each in error.errors():
        path = tuple(each["loc"])
        place = places.place(path, key=each["type"] == "extra_forbidden")
        where = ".".join(str(part) for part in path)
        yield Finding(
            rule="CAT001",
            severity=Severity.ERROR,
            message=f"{where}: {each['msg']}",
            hint="write the entry as the shipped ones of the same kind are written",
            file=place.file,
            line=place.line,
            column=place.column,
        )


def _fault(path: KeyPath, text: str, places: SourceMap) -> Finding:
    place = places.place(path)
    return Finding(
        rule="CAT003",
        severity=Severity.ERROR,
        message=f"{'.'.join(map(str, path))}: {text}",
        hint="every cage needs its own number, port and lanes, and modes that fit them",
        file=place.file,
        line=place.line,
        column=place.column,
    )


def _misnamed(entry: Entry, path: Path, places: SourceMap) -> Finding:
    place = places.place(("name",))
    return Finding(
        rule="CAT002",
        severity=Severity.ERROR,
        message=f"the file is {path.name}, the name in it is {entry.name}",
        hint="give both the same name: the catalog finds things by the name of their file",
        file=place.file,
        line=place.line,
        column=place.column,
    )
