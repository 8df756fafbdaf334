"""Layouts of the shipped switches: names, lanes, SKUs, and caching by content."""

from __future__ import annotations

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.core.errors import UsageError
from nettool.core.provenance import Trust


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()


# Asterfusion's public platform constants give these names; board, Arista and NVIDIA rows are
# those of port_config.ini in sonic-buildimage 086b03bd.
NAMES = [
    ("CX864E-N", None, 64, "Ethernet0 Ethernet8 Ethernet504", "Ethernet512 Ethernet513"),
    ("CX864E-N", "CX864E-N_128X400G", 128, "Ethernet0 Ethernet4 Ethernet508",
     "Ethernet512 Ethernet513"),
    ("CX864E-N", "CX864E-N_64X400G_32X800G", 96, "Ethernet0 Ethernet4 Ethernet504",
     "Ethernet512 Ethernet513"),
    ("CX732Q-N", None, 32, "Ethernet0 Ethernet8 Ethernet248", "Ethernet256 Ethernet257"),
    ("CX664D-N", None, 64, "Ethernet0 Ethernet4 Ethernet252", "Ethernet256 Ethernet257"),
    ("CX564P-N", None, 64, "Ethernet0 Ethernet4 Ethernet252", "Ethernet256 Ethernet257"),
    ("CX532P-N", None, 32, "Ethernet0 Ethernet4 Ethernet124", "Ethernet128 Ethernet129"),
    ("CX308P-48Y-N", None, 56, "Ethernet0 Ethernet1 Ethernet76", ""),
    ("DBMVTX9180", "dbmvtx9180_64osfp_256x200G", 256, "Ethernet0 Ethernet2 Ethernet510", ""),
    ("7060X6-64PE", "Arista-7060X6-64PE-P32V128", 160, "Ethernet0 Ethernet8 Ethernet510", ""),
    ("IXR7220-H5-64O", None, 64, "Ethernet0 Ethernet8 Ethernet504", "Ethernet512 Ethernet513"),
    ("SN5600", "Mellanox-SN5600-C256S1", 256, "Ethernet0 Ethernet1 Ethernet503", "Ethernet512"),
]  # fmt: skip


@pytest.mark.parametrize(("model", "sku", "count", "names", "extras"), NAMES)
def test_port_names(catalog, model, sku, count, names, extras):
    layout = catalog.switch(model).layout(sku)
    slots = layout.slots
    assert len(slots) == count
    assert [slots[0].name, slots[1].name, slots[-1].name] == names.split()
    assert [each.name for each in layout.extras] == extras.split()


LANES = [
    ("DBMVTX9180", None, "Ethernet8", "153,154,155,156,157,158,159,160", "etp2", 1),
    ("DBMVTX9180", None, "Ethernet504", "9,10,11,12,13,14,15,16", "etp64", 63),
    ("DBMVTX9180", "dbmvtx9180_64osfp_128x400G", "Ethernet4", "141,142,143,144", "etp1b", 0),
    ("7060X6-64PE", None, "Ethernet8", "1,2,3,4,5,6,7,8", "etp2", 2),
    ("7060X6-64PE", None, "Ethernet513", "515", "etp66", 66),
    ("IXR7220-H5-64O", None, "Ethernet8", "17,18,19,20,21,22,23,24", "Ethernet2/1", 2),
    ("SN5600", "Mellanox-SN5600-O128", "Ethernet508", "508,509,510,511", "etp64b", 64),
    ("SN5600", "Mellanox-SN5600-C256S1", "Ethernet503", "503", "etp63h", 63),
]


@pytest.mark.parametrize(("model", "sku", "port", "lanes", "alias", "index"), LANES)
def test_public_lane_maps(catalog, model, sku, port, lanes, alias, index):
    slot = catalog.switch(model).layout(sku).by_name[port]
    assert ",".join(map(str, slot.lanes)) == lanes
    assert (slot.alias, slot.index) == (alias, index)
    assert slot.lane_trust in (Trust.PUBLISHED, Trust.REFERENCE_BOARD)


def test_no_lane_map_of_a_cx_n_is_said_to_be_public(catalog):
    for model in catalog.switches():
        if model.vendor == "Asterfusion":
            slots = (*model.layout().slots, *model.layout().extras)
            assert {each.lane_trust for each in slots} == {Trust.ASSUMED}
            assert model.names.trust is Trust.PUBLISHED


def test_equal_breakouts_are_one_object(catalog):
    model = catalog.switch("CX864E-N")
    split = dict.fromkeys(range(1, 33), "2x400G")
    assert model.layout(modes=split) is model.layout("CX864E-N_64X400G_32X800G")
    assert model.layout(modes=split) is model.layout(modes=dict(reversed(split.items())))
    assert model.layout() is model.layout("CX864E-N")
    keys = {model.layout(each.name).key for each in model.skus}
    keys |= {model.layout(modes={1: mode}).key for mode in ("4x200G", "2x200G", "8x100G", "2x400G")}
    assert len(keys) == 7


SKU_FOR = [
    ({}, "CX864E-N"),
    (dict.fromkeys(range(1, 33), "2x400G"), "CX864E-N_64X400G_32X800G"),
    (dict.fromkeys(range(1, 65), "2x400G"), "CX864E-N_128X400G"),
    (dict.fromkeys(range(1, 34), "2x400G"), "CX864E-N_128X400G"),
    (dict.fromkeys(range(1, 65), "2x200G"), "CX864E-N_128X400G"),
]


