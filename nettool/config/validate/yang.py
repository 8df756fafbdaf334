"""CONFIG_DB against SONiC's own YANG models: every violation, at its table, key and field.

The models are a directory that the user names: a checkout's `src/sonic-yang-models` (its
templates are expanded here) or a switch's `/usr/local/yang-models`. They are loaded once a
process, through libyang, with nothing written to disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
import orjson

from nettool.config.nos.artifact import Tables
from nettool.config.validate.yang_rows import Converted, convert
from nettool.config.validate.yang_schema import Statement, TableShape, parse_module, tables_of
from nettool.core.errors import UsageError
from nettool.core.finding import Finding, Report, Severity

_SEGMENT = re.compile(r"/((?:[\w.-]+:)?[\w.-]+)((?:\[[^\]=]+=(?:'[^']*'|\"[^\"]*\")\])*)")
_PREDICATE = re.compile(r"\[([^\]=]+)=(?:'([^']*)'|\"([^\"]*)\")\]")
_MISSING = re.compile(r'Mandatory node "([^"]+)"')
_SUBTYPE = re.compile(r"\n\s*(?:ly2 )?(?=\S)")
_NO_KEY = "List instance is missing its key"
_HINT = "mend the value; the module's text says what it may be"


def check(tables: Tables, models: Path) -> Report:
    """What the models in `models` refuse in `tables`; tables without a model are a note.

    Raises UsageError where the directory holds no usable models or libyang is not installed.
    """
    loaded = load_models(models.resolve())
    converted = convert(tables, loaded.shapes)
    refused = list(_without_echoes(loaded.refused(converted)))
    return Report.of(
        (*converted.findings, *_located(refused, tables, loaded)), yang_modules=loaded.modules
    )


@dataclass(frozen=True)
class Models:
    """Loaded models: libyang's context, and the shapes of their tables."""

    context: Any
    shapes: Mapping[str, TableShape]
    modules: int

    def refused(self, converted: Converted, *, alone: bool = False) -> Iterator[Finding]:
        """What libyang finds in the converted rows; `alone` looks at no other row."""
        import oopt_gnpy_libyang as ly  # noqa: PLC0415 - heavy and optional

        options = ly.ValidationOptions
        parse = ly.ParseOptions.JsonStringDataTypes | ly.ParseOptions.Strict
        try:
            self.context.parse_data(
                orjson.dumps(converted.data).decode(),
                ly.DataFormat.JSON,
                parse | ly.ParseOptions.ParseOnly if alone else parse,
                options.MultiError | options.Present | options.NoState,
            )
        except ly.Error:
            for error in self.context.errors():
                yield _finding(error.data_path or "", error.message, self.shapes)
        finally:
            self.context.clean_all_errors()


@lru_cache(maxsize=4)
def load_models(directory: Path) -> Models:
    """The models of a directory, loaded once. Raises UsageError."""
    try:
        import oopt_gnpy_libyang as ly  # noqa: PLC0415 - heavy and optional
    except ImportError as exc:
        raise UsageError("YANG checks need libyang: pip install 'nettool[yang]'") from exc
    texts = _texts(directory)
    modules = dict(_parsed(each, text) for each, text in texts.items())
    ly.set_log_options(ly.LogOptions.StoreLast)
    ly.set_log_level(ly.LogLevel.Error)
    options = ly.ContextOptions.NoYangLibrary | ly.ContextOptions.DisableSearchCwd
    context = ly.Context(None, options)
    by_name = {module.argument: texts[file] for file, module in modules.items()}
    parsed = {module.argument: module for module in modules.values()}
    try:
        for name in _imported_first(parsed):
            context.parse_module(by_name[name], ly.SchemaFormat.YANG)
    except ly.Error as exc:
        said = "; ".join(each.message for each in context.errors())
        raise UsageError(f"{directory}: module {name} does not load: {said or exc}") from exc
    finally:  # the option is the process's own: other models are asked for all their errors
        ly.set_log_options(ly.LogOptions.Store)
    context.clean_all_errors()
    return Models(context, tables_of(parsed), len(parsed))


