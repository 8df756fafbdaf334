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
    limits = CLOCK_CLASSES[class_]
    chain = Chain(clocks, limits, grandmaster, asymmetry * NS_PER_METRE / 2, end_station)
    total = total_error(chain)
    result: dict[str, float | None] = {
        "cte_ns": _value(constant_error(chain)),
        "dte_ns": _value(dynamic_error(chain)),
        "total_ns": _value(total),
        "total_half_ns": _value(total_error(chain, half=True)),
    }
    if limits.te_l is not None:
        fixed = grandmaster + asymmetry * NS_PER_METRE / 2 + end_station
        result["total_rss_ns"] = fixed + float(rss_error(chain))
    return Calculation(
        result=result,
        units=dict.fromkeys(result, "ns"),
        formula=total.why.formula,
        source=CLOCK_CLASS_SOURCE,
        trust=total.why.trust,
    )


def _value(figure: Figure | None) -> float | None:
    return None if figure is None else float(figure)
