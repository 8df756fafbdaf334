"""Why a text is not JSON, in one finding a person can act on: what, where, and how to mend it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder

from nettool.config.validate.places import Text

_DECODER = JSONDecoder(parse_int=str, parse_float=str)
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:NaN|Infinity)|[{}\[\]]', re.DOTALL)
_WORDS = {"True": "true", "False": "false", "None": "null"}
_BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Break:
    """The first thing that keeps a text from being JSON, at an offset."""

    rule: str
    offset: int
    message: str
    hint: str


def diagnose(text: str) -> Break:
    """The reason why `text` (refused by a strict JSON parser) cannot be read."""
    if not text.strip():
        return Break("JSN001", 0, "the file is empty", "give one JSON object of tables")
    start = len(text) - len(text.lstrip())
    try:
        _, end = _DECODER.raw_decode(text, start)
    except JSONDecodeError as exc:
        return _at(text, exc.pos, exc.msg)
    except RecursionError:
        return _too_deep(text)
    rest = end + len(text[end:]) - len(text[end:].lstrip())
    return _after_the_end(text, rest) if rest < len(text) else _not_strict(text)


def _at(text: str, pos: int, problem: str) -> Break:
    for reason in _REASONS:
        found = reason(text, pos)
        if found:
            return found
    return Break("JSN001", pos, f"not JSON: {problem[:1].lower()}{problem[1:]}", _SYNTAX)


_SYNTAX = "mend the syntax at this place"


def _comment(text: str, pos: int) -> Break | None:
    for at in (pos, _previous(text, pos) - 1, _next(text, pos)):
        if (at >= 0 and text[at : at + 2] in {"//", "/*"}) or text[at : at + 1] == "#":
            return Break(
                "JSN003", at, f"a comment ({_shown(text, at)}) stands in the file; JSON has none",
                "remove it; a switch refuses the whole file",
            )  # fmt: skip
    return None


def _trailing_comma(text: str, pos: int) -> Break | None:
    before = _previous(text, pos)
    after = _next(text, pos)
    if before >= 0 and text[before] == "," and text[after : after + 1] in {"}", "]"}:
        place = Text(text).position(after)
        return Break(
            "JSN001", before,
            f"a comma stands before the closing {text[after]!r} of line {place[0]}",
            "remove this comma",
        )  # fmt: skip
    if text[pos : pos + 1] == "," and text[_next(text, pos + 1) :][:1] in {"}", "]"}:
        return Break("JSN001", pos, "a comma stands before a closing brace", "remove this comma")
    return None


def _end_of_text(text: str, pos: int) -> Break | None:
    if _next(text, pos) < len(text):
        return None
    depth = _open_braces(text)
    at = max(_previous(text, len(text)), 0)
    return Break(
        "JSN001", at, f"the file ends too early: {depth} braces or brackets are still open",
        "the file is cut short: copy it again, or close what is open",
    )  # fmt: skip


def _constant(text: str, pos: int) -> Break | None:
    match = re.match(r"-?(NaN|nan|Infinity|inf)\b", text[pos : pos + 12])
    return _no_number(pos, match[0]) if match else None


def _word(text: str, pos: int) -> Break | None:
    match = re.match(r"[A-Za-z_]\w{0,40}", text[pos : pos + 41])
    if not match:
        return None
    right = _WORDS.get(match[0])
    hint = f"write {right}" if right else "put text into double quotes"
    return Break("JSN001", pos, f"{match[0]} is no JSON value", hint)


def _quote(text: str, pos: int) -> Break | None:
    if text[pos : pos + 1] != "'":
        return None
    return Break("JSN001", pos, "a single quote stands where JSON has double quotes", 'use "…"')


def _missing_comma(text: str, pos: int) -> Break | None:
    before = _previous(text, pos)
    if text[pos : pos + 1] not in {'"', "{", "["} or before < 0 or text[before] in "{[:,":
        return None
    return Break(
        "JSN001", pos, "a comma is missing before this", "put a comma after the last value"
    )


def _string(text: str, pos: int) -> Break | None:
    line = Text(text).position(pos)[0]
    if text[pos : pos + 1] == '"':
        return Break("JSN001", pos, f"the text that begins on line {line} has no end", 'close it "')
    if text[pos : pos + 1] == "\n":
        return Break("JSN001", pos, f"the text on line {line} has no end on its line", 'close it "')
    if pos < len(text) and text[pos] < " ":
        return Break("JSN001", pos, f"a control character (code {ord(text[pos])})", "remove it")
    return None


_REASONS: tuple[Callable[[str, int], Break | None], ...] = (
    _comment, _trailing_comma, _end_of_text, _constant, _word, _quote, _missing_comma, _string,
)  # fmt: skip


def _after_the_end(text: str, rest: int) -> Break:
    line = Text(text).position(rest)[0]
    comment = _comment(text, rest)
    if comment:
        return comment
    if text[rest] in '{["':
        return Break(
            "JSN006", rest, f"a second JSON document starts on line {line}; neither is used",
            "keep one object in a file",
        )  # fmt: skip
    return Break("JSN001", rest, f"{_shown(text, rest)} follows the end of the object", "remove it")


def _not_strict(text: str) -> Break:
    depth = deepest = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token[0] in "-NI":
            return _no_number(match.start(), token)
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(token, 0)
        deepest = max(deepest, depth)
    if deepest > 500:
        return _too_deep(text)
    lone = re.search(r"\\u[dD][89a-fA-F]", text)
    at = lone.start() if lone else 0
    return Break("JSN001", at, "not JSON: half of a surrogate pair or a bad number", _SYNTAX)


def _too_deep(text: str) -> Break:
    depth = 0
    for match in _TOKEN.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match[0], 0)
        if depth > 100:
            return Break(
                "JSN010", match.start(), "nested deeper than 100 levels; a CONFIG_DB has 3 or 4",
                "this is no CONFIG_DB: give tables, rows and fields",
            )  # fmt: skip
    return Break("JSN010", 0, "nested too deep to read", "give tables, rows and fields")


def _no_number(at: int, word: str) -> Break:
    return Break(
        "JSN005", at, f"{word} is no JSON number", "write the value as text, or leave the field out"
    )


def _open_braces(text: str) -> int:
    depth = 0
    for match in _TOKEN.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match[0], 0)
    return max(depth, 0)


def _previous(text: str, pos: int) -> int:
    at = min(pos, len(text)) - 1
    while at >= 0 and text[at] in _BLANKS:
        at -= 1
    return at


def _next(text: str, pos: int) -> int:
    while pos < len(text) and text[pos] in _BLANKS:
        pos += 1
    return pos


def _shown(text: str, at: int) -> str:
    word = text[at : at + 20].split("\n", 1)[0].strip()
    return repr(word) if word.isprintable() else "a control character"
