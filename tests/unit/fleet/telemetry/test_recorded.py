"""A trace file: every fault at its place and all at once, and a schema that takes what it takes."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from nettool.core.errors import FindingsError, UsageError
from nettool.core.source import SourceMap
from nettool.fleet.telemetry.recorded import load_trace, read_trace, trace_schema
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
        "less than 18446744073709551616",
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
        ("samples: 7", "valid tuple"),
        ("", "Field required"),
    ],
)
def test_what_is_no_trace(tmp_path, text, said):
    assert said in _faults(tmp_path, text)[0][2]


def test_a_switch_is_looked_at_once_at_a_time(tmp_path):
    twice = [look(0), look(1), {**look(0), "time": "2026-03-01T11:00:00+01:00"}]
    found = _faults(tmp_path, json.dumps({"samples": twice}), "trace.json")
    assert "leaf01 was looked at twice at 2026-03-01T10:00:00Z: samples 0 and 2" in found[0][2]


def test_json_and_yaml_with_keys_of_ones_own_are_read_alike(tmp_path):
    data = {"schema_version": 1, "x-by": "me", "samples": [{**each, "x-n": 1} for each in steady()]}
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(data))
    assert load_trace(path).by_device == read_trace(data, SourceMap("x")).by_device


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
