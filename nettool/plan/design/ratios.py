"""Uplinks that are far more, or fewer, than the oversubscription that was asked for needs.

Every leaf has the uplinks that a full one needs, whole and evenly over the spines. With few nodes
leaves stay half empty: 4:1 asked can be 0.92:1 built, paid for in uplinks and optics.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil

from nettool.core.finding import Finding, Severity
from nettool.plan.design.clos import Clos, ClosRequest, ratio_of
from nettool.plan.design.counting import request_for
from nettool.plan.design.network import Network
from nettool.plan.design.notes import warning
from nettool.plan.design.solve import solve
from nettool.plan.design.tiers import tiers_of

TOO_LOW, TOO_HIGH = Fraction(3, 2), Fraction(5, 4)
"""So many times off is told of. Whole, even shares alone take up to about half as many uplinks
more; a ratio a quarter above the one asked for is no longer it (as for spare spines)."""

_TRIES = 64
"""About twice so many numbers of a key are tried, whatever the size of the fabric."""


def far_ratios(networks: tuple[Network, ...]) -> Iterator[Finding]:
    """Networks whose leaves reach another ratio than asked, by much (DSN018), and what changes it.

    A note where there is more capacity than asked for, a warning where there is less.
    """
    for network in networks:
        tier = next((each for each in tiers_of(network) if each.name == "leaf-spine"), None)
        if tier is None:
            continue
        asked, reached = ratio_of(network.ratio), Fraction(tier.down, tier.up)
        if asked / TOO_LOW < reached < asked * TOO_HIGH:
            continue
        wanted = ceil(tier.down / (asked * network.hardware.leaf.cages.up_speed))
        found = warning(
            "DSN018",
            (*network.path, "oversubscription"),
            f"{network.name}: leaf to spine is {_said(reached)}, {_said(asked)} was asked for: "
            f"{tier.links:,} uplinks, {wanted:,} would do",
            _hint(network, asked, reached),
        )
        yield replace(found, severity=Severity.INFO) if reached < asked else found


def _hint(network: Network, asked: Fraction, reached: Fraction) -> str:
    keys = [_nearest(each, asked, reached) for each in (_spines(network), _leaves(network))]
    ways = "; or ".join(filter(None, keys))
    if reached > asked:
        return f"{ways or 'more `leaves` or `spines`'}; or leave out the number that was given"
    if not ways:
        return "no number of `leaves` or `spines` comes nearer to it with so few nodes"
    return f"{ways}; or keep it, where the fabric is to grow"


def _nearest(
    tries: Iterator[tuple[str, Fraction]], asked: Fraction, reached: Fraction
) -> str | None:
    """The key and number whose ratio is nearest to what is asked, where it is nearer than now."""
    best, key = _off(reached, asked), None
    for said, ratio in tries:
        if _off(ratio, asked) < best:
            best, key = _off(ratio, asked), f"`{said}` gives {_said(ratio)}"
    return key


def _off(ratio: Fraction, asked: Fraction) -> Fraction:
    return max(ratio / asked, asked / ratio)


def _spines(network: Network) -> Iterator[tuple[str, Fraction]]:
    """Every other number of spines that fits, with the ratio it gives."""
    now, block = network.closes[0], network.blocks[0]
    pods = (block.pods or 1) if block.tiers == (3,) else 1
    for spines in range(2, 2 * now.spines, ceil(now.spines / _TRIES)):
        found = solve(replace(_request(network), spines=spines))
        if isinstance(found, Clos) and found.leaf_spine_links:
            yield f"spines: {spines * len(network.blocks) * pods}", _ratio(network, found)


def _leaves(network: Network) -> Iterator[tuple[str, Fraction]]:
    """Every other number of leaves that fits, with the ratio it gives."""
    now = network.closes[0]
    for segments in range(1, 2 * len(now.segments), ceil(len(now.segments) / _TRIES)):
        found = solve(replace(_request(network), segments=segments))
        if isinstance(found, Clos) and found.leaf_spine_links:
            leaves = segments * network.blocks[0].beside * len(network.blocks)
            yield f"leaves: {leaves}", _ratio(network, found)


def _request(network: Network) -> ClosRequest:
    """What a block asks for, with the numbers that are given."""
    intent, block = network.intent, network.blocks[0]
    parts = len(network.blocks)
    leaves, spines = (intent.leaves or 0) // (parts * block.beside), (intent.spines or 0) // parts
    return request_for(
        block, network.hardware, network.ratio, intent.spine_oversubscription,
        leaves or None, spines or None,
    )  # fmt: skip


def _ratio(network: Network, found: Clos) -> Fraction:
    same = replace(network, closes=(found,) * len(network.closes))
    tier = next(each for each in tiers_of(same) if each.name == "leaf-spine")
    return Fraction(tier.down, tier.up)


def _said(ratio: Fraction) -> str:
    return f"{float(ratio):.3g}:1"
