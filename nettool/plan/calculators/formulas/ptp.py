"""`calc ptp`: the error budget of a chain of PTP clocks."""

from __future__ import annotations

from nettool.core.provenance import Figure
from nettool.plan.calculators.calculator import (
    COUNT,
    NUMBER,
    TEXT,
    Calculation,
    Flag,
    calculator,
)
from nettool.plan.timing.budget import (
    NS_PER_METRE,
    Chain,
    ErrorSum,
    constant_error,
    dynamic_error,
    rss_error,
    total_error,
)
from nettool.plan.timing.profiles import CLOCK_CLASS_SOURCE, CLOCK_CLASSES


@calculator(
    "ptp",
    "error budget of a chain of PTP clocks, by G.8273.2 class",
    Flag("clocks", COUNT, help="clocks in the chain"),
    Flag("class", TEXT, help="G.8273.2 class of the clocks", choices=tuple(CLOCK_CLASSES)),
    Flag("grandmaster", NUMBER, 0.0, "error of the reference, ns"),
    Flag("asymmetry", NUMBER, 0.0, "unequal Tx and Rx fibre over the chain, metres"),
    Flag("end_station", NUMBER, 0.0, "error of the end station, ns"),
)
def ptp(
    *, clocks: int, class_: str, grandmaster: float, asymmetry: float, end_station: float
) -> Calculation:
    """Constant and dynamic part and their sum, ns; class D has only a low-passed maximum."""
    half = asymmetry * NS_PER_METRE / 2
    sums = ErrorSum((Chain.of(clocks, class_, half),), grandmaster, end_station)
    total = total_error(sums)
    result: dict[str, float | None] = {
        "cte_ns": _value(constant_error(sums)),
        "dte_ns": _value(dynamic_error(sums)),
        "total_ns": _value(total),
        "total_half_ns": _value(total_error(sums, half=True)),
    }
    if CLOCK_CLASSES[class_].te_l is not None:
        result["total_rss_ns"] = grandmaster + half + end_station + float(rss_error(sums))
    return Calculation(
        result=result,
        units=dict.fromkeys(result, "ns"),
        formula=total.why.formula,
        source=CLOCK_CLASS_SOURCE,
        trust=total.why.trust,
    )


def _value(figure: Figure | None) -> float | None:
    return None if figure is None else float(figure)
