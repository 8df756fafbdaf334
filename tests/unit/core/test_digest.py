"""Digests follow values, not objects: equal in every process, and different for any difference."""

from dataclasses import dataclass, replace
from enum import StrEnum

import pytest

from nettool.core.digest import Digests
from nettool.core.provenance import Provenance, Traced, Trust


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Leaf:
    name: str
    speed: int = 0
    note: str = ""


@dataclass(frozen=True)
class Tree:
    leaves: tuple[Leaf, ...] = (Leaf("a"), Leaf("b", 4))
    by_name: tuple = ()
    rows: object = None
    colour: Colour = Colour.RED
    cabled: frozenset = frozenset({"b", "a", "c"})
    text: object = Traced.of("7", Provenance("given"))


def digest(value):
    return Digests({Leaf: frozenset({"note"})}).of(value)


def test_it_is_the_same_in_every_process():
    assert digest(Tree()) == digest(Tree()) == "c7b453676d34a5d8f06a6793c1ab80f9"


CHANGES = [
    {},
    {"leaves": (Leaf("a"), Leaf("b", 5))},
    {"leaves": (Leaf("b", 4), Leaf("a"))},
    {"leaves": (Leaf("a"), Leaf("b", 4), Leaf("c"))},
    {"rows": {"x": 1}},
    {"rows": {"x": "1"}},
    {"rows": {"y": 1}},
    {"rows": {"x": 1, "y": 2}},
    {"rows": {"y": 2, "x": 1}},
    {"rows": {"x": True}},
    {"colour": Colour.BLUE},
    {"cabled": frozenset({"a"})},
    {"text": "7"},
    {"text": Traced.of("7", Provenance("given", trust=Trust.ASSUMED))},
]


def test_any_difference_shows():
    found = [digest(replace(Tree(), **change)) for change in CHANGES]
    assert len(set(found)) == len(CHANGES)


def test_what_is_unsaid_does_not_count():
    assert digest(Leaf("a", 1, "x")) == digest(Leaf("a", 1, "y"))


def test_a_single_class_is_told_from_another_with_equal_fields():
    single = Digests({}, frozenset({Leaf}))
    assert single.of((Leaf("a"),)) == single.of((Leaf("a"),))
    assert single.of((Leaf("a"),)) != single.of((Leaf("a", 1),))


def test_a_value_without_a_form_is_refused():
    with pytest.raises(TypeError, match="object has no digest"):
        digest((object(),))
