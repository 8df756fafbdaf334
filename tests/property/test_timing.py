"""Clock trees of any shape: the worst pair against trying all, and frequency that never loops."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nettool.plan.timing.profiles import CLOCK_CLASSES
from nettool.plan.timing.tree import Branch, Failure, grow, grow_each, in_force
from nettool.plan.timing.worst import Clockwork, extremes


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, tuple[str, ...]]:
    """Switches s0.. with some links, not always in one piece."""
    number = draw(st.integers(1, 8))
    names = [f"s{n}" for n in range(number)]
    pairs = [each for each in combinations(names, 2) if draw(st.booleans())]
    near: dict[str, list[str]] = {name: [] for name in names}
    for one, other in pairs:
        near[one].append(other)
        near[other].append(one)
    return {name: tuple(peers) for name, peers in near.items()}


@st.composite
def worked(draw: st.DrawFn) -> tuple[dict[str, Branch], Clockwork]:
    """A tree over such a graph, with classes, hosts and asymmetry drawn freely."""
    graph = draw(graphs())
    names = list(graph)
    attached = {f"gm{n}": (draw(st.sampled_from(names)),) for n in range(draw(st.integers(1, 3)))}
    tree = in_force(grow_each(graph, attached))
    links = [frozenset((name, branch.parent)) for name, branch in tree.items()]
    return tree, Clockwork(
        classes={name: draw(st.sampled_from(list(CLOCK_CLASSES))) for name in names},
        facing={name: draw(st.integers(0, 3)) for name in names if draw(st.booleans())},
        references=dict.fromkeys(attached, 40.0),
        usual=1.0,
        asymmetry={each: float(draw(st.integers(0, 5))) for each in links if draw(st.booleans())},
    )


def _path(tree: dict[str, Branch], name: str) -> list[str]:
    path = [name]
    while path[-1] in tree:
        path.append(tree[path[-1]].parent)
    return path


def _branch(tree: dict[str, Branch], works: Clockwork, path: list[str], until: str) -> float:
    """Error of the clocks from a switch up to, without, one of its ancestors."""
    own = path[: path.index(until)]
    limits = [CLOCK_CLASSES[works.classes[each]] for each in own]
    constant = sum(each.te_l if each.cte is None else each.cte for each in limits)
    dynamic = sqrt(sum((each.dte or 0.0) ** 2 for each in limits))
    links = sum(works.of_link(each, tree[each].parent) for each in own)
    return constant + dynamic + links + works.facing[path[0]]


def _error(tree: dict[str, Branch], works: Clockwork, one: str, other: str) -> float:
    here, there = _path(tree, one), _path(tree, other)
    shared = next((each for each in here if each in there), None)
    if shared is None:
        both = works.references[here[-1]] + works.references[there[-1]]
        return both + _branch(tree, works, here, here[-1]) + _branch(tree, works, there, there[-1])
    return _branch(tree, works, here, shared) + _branch(tree, works, there, shared)


@given(worked())
def test_the_worst_pair_is_that_of_trying_all(made: tuple[dict[str, Branch], Clockwork]) -> None:
    tree, works = made
    hosts = [name for name in works.facing if name in tree]
    found = extremes(tree, works)
    if not hosts:
        assert found is None
        return
    assert found is not None
    alone = max(
        works.references[path[-1]] + _branch(tree, works, path, path[-1])
        for path in (_path(tree, name) for name in hosts)
    )
    assert found.alone.error == pytest.approx(alone)
    pairs = [_error(tree, works, *each) for each in combinations(hosts, 2)]
    assert (found.pair is None) == (not pairs)
    if found.pair:
        assert found.pair.error == pytest.approx(max(pairs))
        assert _error(tree, works, *found.pair.switches) == pytest.approx(max(pairs))


@given(graphs(), st.lists(st.integers(0, 7), min_size=1, max_size=3), st.data())
def test_no_chain_of_frequency_inputs_leads_back(
    graph: dict[str, tuple[str, ...]], at: list[int], data: st.DataObject
) -> None:
    """Any choice among the inputs that a switch may use, after any failures, ends at a root."""
    names = list(graph)
    attached = {f"gm{n}": (names[each % len(names)],) for n, each in enumerate(at)}
    frequency = grow(graph, attached)
    gone = data.draw(st.sets(st.sampled_from(names)))
    chosen = {}
    for name in frequency.keys() - gone:
        inputs = [
            peer for peer in graph[name]
            if peer in frequency and peer not in gone
            and frequency[peer].hops < frequency[name].hops
        ]  # fmt: skip
        if inputs:
            chosen[name] = data.draw(st.sampled_from(inputs))
    for name in chosen:
        seen = [name]
        while seen[-1] in chosen:
            seen.append(chosen[seen[-1]])
            assert len(set(seen)) == len(seen), seen


@given(graphs(), st.data())
def test_a_failed_link_is_never_used(
    graph: dict[str, tuple[str, ...]], data: st.DataObject
) -> None:
    pairs = [frozenset((a, b)) for a, near in graph.items() for b in near]
    gone = data.draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    tree = grow(graph, {"gm": (next(iter(graph)),)}, Failure(links=frozenset(gone)))
    assert not {frozenset((name, branch.parent)) for name, branch in tree.items()} & gone
