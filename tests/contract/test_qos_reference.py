"""Our Teralynx 10 buffers against the public reference board's: each difference is on purpose.

The board's values are those of sonic-buildimage 086b03bd, device/marvell/
x86_64-marvell_dbmvtx9180-r0/dbmvtx9180_64osfp_64x800G/buffers_defaults_t1.j2;
docs/qos-reference-comparison.md explains every row of DIFFERENT.
"""

from __future__ import annotations

from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs/qos-reference-comparison.md"
BOARD = {
    ("ingress_lossless_pool", "type"): "ingress",
    ("ingress_lossless_pool", "mode"): "dynamic",
    ("ingress_lossless_pool", "size"): 159_633_822,
    ("ingress_lossless_pool", "xoff"): 72_581_120,
    ("lossy_pool", "type"): "egress",
    ("lossy_pool", "mode"): "dynamic",
    ("lossy_pool", "size"): 56_012_386,
    ("lossy_pool", "xoff"): 0,
    ("egress_lossless_pool", "type"): "egress",
    ("egress_lossless_pool", "mode"): "static",
    ("egress_lossless_pool", "size"): 215_646_208,
    ("ingress_lossy_profile", "pool"): "lossy_pool",
    ("ingress_lossy_profile", "size"): 0,
    ("ingress_lossy_profile", "static_th"): 22_798_336,
    ("egress_lossless_profile", "pool"): "ingress_lossless_pool",
    ("egress_lossless_profile", "size"): 0,
    ("egress_lossless_profile", "static_th"): 22_798_336,
    ("egress_lossy_profile", "pool"): "lossy_pool",
    ("egress_lossy_profile", "size"): 1518,
    ("egress_lossy_profile", "dynamic_th"): 2,
}
DIFFERENT = {
    ("lossy_pool", "type"): "both",
    ("lossy_pool", "xoff"): None,
    ("ingress_lossy_profile", "static_th"): None,
    ("ingress_lossy_profile", "dynamic_th"): 3,
    ("egress_lossless_profile", "pool"): "egress_lossless_pool",
    ("egress_lossless_profile", "static_th"): 215_646_208,
    ("egress_lossy_profile", "dynamic_th"): 0,
}
FIELDS = ("type", "mode", "pool", "size", "xoff", "dynamic_th", "static_th")


@pytest.fixture(scope="module")
def leaf(shipped_fabric):
    return shipped_fabric("rail-optimized-256").qos.switches["leaf01"]


def rows(things):
    found = {}
    for each in things:
        for name in FIELDS:
            value = getattr(each, name, None)
            if value is not None:
                found[each.name, name] = getattr(value, "value", value)
    return found


def test_only_the_explained_rows_differ_from_the_board(leaf):
    common = [each for each in leaf.profiles if not each.name.startswith("pg_lossless_")]
    ours = rows([*leaf.pools, *common])
    keys = ours.keys() | BOARD.keys()
    assert {key: ours.get(key) for key in keys if ours.get(key) != BOARD.get(key)} == DIFFERENT


@pytest.mark.parametrize(
    ("speed", "cable", "xoff"), [(400_000, 5, 129_920), (800_000, 40, 285_312)]
)
def test_lossless_profiles_are_the_boards_rows_not_its_profile(leaf, speed, cable, xoff):
    profile = next(
        each for each in leaf.profiles if each.name == f"pg_lossless_{speed}_{cable}m_profile"
    )
    assert (profile.xoff.value, profile.xon_offset.value) == (xoff, 13_824)


def test_the_document_names_every_table_and_difference(leaf):
    text = DOCUMENT.read_text()
    for name, _ in DIFFERENT:
        assert name in text
    for profile in leaf.profiles:
        assert profile.name in text
    for wred in leaf.wreds:
        assert f"{wred.name} {wred.kmin.value:,} / {wred.kmax.value:,} B" in text
