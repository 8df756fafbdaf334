"""A report as files: one HTML page that needs nothing else, the same in Markdown, its pictures.

Templates are `report/*.j2`; a user's own folder of templates comes first. HTML and SVG are escaped
by Jinja2; for Markdown each text is escaped here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import jinja2

from nettool.core.cells import is_number, shown
from nettool.core.errors import FindingsError
from nettool.core.finding import Finding, Report, Severity
from nettool.core.resources import shipped
from nettool.report.page import Box, Chapter, Line, Picture, Table

HTML, MARKDOWN = "report.html", "report.md"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_MARKUP = re.compile(r"([\\`*\[\]|~])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\n": " ", "\t": " "}
_LONG = 60
"""Characters from which a cell's text may be broken into lines."""
_FILLS = {"core": "#d9c9ec", "spine": "#c5d8f0", "leaf": "#cfe8d5", "node": "#f2f5f8"}
_NEAR = 0.3
"""How far along its line a label stands, from the end that has fewer lines."""


def pages(
    title: str, chapters: Sequence[Chapter], own: Path | None = None
) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file. Raises FindingsError where a user's template is wrong."""
    environment = _environment(own)
    drawn = {each.name: _drawn(each) for chapter in chapters for each in chapter.pictures}
    html = [_html(each, drawn) for each in chapters]
    markdown = [_markdown(each) for each in chapters]
    try:
        yield HTML, _filled(environment, "html", {"title": _plain(title), "chapters": html})
        yield MARKDOWN, _filled(environment, "md", {"title": _escaped(title), "chapters": markdown})
        for name, view in drawn.items():
            template = environment.get_template("report/picture.svg.j2")
            yield f"{name}.svg", _bytes(template.render(picture=view))
    except jinja2.TemplateError as exc:
        raise _wrong(exc) from exc


def _environment(own: Path | None) -> jinja2.Environment:
    folders = [*([str(own)] if own else []), str(shipped("templates"))]
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        autoescape=jinja2.select_autoescape(("html.j2", "svg.j2")),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _filled(environment: jinja2.Environment, kind: str, view: Mapping[str, object]) -> bytes:
    return _bytes(environment.get_template(f"report/report.{kind}.j2").render(view))


def _bytes(text: str) -> bytes:
    """The text as UTF-8; what a path holds that is no text becomes `?`."""
    return text.encode(errors="replace")


def _wrong(exc: jinja2.TemplateError) -> FindingsError:
    """A template that cannot be filled, as a finding at its place."""
    name = getattr(exc, "name", None) or "report"
    line = getattr(exc, "lineno", None)
    finding = Finding(
        rule="TPL002" if line else "TPL003",
        severity=Severity.ERROR,
        message=f"template {name}: {exc.message}",
        hint="mend the template, or remove it to use the shipped one",
        file=name,
        line=line,
    )
    return FindingsError(Report.of([finding]))


def _html(chapter: Chapter, drawn: Mapping[str, object]) -> dict[str, object]:
    return {
        "key": chapter.key,
        "kind": "tree" if chapter.key == "tree" else "point",
        "title": _plain(chapter.title),
        "text": [_plain(each) for each in chapter.text],
        "pictures": [drawn[each.name] for each in chapter.pictures],
        "tables": [
            {
                "title": _plain(each.title),
                "head": [_plain(name) for name in each.head],
                "rows": [[_cell(value) for value in row] for row in each.rows],
            }
            for each in chapter.tables
        ],
        "points": [_plain(each) for each in chapter.points],
    }


def _cell(value: object) -> dict[str, str]:
    text = _plain(shown(value))
    kind = "number" if is_number(text) else "long" if len(text) > _LONG else "text"
    return {"text": text, "kind": kind}


def _markdown(chapter: Chapter) -> dict[str, object]:
    return {
        "title": _escaped(chapter.title),
        "text": [_escaped(each) for each in chapter.text],
        "pictures": [
            {"title": _escaped(each.title), "file": f"{each.name}.svg"} for each in chapter.pictures
        ],
        "tables": [_markdown_table(each) for each in chapter.tables],
        "points": [_indented(each) for each in chapter.points],
    }


def _markdown_table(table: Table) -> dict[str, object]:
    rows = [[shown(value) for value in row] for row in table.rows]
    numbers = [all(is_number(row[n]) for row in rows) for n in range(len(table.head))]
    return {
        "title": _escaped(table.title),
        "head": [_escaped(each) for each in table.head],
        "rule": ["--:" if each else "---" for each in numbers],
        "rows": [[_escaped(each) for each in row] for row in rows],
    }


def _indented(text: str) -> str:
    """A point; what stands further in stays there."""
    inner = text.lstrip(" ")
    return "&nbsp;" * (len(text) - len(inner)) + _escaped(inner)


def _plain(text: str) -> str:
    """Text without characters that no page may hold; they are written out."""
    return _CONTROL.sub(lambda each: f"\\x{ord(each[0]):02x}", text)


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    marked = _MARKUP.sub(r"\\\1", _plain(text))
    return "".join(_ENTITIES.get(each, each) for each in marked)


def _drawn(picture: Picture) -> dict[str, object]:
    return {
        "title": _plain(picture.title),
        "width": picture.width,
        "height": picture.height,
        "boxes": [_drawn_box(each) for each in picture.boxes],
        "lines": picture.lines,
        "marks": [_mark(each, picture.lines) for each in picture.lines if each.label],
    }


def _drawn_box(box: Box) -> dict[str, object]:
    return {
        "x": box.x, "y": box.y, "width": box.width, "height": box.height,
        "middle": box.x + box.width // 2, "first": box.y + 18, "second": box.y + 35,
        "name": _plain(box.name), "note": _plain(box.note), "fill": _FILLS[box.kind],
    }  # fmt: skip


def _mark(line: Line, lines: Sequence[Line]) -> dict[str, object]:
    """Where a line's label stands: near the end that the fewest other lines share."""
    below = sum((each.x1, each.y1) == (line.x1, line.y1) for each in lines)
    above = sum((each.x2, each.y2) == (line.x2, line.y2) for each in lines)
    part = _NEAR if below <= above else 1 - _NEAR
    return {
        "x": round(line.x1 + part * (line.x2 - line.x1)),
        "y": round(line.y1 + part * (line.y2 - line.y1)),
        "text": line.label,
    }
