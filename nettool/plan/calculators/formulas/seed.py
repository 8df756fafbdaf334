"""`calc seed`: a published article's model, each printed figure beside the exact one."""

from __future__ import annotations

from fractions import Fraction

from nettool.core.errors import UsageError
from nettool.core.provenance import Trust
from nettool.plan.calculators.calculator import (
    COUNT,
    NUMBER,
    Calculation,
    Flag,
    Result,
    Row,
    calculator,
    exact,
)
from nettool.plan.demand import article

_FOLLOWS = "follows from the formula; printed rounded"
_MIXED = "computed in MiB and printed as 10^9 of them, called PB: (1000/1024)^2 of the decimal PB"
_TWICE = "1396/8 = 174.5 -> 175: a rounded number divided and rounded again; the formula gives 174"
_NO_CELL: Row = dict.fromkeys(
    ("parallelism", "direction", "printed_PB", "formula_PB", "reproduced_PB")
)
"""A claim of the text is no cell of the table: its row has those columns empty."""
_ZERO = "nothing is sent in this direction"


@calculator(
    "seed",
    "an article's demand model: printed figures, exact ones, why they differ, and the physics",
    Flag("tp", COUNT, 8, "tensor parallel degree of the 3D layout"),
    Flag("pp", COUNT, 8, "pipeline parallel degree"),
    Flag("dp", COUNT, 16, "data parallel degree"),
    Flag("mfu", NUMBER, 0.4, "part of peak rate, for the physical epoch"),
    Flag("peak_tflops", NUMBER, 989.0, "dense bf16 peak of one GPU"),
)
def seed(*, tp: int, pp: int, dp: int, mfu: float, peak_tflops: float) -> Calculation:
    """Llama3-70B on C4: table, 3D total, days on one 51.2T switch, claims, and the same job."""
    if not 0 < mfu <= 1 or peak_tflops <= 0:
        raise UsageError(f"calc seed: mfu {mfu:g} must be above 0 and at most 1, peak above 0")
    total = article.rebuilt(tp, pp, dp)
    days = article.switch_days(total.total)
    result: dict[str, Result] = {
        "rows": (*_table(), *_claims(total.total)),
        "total_3d_EB": _scaled(total.total, article.EXA),
        "tp_backward_EB": _scaled(total.tp_backward, article.EXA),
        "dp_backward_EB": _scaled(total.dp_backward, article.EXA),
        "pp_backward_EB": _scaled(total.pp_backward, article.EXA),
        "tp_forward_EB": _scaled(total.tp_forward, article.EXA),
        "pp_forward_EB": _scaled(total.pp_forward, article.EXA),
        "days_as_printed": float(days / 8),
        "days_one_switch": float(days),
        "switches_printed": 20,
        "switches": article.switches(total.total),
        "steps_exact": exact(article.EXACT_STEPS),
        **_physical(tp, pp, dp, Fraction(mfu) * Fraction(peak_tflops) * 10**12),
    }
    units = {name: _unit(name) for name in result if name != "rows"}
    return Calculation(
        result, units,
        formula="all-reduce as G (G-1) S. DP 2 N P G (G-1); FSDP 2 N P (G-1) each way; TP 4 N P L "
        "(G-1) backward, 4 L T H (G-1) G forward; PP 2 T H (G-1) each way. 3D: TP backward "
        "4 N L Gdp P (Gtp-1)/Gpp, DP 2 N P Gdp (Gdp-1). Physics: ring collectives 2 (G-1)/G S, "
        "TP both ways over activations",
        source="an article's table 2 (Llama3-70B, C4: P = 70e9, L = 80, H = 8192, G = 8, "
        "T = 156e9, N = 178,000); its 3D formulas are rebuilt from its wording; "
        "ring counts Thakur 2005, Narayanan SC21",
        trust=Trust.INFERRED,
    )  # fmt: skip


def _table() -> tuple[Row, ...]:
    mixed = article.MIXED_UNITS
    dp, fsdp = article.dp_backward(), article.fsdp_each_way()
    tp_back, tp_on = article.tp_backward(), article.tp_forward()
    tp_exact = article.tp_backward(article.EXACT_STEPS)
    pp = article.pp_each_way()
    eighth = Fraction(1396 * article.PETA, 8)
    return (
        _row("dp", "backward", 1396, dp, dp, _FOLLOWS, 1),
        _row("dp", "forward", 0, Fraction(0), Fraction(0), _ZERO, 0),
        _row("fsdp", "backward", 175, fsdp, eighth, _TWICE, article.LAYERS),
        _row("fsdp", "forward", 175, fsdp, eighth, _TWICE, article.LAYERS),
        _row(
            "tp", "backward", 26622, tp_back, tp_exact * mixed,
            f"{_MIXED}; with N = 364.6e6/2048 = 178,027.34 steps", 2 * article.LAYERS,
        ),
        _row(
            "tp", "forward", 21840, tp_on, tp_on * mixed,
            f"{_MIXED}; 140 MiB a token x 156e9 exactly", 2 * article.LAYERS * article.TOKENS,
        ),
        _row("pp", "backward", 17.9, pp, pp, _FOLLOWS, article.GROUP - 1),
        _row("pp", "forward", 17.9, pp, pp, _FOLLOWS, article.GROUP - 1),
    )  # fmt: skip


