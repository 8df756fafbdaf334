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
        (a, b, ours, theirs)
        for a, b in fabric.inside
        if (ours := view(a)) is not None and (theirs := view(b)) is not None and ours != theirs
    ]
    if not differing:
        return
    common = Counter(view(end) for pair in fabric.inside for end in pair)
    for a, b, ours, theirs in differing:
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
