"""The error budget of a chain of clocks: what a NIC, and two NICs against each other, can be off.

TE = reference + n cTE + sqrt(n) dTE + asymmetry / 2 + end station (ITU-T G.8271.1's form). dTE
is taken with the MTIE whole (pessimistic) and half (customary); both are always given.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from nettool.core.provenance import Figure, Input, Provenance, Trust, weakest
from nettool.plan.timing.profiles import CLOCK_CLASS_SOURCE, ClockClass

NS_PER_METRE = 5.0
"""One-way delay of fibre, n = 1.5."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of `clocks` clocks of one class, with what stands before and after it, ns."""

    clocks: int
    clock_class: ClockClass
    reference: float = 0.0
    asymmetry: float = 0.0
    end_station: float = 0.0
    factor: int = 1
    """2 for a pair of NICs: two branches below the last common clock."""
    trust: Trust = Trust.PUBLISHED


def constant_error(chain: Chain) -> Figure | None:
    """Constant part n x cTE, ns; None for class D, which has no separate constant part."""
    if chain.clock_class.cte is None:
        return None
    why = _why(chain, "n x cTE" if chain.factor == 1 else "2 x n x cTE")
    return Figure(chain.factor * chain.clocks * chain.clock_class.cte, "ns", why)


def dynamic_error(chain: Chain) -> Figure | None:
    """Dynamic part sqrt(n) x dTE with the MTIE whole, ns; None for class D."""
    if chain.clock_class.dte is None:
        return None
    why = _why(chain, "sqrt(n) x dTE" if chain.factor == 1 else "2 x sqrt(n) x dTE")
    return Figure(chain.factor * sqrt(chain.clocks) * chain.clock_class.dte, "ns", why)


def total_error(chain: Chain, *, half: bool = False) -> Figure:
    """The whole budget, ns, with the MTIE whole or half.

    Class D is summed linearly: n x 5 ns.
    """
    cte, dte = constant_error(chain), dynamic_error(chain)
    if cte is None or dte is None:
        clocks = chain.factor * chain.clocks * (chain.clock_class.te_l or 0.0)
        formula = "n x TE_L (linear)"
    else:
        clocks = float(cte) + float(dte) / (2 if half else 1)
        formula = f"n x cTE + sqrt(n) x dTE{' / 2' if half else ''}"
    if chain.factor > 1:
        formula = f"{chain.factor} x ({formula})"
    rest = chain.reference + chain.factor * (chain.asymmetry + chain.end_station)
    why = _why(chain, f"reference + {formula} + asymmetry / 2 + end station")
    return Figure(rest + clocks, "ns", why)


def rss_error(chain: Chain) -> Figure:
    """Class D by root sum of squares: sqrt(n) x 5 ns."""
    value = chain.factor * sqrt(chain.clocks) * (chain.clock_class.te_l or 0.0)
    return Figure(value, "ns", _why(chain, "sqrt(n) x TE_L"))


def _why(chain: Chain, formula: str) -> Provenance:
    limits = chain.clock_class
    inputs = [Input("n", chain.clocks, "clocks"), Input("class", limits.name)]
    for name in ("cte", "dte", "te_l"):
        value = getattr(limits, name)
        if value is not None:
            inputs.append(Input(name, value, "ns"))
    for name in ("reference", "asymmetry", "end_station"):
        value = getattr(chain, name)
        if value:
            inputs.append(Input(name, value, "ns"))
    trust = weakest(chain.trust, Trust.COMPUTED)
    return Provenance(formula, tuple(inputs), CLOCK_CLASS_SOURCE, trust)
