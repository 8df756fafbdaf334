"""Groups of ranks: every rank stands in one group of each flow, and volumes scale as they must."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import prod

from hypothesis import assume, given
from hypothesis import strategies as st

from nettool.plan.demand import volume
from nettool.plan.demand.demand import Axis
from nettool.plan.demand.flows import training_flows
from nettool.plan.demand.layout import job_groups, split
from nettool.plan.demand.model import library_model
from nettool.plan.demand.options import JobOptions
from nettool.plan.demand.pattern import edges, group_bytes
from nettool.plan.demand.shape import Shape
from nettool.plan.placement.form import bundles, lanes_of, offsets

MIXTRAL = library_model("mixtral-8x7b")
SMALL = st.sampled_from((1, 2, 3, 4, 8))


@st.composite
def shapes(draw):
    degrees = {name: draw(SMALL) for name in ("tp", "pp", "cp", "dp")}
    order = "-".join(draw(st.permutations(["tp", "cp", "ep", "dp", "pp"])))
    algorithm = draw(st.sampled_from(["ring", "tree", "in-network"]))
    options = JobOptions(order=order, dp_mode="ddp", algorithms={"dp": algorithm, "tp": algorithm})
    ep = draw(st.sampled_from((1, 2, 4, 8)))
    return Shape(
        MIXTRAL, **degrees, ep=ep, vpp=draw(st.sampled_from((1, 3))), batch=degrees["dp"] * 2,
        options=options,
    )  # fmt: skip


@given(shapes(), st.sampled_from((1, 2, 4, 8)))
def test_every_rank_is_in_one_group(shape, node):
    groups = job_groups(shape)
    assume(groups is not None)
    for flow in training_flows(shape, groups, ()):
        lanes = lanes_of(flow.group, node)
        seen = Counter(
            first + lane + offset
            for first in bundles(flow, shape.gpus, lanes)
            for lane in range(lanes)
            for offset in offsets(flow.group)
        )
        assert seen == Counter(range(shape.gpus)), flow


@given(shapes())
def test_group_bytes_are_the_sum_of_the_edges(shape):
    groups = job_groups(shape)
    assume(groups is not None)
    for flow in training_flows(shape, groups, ()):
        if flow.pattern != "all-to-all" and flow.algorithm != "in-network":
            assert sum(size for *_, size in edges(flow)) == group_bytes(flow) == flow.group_bytes


@given(st.lists(st.integers(1, 12), min_size=1, max_size=3), st.integers(1, 24), st.booleans())
def test_a_split_takes_exactly_what_is_asked(sizes, taken, from_outer):
    pool, stride = [], 1
    for size in sizes:
        pool.append(Axis(stride, size))
        stride *= size
    parts = split(tuple(pool), taken, from_outer=from_outer)
    if parts is None:
        assert prod(sizes) % taken or len(sizes) > 1
        return
    inner, outer = parts
    assert len(offsets(inner)) == taken
    both = sorted(a + b for a in offsets(inner) for b in offsets(outer))
    assert both == list(range(prod(sizes)))


@given(shapes(), st.integers(2, 5))
def test_volumes_scale_with_the_batch_where_they_must(shape, times):
    larger = Shape(
        MIXTRAL, shape.tp, shape.pp, shape.dp, shape.cp, shape.ep, shape.vpp, shape.sequence,
        shape.batch * times, 1, shape.options,
    )  # fmt: skip
    for form in (volume.tensor_pass, volume.context_pass, volume.expert_pass):
        assert form(larger) == times * form(shape)
    assert volume.data_pass(larger) == volume.data_pass(shape)
    assert volume.bubble(larger) == volume.bubble(shape) / Fraction(times)
