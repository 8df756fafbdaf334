"""The buffer budget by the rules of each family, and what would fit where it does not."""

from __future__ import annotations

import pytest

from nettool.plan.calculators.chips import budget_of
from nettool.plan.qos.advice import what_would_fit
from nettool.plan.qos.ports import SwitchClass
from nettool.plan.qos.wire import in_cells


def budget(chip, ports, cable, lossless=1, **options):
    return budget_of(chip, ports, cable, lossless, **options)


def test_teralynx_pool_size_holds_its_xoff(chip):
    made, load = budget(chip("teralynx10"), "64x800G", 40)
    assert made.used.value == 215_646_208 == made.capacity.value
    reserved = 64 * in_cells(1518, 256) * 256
    assert made.reserved.value == reserved
    assert made.shared.value == (159_633_822 - 72_581_120 - reserved) // 256 * 256
    assert (load.groups, made.fits, made.ratio) == (64, True, pytest.approx(0.2517, abs=1e-3))


def test_tomahawk6_counts_headroom_beside_the_pool(chip):
    made, _ = budget(chip("th6"), "64x800G", 40)
    headroom = 64 * in_cells(116_436, 420) * 420
    assert made.headroom.value == headroom
    outside = sum(each.size.value for each in made.pools if each.type in ("ingress", "both"))
    assert made.used.value == outside + headroom <= made.capacity.value
    assert made.fits


def test_a_larger_sum_takes_from_the_shared_part(chip):
    far, _ = budget(chip("teralynx10"), "64x800G+64x400G", 300, 2)
    near, _ = budget(chip("teralynx10"), "64x800G", 300, 2)
    assert near.set_aside.value == 72_581_120
    assert far.set_aside.value == far.headroom.value > 72_581_120
    assert far.shared.value < near.shared.value
    assert far.pool("ingress_lossless_pool").xoff.value == far.headroom.value


def test_shared_headroom_oversubscribes_what_the_reference_sets_aside(chip):
    made, _ = budget(chip("teralynx10"), "64x800G+64x400G", 300, 2, shared=True)
    assert made.set_aside.value == 72_581_120
    assert made.ratio == pytest.approx(made.headroom.value / 72_581_120)
    assert made.ratio > 1


def test_shared_headroom_without_a_reference_halves_the_sum(chip):
    made, load = budget(chip("spectrum4"), "64x800G", 40, shared=True)
    assert made.set_aside.value == load.total(192) // 2
    assert made.pool("ingress_lossless_pool").xoff.value == made.set_aside.value


@pytest.mark.parametrize(
    ("ports", "cable", "lossless", "ways"),
    [
        ("64x800G", 300, 2, ["use one lossless class (103,", "use cables of at most 40 m",
                             "share one headroom pool (qos.shared_headroom: true): 7.03:1"]),
        ("120x800G", 300, 1, ["use cables of at most 40 m", "share one headroom pool"]),
    ],
)  # fmt: skip
def test_what_does_not_fit_says_by_how_much_and_what_would(chip, ports, cable, lossless, ways):
    made = chip("th5", "th5_dell")
    over, load = budget(made, ports, cable, lossless)
    named = {f"Ethernet{8 * number}": port for number, port in enumerate(load.headrooms)}
    switch = SwitchClass("", "", "", "", "", "leaf", 9216, None, named, ("leaf01", "leaf02"))
    finding = what_would_fit(switch, over, load, made)
    assert not over.fits
    assert finding.message.startswith("leaf01 and 1 more: ")
    assert finding.message.endswith(f"165,867,080 B: {over.short:,} B too much")
    assert all(way in finding.hint for way in ways)
