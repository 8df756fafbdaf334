"""The base of every value that comes from a file: frozen, and nothing unknown gets in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_LISTS = frozenset({"tuple_type", "list_type", "set_type", "frozen_set_type", "iterable_type"})


class Model(BaseModel):
    """A frozen value at the edge (intent, catalog, JSON in); unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def problem_of(error: ErrorDetails) -> str:
    """What a model refused, in words of who writes YAML and not of who writes Python."""
    kind, given = error["type"], error.get("ctx", {})
    if kind in _LISTS:
        return "Input should be a list: [a, b]"
    if kind in {"too_long", "too_short"}:
        few = kind == "too_short"
        bound = given["min_length" if few else "max_length"]
        word = "at least" if few else "at most"
        items = "entry" if bound == 1 else "entries"
        return f"{word} {bound} {items} should stand here, not {given['actual_length']}"
    return error["msg"].removeprefix("Value error, ")
