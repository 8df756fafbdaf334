"""YAML that remembers where each value stands: `file:line:column` for every key path.

Safe loader only, duplicate keys refused with both places, broken YAML located. The tree that
comes back is plain dicts, lists and scalars; `SourceMap` answers where a path stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import yaml

from nettool.core.errors import FindingsError, UsageError
from nettool.core.finding import Finding, Report, Severity

KeyPath = tuple[str | int, ...]
_Safe: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MAX_BYTES = 64 * 1024 * 1024
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_SIGN_OR_ZERO = ("0", "-", "+")
_TAG = "tag:yaml.org,2002:"
_INT, _STR, _MAP, _SEQ = f"{_TAG}int", f"{_TAG}str", f"{_TAG}map", f"{_TAG}seq"
_MERGE = f"{_TAG}merge"
_OCTAL = re.compile(r"([-+]?)0[0_]*([1-7][0-7_]+)")
_MAX_VALUES = 200_000
"""Aliases let a short file stand for billions of values; nobody writes so many by hand."""


class _Loader(_Safe):  # type: ignore[misc] # PyYAML's C loader is not typed
    """The safe loader without resolvers by path, which nobody registers and every node pays for."""

    def descend_resolver(self, _parent: object, _index: object) -> None:
        """Nothing."""

    def ascend_resolver(self) -> None:
        """Nothing."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line and a column in a file, both from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class SourceMap:
    """Where the keys and values of one file stand."""

    file: str
    values: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)
    keys: dict[KeyPath, tuple[int, int]] = field(default_factory=dict)

    def place(self, path: KeyPath, *, key: bool = False) -> Place:
        """The place of the value (or, with `key`, of its key); the nearest parent if absent."""
        table = self.keys if key else self.values
        for length in range(len(path), -1, -1):
            found = table.get(path[:length]) or self.values.get(path[:length])
            if found:
                return Place(self.file, *found)
        return Place(self.file, 1, 1)


@dataclass(frozen=True, slots=True)
class Source:
    """A YAML file as plain data, with the places of its keys."""

    data: Any
    map: SourceMap


def read_text(path: Path, *, shown_as: str | None = None) -> str:
    """The text of a user's file.

    Raises UsageError where it is missing or cannot be opened, FindingsError where it is a folder
    or no UTF-8 text.
    """
    file = shown_as or str(path)
    try:
        if path.is_dir():
            raise _no_text(file, b"", "a folder stands where a file is expected")
        if path.stat().st_size > _MAX_BYTES:
            raise UsageError(f"{path}: larger than {_MAX_BYTES} bytes; not read")
        raw = path.read_bytes()
    except OSError as exc:
        raise UsageError(f"{path}: {exc.strerror or exc}") from exc
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as exc:
        what = "UTF-16 text" if raw.startswith(_UTF16) else f"byte 0x{raw[exc.start]:02x}"
        raise _no_text(file, raw[: exc.start], f"not UTF-8 text: {what}") from exc


def load_yaml(path: Path, *, shown_as: str | None = None) -> Source:
    """One YAML file with its places. Raises FindingsError for broken YAML or duplicate keys."""
    return parse_yaml(read_text(path, shown_as=shown_as), shown_as or str(path))


def parse_yaml(text: str, file: str) -> Source:
    """YAML text with its places; `file` is the name shown in findings."""
    try:
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as exc:
        mark = exc.problem_mark or exc.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        problem = " ".join(filter(None, (exc.context, exc.problem)))
        raise _broken(file, line, column, problem) from exc
    except yaml.YAMLError as exc:
        raise _broken(file, 1, 1, str(exc)) from exc
    places = SourceMap(file)
    if node is None:
        return Source({}, places)
    duplicates = list(_walk(node, (), places, depth=0))
    if duplicates:
        raise FindingsError(Report.of(duplicates))
    try:
        return Source(_data(node, _Scalars()), places)
    except (yaml.YAMLError, ValueError) as exc:
        raise _broken(file, 1, 1, str(exc)) from exc


