"""The breakouts of a switch model: which cages have ports of a speed, and how many."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from nettool.catalog.cage import Cage
from nettool.catalog.switch import SwitchModel
from nettool.plan.design.cages import CageSet, CageUse


@dataclass(frozen=True)
class Breakouts:
    """A switch model with the breakouts that are open: all of them, or those of a given SKU."""

    model: SwitchModel
    sku: str | None = None
    _known: dict[Hashable, tuple[_Offer, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Offers by what they depend on: most cages of a switch are alike."""
    _carried: dict[tuple[int, int | None], CageSet] = field(
        default_factory=dict, compare=False, repr=False
    )

    def speeds(self) -> frozenset[int]:
        """Port speeds (Mb/s) that some cage can run at."""
        alike = {self._kind(cage): cage for cage in self.model.cages}.values()
        return frozenset(each.speed for cage in alike for each in self._offers(cage))

    def carrying(self, speed: int, lanes: int | None) -> CageSet:
        """Cages with ports of `speed` on `lanes` lanes, or on any where none has so many."""
        key = (speed, lanes)
        if key not in self._carried:
            self._carried[key] = self._carrying(speed, lanes)
        return self._carried[key]

    def _carrying(self, speed: int, lanes: int | None) -> CageSet:
        kinds = [self._kind(cage) for cage in self.model.cages]
        alike = dict(zip(kinds, self.model.cages, strict=True))
        for wanted in (lanes, None):
            known = {kind: _best(self._offers(cage), speed, wanted) for kind, cage in alike.items()}
            uses = tuple(
                CageUse(cage.cage, best.mode, best.ports)
                for kind, cage in zip(kinds, self.model.cages, strict=True)
                if (best := known[kind])
            )
            if uses:
                return CageSet(speed, uses)
        return CageSet(speed, ())

    def lanes(self, speed: int) -> int | None:
        """Lanes of a port of `speed` where most of them fit."""
        best = (_best(self._offers(cage), speed, None) for cage in self.model.cages)
        return next((each.lanes for each in best if each), None)

    def _kind(self, cage: Cage) -> Hashable:
        mode = self.model.sku(self.sku).mode_of.get(cage.cage) if self.sku else None
        return (cage.kind, len(cage.lanes), mode)

    def _offers(self, cage: Cage) -> tuple[_Offer, ...]:
        key = self._kind(cage)
        if key not in self._known:
            self._known[key] = tuple(self._listed(cage))
        return self._known[key]

    def _listed(self, cage: Cage) -> Iterator[_Offer]:
        sku = self.model.sku(self.sku).mode_of if self.sku else None
        texts = tuple(self.model.kinds[cage.kind].modes)
        if sku is not None:
            texts = tuple(mode for number, mode in sku.items() if number == cage.cage)
        for text in texts:
            choice = self.model.choose(cage.cage, text)
            if len(choice.mode.terms) != 1:
                continue
            term = choice.mode.terms[0]
            width = (term.lanes or len(cage.lanes)) // term.count
            own = choice.speed or term.speed
            yield _Offer(text, own, width, term.count)
            if sku is None:
                given = f"({term.lanes})" if term.lanes else ""
                for speed in term.alternatives:
                    rated = f"{term.count}x{speed // 1000}G{given}"
                    yield _Offer(rated, speed, width, term.count)


@dataclass(frozen=True, slots=True)
class _Offer:
    mode: str
    speed: int
    lanes: int
    ports: int


def _best(offers: tuple[_Offer, ...], speed: int, lanes: int | None) -> _Offer | None:
    fitting = (each for each in offers if each.speed == speed and lanes in (None, each.lanes))
    return max(fitting, key=lambda each: each.ports, default=None)
