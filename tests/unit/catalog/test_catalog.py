"""Looking things up, and adding one's own."""

from __future__ import annotations

import pytest

from nettool.catalog.catalog import UnknownNameError, load_catalog
from nettool.core.errors import FindingsError, UsageError

UNKNOWN = [
    ("switch", "CX864E", "unknown switch model 'CX864E': did you mean CX864E-N?"),
    ("switch", "cx732q-n", "unknown switch model 'cx732q-n': did you mean CX732Q-N?"),
    ("asic", "teralynx1", "unknown ASIC 'teralynx1': did you mean teralynx10?"),
    ("nic", "connectx7-400g", "did you mean connectx-7-400g?"),
    ("gpu", "h100", "did you mean h100-sxm?"),
    ("headroom_table", "spectrum", "did you mean spectrum1?"),
    ("gpu", "zzzz", "unknown GPU model 'zzzz': known are a100, b200, gaudi3, h100-sxm, h200"),
]


@pytest.mark.parametrize(("look_up", "name", "message"), UNKNOWN)
def test_an_unknown_name_says_the_nearest(look_up, name, message):
    with pytest.raises(UnknownNameError) as caught:
        getattr(load_catalog(), look_up)(name)
    assert message in str(caught.value)
    assert isinstance(caught.value, KeyError)
    assert caught.value.exit_code == 64


def test_the_shipped_catalog_is_read_once():
    assert load_catalog() is load_catalog()
    assert load_catalog().switch("CX864E-N") is load_catalog().switch("CX864E-N")


@pytest.mark.parametrize(("alias", "name"), [("TL10", "teralynx10"), ("spc4", "spectrum4")])
def test_chips_have_other_names(alias, name):
    assert load_catalog().asic(alias) is load_catalog().asic(name)


HEADROOM = [
    ("CX864E-N", None, None, "teralynx10"),
    ("CX732Q-N", None, None, "teralynx7"),
    ("CX532P-N", None, "falcon", None),
    ("IXR7220-H5-64O", None, None, "th5_nokia"),
    ("7060X6-64PE", None, None, "th5_dell"),
    ("7060X6-64PE", "Arista-7060X6-64PE-O128S2", None, "th5_arista_o128s2"),
    ("SN5600", None, None, "spectrum4"),
]


@pytest.mark.parametrize(("model", "sku", "asic", "table"), HEADROOM)
def test_headroom_table_of_a_switch(model, sku, asic, table):
    catalog = load_catalog()
    found = catalog.headroom_of(catalog.switch(model), sku, asic)
    assert (found.name if found else None) == table


GPU = """\
name: {name}
vendor: Acme
peak_bf16: {{value: {peak}, unit: TFLOPS, source: our bench, trust: given}}
scale_up: {{value: 100, unit: GB/s, source: our bench, trust: given}}
"""


def written(folder, name, text):
    (folder / "gpus").mkdir(exist_ok=True)
    (folder / "gpus" / f"{name}.yaml").write_text(text)
    return load_catalog(folder)


def test_a_users_file_adds_and_replaces_by_name(tmp_path):
    written(tmp_path, "abc-1", GPU.format(name="abc-1", peak=7))
    catalog = written(tmp_path, "h100-sxm", GPU.format(name="h100-sxm", peak=900))
    assert catalog.gpu("abc-1").peak_bf16.value == 7
    assert catalog.gpu("h100-sxm").peak_bf16.value == 900
    assert catalog.gpu("h200").peak_bf16.value == load_catalog().gpu("h200").peak_bf16.value
    assert load_catalog().gpu("h100-sxm").peak_bf16.value == 989
    assert catalog.nearest("gpus", "abc") == "abc-1"


def test_a_broken_file_says_everything_with_its_line(tmp_path):
    text = "name: box\nvendor: Acme\npeek: 1\nscale_up: {value: 1, unit: GB/s, trust: sure}\n"
    with pytest.raises(FindingsError) as caught:
        written(tmp_path, "box", text).gpu("box")
    found = [(x.rule, x.line, x.message.split(":")[0]) for x in caught.value.report.findings]
    assert found == [
        ("CAT001", 1, "peak_bf16"),
        ("CAT001", 3, "peek"),
        ("CAT001", 4, "scale_up.source"),
        ("CAT001", 4, "scale_up.trust"),
    ]


def test_a_file_named_otherwise_is_refused(tmp_path):
    with pytest.raises(FindingsError) as caught:
        written(tmp_path, "box", GPU.format(name="bax", peak=1)).gpu("box")
    (finding,) = caught.value.report.findings
    assert finding.message == "the file is box.yaml, the name in it is bax"


def test_a_missing_folder_is_a_usage_error(tmp_path):
    with pytest.raises(UsageError, match="no such folder of catalog files"):
        load_catalog(tmp_path / "nowhere")


SWITCH = """\
name: box
vendor: Acme
platform: x
asics: [{asic: th5, source: here, trust: given}]
default_asic: th9
kinds:
  osfp: {form_factor: OSFP, modes: {1x800G: [''], 2x400G: [a, b]}, source: here, trust: given}
  sfp: {form_factor: SFP+, modes: {4x10G: [a, b, c, d]}, source: here, trust: given}
cages:
- {cage: 1, label: A, port: Ethernet0, lanes: 1-8, index: 1, alias: A, kind: osfp}
- {cage: 1, label: B, port: Ethernet1, lanes: 8-15, index: 2, alias: B, kind: osfp}
- {cage: 3, label: C, port: Ethernet0, lanes: '16', index: 3, alias: C, kind: sfp}
names: {source: here, trust: given}
lanes: {source: here, trust: given}
skus:
- {name: s, modes: {1-2: 1x800G}, source: here, trust: given}
- {name: t, modes: {'3': 1x10G}, source: here, trust: given}
"""


def test_a_switch_that_cannot_be_is_refused_with_all_reasons(tmp_path):
    (tmp_path / "switches").mkdir()
    (tmp_path / "switches" / "box.yaml").write_text(SWITCH)
    with pytest.raises(FindingsError) as caught:
        load_catalog(tmp_path).switch("box")
    assert [(x.rule, x.line, x.message) for x in caught.value.report.findings] == [
        ("CAT003", 5, "default_asic: th9 is none of its chips ['th5']"),
        ("CAT003", 11, "cages.1: cage 1 is taken by cages.0"),
        ("CAT003", 12, "cages.2: Ethernet0: mode 4x10G makes 4 ports of 1 lanes"),
        ("CAT003", 12, "cages.2: port Ethernet0 is taken by cages.0"),
        ("CAT003", 16, "skus.0.modes: box has no cage 2"),
        (
            "CAT003",
            17,
            "skus.1.modes: box cage 3 (C) does not allow 1x10G: allowed are 4x10G",
        ),
    ]


SKUS = [
    ("CX864E-N_128X400G", "CX864E-N"),
    ("ACS-SN5600", "SN5600"),
    ("dbmvtx9180_64osfp_128x400G", "DBMVTX9180"),
    ("no-such-sku", None),
]


@pytest.mark.parametrize(("hwsku", "model"), SKUS)
def test_the_switch_that_a_device_says_it_is(hwsku, model):
    found = load_catalog().switch_for(hwsku, "")
    assert (found[0].name if found else None) == model
    assert found is None or found[1].name == hwsku


def test_sku_names_are_unique_over_all_switches():
    names = [sku.name for model in load_catalog().switches() for sku in model.skus]
    assert len(set(names)) == len(names)
