"""The framework: declarations, checks and the JSON form; and the calculators' own results."""

from __future__ import annotations

import inspect
import json

import pytest

from nettool.core.errors import UsageError
from nettool.plan.calculators.calculator import CALCULATORS, calculate

STEP = {
    "model": "llama-3-70b", "gpus": 1024, "tp": 8, "pp": 8, "dp": 16, "seq": 8192, "batch": 2048,
}  # fmt: skip


@pytest.mark.parametrize("name", list(CALCULATORS))
def test_flags_are_the_formula_s_parameters(name):
    chosen = CALCULATORS[name]
    parameters = inspect.signature(chosen.formula).parameters
    assert [flag.parameter for flag in chosen.flags] == list(parameters)
    assert all(flag.help for flag in chosen.flags)
    assert chosen.purpose
    assert "\n" not in chosen.purpose


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("nothing", {}, "no calculator 'nothing': choose from "),
        ("ecmp", {"flow": 1}, "calc ecmp: no flag 'flow', did you mean flows; its flags are "),
        ("ecmp", {"flows": 3}, "calc ecmp: --links is missing: "),
        ("ecmp", {"flows": "many", "links": 2}, "--flows: a whole number of at least 1 is expect"),
        ("ecmp", {"flows": "1e999999", "links": 2}, "a whole number of at least 1 is expected"),
        ("ecmp", {"flows": "2.5", "links": 2}, "a whole number of at least 1 is expected"),
        ("ecmp", {"flows": 0, "links": 2}, "a whole number of at least 1 is expected, not '0'"),
        ("ecmp", {"flows": 20_000_000, "links": 2}, "calc ecmp: at most 10,000,000"),
        (
            "collective",
            {"op": "broadcast", "algorithm": "in-network", "gpus": 8, "bytes": 8},
            "no formula for broadcast by in-network: legal pairs are all-reduce: ring, tree, ",
        ),
        (
            "collective",
            {"op": "sum", "algorithm": "ring", "gpus": 8, "bytes": 8},
            "--op sum is not one of all-reduce, reduce-scatter, all-gather, all-to-all, broadcast",
        ),
        (
            "collective",
            {"op": "all-reduce", "algorithm": "hierarchical", "gpus": 8, "bytes": 8},
            "hierarchical needs the node size",
        ),
        (
            "collective",
            {"op": "all-reduce", "algorithm": "halving-doubling", "gpus": 12, "bytes": 8},
            "halving-doubling needs a power of two, not 12 GPUs",
        ),
        ("step", {**STEP, "gpus": 1000}, "tp 8 x pp 8 x cp 1 x dp 16 = 1024, not 1000 GPUs"),
        ("step", {**STEP, "batch": 100}, "batch 100 is not a multiple of dp 16 x micro-batch 1"),
        ("step", {**STEP, "model": "gpt-9"}, "--model gpt-9 is not one of deepseek-v3, "),
        ("step", {**STEP, "ep": 4}, "llama-3-70b has no experts, so ep 4 has no meaning"),
        ("step", {**STEP, "mfu": "0"}, "mfu 0 must be above 0"),
        ("step", {**STEP, "sequence_parallel": "maybe"}, "is not one of off, on, no-regather"),
        ("seed", {"mfu": "nan"}, "a finite number of at least 0 is expected"),
    ],
)
def test_a_wrong_call_says_what_is_legal(name, given, message):
    with pytest.raises(UsageError) as caught:
        calculate(name, given)
    assert message in str(caught.value)
    assert caught.value.exit_code == 64


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("all-reduce", "ring", 8, 2**30, None), {"bytes_per_gpu": 1_879_048_192, "steps": 14}),
        (("all-reduce", "tree", 8, 2**30, None), {"bytes_per_gpu": 2**31, "steps": 6}),
        (("all-reduce", "in-network", 8, 2**30, None), {"bytes_per_gpu": 2**30, "steps": 2}),
        (("all-reduce", "ring", 1, 2**30, None), {"bytes_per_gpu": 0, "steps": 0}),
        (("all-gather", "ring", 8, 2**30, None), {"bytes_per_gpu": 939_524_096, "steps": 7}),
        (("all-to-all", "direct", 8, 2**30, None), {"bytes_per_gpu": 939_524_096, "steps": 1}),
        (("broadcast", "ring", 8, 2**30, None), {"bytes_per_gpu": 2**30, "steps": 7}),
        (
            ("all-reduce", "hierarchical", 1024, 2**30, 8),
            {
                "bytes_per_gpu": 2_145_386_496, "steps": 2 * 7 + 2 * 127,
                "nic_bytes": 266_338_304, "nvlink_bytes": 1_879_048_192,
            },
        ),
    ],
)  # fmt: skip
def test_collectives(given, expected):
    op, algorithm, gpus, size, node = given
    flags = {"op": op, "algorithm": algorithm, "gpus": gpus, "bytes": size, "node_size": node}
    assert dict(calculate("collective", flags).result) == expected


