"""Cages of a switch by what they can carry, and how many ports fit on them.

NIC ports (or lower links) fill cages from the front, uplinks the last cages that can carry
them, so that a leaf that grows never moves an uplink.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import NamedTuple


class CageUse(NamedTuple):
    """One cage in one breakout: `ports` ports of the wanted speed in `mode`."""

    cage: int
    mode: str
    ports: int


@dataclass(frozen=True, slots=True)
class CageSet:
    """The cages that can carry ports of one speed (Mb/s), in panel order."""

    speed: int
    uses: tuple[CageUse, ...]

    @property
    def ports(self) -> int:
        """Ports of this speed, if every cage carries them."""
        return sum(each.ports for each in self.uses)


@dataclass(frozen=True)
class SwitchCages:
    """What a switch offers in its tier: a set of cages for each kind below, and one for uplinks."""

    down: tuple[CageSet, ...]
    up: CageSet | None = None
    _fits: dict[tuple[tuple[int, ...], int], bool] = field(
        default_factory=dict, compare=False, repr=False
    )

    @property
    def up_speed(self) -> int:
        """Mb/s of one uplink; 1 where there can be none."""
        return self.up.speed if self.up and self.up.uses else 1

    def up_uses(self, uplinks: int) -> tuple[CageUse, ...]:
        """The last cages that hold `uplinks` uplinks, in panel order."""
        taken: list[CageUse] = []
        for use in reversed(self.up.uses if self.up else ()):
            if uplinks <= 0:
                break
            taken.append(use)
            uplinks -= use.ports
        return tuple(reversed(taken))

    def fits(self, counts: tuple[int, ...], uplinks: int) -> bool:
        """Whether `counts` ports of each kind and `uplinks` uplinks fit at the same time."""
        key = (counts, uplinks)
        if key not in self._fits:
            self._fits[key] = self._try(counts, uplinks)
        return self._fits[key]

    def needed_uplinks(self, counts: Sequence[int], ratio: Fraction) -> int:
        """Uplinks for `ratio` : 1, i.e. ceil(sum n_i R_i / (ratio x U))."""
        return ceil(self.capacity(counts) / (ratio * self.up_speed))

    def capacity(self, counts: Sequence[int]) -> int:
        """Mb/s of `counts` ports of each kind."""
        return sum(n * kind.speed for n, kind in zip(counts, self.down, strict=True))

    def most(self, kind: int, ratio: Fraction | None) -> int:
        """Most ports of one kind with the uplinks for `ratio` : 1; None: without uplinks."""
        for number in range(self.down[kind].ports, 0, -1):
            counts = tuple(number if each == kind else 0 for each in range(len(self.down)))
            if self.fits(counts, self.needed_uplinks(counts, ratio) if ratio else 0):
                return number
        return 0

    def _try(self, counts: tuple[int, ...], uplinks: int) -> bool:
        ups = self.up_uses(uplinks)
        if sum(each.ports for each in ups) < uplinks:
            return False
        taken = {each.cage for each in ups}
        return all(
            self._take(kind, count, taken) for kind, count in zip(self.down, counts, strict=True)
        )

    @staticmethod
    def _take(kind: CageSet, count: int, taken: set[int]) -> bool:
        for use in kind.uses:
            if count <= 0:
                break
            if use.cage not in taken:
                taken.add(use.cage)
                count -= use.ports
        return count <= 0


class Seat(NamedTuple):
    """One port: the cage, its mode, and which of the cage's ports (from 0)."""

    cage: int
    mode: str
    leg: int


def seats_in_order(
    cages: SwitchCages, kinds: Sequence[int], uplinks: int
) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Seats for ports of `kinds` in their order, and for the uplinks.

    A port takes the next leg of its kind's open cage, or opens the first free cage: ports that
    are added at the end move none before them. Raises ValueError where the switch is full.
    """
    ups = cages.up_uses(uplinks)
    taken = {each.cage for each in ups}
    free = [list(reversed(each.uses)) for each in cages.down]
    open_seats: list[list[Seat]] = [[] for _ in cages.down]
    seats: list[Seat] = []
    for kind in kinds:
        if not open_seats[kind]:
            use = _next_free(free[kind], taken)
            open_seats[kind] = [Seat(use.cage, use.mode, n) for n in reversed(range(use.ports))]
        seats.append(open_seats[kind].pop())
    return tuple(seats), tuple(Seat(u.cage, u.mode, n) for u in ups for n in range(u.ports))


def modes_of(*seats: Sequence[Seat]) -> Mapping[int, str]:
    """Mode by cage of all these seats."""
    return {seat.cage: seat.mode for group in seats for seat in group}


def _next_free(free: list[CageUse], taken: set[int]) -> CageUse:
    while free:
        use = free.pop()
        if use.cage not in taken:
            taken.add(use.cage)
            return use
    raise ValueError("no free cage is left")
