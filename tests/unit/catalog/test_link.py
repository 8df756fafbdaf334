"""What links to what, and with which cable."""

from __future__ import annotations

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.catalog.link import CableChoice, LinkEnd, NoCable, link_mismatch, nic_ends


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()


def port(catalog, model, mode):
    switch = catalog.switch(model)
    return switch.end(switch.layout(modes={1: mode}).slots[0])


CABLES = [
    ("CX864E-N", "2x400G", "connectx-7-400g", 3, "400g-4x100g-dac", "400g-4x100g-dac"),
    ("CX864E-N", "2x400G", "connectx-7-400g", 5, "400g-4x100g-aec", "400g-4x100g-aec"),
    ("CX864E-N", "2x400G", "connectx-7-400g", 30, "400g-vr4", "400g-vr4"),
    ("CX864E-N", "2x400G", "connectx-7-400g", 120, "400g-dr4", "400g-dr4"),
    ("CX864E-N", "4x200G", "connectx-7-200g", 3, "200g-2x100g-dac", "200g-2x100g-dac"),
    ("CX864E-N", "2x200G", "connectx-6-200g", 3, "200g-4x50g-dac", "200g-4x50g-dac"),
    ("CX864E-N", "1x800G", "thor-ultra-800g", 3, "800g-8x100g-dac", "800g-8x100g-dac"),
    ("CX864E-N", "2x400G", "connectx-8-2x400g", 3, "400g-4x100g-dac", "400g-4x100g-dac"),
    ("CX732Q-N", "1x400G", "connectx-7-400g", 3, "400g-dr4", "400g-dr4-8x50g"),
    ("CX664D-N", "1x200G", "connectx-7-200g", 3, "200g-4x50g-dac", "200g-4x50g-dac"),
    ("CX532P-N", "1x100G", "connectx-5-100g", 3, "100g-4x25g-dac", "100g-4x25g-dac"),
    ("CX532P-N", "4x25G", "connectx-5-25g", 3, "25g-1x25g-dac", "25g-1x25g-dac"),
    ("CX308P-48Y-N", "1x25G", "connectx-5-25g", 3, "25g-1x25g-dac", "25g-1x25g-dac"),
]


@pytest.mark.parametrize(("model", "mode", "nic", "length", "at_nic", "at_port"), CABLES)
def test_cable_to_a_nic(catalog, model, mode, nic, length, at_nic, at_port):
    cable = catalog.nic_cable(catalog.nic(nic), port(catalog, model, mode), length)
    assert isinstance(cable, CableChoice), cable
    assert (cable.a.name, cable.b.name) == (at_nic, at_port)
    assert cable.medium == cable.a.medium == cable.b.medium


NO_CABLES = [
    ("CX864E-N", "4x200G", "connectx-6-200g", 3,
     "lane counts and lane rates differ: connectx-6-200g (200G as 4 x 50G, FEC rs) and "
     "Ethernet0 (200G as 2 x 100G, FEC rs)"),
    ("CX864E-N", "1x800G", "connectx-7-400g", 3,
     "connectx-7-400g runs at 100G, 200G, 400G, Ethernet0 (800G as 8 x 100G, FEC rs) does not"),
    ("CX864E-N", "2x400G", "connectx-7-400g", 5000,
     "5000 m is too long for connectx-7-400g (400G as 4 x 100G, FEC rs) and "
     "Ethernet0 (400G as 4 x 100G, FEC rs): 2000 m is the most"),
    ("SN5600", "4x25G", "connectx-5-100g", 3,
     "connectx-5-100g runs at 100G, Ethernet0 (25G as 2 x 12500M, FEC none) does not"),
]  # fmt: skip


@pytest.mark.parametrize(("model", "mode", "nic", "length", "reason"), NO_CABLES)
def test_why_there_is_no_cable(catalog, model, mode, nic, length, reason):
    cable = catalog.nic_cable(catalog.nic(nic), port(catalog, model, mode), length)
    assert cable == NoCable(reason)


def end(speed=400_000, lanes=4, fec="rs", form_factor="OSFP", name="a"):
    return LinkEnd(name, speed, lanes, fec, form_factor)


MISMATCHES = [
    (end(), end(), None),
    (end(), end(form_factor="QSFP112"), None),
    (end(), end(speed=200_000), "speeds differ"),
    (end(), end(lanes=8), "lane counts and lane rates differ"),
    (end(), end(fec="none"), "FEC differs"),
]


@pytest.mark.parametrize(("a", "b", "problem"), MISMATCHES)
def test_lane_by_lane(a, b, problem):
    for found in (link_mismatch(a, b), link_mismatch(b, a)):
        assert (found is None) if problem is None else found.startswith(problem)


def test_fec_must_agree_whatever_the_medium(catalog):
    assert isinstance(catalog.cable(end(), end(fec="none"), 30), NoCable)
    assert isinstance(catalog.cable(end(), end(), 30), CableChoice)


def test_a_form_factor_that_takes_no_optic_has_no_cable(catalog):
    found = catalog.cable(end(form_factor="XFP"), end(), 3)
    assert isinstance(found, NoCable)
    assert "the catalog has no cable" in found.reason


UPLINKS = [
    (3, "dac"), (7, "aec"), (50, "mmf"), (100, "mmf"), (101, "smf"), (500, "smf"), (2000, "smf"),
]  # fmt: skip


@pytest.mark.parametrize(("length", "medium"), UPLINKS)
def test_medium_by_length_at_800g(catalog, length, medium):
    uplink = port(catalog, "CX864E-N", "1x800G")
    assert catalog.cable(uplink, uplink, length).medium == medium
    assert catalog.optic(800_000, length, "OSFP", 8).medium == medium


def test_no_optic_is_none_not_a_guess(catalog):
    assert catalog.optic(800_000, 2001) is None
    assert catalog.optic(123_000, 1) is None
    assert catalog.optic(400_000, 1, "SFP+") is None


def test_ways_a_nic_can_run(catalog):
    nic = catalog.nic("connectx-7-400g")
    assert [(x.speed, x.lanes) for x in nic_ends(nic)] == [(400_000, 4)]
    assert {x.lanes for x in nic_ends(nic, 200_000)} == {2, 4}
    assert (nic.link(200_000, 4).lane_rate, nic.link(200_000, 2).lane_rate) == (50_000, 100_000)
    assert nic.link(800_000) is None