def _no_text(file: str, before: bytes, problem: str) -> FindingsError:
    """One finding behind the bytes that can be read."""
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    return _one("SRC003", file, line, column, problem, "a plain text file in UTF-8 belongs here")


def _broken(file: str, line: int, column: int, problem: str) -> FindingsError:
    return _one(
        "SRC001", file, line, column, f"not valid YAML: {problem}",
        "mend the syntax at this place; indent with spaces, close quotes and brackets",
    )  # fmt: skip


def _one(rule: str, file: str, line: int, column: int, message: str, hint: str) -> FindingsError:
    finding = Finding(
        rule=rule,
        severity=Severity.ERROR,
        message=message,
        hint=hint,
        file=file,
        line=line,
        column=column,
    )
    return FindingsError(Report.of([finding]))


def _walk(node: yaml.Node, path: KeyPath, places: SourceMap, depth: int) -> Iterator[Finding]:
    mark = node.start_mark
    if depth > 100:
        raise _broken(places.file, mark.line + 1, mark.column + 1, "nested deeper than 100 levels")
    if len(places.values) > _MAX_VALUES:
        raise _broken(places.file, mark.line + 1, mark.column + 1, f"over {_MAX_VALUES:,} values")
    places.values[path] = (mark.line + 1, mark.column + 1)
    if isinstance(node, yaml.MappingNode):
        seen: dict[Any, tuple[int, int]] = {}
        for key, value in node.value:
            here = (key.start_mark.line + 1, key.start_mark.column + 1)
            if not isinstance(key, yaml.ScalarNode):
                raise _broken(places.file, *here, "a key must be a plain word or number")
            name = key.value
            if name in seen and name != "<<":
                yield _duplicate(places.file, name, seen[name], here)
                continue
            seen[name] = here
            places.keys[(*path, name)] = here
            yield from _walk(value, (*path, name), places, depth + 1)
    elif isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield from _walk(item, (*path, number), places, depth + 1)
    elif node.value[:1] in _SIGN_OR_ZERO and node.tag == _INT and _OCTAL.fullmatch(node.value):
        yield _octal(places.file, node.value, mark)


def _octal(file: str, text: str, mark: yaml.Mark) -> Finding:
    read, meant = int(text.replace("_", ""), 8), _OCTAL.sub(r"\1\2", text)
    return Finding(
        rule="SRC004",
        severity=Severity.ERROR,
        message=f"{text} is octal in YAML 1.1, the number {read}",
        hint=f"write {meant} or {read}, whichever is meant; text in quotes",
        file=file,
        line=mark.line + 1,
        column=mark.column + 1,
    )


def _duplicate(file: str, name: str, first: tuple[int, int], here: tuple[int, int]) -> Finding:
    return Finding(
        rule="SRC002",
        severity=Severity.ERROR,
        message=f"key {name!r} stands twice: first at {file}:{first[0]}:{first[1]}",
        hint="keep one of the two",
        file=file,
        line=here[0],
        column=here[1],
    )


class _Scalars(yaml.constructor.SafeConstructor):
    """Makes what is no plain map, list or word; a date stays the text that it is."""

    yaml_constructors: ClassVar[dict[str | None, Any]] = {
        **yaml.constructor.SafeConstructor.yaml_constructors,
        f"{_TAG}timestamp": yaml.constructor.SafeConstructor.construct_scalar,
    }


def _data(node: yaml.Node, others: _Scalars) -> Any:
    """A node that `_walk` has seen as plain data."""
    tag = node.tag
    if tag == _STR:
        return node.value
    if tag == _MAP and not any(key.tag == _MERGE for key, _ in node.value):
        return {_data(key, others): _data(value, others) for key, value in node.value}
    if tag == _SEQ:
        return [_data(each, others) for each in node.value]
    return others.construct_object(node, deep=True)
