"""Every file of the shipped catalog: schema, units, lanes, breakouts, source and trust."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nettool.catalog.catalog import KINDS, load_catalog
from nettool.catalog.fact import Fact
from nettool.catalog.reading import read_entry
from nettool.core.breakout import parse_mode
from nettool.core.model import Model
from nettool.core.provenance import Trust
from nettool.core.resources import catalog_data
from nettool.core.source import load_yaml

FILES = sorted(
    (path, model)
    for kind, model in KINDS.items()
    for path in (catalog_data() / kind).glob("*.yaml")
)
NAMES = [f"{path.parent.name}/{path.stem}" for path, _ in FILES]
UNITS = {"", "B", "ns", "m", "Mb/s", "TFLOPS", "GB", "GB/s"}
SHARED = Path(__file__).parents[2] / "../shared/facts/headroom_tables.json"


def facts(value):
    """Every Fact inside a model, however deep."""
    if isinstance(value, Fact):
        yield value
    elif isinstance(value, Model):
        for name in type(value).model_fields:
            yield from facts(getattr(value, name))
    elif isinstance(value, dict | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from facts(each)


def evidence(value):
    """Every mapping of a file that has a source or a trust."""
    if isinstance(value, dict):
        if "source" in value or "trust" in value:
            yield value
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from evidence(each)


@pytest.mark.parametrize(("path", "model"), FILES, ids=NAMES)
def test_file_is_sound_and_named_as_its_entry(path, model):
    entry = read_entry(path, model)
    assert entry.name == path.stem
    assert {each.unit for each in facts(entry)} <= UNITS
    assert all(each.source.strip() for each in facts(entry))


@pytest.mark.parametrize(("path", "model"), FILES, ids=NAMES)
def test_sources_are_public_documents_and_come_with_trust(path, model):
    del model
    found = list(evidence(load_yaml(path).data))
    assert found
    for each in found:
        assert set(each) >= {"source", "trust"}, each
        assert each["trust"] in {str(trust) for trust in Trust}
        assert not any(word.startswith(("/", "~")) for word in each["source"].split())


def test_every_folder_of_data_is_a_kind():
    assert {each.name for each in catalog_data().iterdir()} == set(KINDS)


SWITCHES = list(load_catalog().switches())
MODELS = [each.name for each in SWITCHES]


@pytest.mark.parametrize("model", SWITCHES, ids=MODELS)
def test_lanes_and_indexes_are_unique(model):
    cages = (*model.cages, *model.extras)
    lanes = [lane for each in cages for lane in each.lanes]
    assert len(set(lanes)) == len(lanes)
    assert len({each.index for each in cages}) == len(cages)
    assert len({each.label for each in cages}) == len(cages)


@pytest.mark.parametrize("model", SWITCHES, ids=MODELS)
def test_every_mode_fits_its_cages_and_is_spelled_so_that_sonic_drops_nothing(model):
    for cage in (*model.cages, *model.extras):
        for text in model.kinds[cage.kind].modes:
            choice = model.choose(cage.cage, text)
            made = cage.children(choice)
            assert parse_mode(text).count == len(made) == len(choice.endings)
            assert {lane for each in made for lane in each.lanes} <= set(cage.lanes)
            assert len({each.alias for each in made}) == len(made)


@pytest.mark.parametrize("model", SWITCHES, ids=MODELS)
def test_skus_lay_out_and_are_found_by_their_breakout(model):
    for sku in model.skus:
        layout = model.layout(sku.name)
        ports = (*layout.slots, *layout.extras)
        assert len(layout.by_name) == len(ports)
        assert len({each.alias for each in ports}) == len(ports)
        assert all(each.speed % len(each.lanes) == 0 for each in ports)
    assert model.sku_for({}) is model.skus[0]


@pytest.mark.parametrize("model", SWITCHES, ids=MODELS)
def test_a_switch_points_at_what_the_catalog_has(model):
    catalog = load_catalog()
    for variant in model.asics:
        assert catalog.asic(variant.asic).name == variant.asic
        for name in variant.names:
            assert catalog.switch(name).variant().asic == variant.asic
            assert catalog.switch(name).name == model.name
    for name in (model.headroom, *(sku.headroom for sku in model.skus)):
        assert name is None or catalog.headroom_table(name)


@pytest.mark.parametrize("model", SWITCHES, ids=MODELS)
def test_capacity_is_that_of_its_cages(model):
    total = sum(each.speed for each in model.layout().slots)
    assert total == model.capacity.value


@pytest.mark.parametrize("asic", list(load_catalog().asics()), ids=lambda each: each.name)
def test_a_chip_has_what_its_headroom_variant_needs(asic):
    catalog = load_catalog()
    for name in asic.headroom_tables:
        assert catalog.headroom_table(name).rows
    assert asic.headroom_variant in ("sonic", "table", "quanta")
    assert asic.headroom_variant != "table" or asic.headroom_tables
    assert asic.headroom_variant != "sonic" or asic.headroom_terms
    for pool in asic.pools:
        assert (pool.size.unit, pool.xoff.unit if pool.xoff else "B") == ("B", "B")
        assert pool.xoff is None or pool.xoff.value < pool.size.value
    if asic.headroom_terms and asic.cell:
        assert asic.headroom_terms.cell.value == asic.cell.value


@pytest.mark.parametrize(
    ("asic", "buffer"), [("teralynx10", 215_646_208), ("teralynx7", 70_565_632)]
)
def test_teralynx_pools_add_up_to_the_chip(asic, buffer):
    chip = load_catalog().asic(asic)
    size = {each.name: each.size.value for each in chip.pools}
    assert size["ingress_lossless_pool"] + size["lossy_pool"] == buffer == chip.buffer.value
    assert chip.pool_size_includes_xoff.value is True


TABLES = [load_catalog().headroom_table(each) for each in load_catalog().names("headroom")]


@pytest.mark.parametrize("table", TABLES, ids=lambda each: each.name)
def test_headroom_grows_with_cable_and_speed(table):
    assert len({(each.speed, each.cable) for each in table.rows}) == len(table.rows)
    for each in table.rows:
        for other in table.rows:
            if other.speed == each.speed and other.cable >= each.cable:
                assert other.xoff >= each.xoff, (each, other)
            if other.cable == each.cable and other.speed > each.speed:
                assert other.xoff >= each.xoff, (each, other)


def test_headroom_tables_are_the_public_ones():
    if not SHARED.is_file():
        pytest.skip("the collected public tables are not beside this checkout")
    public = json.loads(SHARED.read_text())["tables"]
    assert set(public) <= set(load_catalog().names("headroom"))
    for name, given in public.items():
        table = load_catalog().headroom_table(name)
        rows = [[getattr(row, each) for each in given["columns"]] for row in table.rows]
        assert rows == given["rows"]
        assert given["device"] in table.source


@pytest.mark.parametrize("nic", list(load_catalog().nics()), ids=lambda each: each.name)
def test_a_nic_has_a_cable_for_each_way_it_runs(nic):
    catalog = load_catalog()
    for link in nic.links:
        assert link.speed % link.lanes == 0
        assert catalog.optic(link.speed, 3, nic.form_factor, link.lanes), (nic.name, link)
    assert len({(x.speed, x.lanes, x.fec) for x in nic.links}) == len(nic.links)
    assert 0 <= nic.roce_dscp.value <= 63
    assert 0 <= nic.cnp_dscp.value <= 63
    assert nic.ports * nic.speed <= nic.capacity.value


@pytest.mark.parametrize("optic", load_catalog().optics(), ids=lambda each: each.name)
def test_an_optic_is_possible(optic):
    assert optic.reach.unit == "m"
    assert optic.speed % optic.host_lanes == optic.speed % optic.line_lanes == 0
    assert not optic.is_copper or optic.host_lanes == optic.line_lanes
    limit = {"dac": 7, "aec": 7, "aoc": 100, "mmf": 300, "smf": 10_000}
    assert optic.reach.value <= limit[optic.medium]


@pytest.mark.parametrize("gpu", list(load_catalog().gpus()), ids=lambda each: each.name)
def test_a_gpu_has_its_units(gpu):
    assert (gpu.peak_bf16.unit, gpu.scale_up.unit, gpu.memory.unit) == ("TFLOPS", "GB/s", "GB")


def test_figures_others_rest_on():
    catalog = load_catalog()
    h100 = catalog.gpu("h100-sxm")
    assert (h100.peak_bf16.value, h100.scale_up.value) == (989, 450)
    assert catalog.switch("CX864E-N").latency_of().value == 560
    nic = catalog.nic("connectx-7-400g")
    assert (nic.speed, nic.lanes, nic.roce_dscp.value, nic.cnp_dscp.value) == (400_000, 4, 26, 48)
