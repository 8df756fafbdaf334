"""Whatever changes under a lock: a cable and its address stay, or are counted in a warning."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from nettool.catalog.catalog import load_catalog
from nettool.core.errors import FindingsError
from nettool.intent.intent import FabricIntent
from nettool.plan.design.design import design, lock_of
from nettool.plan.design.lock import lock_text, parse_lock

CATALOG = load_catalog()
QUICK = settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
OPTIONS = {
    "clos3": st.fixed_dictionaries(
        {}, optional={"pods": st.integers(1, 3), "cores": st.sampled_from((2, 4, 8))}
    )
}


def intent(nodes, rails, topology, **network):
    """A fabric of one network on small leaves and spines."""
    return FabricIntent.model_validate(
        {
            "name": "any",
            "cluster": {"nodes": nodes, "gpus_per_node": rails},
            "networks": {
                "compute": {
                    "topology": topology,
                    "nic": {
                        "model": "connectx-8-2x400g"
                        if topology == "dual-plane"
                        else "connectx-7-400g",
                        "per_node": rails,
                    },
                    "leaf": {"model": "CX732Q-N"},
                    "subnets": {"pool": "10.0.0.0/12"},
                }
                | {key: value for key, value in network.items() if value}
            },
        }
    )


@st.composite
def states(draw, topology):
    """A small fabric: nodes, rails, and what fixes its upper tiers."""
    return intent(
        draw(st.integers(1, 50)),
        draw(st.sampled_from((1, 2, 3))),
        topology,
        spines=draw(st.sampled_from((None, None, 2, 4))) if topology != "clos3" else None,
        oversubscription=draw(st.sampled_from((1, 1, 3))),
        options=draw(OPTIONS.get(topology, st.just({}))),
    )


def designed(wanted, lock=None):
    """Fabric and report, or a skipped example where the request does not fit."""
    try:
        return design(wanted, None, CATALOG, lock=lock)
    except FindingsError as exc:
        assume(not exc.report.has_errors)
        raise


def cables(fabric):
    """Cables between switches by lower end: the far end and the address."""
    return {
        (link.a.device, link.a.port): (
            link.b.device, link.b.port,
            fabric.by_name[link.a.device].neighbors[link.a.port].address,
        )
        for link in fabric.links if link.kind.tier != "nic-leaf"
    }  # fmt: skip


def nics(fabric):
    """Switch port and address of every NIC."""
    return {
        (node.name, nic.name): (nic.switch, nic.port, nic.address)
        for node in fabric.nodes
        for nic in node.nics
    }


def counted(report, pattern):
    """The sum of a number over the warnings of what moves."""
    found = [each.message for each in report.findings if each.rule == "DSN016"]
    return sum(int(number) for text in found for number in re.findall(pattern, text))


def assert_told(small, large, report):
    """Every fact of the first fabric holds in the second, or is counted."""
    before, after = cables(small), cables(large)
    lost = [end for end, far in before.items() if after.get(end) != far]
    assert len(lost) == counted(report, r"(\d+) (?:of \d+ cables|link addresses)")
    was, now = nics(small), nics(large)
    common = [each for each in was if each[0] in large.node_by_name]
    moved = [each for each in common if now.get(each, (None,) * 3)[:2] != was[each][:2]]
    assert len(moved) == counted(report, r"(\d+) NIC cables")
    changed = [each for each in common if now.get(each, (None,) * 3)[2] != was[each][2]]
    assert len(changed) == counted(report, r"(\d+) NIC addresses")


@pytest.mark.parametrize(
    "topology", ["rail-optimized", "clos", "clos3", "dual-plane", "rail-clos", "rail-only"]
)
@QUICK
@given(st.data())
def test_what_a_change_moves_is_counted(topology, data):
    first, then, last = (data.draw(states(topology)) for _ in range(3))
    small, _ = designed(first)
    large, report = designed(then, parse_lock(lock_text(lock_of(small))))
    assert_told(small, large, report)
    kept = parse_lock(lock_text(lock_of(large)))
    again, said = designed(then, kept)
    assert (again, lock_of(again)) == (large, kept)
    assert not counted(said, r"(\d+)")
    third, report = designed(last, kept)
    assert_told(large, third, report)
    ends = [end for link in third.links for end in (link.a, link.b)]
    assert len(ends) == len(set(ends))


@QUICK
@given(st.integers(1, 16), st.integers(0, 15), st.sampled_from((1, 2, 4)), st.sampled_from((2, 4)))
def test_nodes_added_to_the_same_leaves_move_nothing(nodes, more, spines, rails):
    assume(nodes + more <= 16)
    small, _ = designed(intent(nodes, rails, "rail-optimized", spines=spines))
    large, report = designed(
        intent(nodes + more, rails, "rail-optimized", spines=spines), lock_of(small)
    )
    assert not counted(report, r"(\d+)")
    assert cables(small).items() <= cables(large).items()


def of_an_older_release(lock):
    """The lock without what older releases did not write."""
    text = re.sub(r", (room|rails): \d+|, (pod_)?fill: \[\[.*?\]\]", "", lock_text(lock))
    return parse_lock(text)


@QUICK
@given(
    st.sampled_from(("rail-optimized", "clos", "clos3", "dual-plane")), st.integers(1, 140),
    st.integers(0, 40), st.sampled_from((1, 2, 3)),
)  # fmt: skip
def test_nodes_added_under_an_older_lock_are_counted_as_well(topology, nodes, more, rails):
    small, _ = designed(intent(nodes, rails, topology))
    lock = of_an_older_release(lock_of(small))
    assert designed(intent(nodes, rails, topology), lock)[0].links == small.links
    large, report = designed(intent(nodes + more, rails, topology), lock)
    assert_told(small, large, report)
