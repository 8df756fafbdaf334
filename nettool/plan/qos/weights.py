"""DWRR weights from what the jobs send: each class its share, and never nothing."""

from __future__ import annotations

from collections.abc import Mapping

from nettool.core.provenance import Figure, Provenance
from nettool.plan.placement.matrix import ClassShare
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.trace import assumed, derived

FLOOR = 5
"""Least weight of a class, percent: management, storage and probes must get through."""


def weigh(
    names: tuple[str, ...], shares: tuple[ClassShare, ...], overrides: Overrides
) -> Mapping[str, Figure]:
    """Weights in percent by class name, best effort last in `names`; they sum to 100.

    `shares` are those of the wires that the weights are for; without any the weights are equal.
    Weights the operator gave stand; the rest share what is left of 100.
    """
    fixed = {name: figure for name in names if (figure := overrides.weight(name))}
    free = [name for name in names if name not in fixed]
    left = 100 - sum(int(each) for each in fixed.values())
    volumes = _volumes(names, shares)
    split = apportion([volumes[name] for name in free], left)
    total = sum(volumes.values())
    floor = assumed(FLOOR, "%", "no class may starve")
    planned = {
        name: Figure(weight, "%", _why(volumes[name], total, floor, shares))
        for name, weight in zip(free, split, strict=True)
    }
    return {**fixed, **planned}


def apportion(volumes: list[float], total: int) -> list[int]:
    """Whole parts of `total` in proportion to `volumes`, none below the floor, sum exact."""
    if not volumes:
        return []
    least = min(FLOOR, total // len(volumes))
    spare = total - least * len(volumes)
    whole = sum(volumes)
    exact = [spare * (each / whole if whole else 1 / len(volumes)) for each in volumes]
    parts = [least + int(each) for each in exact]
    order = sorted(range(len(exact)), key=lambda i: (int(exact[i]) - exact[i], i))
    for index in order[: total - sum(parts)]:
        parts[index] += 1
    return parts


def _volumes(names: tuple[str, ...], shares: tuple[ClassShare, ...]) -> dict[str, float]:
    """Bytes by class; what no class names is best effort (the last name)."""
    volumes = dict.fromkeys(names, 0.0)
    for share in shares:
        name = share.name if share.name in volumes else names[-1]
        volumes[name] += float(share.bytes)
    return volumes


def _why(volume: float, total: float, floor: Figure, shares: tuple[ClassShare, ...]) -> Provenance:
    if not total:
        return derived(
            "equal parts: no job says what it sends", floor.as_input("least weight"),
            bound="weights sum to 100",
        )  # fmt: skip
    measured = Figure(volume, "B", shares[0].bytes.why)
    whole = Figure(total, "B", shares[0].bytes.why)
    return derived(
        "least weight + (100 - least weights) x bytes of the class / all bytes, largest remainder",
        measured.as_input("bytes of the class"),
        whole.as_input("all bytes"),
        floor.as_input("least weight"),
        bound="weights sum to 100",
    )
