"""Any accepted budget fits after rounding to cells, and dynamic thresholds never overrun it."""

from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from nettool.plan.calculators.chips import budget_of, chip_named
from nettool.plan.qos.budget import own_size
from nettool.plan.qos.threshold import POWERS, alpha_of, certain_limit, free, pause_room, threshold
from nettool.plan.qos.weights import FLOOR, apportion

CHIPS = ("teralynx10", "teralynx7", "th5", "th6", "spectrum4")
SPEEDS = ("100G", "200G", "400G")


@st.composite
def loads(draw):
    speeds = draw(st.lists(st.sampled_from(SPEEDS), min_size=1, max_size=3, unique=True))
    ports = "+".join(f"{draw(st.integers(1, 128))}x{speed}" for speed in speeds)
    return ports, draw(st.integers(1, 300)), draw(st.integers(1, 2)), draw(st.booleans())


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(CHIPS), loads())
def test_an_accepted_budget_fits_in_whole_cells(asic, load):
    ports, cable, lossless, shared_headroom = load
    chip = chip_named(asic)
    budget, asked = budget_of(chip, ports, cable, lossless, shared=shared_headroom)
    cell = chip.cell.value
    cells = sum(
        lossless * asked.counts[port] * math.ceil(float(each.xoff) / cell)
        for port, each in asked.headrooms.items()
    )
    owned = sum(
        lossless * asked.counts[port] * math.ceil(own_size(each) / cell)
        for port, each in asked.headrooms.items()
    )
    assert budget.headroom.value == cells * cell
    assert budget.shared.value % cell == 0
    if not budget.fits:
        assert budget.short > 0
        return
    inward = sum(each.size.value for each in budget.pools if each.type in ("ingress", "both"))
    beside = 0 if chip.xoff_is_inside else budget.set_aside.value
    assert inward + beside <= budget.capacity.value
    pool = budget.pool("ingress_lossless_pool").size.value
    inside = budget.set_aside.value if chip.xoff_is_inside else 0
    assert budget.shared.value + owned * cell + inside <= pool
    if not shared_headroom:
        assert budget.set_aside.value >= budget.headroom.value


@given(
    st.sampled_from(list(POWERS)), st.integers(1, 2000), st.floats(1e6, 1e9), st.floats(0.01, 0.99)
)
def test_queues_at_their_threshold_leave_what_is_free(power, queues, shared, part):
    alpha = alpha_of(power)
    each, left = threshold(alpha, shared, queues), free(alpha, shared, queues)
    assert math.isclose(queues * each + left, shared, rel_tol=1e-9)
    assert math.isclose(each, alpha * left, rel_tol=1e-9)
    limit = certain_limit(alpha, shared, queues)
    assert pause_room(alpha, shared, part * limit * queues) > 0


@given(st.lists(st.floats(0, 1e18), min_size=1, max_size=4), st.integers(4, 100))
def test_weights_sum_to_what_is_shared_out(volumes, total):
    parts = apportion(volumes, total)
    assert sum(parts) == total
    assert min(parts) >= min(FLOOR, total // len(volumes))
    order = sorted(range(len(volumes)), key=volumes.__getitem__)
    assert all(parts[a] <= parts[b] + 1 for a, b in pairwise(order))
