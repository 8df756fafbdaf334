"""A quick `__init__` makes the same objects as the one that dataclass writes."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from nettool.core.quick import quick_init


@dataclass(frozen=True, slots=True)
class Plain:
    name: str
    speed: int = 400_000
    lanes: tuple[int, ...] = ()


@quick_init
@dataclass(frozen=True, slots=True)
class Quick:
    name: str
    speed: int = 400_000
    lanes: tuple[int, ...] = ()


def parts(made: Plain | Quick) -> tuple[object, ...]:
    return made.name, made.speed, made.lanes


@pytest.mark.parametrize(
    ("args", "named"),
    [(("a",), {}), (("a", 1), {}), (("a",), {"lanes": (1, 2)}), ((), {"speed": 2, "name": "b"})],
)
def test_the_same_values(args: tuple[object, ...], named: dict[str, object]) -> None:
    assert parts(Quick(*args, **named)) == parts(Plain(*args, **named))  # type: ignore[arg-type] # rows
    assert hash(Quick(*args, **named)) == hash(Plain(*args, **named))  # type: ignore[arg-type] # rows


def test_it_is_as_frozen_and_as_easily_copied() -> None:
    made = Quick("a", lanes=(1,))
    with pytest.raises(FrozenInstanceError):
        made.speed = 1  # type: ignore[misc] # that is what is tried
    assert replace(made, speed=5) == Quick("a", 5, (1,))
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    assert repr(made) == "Quick(name='a', speed=400000, lanes=(1,))"


def test_it_takes_the_same_arguments() -> None:
    quick, plain = (inspect.signature(each).parameters.values() for each in (Quick, Plain))
    assert [(p.name, p.default, p.annotation) for p in quick] == [
        (p.name, p.default, p.annotation) for p in plain
    ]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        Quick()  # type: ignore[call-arg] # that is what is tried


def test_a_class_with_more_to_do_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Made:
        rows: list[int] = field(default_factory=list)

    @dataclass(frozen=True)
    class Open:
        name: str

    for kind in (Made, Open):
        with pytest.raises(TypeError, match="plain frozen dataclass with slots"):
            quick_init(kind)
