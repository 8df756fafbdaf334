"""One strict Jinja2 environment: templates by name, the user's before ours.

Names that a view lacks are errors, not empty text; `tojson` is ours (orjson, keys sorted, no
HTML escapes), and `rows` walks a table with the comma that each row needs. An error of a
template becomes a finding at its file and line (TPL002, TPL003).
"""

from __future__ import annotations

import traceback
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

import jinja2
import orjson
from jinja2.bccache import Bucket
from jinja2.runtime import Context

from nettool.config.render.compiling import JSON, ROWS, Compiler, Texts
from nettool.core.errors import FindingsError
from nettool.core.finding import Finding, Report, Severity
from nettool.core.resources import shipped

EXTRA = "extra"


def to_json(value: object) -> str:
    """A value as JSON: keys sorted, a str with its provenance as plain text."""
    if isinstance(value, jinja2.Undefined):
        return str(value)  # which says what there is not
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def rows(table: Mapping[str, object]) -> Iterator[tuple[str, object, str]]:
    """Key, row, and the comma that JSON wants after it: none after the last."""
    last = len(table) - 1
    for number, (key, row) in enumerate(table.items()):
        yield key, row, "," if number < last else ""


class _Strict(jinja2.Environment):
    """Looks a row's field up before an attribute of the mapping, so no field hides."""

    code_generator_class = Compiler
    texts = Texts()

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


class _Compiled(jinja2.BytecodeCache):
    """Compiled templates of this process by name and content, so a second run compiles none."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code:
            self._code[bucket.key, bucket.checksum] = bucket.code


_COMPILED = _Compiled()


class TemplateSet:
    """The templates of one run: found on a search path, compiled once.

    `folders` are searched in order before the shipped one; `extra` is the folder whose templates
    add to what ours say. `memory` is the dialects' for the run.
    """

    def __init__(self, folders: Iterable[Path], extra: Path | None = None) -> None:
        self.memory: dict[Hashable, Any] = {}
        self._extra = extra
        self._compiled: dict[str, jinja2.Template] = {}
        self._contexts: dict[jinja2.Template, Context] = {}
        self._environment = _environment(tuple(str(each) for each in folders), extra)
        self._names = dict(self._environment.globals)

    def render(self, name: str, view: Mapping[str, object]) -> str:
        """The text of a template. Raises FindingsError where the template is wrong."""
        try:
            if name not in self._compiled:
                self._compiled[name] = self._environment.get_template(name)
            return self._filled(self._compiled[name], view)
        except jinja2.TemplateNotFound as exc:
            raise _error("TPL002", f"there is no template {exc.name}", name, None) from exc
        except jinja2.TemplateSyntaxError as exc:
            where = name if exc.name is None or name.endswith(exc.name) else exc.name
            raise _error("TPL002", exc.message or "syntax error", where, exc.lineno) from exc
        except (jinja2.UndefinedError, TypeError) as exc:
            raise _error("TPL003", str(exc), name, _line(exc)) from exc

    def _filled(self, template: jinja2.Template, view: Mapping[str, object]) -> str:
        """As `template.render`, but with the context of the last time where that kept nothing."""
        names = {**self._names, **view}
        context = self._contexts.pop(template, None)
        if context is None:
            context = template.new_context(names, shared=True)
        context.parent = names
        try:
            text = "".join(template.root_render_func(context))
        except Exception:  # noqa: BLE001 - it is raised again with the template's line
            self._environment.handle_exception()
        if not context.vars and not context.blocks:
            self._contexts[template] = context
        return text

    def additions(self, suffix: str) -> tuple[str, ...]:
        """Names of the user's additional templates that end in `suffix`, sorted."""
        if not self._extra or not self._extra.is_dir():
            return ()
        names = sorted(each.name for each in self._extra.iterdir() if each.is_file())
        return tuple(f"{EXTRA}/{name}" for name in names if name.endswith(suffix))


def _environment(folders: tuple[str, ...], extra: Path | None) -> jinja2.Environment:
    if extra and extra.is_dir():
        added = jinja2.PrefixLoader({EXTRA: jinja2.FileSystemLoader(str(extra))})
        return strict(jinja2.ChoiceLoader([jinja2.FileSystemLoader(folders), added]))
    return (
        _of_one_folder(folders[0])
        if len(folders) == 1
        else strict(jinja2.FileSystemLoader(folders))
    )


@lru_cache(maxsize=8)
def _of_one_folder(folder: str) -> jinja2.Environment:
    """Templates stay loaded between runs; the shipped ones do not change while we run."""
    environment = strict(jinja2.FileSystemLoader(folder))
    environment.auto_reload = folder != str(shipped("templates"))
    return environment


def strict(loader: jinja2.BaseLoader | None = None) -> jinja2.Environment:
    """The environment of every template. No escapes: what is rendered is not HTML."""
    environment = _Strict(
        loader=loader,
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        bytecode_cache=_COMPILED,
    )
    environment.filters[JSON] = to_json
    environment.filters[ROWS] = rows
    return environment


def _line(exc: Exception) -> int | None:
    frames = traceback.extract_tb(exc.__traceback__)
    inside = [frame.lineno for frame in frames if frame.filename.endswith(".j2")]
    return inside[-1] if inside else None


def _error(rule: str, message: str, file: str, line: int | None) -> FindingsError:
    finding = Finding(
        rule=rule,
        severity=Severity.ERROR,
        message=f"template {file}: {message}",
        hint="mend the template, or remove it to use the shipped one",
        file=file,
        line=line,
    )
    return FindingsError(Report.of([finding]))
