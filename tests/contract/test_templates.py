"""The shipped templates keep to their rules: a view decides, a template only says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import nodes

from nettool.config.render.environment import strict
from nettool.core.resources import shipped

TEMPLATES = sorted(shipped("templates").rglob("*.j2"))
FILTERS = {"tojson", "items", "rows", "join"}
PLAIN = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.Include,
    nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Const, nodes.Filter, nodes.Tuple,
)  # fmt: skip


def broken(template: str) -> list[str]:
    """What a template says that it must not."""
    return list(_walk(strict().parse(template)))


def _walk(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.CondExpr):
        if not _is_comma(node):
            yield f"line {node.lineno}: an if expression other than the comma"
        return
    if not isinstance(node, PLAIN):
        yield f"line {node.lineno}: {type(node).__name__}"
    elif isinstance(node, nodes.Filter) and (node.name not in FILTERS or not _is_bare(node)):
        yield f"line {node.lineno}: filter {node.name}"
    elif isinstance(node, nodes.If) and (not _is_name(node.test) or node.elif_):
        yield f"line {node.lineno}: if of something that is no name"
    elif isinstance(node, nodes.Getitem) and not isinstance(node.arg, nodes.Const):
        yield f"line {node.lineno}: an index that is no constant"
    elif isinstance(node, nodes.For) and (node.test or node.recursive or node.else_):
        yield f"line {node.lineno}: for with a condition, recursion or else"
    for child in node.iter_child_nodes():
        yield from _walk(child)


def _is_bare(node: nodes.Filter) -> bool:
    return node.name == "join" or not (node.args or node.kwargs or node.dyn_args)


def _is_name(node: nodes.Node) -> bool:
    if isinstance(node, nodes.Getattr | nodes.Getitem):
        return _is_name(node.node)
    return isinstance(node, nodes.Name)


def _is_comma(node: nodes.CondExpr) -> bool:
    test = node.test
    return (
        node.expr2 is None
        and isinstance(node.expr1, nodes.Const)
        and node.expr1.value == ","
        and isinstance(test, nodes.Not)
        and isinstance(test.node, nodes.Getattr)
        and test.node.attr == "last"
        and isinstance(test.node.node, nodes.Name)
        and test.node.node.name == "loop"
    )


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda each: f"{each.parent.name}/{each.name}")
def test_a_template_only_says(path: Path) -> None:
    assert broken(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("{% set a = 1 %}", "line 1: Assign"),
        ("{{ a + 1 }}", "line 1: Add"),
        ("{{ a == 1 }}", "line 1: Compare"),
        ("{% if a is defined %}{% endif %}", "line 1: if of something that is no name"),
        ("{% if not a %}{% endif %}", "line 1: if of something that is no name"),
        ("{{ a() }}", "line 1: Call"),
        ("{{ a | upper }}", "line 1: filter upper"),
        ("{{ a | tojson(2) }}", "line 1: filter tojson"),
        ("{{ ';' if not loop.last }}", "line 1: an if expression other than the comma"),
        ("{{ ',' if not loop.first }}", "line 1: an if expression other than the comma"),
        ("{{ ',' if not loop.last else ' ' }}", "line 1: an if expression other than the comma"),
        ("{% for a in b if a %}{% endfor %}", "line 1: for with a condition, recursion or else"),
        ("{{ a[b] }}", "line 1: an index that is no constant"),
        ("{{ a ~ b }}", "line 1: Concat"),
        ("{% macro a() %}{% endmacro %}", "line 1: Macro"),
    ],
)
def test_the_walk_sees_what_is_forbidden(template: str, problem: str) -> None:
    assert problem in broken(template)


def test_the_walk_allows_what_is_needed() -> None:
    said = (
        '{% for k, r in T | items %}{% if r.a %}{{ r["b-c"] | tojson }}{% endif %}'
        '{{ "," if not loop.last }}{% include "x.j2" %}{{ r.l | join(",") }}{% endfor %}'
    )
    assert broken(said) == []