def _row(
    parallelism: str, direction: str, printed: float, formula: Fraction, reproduced: Fraction,
    note: str, count: int,
) -> Row:  # fmt: skip
    return {
        "parallelism": parallelism, "direction": direction, "printed_PB": printed,
        "formula_PB": _scaled(formula, article.PETA),
        "reproduced_PB": _scaled(reproduced, article.PETA), "count": count, "note": note,
    }  # fmt: skip


def _claims(total: Fraction) -> tuple[Row, ...]:
    days = article.switch_days(total)
    burst = article.transfer_seconds(100 * 10**9, 1000, 800 * 10**9)
    alone = article.transfer_seconds(100 * 10**9, 1, 800 * 10**9)
    sample = total / article.SAMPLES
    rows = (
        ("total of the 3D layout, EB", 85, _scaled(total, article.EXA), "follows: printed rounded "
         "(as 85 x 10^9 of GB)"),
        ("days on one 51.2T switch", 20, float(days), f"51.2 Tbit/s read as 51.2 TByte/s: "
         f"{float(days / 8):.2f} days printed as 20"),
        ("switches for an epoch a day", 20, article.switches(total), "the same factor of 8; times "
         "three where a byte crosses leaf, spine and leaf"),
        ("100 GB over 1000 ports of 800G, s", None, float(burst), f"{float(burst) * 1000:g} ms: "
         f"beyond 1000 ports only as a burst; over one port {float(alone):g} s"),
        ("bytes a sample, GB", 100, _scaled(sample, 10**9), "\"100 GB and more\": follows in its "
         "own model"),
        ("pairs of 10,000 GPUs", 100_000_000, article.ordered_pairs(10_000), "ordered pairs; a "
         "job uses a fraction of a percent of them"),
        ("steps an epoch", 178_000, exact(article.EXACT_STEPS), "364.6e6 samples/2048, rounded"),
        ("tokens a step", None, float(article.TOKENS / article.EXACT_STEPS), "0.88 M; Llama 3 "
         "took 4 to 16 M tokens a step, so 18 times fewer steps and DP bytes"),
    )  # fmt: skip
    return tuple(
        {
            **_NO_CELL,
            "claim": claim,
            "printed": printed,
            "exact": value,
            "note": f"{claim}: {_shown(printed)} printed, {_shown(value)} exact; {note}",
        }
        for claim, printed, value, note in rows
    )


def _shown(value: float | None) -> str:
    if value is None:
        return "nothing"
    return f"{value:,.2f}" if isinstance(value, float) and value > 1 else f"{value:,}"


def _physical(tp: int, pp: int, dp: int, rate: Fraction) -> dict[str, Result]:
    """The same job with ring collectives: what stays in the node, and what NICs carry."""
    real = article.physical(tp, pp, dp)
    nics = real.dp_backward + real.pp_backward + real.pp_forward
    gpus = tp * pp * dp
    seconds = article.epoch_seconds(gpus, rate)
    return {
        "physical_tp_EB": _scaled(real.tp_backward + real.tp_forward, article.EXA),
        "physical_dp_EB": _scaled(real.dp_backward, article.EXA),
        "physical_pp_EB": _scaled(real.pp_backward + real.pp_forward, article.EXA),
        "physical_nic_EB": _scaled(nics, article.EXA),
        "physical_nic_switch_days": float(article.switch_days(nics)),
        "physical_epoch_s": float(seconds),
        "physical_nic_average_gbps": float(nics * 8 / gpus / seconds / 10**9),
    }


def _scaled(size: Fraction, unit: int) -> int | float:
    return exact(size / unit)


def _unit(name: str) -> str:
    if name.endswith("_EB"):
        return "EB an epoch"
    return {
        "days_as_printed": "days", "days_one_switch": "days", "switches_printed": "switches",
        "switches": "switches for an epoch a day", "steps_exact": "steps an epoch",
        "physical_nic_switch_days": "switch-days an epoch, one hop", "physical_epoch_s": "s",
        "physical_nic_average_gbps": "Gbit/s a GPU",
    }[name]  # fmt: skip
