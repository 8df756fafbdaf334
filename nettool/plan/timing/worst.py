"""Which NIC is worst off against UTC, and which two against each other: one walk up the tree.

Every switch keeps the different chains from itself down to a NIC; a regular fabric has few of
them, so the walk costs about as much as the tree is large.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from nettool.plan.timing.budget import Chain
from nettool.plan.timing.tree import Tree, children, tops

Below = dict[Chain, str]
"""The different chains below a place, each with a switch whose NICs have it."""
Candidate = tuple[float, str, Chain]


@dataclass(frozen=True)
class Clockwork:
    """What the switches and links of a fabric do to time.

    `classes` by switch; `facing` the largest half asymmetry (ns) of a switch's NIC links;
    `asymmetry` half that of each link between switches, by its ends, where it is not `usual`.
    """

    classes: Mapping[str, str]
    facing: Mapping[str, float]
    references: Mapping[str, float]
    """Error of each grandmaster against UTC, ns."""
    usual: float = 0.0
    asymmetry: Mapping[frozenset[str], float] = field(default_factory=dict)
    second: Mapping[str, float] = field(default_factory=dict)
    """The second largest half asymmetry of a switch's NIC links, where it is less, ns."""

    def of_link(self, one: str, other: str) -> float:
        """Half the asymmetry of the link between two switches, ns."""
        if not self.asymmetry:
            return self.usual
        return self.asymmetry.get(frozenset((one, other)), self.usual)


@dataclass(frozen=True, slots=True)
class Worst:
    """NICs by their switches, the chain to each from the last clock they share, the references."""

    switches: tuple[str, ...]
    chains: tuple[Chain, ...]
    reference: float = 0.0

    @property
    def error(self) -> float:
        """Its error, ns."""
        return self.reference + sum(each.error() for each in self.chains)


@dataclass(frozen=True, slots=True)
class Extremes:
    """The worst NIC against UTC, the worst two NICs, and the worst two on one switch."""

    alone: Worst
    pair: Worst | None
    """None where all NICs hang from one switch."""
    same_switch: Worst


def extremes(tree: Tree, works: Clockwork) -> Extremes | None:
    """The worst of a tree; None where no NIC has time."""
    facing = {name: half for name, half in works.facing.items() if name in tree}
    if not facing:
        return None
    pairs: list[Worst] = []
    whole = dict(_chains(tree, works, pairs))
    alone = [
        Worst((leaf,), (chain,), works.references[name])
        for name, below in whole.items()
        for chain, leaf in below.items()
    ]
    pairs += _across(whole, works)
    uneven = max(facing, key=lambda name: facing[name] + works.second.get(name, facing[name]))
    own = (facing[uneven], works.second.get(uneven, facing[uneven]))
    return Extremes(
        max(alone, key=_error),
        max(pairs, key=_error, default=None),
        Worst((uneven, uneven), tuple(Chain((), half) for half in own)),
    )


def _error(worst: Worst) -> float:
    return worst.error


def _chains(tree: Tree, works: Clockwork, pairs: list[Worst]) -> Iterator[tuple[str, Below]]:
    """The chains below each grandmaster; `pairs` is filled with the worst two below each clock."""
    below: dict[str, Below] = {}
    following = children(tree)
    for name in (*sorted(tree, key=lambda each: -tree[each].hops), *tops(tree)):
        own = {Chain((), works.facing[name]): name} if name in works.facing else {}
        ways = [
            own,
            *(_upwards(below.pop(each), each, name, works) for each in following.get(name, ())),
        ]
        ways = [each for each in ways if each]
        pairs.extend(_pair(map(_largest, ways)))
        below[name] = {chain: leaf for way in reversed(ways) for chain, leaf in way.items()}
    return iter(below.items())


def _upwards(below: Below, child: str, parent: str, works: Clockwork) -> Below:
    """The chains below a child, with its own clock and the link to its parent."""
    half = works.of_link(child, parent)
    name = works.classes[child]
    return {chain.then(name, half): leaf for chain, leaf in below.items()}


def _largest(below: Below) -> Candidate:
    chain = max(below, key=Chain.error)
    return chain.error(), below[chain], chain


def _pair(candidates: Iterable[Candidate], reference: float = 0.0) -> Iterator[Worst]:
    """The two largest of several, where there are two."""
    first, second = None, None
    for each in candidates:
        if first is None or each[0] > first[0]:
            first, second = each, first
        elif second is None or each[0] > second[0]:
            second = each
    if first and second:
        yield Worst((first[1], second[1]), (first[2], second[2]), reference)


def _across(whole: Mapping[str, Below], works: Clockwork) -> Iterator[Worst]:
    """Two NICs that follow different grandmasters: both chains, and both references."""
    largest = {name: _largest(below) for name, below in whole.items() if below}
    names = list(largest)
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            reference = works.references[one] + works.references[other]
            yield from _pair((largest[one], largest[other]), reference)
