"""The shape of CONFIG_DB tables, read from YANG text: lists with their keys, leaves, containers.

libyang checks values; what it cannot tell us through its bindings is how a table's rows map to
lists, so this reads the statements themselves. Only what that takes is understood: container,
list, key, leaf, leaf-list, choice, case, grouping and uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'[^']*'|[{};]|\+(?=\s)|[^\s{};"']+""", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One YANG statement with its sub-statements."""

    keyword: str
    argument: str
    inner: tuple[Statement, ...]

    def all(self, *keywords: str) -> Iterator[Statement]:
        """Direct sub-statements of these keywords."""
        return (each for each in self.inner if each.keyword in keywords)

    def first(self, keyword: str) -> str | None:
        """The argument of the first sub-statement of this keyword."""
        return next((each.argument for each in self.all(keyword)), None)


@dataclass(frozen=True, slots=True)
class Holder:
    """A list or container: its keys (none for a container), leaves, leaf-lists, inner lists."""

    name: str
    keys: tuple[str, ...]
    leaves: frozenset[str]
    lists: frozenset[str]
    inner: tuple[Holder, ...]

    @property
    def fields(self) -> frozenset[str]:
        """Names that a row of it may hold besides its keys."""
        return (self.leaves | self.lists) - set(self.keys)


@dataclass(frozen=True, slots=True)
class TableShape:
    """One CONFIG_DB table: where it lies, its lists in model order, and its fixed rows."""

    module: str
    top: str
    name: str
    lists: tuple[Holder, ...]
    rows: Mapping[str, Holder] = field(default_factory=dict)


def parse_module(text: str) -> Statement:
    """The module statement of one YANG file. Raises ValueError where it is not YANG."""
    tokens = [each for each in _TOKEN.findall(text) if not each.startswith(("//", "/*"))]
    tokens.reverse()
    statement = _statement(tokens)
    if statement.keyword not in {"module", "submodule"}:
        raise ValueError(f"a YANG file starts with module, not {statement.keyword}")
    return statement


def tables_of(modules: Mapping[str, Statement]) -> dict[str, TableShape]:
    """CONFIG_DB tables by name: the second-level containers of every module."""
    found: dict[str, TableShape] = {}
    for module in modules.values():
        scope = _Scope(module, modules)
        for top in module.all("container"):
            for table in scope.expanded(top):
                if table.keyword == "container":
                    found.setdefault(table.argument, scope.table(module.argument, top, table))
    return found


def _statement(tokens: list[str]) -> Statement:
    """One statement; `tokens` is a stack whose top is the next token."""
    try:
        keyword, argument = tokens.pop(), ""
        while tokens[-1] not in "{;":
            part = tokens.pop()
            argument += "" if part == "+" else _plain(part)
        inner: list[Statement] = []
        if tokens.pop() == "{":
            while tokens[-1] != "}":
                inner.append(_statement(tokens))
            tokens.pop()
    except IndexError as exc:
        raise ValueError("the text ends inside a statement") from exc
    return Statement(keyword, argument, tuple(inner))


def _plain(part: str) -> str:
    return part[1:-1] if part[0] in "\"'" else part


class _Scope:
    """One module's view of groupings, its own and imported ones."""

    def __init__(self, module: Statement, modules: Mapping[str, Statement]) -> None:
        self._modules = modules
        self._module = module
        self._imports = {each.first("prefix"): each.argument for each in module.all("import")}

    def expanded(self, holder: Statement) -> Iterator[Statement]:
        """Sub-statements with uses, choices and cases unfolded."""
        for each in holder.inner:
            if each.keyword in {"choice", "case"}:
                yield from self.expanded(each)
            elif each.keyword == "uses":
                yield from self._used(each.argument)
            else:
                yield each

    def table(self, module: str, top: Statement, table: Statement) -> TableShape:
        """The shape of one table."""
        parts = list(self.expanded(table))
        lists = tuple(self.holder(each) for each in parts if each.keyword == "list")
        rows = {e.argument: self.holder(e) for e in parts if e.keyword == "container"}
        return TableShape(module, top.argument, table.argument, lists, rows)

    def holder(self, statement: Statement) -> Holder:
        """A list or container with everything it may hold."""
        parts = list(self.expanded(statement))
        return Holder(
            statement.argument,
            tuple((statement.first("key") or "").split()),
            frozenset(each.argument for each in parts if each.keyword == "leaf"),
            frozenset(each.argument for each in parts if each.keyword == "leaf-list"),
            tuple(self.holder(each) for each in parts if each.keyword == "list"),
        )

    def _used(self, name: str) -> Iterator[Statement]:
        prefix, _, local = name.rpartition(":")
        owner = self._modules.get(self._imports.get(prefix, self._module.argument))
        if owner is None:
            return
        scope = _Scope(owner, self._modules)
        for grouping in owner.all("grouping"):
            if grouping.argument == local:
                yield from scope.expanded(grouping)