def _texts(directory: Path) -> dict[Path, str]:
    """YANG text by file: models as they are, templates expanded as SONiC's build expands them."""
    for base in (directory, directory / "src" / "sonic-yang-models", directory.parent):
        folder = base / "yang-models"
        if folder.is_dir():
            break
    else:
        base, folder = directory, directory
    try:
        texts = {each: each.read_text(encoding="utf-8") for each in sorted(folder.glob("*.yang"))}
        templates = sorted((base / "yang-templates").glob("*.yang.j2"))
        texts |= {each: _expanded(each) for each in templates}
    except (OSError, UnicodeDecodeError, jinja2.TemplateError) as exc:
        raise UsageError(f"{directory}: {exc}") from exc
    if not texts:
        raise UsageError(f"{directory}: no *.yang files; name a directory of SONiC YANG models")
    return texts


def _expanded(template: Path) -> str:
    environment = jinja2.Environment(trim_blocks=True)  # noqa: S701 - YANG text, not HTML
    text = template.read_text(encoding="utf-8")
    return environment.from_string(text).render(yang_model_type="py")


def _parsed(file: Path, text: str) -> tuple[Path, Statement]:
    try:
        return file, parse_module(text)
    except ValueError as exc:
        raise UsageError(f"{file}: not a YANG module: {exc}") from exc


def _imported_first(modules: Mapping[str, Statement]) -> list[str]:
    """Module names, each after those it imports; libyang has the ietf ones itself."""
    order: dict[str, None] = {}

    def visit(name: str) -> None:
        if name in order or name not in modules:
            return
        for each in modules[name].all("import"):
            visit(each.argument)
        order[name] = None

    for name in sorted(modules):
        visit(name)
    return list(order)


def _finding(path: str, message: str, shapes: Mapping[str, TableShape]) -> Finding:
    table, key, field = _place(path, shapes)
    missing = _MISSING.match(message)
    return Finding(
        rule="YANG001",
        severity=Severity.ERROR,
        message=_SUBTYPE.sub("; ", message).replace("found:; ", "found: ").strip(),
        hint=f"set {missing[1]}" if missing else _HINT,
        table=table,
        key=key,
        field=field or (missing[1] if missing else None),
    )


def _place(
    path: str, shapes: Mapping[str, TableShape]
) -> tuple[str | None, str | None, str | None]:
    """Table, key and field of a libyang data path."""
    segments = [
        (match[1].rpartition(":")[2], [a or b for _, a, b in _PREDICATE.findall(match[2])])
        for match in _SEGMENT.finditer(path)
    ]
    if len(segments) < 2 or segments[1][0] not in shapes:
        return None, None, None
    shape = shapes[segments[1][0]]
    if len(segments) == 2:
        return shape.name, None, None
    name, values = segments[2]
    if name in shape.rows:
        return shape.name, name, segments[3][0] if len(segments) > 3 else None
    holder = next((each for each in shape.lists if each.name == name), None)
    field = None
    if holder and len(segments) > 3:
        part, inner = segments[3]
        field = inner[0] if inner and any(each.name == part for each in holder.inner) else part
        field = None if field in holder.keys else field
    return shape.name, "|".join(values) or None, field


def _located(refused: list[Finding], tables: Tables, loaded: Models) -> Iterator[Finding]:
    """Findings at their rows: a row whose key is wrong has no path, so rows are tried alone."""
    lost = {each for each in refused if each.key not in tables.get(each.table or "", {})}
    lost |= {each for each in refused if _NO_KEY in each.message}
    found = [
        finding
        for table in {each.table for each in lost if each.table}
        for finding in _row_by_row(table, tables, loaded)
    ]
    yield from (each for each in refused if each not in lost)
    yield from found or lost


def _row_by_row(table: str, tables: Tables, loaded: Models) -> Iterator[Finding]:
    inner = any(each.inner for each in loaded.shapes[table].lists)
    for key, row in tables[table].items():
        for part in [{name: row[name]} for name in row] if inner else [row]:
            single = convert({table: {key: part}}, loaded.shapes)
            for each in loaded.refused(single, alone=True):
                if _NO_KEY not in each.message:
                    field = next(iter(part)) if inner else each.field
                    yield replace(each, table=table, key=key, field=field)


def _without_echoes(findings: Iterator[Finding]) -> Iterator[Finding]:
    """Drops what only follows from another: a refused value is then called missing as well."""
    refused: set[tuple[str | None, str | None, str | None]] = set()
    for each in findings:
        place = (each.table, each.key, each.field)
        if _MISSING.match(each.message) and place in refused:
            continue
        refused.add(place)
        yield each
