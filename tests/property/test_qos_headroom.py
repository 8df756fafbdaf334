"""Headroom grows with cable, speed and MTU, whatever computes it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nettool.plan.calculators.chips import chip_named, headroom_of, query_of

COMPUTED = {"sonic": "spectrum4", "quanta": "th5", "simple": "th5", "bcm": "th5"}
SPEEDS = (100_000, 200_000, 400_000, 800_000)
variants = st.sampled_from(sorted(COMPUTED))
lengths = st.floats(0, 2000, allow_nan=False)
mtus = st.integers(1500, 9216)


def xoff(variant, speed, cable, mtu=9216):
    chip = chip_named(COMPUTED[variant])
    query = query_of(chip.asic, None, speed=speed, cable=cable, mtu=mtu)
    return float(headroom_of(chip, variant, query).xoff)


@given(variants, st.sampled_from(SPEEDS), lengths, lengths)
def test_longer_cables_need_no_less(variant, speed, one, other):
    assert xoff(variant, speed, min(one, other)) <= xoff(variant, speed, max(one, other))


@given(variants, lengths, st.sampled_from(SPEEDS), st.sampled_from(SPEEDS))
def test_faster_ports_need_no_less(variant, cable, one, other):
    assert xoff(variant, min(one, other), cable) <= xoff(variant, max(one, other), cable)


@given(st.sampled_from(["sonic", "quanta", "simple"]), lengths, mtus, mtus)
def test_larger_frames_need_no_less(variant, cable, one, other):
    assert xoff(variant, 400_000, cable, min(one, other)) <= xoff(
        variant, 400_000, cable, max(one, other)
    )


@given(st.sampled_from(["teralynx10", "teralynx7", "th5"]), st.floats(0, 300))
def test_a_row_is_never_shorter_than_the_cable(asic, cable):
    chip = chip_named(asic)
    answer = headroom_of(chip, "table", query_of(chip.asic, chip.table, speed=400_000, cable=cable))
    assert float(answer.cable) >= cable
