"""How hashing spreads equal flows over equal links: collisions, idle links, the fullest link.

n flows, each on one of M links at random (ECMP by hash of the five-tuple), or pinned by hand.
E[max load] is exact to the twelfth digit, without trials: n balls in M bins are M Poisson
counts given that they sum to n, and the sum of capped Poissons is one short Fourier integral.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator
from functools import lru_cache


def p_no_collision(flows: int, links: int) -> float:
    """M!/((M-n)! M^n): the chance that no two of n flows share a link."""
    if flows > links:
        return 0.0
    chance = 1.0
    for index in range(flows):
        chance *= (links - index) / links
        if chance == 0.0:
            break
    return chance


def idle_fraction(flows: int, links: int) -> float:
    """(1-1/M)^n: the expected part of the links that carry nothing."""
    return float((1 - 1 / links) ** flows)


@lru_cache(maxsize=4096)
def expected_max_load(flows: int, links: int) -> float:
    """E[max]: the expected number of flows on the fullest of M links."""
    if flows == 0 or links == 1:
        return float(flows)
    least = pinned_max_load(flows, links)
    expected = float(least)
    for capped in _at_most(flows, links, least):
        above = 1.0 - capped
        if above < _NEGLIGIBLE:
            break
        expected += above
    return expected


def slowest_flow_share(flows: int, links: int) -> float:
    """max(1, n/M)/E[max]: what the slowest flow gets, as a part of its fair share."""
    if flows == 0:
        return 1.0
    return max(1.0, flows / links) / expected_max_load(flows, links)


def pinned_max_load(flows: int, links: int) -> int:
    """ceil(n/M): the fullest link where paths are pinned evenly."""
    return -(-flows // links)


def pinned_slowest_share(flows: int, links: int) -> float:
    """max(1, n/M)/ceil(n/M): the slowest flow's part of its fair share on pinned paths."""
    if flows == 0:
        return 1.0
    return max(1.0, flows / links) / pinned_max_load(flows, links)


_NEGLIGIBLE = 1e-13
_SPREAD = 12.0


def _at_most(flows: int, links: int, first: int) -> Iterator[float]:
    """P(max <= k) for k = first, first + 1, ... up to `flows`.

    P(Y1..YM <= k | sum = n) = (1/N) sum over j of (f_k(t_j) e^(-i t_j n/M))^M / P(Poisson(n) = n)
    with f_k the transform of a Poisson(n/M) cut at k; points whose term vanishes are left out.
    """
    mean, deviation = flows / links, math.sqrt(flows / links)
    points = _points(flows, mean, links)
    lowest = max(0, int(mean - _SPREAD * deviation) - 20)
    sums = [0j] * len(points)
    scale = 1.0 / math.exp(_log_poisson(flows, float(flows)))
    for k in range(lowest, flows + 1):
        chance = math.exp(_log_poisson(k, mean))
        for index, (angle, _) in enumerate(points):
            sums[index] += chance * cmath.exp(1j * angle * (k - mean))
        if k >= first:
            total = sum(
                weight * (value**links).real
                for value, (_, weight) in zip(sums, points, strict=True)
            )
            yield min(1.0, max(0.0, total * scale))


def _points(flows: int, mean: float, links: int) -> list[tuple[float, float]]:
    """Angles and weights of the Fourier sum: enough that nothing wraps, none that is nil."""
    size = flows + 60 if flows < 100 else int(60 + 2 * _SPREAD * math.sqrt(flows))
    points = [(0.0, 1.0 / size)]
    for index in range(1, size // 2 + 1):
        angle = 2 * math.pi * index / size
        if links * mean * (1 - math.cos(angle)) > 45 and links > 1:
            break
        weight = 1.0 if 2 * index == size else 2.0
        points.append((angle, weight / size))
    return points


def _log_poisson(k: int, mean: float) -> float:
    return k * math.log(mean) - mean - math.lgamma(k + 1)
