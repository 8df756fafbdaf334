"""What rules ask of a link's end, and which of two ends that differ is the odd one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple, TypeVar

from nettool.config.validate.fabric import FabricConfigs, LinkEnd
from nettool.config.validate.spelling import digits
from nettool.config.validate.tables import Row

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
    differing = [
        (group, ours, theirs)
        for group in fabric.alike
        if (ours := view(group[0][0])) is not None
        and (theirs := view(group[0][1])) is not None
        and ours != theirs
    ]
    if not differing:
        return
    common: Counter[object] = Counter()
    for group in fabric.alike:
        for end in group[0]:
            common[view(end)] += len(group)
    for group, ours, theirs in differing:
        for a, b in group:
            if common[ours] < common[theirs]:
                yield Odd(a, b, ours, theirs)
            else:
                yield Odd(b, a, theirs, ours)


def qos_row(end: LinkEnd) -> Row:
    """The end's row of PORT_QOS_MAP; empty where there is none."""
    return end.config.row("PORT_QOS_MAP", end.end.port) if end.config else {}


def paused(end: LinkEnd) -> tuple[int, ...]:
    """The priorities of pfc_enable; none where it is no list."""
    text = qos_row(end).get("pfc_enable", "")
    return digits(text) if isinstance(text, str) else ()
