"""How templates become Python: as Jinja does, and quicker where rows repeat.

A fabric has thousands of rows and few kinds of them. So `row.field` is a look-up in place, the
JSON of a word is made once, and of a loop over `rows` what the row alone decides is filled once
for each row object, however many keys it stands under. What a template says is not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

import orjson
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame

JSON = "tojson"
ROWS = "rows"
_MOST = 1 << 16
_PLAIN = (
    nodes.Output, nodes.If, nodes.TemplateData, nodes.Name, nodes.Getattr, nodes.Getitem,
    nodes.Const, nodes.Filter,
)  # fmt: skip


class Texts(dict[str, str]):
    """The JSON of words by word: made at the first look, for words stand in many rows."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST:
            self.clear()
        text = self[str(word)] = orjson.dumps(str(word)).decode()
        return text


class _Once(NamedTuple):
    """A part of a loop that the row alone decides: the row's name, and where its texts are."""

    row: str
    texts: str


class Compiler(CodeGenerator):
    """Compiles for an environment that has `texts`, and the filters `tojson` and `rows`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._apart: dict[int, _Once] = {}

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 - its name
        """Fields of named rows at once; whatever else as Jinja does."""
        if not isinstance(node.node, nodes.Name):
            super().visit_Getattr(node, frame)
            return
        name, field = frame.symbols.ref(node.node.name), repr(node.attr)
        self.write(f"({name}[{field}] if type({name}) is dict and {field} in {name} else ")
        super().visit_Getattr(node, frame)
        self.write(")")

    def visit_Filter(self, node: nodes.Filter, frame: Frame) -> None:  # noqa: N802 - its name
        """The JSON of a word looked up in place; whatever else as Jinja does."""
        if node.node is None or not _is_json(node):
            super().visit_Filter(node, frame)
            return
        value = self.temporary_identifier()
        self.write(f"(environment.texts[{value}] if isinstance(({value} := ")
        self.visit(node.node, frame)
        self.write(f"), str) else {self.filters[JSON]}({value}))")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802 - its name
        """A loop over `rows` with what the row alone decides set apart; others as Jinja does."""
        row = _row_of(node)
        body = _set_apart(node.body, row) if row else None
        if row and body:
            once = _Once(row, self.temporary_identifier())
            self.writeline(f"{once.texts} = {{}}")
            self._apart |= {id(each): once for each in body if isinstance(each, nodes.Scope)}
            node.body = body
        super().visit_For(node, frame)

    def visit_Scope(self, node: nodes.Scope, frame: Frame) -> None:  # noqa: N802 - its name
        """The part that was set apart: filled at the first sight of a row object."""
        once = self._apart.get(id(node))
        if once is None:
            super().visit_Scope(node, frame)
            return
        text, row = self.temporary_identifier(), frame.symbols.ref(once.row)
        self.writeline(f"{text} = {once.texts}.get(id({row}))")
        self.writeline(f"if {text} is None:")
        self.indent()
        inner = frame.inner()
        inner.symbols.analyze_node(node)
        self.enter_frame(inner)
        self.buffer(inner)
        self.blockvisit(node.body, inner)
        self.writeline(f"{text} = {once.texts}[id({row})] = concat({inner.buffer})")
        self.leave_frame(inner)
        self.outdent()
        self.simple_write(text, frame)

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if not _is_json(node):
            super()._output_child_pre(node, frame, finalize)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if not _is_json(node):
            super()._output_child_post(node, frame, finalize)


def _is_json(node: nodes.Node) -> bool:
    """True for `… | tojson`, without arguments: what it gives is text."""
    if not isinstance(node, nodes.Filter) or node.name != JSON:
        return False
    return not (node.args or node.kwargs or node.dyn_args or node.dyn_kwargs)


def _row_of(loop: nodes.For) -> str | None:
    """The name of the row in `for key, row, comma in … | rows`; None for another loop."""
    over, target = loop.iter, loop.target
    if loop.recursive or not isinstance(over, nodes.Filter) or over.name != ROWS:
        return None
    if not isinstance(target, nodes.Tuple) or len(target.items) != 3:
        return None
    row = target.items[1]
    return row.name if isinstance(row, nodes.Name) else None


def _set_apart(body: list[nodes.Node], row: str) -> list[nodes.Node] | None:
    """The body with its largest run that the row alone decides as a Scope; None without one."""
    if not all(isinstance(each, nodes.Output | nodes.If) for each in body):
        return None
    parts = [part for each in body for part in _parts(each)]
    runs = [(alone, list(run)) for alone, run in groupby(parts, lambda each: _alone(each, row))]
    most = max((_reads(run) for alone, run in runs if alone), default=0)
    if not most:
        return None
    made: list[nodes.Node] = []
    for alone, run in runs:
        if alone and most and _reads(run) == most:
            made.append(nodes.Scope(_statements(run), lineno=run[0].lineno))
            most = 0
        else:
            made += _statements(run)
    return made


def _parts(node: nodes.Node) -> Iterable[nodes.Node]:
    return node.nodes if isinstance(node, nodes.Output) else [node]


def _statements(parts: Iterable[nodes.Node]) -> list[nodes.Node]:
    """Parts as statements again: what is put out in a row is one Output."""
    made: list[nodes.Node] = []
    for is_said, run in groupby(parts, lambda each: isinstance(each, nodes.Expr)):
        said = list(run)
        made += [nodes.Output(said, lineno=said[0].lineno)] if is_said else said
    return made


def _alone(part: nodes.Node, row: str) -> bool:
    """True where nothing but the row decides what a part says."""
    for each in _all(part):
        if not isinstance(each, _PLAIN):
            return False
        if isinstance(each, nodes.Name) and each.name != row:
            return False
        if isinstance(each, nodes.Filter) and each.name != JSON:
            return False
    return True


def _reads(parts: Iterable[nodes.Node]) -> int:
    """How often parts look at a name."""
    return sum(isinstance(each, nodes.Name) for part in parts for each in _all(part))


def _all(part: nodes.Node) -> Iterator[nodes.Node]:
    yield part
    yield from part.find_all(nodes.Node)