def test_tree_says_that_it_is_approximate():
    found = calculate(
        "collective", {"op": "all-reduce", "algorithm": "tree", "gpus": 8, "bytes": 8}
    )
    assert "approximate" in found.formula
    assert str(found.trust) == "inferred"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (
            {},
            {
                "tp_bytes": 1_202_590_842_880, "pp_bytes": 4_294_967_296,
                "dp_bytes": 6_201_009_360, "cp_bytes": 0, "ep_bytes": 0,
                "iteration_s": 17.532132364466086,
            },
        ),
        ({"sequence_parallel": "on"}, {"tp_bytes": 1_503_238_553_600}),
        ({"sequence_parallel": "no-regather"}, {"tp_bytes": 1_202_590_842_880}),
        ({"dp_mode": "ddp", "grad_bytes": 2}, {"dp_bytes": 4_134_006_240}),
        ({"vpp": 5}, {"pp_bytes": 5 * 4_294_967_296}),
        ({"dp_mode": "fsdp"}, {"dp_bytes": 6_201_009_360 * 8 // 6}),
        (
            {"model": "mixtral-8x7b", "tp": 1, "pp": 1, "dp": 1024, "ep": 8},
            {"ep_bytes": 32 * 2 * 4 * 8192 * 2 * 4096 * 2 * 7 // 8},
        ),
    ],
)  # fmt: skip
def test_step(changes, expected):
    result = calculate("step", {**STEP, **changes}).result
    assert {name: result[name] for name in expected} == expected


def test_the_article_s_figures_and_why_they_differ():
    result = calculate("seed", {}).result
    assert result["total_3d_EB"] == pytest.approx(84.738, abs=5e-4)
    assert result["days_as_printed"] == pytest.approx(19.16, abs=5e-3)
    assert result["days_one_switch"] == pytest.approx(153.24, abs=5e-3)
    assert (result["switches_printed"], result["switches"]) == (20, 154)
    cells = {(r["parallelism"], r["direction"]): r for r in result["rows"] if r["parallelism"]}
    assert len(cells) == 8
    for row in cells.values():
        assert row["reproduced_PB"] == pytest.approx(row["printed_PB"], rel=0.003), row
        assert row["note"]
    assert round(cells["tp", "backward"]["reproduced_PB"]) == 26622
    assert cells["tp", "forward"]["reproduced_PB"] == 21840
    assert round(cells["fsdp", "forward"]["formula_PB"]) == 174
    claims = {row["claim"]: row["exact"] for row in result["rows"] if "claim" in row}
    assert claims["100 GB over 1000 ports of 800G, s"] == 0.001
    assert claims["pairs of 10,000 GPUs"] == 99_990_000


@pytest.mark.parametrize(
    ("name", "given"),
    [("ecmp", {"flows": 8, "links": 32}), ("seed", {}), ("step", STEP)],
)
def test_json_form(name, given):
    form = calculate(name, given).as_json()
    assert list(form) == [
        "schema_version", "calculator", "inputs", "result", "units", "formula", "source", "trust",
    ]  # fmt: skip
    assert form["calculator"] == name
    assert set(form["units"]) == set(form["result"]) - {"rows"}
    assert json.loads(json.dumps(form)) == form
