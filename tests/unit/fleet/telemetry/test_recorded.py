"""A trace file: every fault at its place and all at once, and a schema that takes what it takes."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from nettool.core.errors import FindingsError, UsageError
from nettool.core.source import SourceMap
from nettool.fleet.deploy.questions import COUNTERS
from nettool.fleet.telemetry.recorded import COUNTED, load_trace, read_trace, trace_schema
from nettool.fleet.telemetry.recorded_csv import COLUMNS
from tests.unit.fleet.telemetry.traces import look, steady

BROKEN = """\
schema_version: 2
samples:
  - time: 2026-03-01T10:00:00
    device: ""
    counters:
      ecn_market: {"Ethernet0|3": 1}
      pfc_tx: {"Ethernet0|9": 1, "Ethernet0|3": -1, "Ethernet8|3": 1.5}
  - time: 2026-03-01T10:00:00Z
    divice: leaf01
    counters: {pfc_tx: {"Ethernet0|3": 99999999999999999999999}}
extra: 1
"""


def _faults(tmp_path, text, name="trace.yaml"):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(FindingsError) as caught:
        load_trace(path)
    report = caught.value.report
    assert {(each.rule, each.severity.value) for each in report.findings} == {("TUN010", "error")}
    return [(each.line, each.column, each.message) for each in report.findings]


def test_every_fault_is_told_at_its_place(tmp_path):
    assert [(line, column) for line, column, _ in _faults(tmp_path, BROKEN)] == [
        (1, 17), (3, 11), (4, 13), (6, 7), (7, 16), (7, 49), (7, 68), (8, 5), (9, 5), (10, 40),
        (11, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "said",
    [
        "ecn_market: 'ecn_market' is no kind of counter; did you mean 'ecn_marked'?",
        "timezone",
        "Ethernet0|3: Input should be greater than or equal to 0; given -1",
        "device: Field required",
        "divice: Extra inputs are not permitted",
        "less than or equal to 18446744073709551615",
        "pfc_tx.Ethernet0|9: a place such as Ethernet0|3 is expected, not 'Ethernet0|9'",
    ],
)
def test_a_fault_says_what_is_expected(tmp_path, said):
    assert any(said in message for _, _, message in _faults(tmp_path, BROKEN))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "a mapping with `samples` is expected"),
        ("samples: []", "samples: at least one sample is expected"),
        ("samples: 7", "should be a list"),
        ("", "Field required"),
    ],
)
def test_what_is_no_trace(tmp_path, text, said):
    assert said in _faults(tmp_path, text)[0][2]


def test_a_watermark_fits_a_buffer(tmp_path):
    looks = {"samples": [look(0), look(1, queue_watermark=2**64 - 1)]}
    ((line, _, said),) = _faults(tmp_path, json.dumps(looks, indent=1), "trace.json")
    assert line > 1
    assert "queue_watermark of Ethernet0|3: 18,446,744,073,709,551,615 B are more than any" in said


def test_a_switch_is_looked_at_once_at_a_time(tmp_path):
    twice = [look(0), look(1), {**look(0), "time": "2026-03-01T11:00:00+01:00"}]
    found = _faults(tmp_path, json.dumps({"samples": twice}), "trace.json")
    assert "leaf01 was looked at twice at 2026-03-01T10:00:00Z: samples 0 and 2" in found[0][2]


def test_json_and_yaml_with_keys_of_ones_own_are_read_alike(tmp_path):
    data = {"schema_version": 1, "x-by": "me", "samples": [{**each, "x-n": 1} for each in steady()]}
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(data))
    assert load_trace(path).by_device == read_trace(data, SourceMap("x")).by_device


def test_what_verify_records_is_taken_as_it_is():
    counters = {kind: {"Ethernet0|3": 1} for kind in COUNTERS}
    sample = {"time": "2026-03-01T10:00:00Z", "device": "leaf01", "counters": counters}
    read = read_trace({"samples": [sample]}, SourceMap("x")).by_device["leaf01"]
    assert set(read[0].counters) == set(COUNTERS) > set(COUNTED)


def test_a_missing_file_is_a_wrong_call(tmp_path):
    with pytest.raises(UsageError):
        load_trace(tmp_path / "none.yaml")


def test_the_schema_takes_what_the_model_takes():
    check = Draft202012Validator(trace_schema())
    Draft202012Validator.check_schema(trace_schema())
    assert check.is_valid({"samples": steady()})
    odd = look(0)
    odd["counters"]["ecn_market"] = {}
    bad_place = look(0)
    bad_place["counters"]["pfc_tx"] = {"Ethernet0|9": 1}
    for each in (odd, bad_place, {**look(0), "device": ""}):
        assert not check.is_valid({"samples": [each]})


def _sheet(looks):
    rows = [
        f"{each['time']},{each['device']},{each['started']},{kind},{place},{count}"
        for each in looks
        for kind, row in each["counters"].items()
        for place, count in row.items()
    ]
    return "\n".join(["time,device,started,kind,place,value", *rows]) + "\n"


def test_a_sheet_is_read_as_the_same_trace(tmp_path):
    looks = [look(0, started="a"), look(1, started="a"), *steady(2, "leaf02", pfc_tx=4)]
    path = tmp_path / "trace.CSV"
    path.write_text(_sheet(looks))
    assert load_trace(path).by_device == read_trace({"samples": looks}, SourceMap("x")).by_device


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "time,device,kind,plaice,value,value\n",
            [
                (1, "column 'place' is expected; given 'time, device, kind, plaice, value, value'"),
                (1, "column 'value' stands twice"),
                (1, "unknown column 'plaice'; did you mean 'place'?"),
            ],
        ),
        (
            "time,device,kind,place,value\n"
            "2026-03-01T10:00:00Z,leaf01,pfc_tx,Ethernet0|3,1\n"
            "2026-03-01T10:00:00Z,leaf01,pfc_tx,Ethernet0|3,2\n"
            "2026-03-01T10:00:00Z,leaf01,pfc_tx\n",
            [
                (3, "pfc_tx of Ethernet0|3 stands twice at 2026-03-01T10:00:00Z"),
                (4, "5 cells are expected, not 3"),
            ],
        ),
        (
            "time,device,kind,place,value\n"
            "2026-03-01T10:00:00Z,leaf01,pfc_tx,Ethernet0|3,1\n"
            "2026-03-01T10:00:00Z,leaf01,pfc_tx,Ethernet8|3,many\n"
            "2026-03-01T10:00:00Z,leaf01,pfc_ty,Ethernet8|3,1\n"
            "yesterday,leaf01,pfc_tx,Ethernet8|9,1\n",
            [
                (3, "samples.0.counters.pfc_tx.Ethernet8|3: Input should be a valid integer; "
                    "given 'many'"),
                (4, "samples.0.counters.pfc_ty: 'pfc_ty' is no kind of counter; did you mean "
                    "'pfc_tx'?"),
                (5, "samples.1.counters.pfc_tx.Ethernet8|9: a place such as Ethernet0|3 is "
                    "expected, not 'Ethernet8|9'"),
                (5, "samples.1.time: Input should be a valid datetime or date, input is too "
                    "short; given 'yesterday'"),
            ],
        ),
        ("", [(1, f"column {name!r} is expected; given ''") for name in sorted(COLUMNS)]),
    ],
)  # fmt: skip
def test_every_fault_of_a_sheet_is_told_at_its_row(tmp_path, text, told):
    assert [(line, said) for line, _, said in _faults(tmp_path, text, "trace.csv")] == told
