"""The error budget of chains of clocks: what a NIC, and two NICs against each other, can be off.

TE = reference + n cTE + sqrt(n) dTE + asymmetry / 2 + end station (ITU-T G.8271.1's form). dTE
is taken with the MTIE whole (pessimistic) and half (customary); both are always given. Clocks of
several classes add their cTE, and their dTE as a root of squares; class D adds its low-passed
maximum for each clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from nettool.core.provenance import Figure, Input, Provenance, Trust, weakest
from nettool.plan.timing.profiles import CLOCK_CLASS_SOURCE, CLOCK_CLASSES, ClockClass

NS_PER_METRE = 5.0
"""One-way delay of fibre, n = 1.5."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Clocks in a row by class, and half the asymmetry of their links, ns."""

    counts: tuple[tuple[str, int], ...]
    asymmetry: float = 0.0

    @classmethod
    def of(cls, clocks: int, clock_class: str, asymmetry: float = 0.0) -> Chain:
        """A chain of clocks of one class."""
        return cls(((clock_class, clocks),), asymmetry)

    def then(self, clock_class: str, asymmetry: float) -> Chain:
        """The chain with one more clock and its link."""
        counts = dict(self.counts)
        counts[clock_class] = counts.get(clock_class, 0) + 1
        return Chain(tuple(sorted(counts.items())), self.asymmetry + asymmetry)

    @property
    def clocks(self) -> int:
        """Clocks in the chain."""
        return sum(number for _, number in self.counts)

    @property
    def constant(self) -> float:
        """Sum of the clocks' cTE, ns; class D gives its low-passed maximum."""
        return sum(number * _constant(CLOCK_CLASSES[name]) for name, number in self.counts)

    @property
    def dynamic(self) -> float:
        """Root of the squares of the clocks' dTE with the MTIE whole, ns."""
        return _root(self.counts, "dte")

    @property
    def unfiltered(self) -> float | None:
        """The largest unfiltered error of any of its clocks, ns; None where none is stated."""
        stated = (CLOCK_CLASSES[name].te_max for name, number in self.counts if number)
        return max((each for each in stated if each is not None), default=None)

    def error(self, *, half: bool = False) -> float:
        """The chain's whole error with its links, ns."""
        return self.constant + self.dynamic / (2 if half else 1) + self.asymmetry


@dataclass(frozen=True, slots=True)
class ErrorSum:
    """What adds up: one chain against UTC, or two below the last common clock of a pair.

    `reference` ns once (both of two grandmasters), `end_station` ns for each chain.
    """

    chains: tuple[Chain, ...]
    reference: float = 0.0
    end_station: float = 0.0
    trust: Trust = Trust.PUBLISHED

    @property
    def clocks(self) -> int:
        """Clocks of the longest chain."""
        return max(each.clocks for each in self.chains)


def constant_error(total: ErrorSum) -> Figure | None:
    """Constant part, the sum of n x cTE, ns; None where every clock is of class D."""
    if not _has_constant(total):
        return None
    return _figure(total, sum(each.constant for each in total.chains), "n x cTE")


def dynamic_error(total: ErrorSum) -> Figure | None:
    """Dynamic part sqrt(n) x dTE with the MTIE whole, ns; None where every clock is class D."""
    if not _has_constant(total):
        return None
    return _figure(total, sum(each.dynamic for each in total.chains), "sqrt(n) x dTE")


def total_error(total: ErrorSum, *, half: bool = False) -> Figure:
    """The whole budget, ns, with the MTIE whole or half. Class D is summed linearly: n x 5 ns."""
    formula = f"n x cTE + sqrt(n) x dTE{' / 2' if half else ''}"
    if not _has_constant(total):
        formula = "n x TE_L (linear)"
    value = _rest(total) + sum(each.error(half=half) for each in total.chains)
    return _figure(total, value, formula, around=True)


def unfiltered_error(total: ErrorSum) -> Figure | None:
    """The budget for a NIC that does not filter, ns: no chain below its worst clock's max|TE|.

    None where only class D is on the way: it states low-passed error alone.
    """
    if any(each.clocks and each.unfiltered is None for each in total.chains):
        return None
    chains = (
        max(each.constant + each.dynamic, each.unfiltered or 0.0) + each.asymmetry
        for each in total.chains
    )
    formula = "max(n x cTE + sqrt(n) x dTE, max|TE|)"
    return _figure(total, _rest(total) + sum(chains), formula, around=True)


def rss_error(total: ErrorSum) -> Figure:
    """Class D by root sum of squares: sqrt(n) x 5 ns."""
    value = sum(_root(each.counts, "te_l") for each in total.chains)
    return _figure(total, value, "sqrt(n) x TE_L")


def _constant(limits: ClockClass) -> float:
    return (limits.te_l or 0.0) if limits.cte is None else limits.cte


def _root(counts: tuple[tuple[str, int], ...], limit: str) -> float:
    squares = (
        number * (getattr(CLOCK_CLASSES[name], limit) or 0.0) ** 2 for name, number in counts
    )
    return sqrt(sum(squares))


def _has_constant(total: ErrorSum) -> bool:
    named = [name for each in total.chains for name, _ in each.counts]
    return not named or any(CLOCK_CLASSES[name].cte is not None for name in named)


def _rest(total: ErrorSum) -> float:
    return total.reference + len(total.chains) * total.end_station


def _figure(total: ErrorSum, value: float, formula: str, *, around: bool = False) -> Figure:
    if len(total.chains) > 1:
        formula = f"both branches of ({formula})"
    if around:
        formula = f"reference + {formula} + asymmetry / 2 + end station"
    trust = weakest(total.trust, Trust.COMPUTED)
    why = Provenance(formula, tuple(_inputs(total)), CLOCK_CLASS_SOURCE, trust)
    return Figure(value, "ns", why)


def _inputs(total: ErrorSum) -> list[Input]:
    inputs: list[Input] = []
    for chain in total.chains:
        inputs += [Input(f"n of class {name}", n, "clocks") for name, n in chain.counts]
    for name in sorted({name for chain in total.chains for name, _ in chain.counts}):
        limits = CLOCK_CLASSES[name]
        for limit in ("cte", "dte", "te_l"):
            value = getattr(limits, limit)
            if value is not None:
                inputs.append(Input(f"{limit} of class {name}", value, "ns"))
    asymmetry = sum(each.asymmetry for each in total.chains)
    for said, value in (
        ("reference", total.reference),
        ("asymmetry / 2", asymmetry),
        ("end station", total.end_station),
    ):
        if value:
            inputs.append(Input(said, value, "ns"))
    return inputs