@pytest.mark.parametrize(("modes", "sku"), SKU_FOR)
def test_the_sku_whose_breakout_it_is_or_the_nearest(catalog, modes, sku):
    assert catalog.switch("CX864E-N").sku_for(modes).name == sku


CHOICES = [
    ("CX864E-N", 1, "1x800G", "1x800G[400G,200G]", 800_000, 8),
    ("CX864E-N", 1, "2x400G", "2x400G[200G,100G]", 400_000, 4),
    ("CX864E-N", 1, "2x400G[100G,200G]", "2x400G[200G,100G]", 400_000, 4),
    ("CX864E-N", 1, "2x200G", "2x400G[200G,100G]", 200_000, 4),
    ("CX864E-N", 1, "2x200G[400G,100G]", "2x400G[200G,100G]", 200_000, 4),
    ("CX864E-N", 1, "4x200G(8)", "4x200G[100G,50G]", 200_000, 2),
    ("CX864E-N", 1, "8x100G", "8x100G[50G]", 100_000, 1),
    ("IXR7220-H5-64O", 1, "1x400G", "1x400G", 400_000, 8),
    ("IXR7220-H5-64O", 1, "1x100G(4)", "1x100G(4)", 100_000, 4),
]


@pytest.mark.parametrize(("model", "cage", "wanted", "mode", "speed", "lanes"), CHOICES)
def test_a_mode_is_found_by_what_it_makes(catalog, model, cage, wanted, mode, speed, lanes):
    slot = catalog.switch(model).layout(modes={cage: wanted}).slots[0]
    assert (slot.mode, slot.speed, len(slot.lanes)) == (mode, speed, lanes)


MODES_FOR = [
    ("CX864E-N", 1, 200_000, None, ("1x200G", "2x200G", "4x200G[100G,50G]")),
    ("CX864E-N", 1, 200_000, 4, ("2x200G",)),
    ("CX864E-N", 1, 400_000, 4, ("2x400G[200G,100G]",)),
    ("CX864E-N", 1, 800_000, 4, ()),
    ("CX532P-N", 1, 25_000, 1, ("4x25G[10G]",)),
    ("IXR7220-H5-64O", 1, 100_000, 4, ("1x100G(4)",)),
]


@pytest.mark.parametrize(("model", "cage", "speed", "lanes", "modes"), MODES_FOR)
def test_modes_for_a_speed_can_be_laid_out(catalog, model, cage, speed, lanes, modes):
    switch = catalog.switch(model)
    assert switch.modes_for(cage, speed, lanes) == modes
    for mode in modes:
        slots = [x for x in switch.layout(modes={cage: mode}).slots if x.cage == cage]
        assert {each.speed for each in slots} == {speed}
        assert lanes in (None, len(slots[0].lanes))


FEC = [
    ("CX532P-N", "1x100G", "rs"),
    ("CX532P-N", "4x25G", "rs"),
    ("CX532P-N", "4x10G", "none"),
    ("CX864E-N", "1x200G", "none"),
    ("CX864E-N", "2x400G", "rs"),
    ("SN5600", "4x25G", "none"),
]


@pytest.mark.parametrize(("model", "mode", "fec"), FEC)
def test_fec(catalog, model, mode, fec):
    assert catalog.switch(model).layout(modes={1: mode}).slots[0].fec == fec


REFUSALS = [
    ({1: "16x50G"}, r"CX864E-N cage 1 \(E1\) does not allow 16x50G: allowed are 1x800G\["),
    ({99: "1x800G"}, "CX864E-N has no cage 99"),
    ({1: "fast"}, "breakout mode 'fast'"),
]


@pytest.mark.parametrize(("modes", "message"), REFUSALS)
def test_refuses_a_breakout_that_is_not_there(catalog, modes, message):
    with pytest.raises(ValueError, match=message):
        catalog.switch("CX864E-N").layout(modes=modes)


def test_refuses_an_unknown_sku(catalog):
    with pytest.raises(UsageError, match=r"no SKU 'CX864E-X': known are CX864E-N, CX864E-N_128"):
        catalog.switch("CX864E-N").layout("CX864E-X")


VARIANTS = [
    ("CX864E-N", None, "teralynx10", 560),
    ("CX732Q-N", None, "teralynx7", 500),
    ("CX732Q-NF", None, "falcon", 1500),
    ("CX732Q-N", "falcon", "falcon", 1500),
    ("CX532P-NT", None, "teralynx7", 500),
    ("CX532P-NF", None, "falcon", None),
    ("CX532P-N", "teralynx5", "teralynx5", None),
    ("CX308P-48Y-NF", None, "falcon", None),
]


@pytest.mark.parametrize(("name", "asic", "chip", "latency"), VARIANTS)
def test_the_chip_and_its_latency(catalog, name, asic, chip, latency):
    switch = catalog.switch(name)
    fact = switch.latency_of(asic)
    assert switch.variant(asic).asic == chip
    assert (fact.value if fact else None) == latency


@pytest.mark.parametrize("name", ["CX532P-N", "CX308P-48Y-N"])
def test_a_name_that_does_not_fix_the_chip_asks_for_it(catalog, name):
    with pytest.raises(UsageError, match=r"built with several chips: give one of .*falcon"):
        catalog.switch(name).variant()


def test_a_chip_that_is_not_built_in_is_refused(catalog):
    with pytest.raises(UsageError, match="CX864E-N is not built with th5: give one of teralynx10"):
        catalog.switch("CX864E-N").variant("th5")
