"""From `fabric.yaml` to a FabricIntent, with every error located and all of them at once."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from nettool.core.errors import FindingsError, UsageError
from nettool.core.finding import Finding, Report, Severity
from nettool.core.model import problem_of
from nettool.core.resources import shipped
from nettool.core.source import KeyPath, SourceMap, load_yaml
from nettool.intent.intent import FabricIntent, without_own_keys

FILE_NAME = "fabric.yaml"
_MEANT = ("name", "model")
"""Keys that a bare word is taken to stand for."""


def find_fabric(name: str) -> Path:
    """The file of a fabric given as a folder, a file, or a name under `inventories/`.

    Raises UsageError where there is none, naming what was looked for.
    """
    given = Path(name)
    candidates = [given / FILE_NAME, given] if given.suffix else [given / FILE_NAME]
    bases = (Path("inventories"), shipped("inventories"))
    candidates += [base / name / FILE_NAME for base in bases]
    for candidate in candidates:
        if candidate.is_file() or (candidate.name == FILE_NAME and candidate.exists()):
            return candidate
    known = sorted(each.parent.name for each in shipped("inventories").glob(f"*/{FILE_NAME}"))
    raise UsageError(
        f"no fabric {name!r}: looked for {', '.join(dict.fromkeys(map(str, candidates)))}; "
        f"shipped fabrics: {', '.join(known)}"
    )


def load_intent(path: Path) -> tuple[FabricIntent, SourceMap]:
    """The intent of one `fabric.yaml`, with the places of its keys.

    Raises FindingsError with every error of the file, UsageError where it cannot be read.
    """
    source = load_yaml(path)
    data = without_own_keys(source.data)
    if not isinstance(data, dict):
        raise FindingsError(
            Report.of([_finding("INT003", "the file must hold keys and values", (), source.map)])
        )
    try:
        return FabricIntent.model_validate(data), source.map
    except ValidationError as exc:
        raise FindingsError(Report.of(_located(exc, source.map))) from exc


def located(report: Report, places: SourceMap) -> Report:
    """The report with findings that name a key path of the intent given their file and line.

    Such findings have table `fabric.yaml` and a key such as `networks.compute.nic.model`.
    """

    def place(finding: Finding) -> Finding:
        if finding.table != FILE_NAME or finding.line is not None:
            return finding
        path = tuple(
            int(part) if part.isdigit() else part for part in (finding.key or "").split(".") if part
        )
        where = places.place(path)
        values = {name: getattr(finding, name) for name in Finding.__slots__}
        return Finding(**{**values, "file": where.file, "line": where.line, "column": where.column})

    return Report.of(map(place, report.findings), **report.summary)


def _located(exc: ValidationError, places: SourceMap) -> Iterator[Finding]:
    grouped: dict[KeyPath, list[ErrorDetails]] = {}
    for error in exc.errors(include_url=False):
        grouped.setdefault(_path(error, places), []).append(error)
    for path, errors in grouped.items():
        yield _translate(path, errors, places)


def _path(error: ErrorDetails, places: SourceMap) -> KeyPath:
    """The part of a pydantic location that the file has, plus the key that is missing."""
    path: KeyPath = ()
    for part in error["loc"]:
        if (*path, part) not in places.values and (*path, str(part)) not in places.values:
            break
        path = (*path, part)
    return (*path, error["loc"][-1]) if error["type"] == "missing" else path


def _translate(path: KeyPath, errors: list[ErrorDetails], places: SourceMap) -> Finding:
    kinds = {each["type"] for each in errors}
    if kinds == {"extra_forbidden"}:
        return _unknown_key(path, places)
    if kinds == {"missing"}:
        name = ".".join(map(str, path))
        message = f"{name} is missing: {_description(path)}"
        return _finding("INT002", message, path[:-1], places, "add the key here")
    if kinds == {"model_type"}:
        return _no_mapping(path, errors[0]["input"], places)
    problem = " or ".join(dict.fromkeys(problem_of(each) for each in errors))
    name = ".".join(map(str, path)) or "the file"
    return _finding(
        "INT003", f"{name}: {problem}; given {errors[0]['input']!r:.60}", path, places,
        _description(path) or None,
    )  # fmt: skip


def _no_mapping(path: KeyPath, given: object, places: SourceMap) -> Finding:
    """A bare value where keys belong, with the key that it is most likely meant for."""
    keys, name = list(_properties(path)), ".".join(map(str, path)) or "the file"
    meant = next((each for each in _MEANT if each in keys), None)
    should = f"should be keys and values ({', '.join(keys)})"
    if path and meant and isinstance(given, str):
        should = f"should be keys and values: `{path[-1]}: {{{meant}: {given}}}`"
    message = f"{name}: {should}; given {given!r:.60}"
    return _finding("INT003", message, path, places, _description(path) or None)


def _unknown_key(path: KeyPath, places: SourceMap) -> Finding:
    known = sorted(_properties(path[:-1]))
    close = get_close_matches(str(path[-1]), known, n=1, cutoff=0.5)
    where = ".".join(map(str, path[:-1])) or "the top level"
    hint = (
        f"did you mean {close[0]!r}?" if close else f"known keys of {where}: {', '.join(known)}."
    ) + " Keys that begin with x- are your own."
    where_at = places.place(path, key=True)
    return Finding(
        rule="INT001", severity=Severity.ERROR, message=f"unknown key {path[-1]!r} in {where}",
        hint=hint, file=where_at.file, line=where_at.line, column=where_at.column,
        table=FILE_NAME, key=".".join(map(str, path)),
    )  # fmt: skip


def _finding(
    rule: str, message: str, path: KeyPath, places: SourceMap, hint: str | None = None
) -> Finding:
    where = places.place(path)
    return Finding(
        rule=rule, severity=Severity.ERROR, message=message, hint=hint, file=where.file,
        line=where.line, column=where.column, table=FILE_NAME, key=".".join(map(str, path)),
    )  # fmt: skip


@cache
def fabric_schema() -> dict[str, Any]:
    """The JSON Schema of the fabric file, from the same models that validate it."""
    schema = FabricIntent.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "nettool fabric"
    for each in (schema, *schema["$defs"].values()):
        if each.get("type") == "object" and "properties" in each:
            each["patternProperties"] = {"^x-": {"description": "your own data"}}
    return schema


def _properties(path: KeyPath) -> dict[str, Any]:
    node = _schema_at(path)
    properties = node.get("properties", {})
    return properties if isinstance(properties, dict) else {}


def _description(path: KeyPath) -> str:
    if not path:
        return ""
    return str(_properties(path[:-1]).get(str(path[-1]), {}).get("description", ""))


def _schema_at(path: KeyPath) -> dict[str, Any]:
    schema = fabric_schema()
    node: dict[str, Any] = schema
    for part in path:
        inner = node.get("properties", {}).get(part) or node.get("items", {})
        if not isinstance(part, int):
            for group in ("patternProperties", "additionalProperties"):
                inner = inner or _only(node.get(group))
        node = _resolve(inner, schema["$defs"])
    return node


def _only(group: object) -> dict[str, Any]:
    """The schema of a map's values: additionalProperties itself, or its one pattern's."""
    if not isinstance(group, dict):
        return {}
    values = [each for pattern, each in group.items() if pattern.startswith("^[")]
    return values[0] if values else group


def _resolve(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    for choice in (node, *node.get("anyOf", ())):
        reference = choice.get("$ref")
        if reference:
            found: dict[str, Any] = definitions[reference.rsplit("/", 1)[-1]]
            return found
    return node
