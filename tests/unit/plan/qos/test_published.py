"""Published headroom rows against the formulas that must give them."""

from __future__ import annotations

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.core.errors import UsageError
from nettool.plan.calculators.chips import chip_named, headroom_of, query_of

SPECTRUM = ("spectrum1", "spectrum3", "spectrum4")


def rows(*tables):
    catalog = load_catalog()
    return [
        pytest.param(name, row, id=f"{name}-{row.speed}-{row.cable}m")
        for name in tables
        for row in catalog.headroom_table(name).rows
    ]


def test_sixty_spectrum_rows_are_published():
    assert len(rows(*SPECTRUM)) == 60


@pytest.mark.parametrize(("asic", "row"), rows(*SPECTRUM))
def test_sonic_formula_gives_the_published_cell(asic, row):
    chip = chip_named(asic)
    query = query_of(chip.asic, None, speed=row.speed, cable=row.cable)
    assert headroom_of(chip, "sonic", query).xoff.value == row.xoff


@pytest.mark.parametrize(
    ("asic", "row"), [each for each in rows("th5_dell") if each.values[1].speed >= 100_000]
)
def test_bcm_fit_is_within_a_twentieth_of_a_percent(asic, row):
    chip = chip_named("th5")
    query = query_of(chip.asic, None, speed=row.speed, cable=row.cable)
    assert float(headroom_of(chip, "bcm", query).xoff) == pytest.approx(row.xoff, rel=0.0005)


@pytest.mark.parametrize(
    ("table", "speed", "cable", "xoff", "used"),
    [
        ("teralynx10", 800_000, 40, 285_312, 40),
        ("teralynx10", 400_000, 3, 129_920, 5),
        ("teralynx10", 400_000, 41, 178_560, 100),
        ("teralynx7", 400_000, 5, 117_536, 5),
        ("teralynx7", 100_000, 101, 72_384, 300),
    ],
)
def test_table_takes_the_nearest_row_that_is_not_shorter(table, speed, cable, xoff, used):
    chip = chip_named(table)
    answer = headroom_of(chip, "table", query_of(chip.asic, chip.table, speed=speed, cable=cable))
    assert (answer.xoff.value, answer.cable.value) == (xoff, used)
    assert answer.xoff.why.source.startswith("sonic-buildimage")


@pytest.mark.parametrize(
    ("variant", "speed", "cable", "expected"),
    [
        ("qbb", 100_000, 5, 75_117),
        ("qbb", 100_000, 500, 136_992),
        ("simple", 800_000, 100, 122_272),
        ("quanta", 400_000, 300, 226_436),
    ],
)
def test_sums_by_hand(variant, speed, cable, expected):
    chip = chip_named("th5")
    answer = headroom_of(chip, variant, query_of(chip.asic, None, speed=speed, cable=cable))
    assert float(answer.xoff) == expected


@pytest.mark.parametrize(
    ("small", "xoff"), [(0, 44_032), (100, 113_664)], ids=["full frames", "all small"]
)
def test_small_packets_inflate(small, xoff):
    chip = chip_named("spectrum4")
    query = query_of(chip.asic, None, speed=100_000, cable=5, small_packets=small)
    shared = query_of(chip.asic, None, speed=100_000, cable=5, small_packets=small, shared=True)
    dedicated = headroom_of(chip, "sonic", query)
    pooled = headroom_of(chip, "sonic", shared)
    assert pooled.xoff.value == xoff
    assert dedicated.xoff.value == xoff + (2048 if small == 0 else 0)
    assert pooled.size.value == pooled.xon.value
    assert dedicated.size.value >= dedicated.xoff.value + dedicated.xon.value


@pytest.mark.parametrize(
    ("asic", "variant", "speed", "cable", "message"),
    [
        ("teralynx10", "table", 10_000, 5, "table teralynx10 has no row for 10G"),
        ("teralynx10", "table", 800_000, 301, "longest is 300 m"),
        ("th6", "table", 800_000, 5, "th6 has no headroom table"),
        ("teralynx10", "sonic", 800_000, 5, "headroom terms of teralynx10"),
        ("th5", "qbb", 400_000, 5, "published for 10G, 25G, 40G, 100G"),
        ("th5", "bcm", 50_000, 5, "fit holds for 100G, 200G, 400G, 800G"),
        ("th5", "quanta", 1_600_000, 5, "no pause response time is published for 1600G"),
        ("th5", "magic", 400_000, 5, "no headroom variant 'magic': choose from bcm"),
    ],
)
def test_refusals_say_what_exists(asic, variant, speed, cable, message):
    chip = chip_named(asic)
    with pytest.raises(UsageError, match=message):
        headroom_of(chip, variant, query_of(chip.asic, chip.table, speed=speed, cable=cable))
