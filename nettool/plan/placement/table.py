"""The matrix as tables a person reads: a heat map of rails by tier, edges, shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nettool.core.spans import spans
from nettool.core.units import format_speed
from nettool.plan.placement.matrix import TierLoad, TrafficMatrix
from nettool.plan.placement.path import EdgeClass

Table = tuple[tuple[str, ...], Sequence[tuple[object, ...]]]
"""Head and rows."""
_FOLDED = ("rail", "busiest")
_HEAT = " ▁▂▃▄▅▆▇█"


def heat_map(matrix: TrafficMatrix) -> Table:
    """Rail by tier: the burst of the busiest switch, and a bar of it against the hottest cell."""
    loads = [
        each for each in matrix.loads if each.tier != "scale-up" and each.traffic != "evaluation"
    ]
    tiers = tuple(dict.fromkeys(each.tier for each in loads))
    hottest = max((float(each.burst) for each in loads), default=0.0)
    cells: dict[tuple[str, str, int], dict[str, str]] = {}
    for load in loads:
        key = (load.network, load.traffic, load.rail)
        cells.setdefault(key, {})[load.tier] = _heat(load, hottest)
    rows = [
        (network, traffic, rail or "all", *(tier_cells.get(tier, "") for tier in tiers))
        for (network, traffic, rail), tier_cells in cells.items()
    ]
    return ("network", "traffic", "rail", *tiers), rows


def tier_table(matrix: TrafficMatrix) -> Table:
    """One row a rail and tier: bytes, average and burst, uplinks, implied ratio, hashing."""
    head = (
        "network", "traffic", "tier", "rail", "GB", "average Gbit/s", "burst Gbit/s", "busiest",
        "flows", "uplinks needed", "uplinks", "implied ratio", "fullest link, flows",
        "slowest flow, %", "pinned, %",
    )  # fmt: skip
    return head, [_tier_row(load) for load in matrix.loads]


def by_rail(table: Table) -> Table:
    """Rows that differ in their rail, and in the switches that it brings, as one row.

    Of several examples the first is kept.
    """
    head, rows = table
    own = [n for n, name in enumerate(head) if name in (*_FOLDED, "for example")]
    alike: dict[tuple[object, ...], list[tuple[object, ...]]] = {}
    for row in rows:
        rest = tuple(cell for n, cell in enumerate(row) if n not in own)
        alike.setdefault(rest, []).append(row)
    return head, [
        tuple(
            _folded(cells) if head[n] in _FOLDED else cells[0]
            for n, cells in enumerate(zip(*group, strict=True))
        )
        for group in alike.values()
    ]


def edge_table(matrix: TrafficMatrix) -> Table:
    """GB an iteration by job and dimension, one column a class of edge."""
    classes = tuple(each.value for each in EdgeClass)
    rows: dict[tuple[str, str], dict[str, int]] = {}
    for (job, dimension, kind), size in matrix.edges.items():
        rows.setdefault((job, dimension), {})[kind] = size
    return ("job", "dimension", *(f"{each} GB" for each in classes)), [
        (*key, *_gigabytes(sizes, classes)) for key, sizes in rows.items()
    ]


def share_table(matrix: TrafficMatrix) -> Table:
    """Share of each traffic class of each network, and incast."""
    return ("network", "class", "GB", "share, %", "incast"), [
        (
            each.network, each.name, round(int(each.bytes) / 1e9, 3),
            round(100 * float(each.share), 2), int(matrix.incast[each.network]),
        )
        for each in matrix.classes
    ]  # fmt: skip


def worst_link(matrix: TrafficMatrix) -> str:
    """One sentence that names the tier whose hashing leaves the slowest flow least."""
    hashed = [
        each
        for each in matrix.loads
        if each.slowest_flow and each.worst_link and each.traffic != "evaluation"
    ]
    if not hashed:
        return "no flow leaves its leaf: no link is shared by hashing"
    worst = min(hashed, key=lambda each: float(each.slowest_flow or 1))
    return (
        f"worst link: on {worst.busiest} ({worst.network}, {worst.tier}) {worst.flows} flows hash "
        f"onto {worst.links} links; the fullest carries {float(worst.worst_link or 0):.2f}, and "
        f"the slowest flow gets {float(worst.slowest_flow or 0):.0%} of its fair share"
    )


def _folded(cells: Sequence[object]) -> object:
    return cells[0] if len(set(cells)) == 1 else ", ".join(spans(map(str, cells)))


def _heat(load: TierLoad, hottest: float) -> str:
    burst = float(load.burst)
    level = round(burst / hottest * (len(_HEAT) - 1)) if hottest else 0
    bar = _HEAT[max(level, 1 if burst else 0)]
    return f"{bar} {format_speed(round(burst) * 1000)}"


def _tier_row(load: TierLoad) -> tuple[object, ...]:
    return (
        load.network, load.traffic, load.tier, load.rail or "all", round(int(load.bytes) / 1e9, 3),
        round(float(load.average), 2), round(float(load.burst), 1), load.busiest, load.flows,
        None if load.uplinks is None else int(load.uplinks), load.links or None,
        None if load.oversubscription is None else round(float(load.oversubscription), 2),
        None if load.worst_link is None else round(float(load.worst_link), 2),
        None if load.slowest_flow is None else round(100 * float(load.slowest_flow), 1),
        None if load.pinned_slowest_flow is None
        else round(100 * float(load.pinned_slowest_flow), 1),
    )  # fmt: skip


def _gigabytes(sizes: Mapping[str, int], classes: Sequence[str]) -> list[float]:
    return [round(sizes.get(each, 0) / 1e9, 3) for each in classes]
