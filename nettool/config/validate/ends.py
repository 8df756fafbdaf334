"""Which of two ends that differ is the odd one: the one whose value fewer ports have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple, TypeVar

from nettool.config.validate.fabric import FabricConfigs, LinkEnd

V = TypeVar("V", bound=Hashable)


class Odd(NamedTuple):
    """A link whose ends differ: the odd end, the other one, and what each has."""

    end: LinkEnd
    other: LinkEnd
    here: object
    there: object


def odd_ends(fabric: FabricConfigs, view: Callable[[LinkEnd], V | None]) -> Iterator[Odd]:
    """Links whose ends have different views; a view of None is unknown and differs from none.

    The odd end is the one whose view is rarer over all links, b where both are as common.
    """
    pairs = [(a, b, view(a), view(b)) for a, b in fabric.inside]
    differing = [p for p in pairs if p[2] is not None and p[3] is not None and p[2] != p[3]]
    if not differing:
        return
    common = Counter(each for _, _, *views in pairs for each in views)
    for a, b, ours, theirs in differing:
        if common[ours] < common[theirs]:
            yield Odd(a, b, ours, theirs)
        else:
            yield Odd(b, a, theirs, ours)
