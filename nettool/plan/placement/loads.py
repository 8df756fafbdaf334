"""Load of every rail at every tier: bytes, average, burst, uplinks needed, and hashing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from nettool.core.provenance import Figure, Input, Provenance, Trust, weakest
from nettool.plan.demand.demand import Demand
from nettool.plan.placement.burst import Moment, Placed, above_leaf, above_pod, at_leaf, moment
from nettool.plan.placement.ecmp import (
    expected_max_load,
    pinned_max_load,
    pinned_slowest_share,
    slowest_flow_share,
)
from nettool.plan.placement.locality import Locality
from nettool.plan.placement.matrix import TierLoad
from nettool.plan.placement.path import EdgeClass


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch (or pod) at its moment: ports down (Mb/s), links up and their speed (Mb/s)."""

    name: str
    moment: Moment
    down: int
    links: int
    speed: int


def tier_loads(placed: Sequence[Placed], ground: Locality, demand: Demand) -> Iterator[TierLoad]:
    """The loads of one network, lowest tier first, rails in order."""
    if not placed:
        return
    trust = weakest(*(each.job.iteration.why.trust for each in placed))
    yield _scale_up(placed, ground, demand, trust)
    rails = leaves_by_rail(ground)
    for rail, leaves in rails.items():
        down = [Switch(ground.names[x], moment(placed, at_leaf(x)), 0, 0, 0) for x in leaves]
        yield load_of(ground, "nic-leaf", rail, down, trust, None)
    if any(ground.uplinks.get(x, (0, 0))[0] for x in range(len(ground.names))):
        for rail, leaves in rails.items():
            up = [_leaf(placed, ground, leaf) for leaf in leaves]
            yield load_of(ground, "leaf-spine", rail, up, trust, demand.target_utilisation)
    if ground.spine_uplinks:
        pods = [_pod(placed, ground, pod) for pod in sorted(ground.spine_uplinks)]
        yield load_of(ground, "spine-core", 0, pods, trust, demand.target_utilisation)


def leaves_by_rail(ground: Locality) -> dict[int, list[int]]:
    """Leaves by the rail they serve, 0 for those that serve several."""
    served: dict[int, set[int]] = defaultdict(set)
    for row in ground.leaf:
        for local, leaf in enumerate(row):
            served[leaf].add(ground.rail[local])
    rails: dict[int, list[int]] = defaultdict(list)
    for leaf, found in sorted(served.items()):
        rails[next(iter(found)) if len(found) == 1 else 0].append(leaf)
    return dict(sorted(rails.items()))


def needed_oversubscription(loads: Sequence[TierLoad], ground: Locality) -> Figure:
    """Down capacity over the up capacity that the busiest rail needs, at least 1.

    Where nothing climbs, what a single uplink a leaf would give.
    """
    asked = [
        each.oversubscription
        for each in loads
        if each.tier == "leaf-spine" and each.oversubscription is not None
    ]
    if asked:
        least = min(asked, key=float)
        return Figure(max(1.0, float(least)), "down:up", least.why)
    leaf = max(ground.down, key=lambda x: ground.down[x], default=None)
    down = ground.down[leaf] if leaf is not None else 0
    speed = (ground.uplinks.get(leaf, (0, 0))[1] if leaf is not None else 0) or ground.nic_speed
    why = Provenance(
        "down capacity / one uplink: no job sends anything from leaf to leaf",
        (Input("down", down, "Mb/s"), Input("uplink", speed, "Mb/s")),
    )
    return Figure(max(1.0, down / speed) if speed else 1.0, "down:up", why)


def _scale_up(placed: Sequence[Placed], ground: Locality, demand: Demand, trust: Trust) -> TierLoad:
    sent = sum(t.edges[EdgeClass.SCALE_UP] + t.relayed for p in placed for _, t in p.tallies)
    rates = [
        sum(t.edges[EdgeClass.SCALE_UP] + t.relayed for _, t in p.tallies)
        / p.job.gpus * 8 / float(p.job.iteration) / 1e9
        for p in placed
    ]  # fmt: skip
    gigabytes = float(demand.scale_up) if demand.scale_up else 0.0
    why = Provenance("sum of edges inside nodes, and what PXN relays", (), "", Trust.COMPUTED)
    average = Provenance("bytes x 8/(GPUs x iteration), of the busiest job", (), "", trust)
    burst = demand.scale_up.why if demand.scale_up else average
    return TierLoad(
        network=ground.network, tier="scale-up", rail=0, bytes=Figure(sent, "B", why),
        average=Figure(max(rates), "Gbit/s", average),
        burst=Figure(gigabytes * 8, "Gbit/s", burst), flows=0, uplinks=None,
        oversubscription=None, worst_link=None, slowest_flow=None, busiest="one GPU",
    )  # fmt: skip


def _leaf(placed: Sequence[Placed], ground: Locality, leaf: int) -> Switch:
    links, speed = ground.uplinks.get(leaf, (0, 0))
    return Switch(
        ground.names[leaf], moment(placed, above_leaf(leaf)), ground.down.get(leaf, 0), links,
        speed or ground.nic_speed,
    )  # fmt: skip


def _pod(placed: Sequence[Placed], ground: Locality, pod: int) -> Switch:
    leaves = [leaf for leaf, each in enumerate(ground.pod) if each == pod]
    links, speed = ground.spine_uplinks[pod]
    down = sum(ground.down.get(leaf, 0) for leaf in leaves)
    return Switch(
        f"pod {pod}", moment(placed, above_pod(pod, leaves)), down, links,
        speed or ground.nic_speed,
    )  # fmt: skip


def load_of(
    ground: Locality, tier: str, rail: int, switches: Sequence[Switch], trust: Trust,
    target: float | None,
) -> TierLoad:  # fmt: skip
    """The load of one rail at one tier: totals of its switches, and the busiest one's burst."""
    worst = max(switches, key=lambda each: (each.moment.active, each.moment.bytes))
    average = max(each.moment.average for each in switches) / 1000 / ground.planes
    burst = worst.moment.active * ground.nic_speed / 1000
    nic = Input("NIC", ground.nic_speed, "Mb/s")
    active = Input("NICs that send at once", worst.moment.active, origin=None)
    burst_figure = Figure(
        burst, "Gbit/s", Provenance("NICs that send at once x NIC rate", (active, nic), worst.name)
    )
    upward = _upward(worst, burst_figure, target) if target else _NO_UPLINKS
    return TierLoad(
        network=ground.network, tier=tier, rail=rail,
        bytes=Figure(sum(each.moment.bytes for each in switches), "B", _TAKES_TIER),
        average=Figure(
            average, "Gbit/s", Provenance("bytes x 8/iteration, busiest switch", (), "", trust)
        ),
        burst=burst_figure, flows=worst.moment.flows,
        uplinks=upward["uplinks"], oversubscription=upward["oversubscription"],
        worst_link=upward["worst_link"], slowest_flow=upward["slowest_flow"],
        busiest=worst.name, links=worst.links, pinned_worst_link=upward["pinned_worst_link"],
        pinned_slowest_flow=upward["pinned_slowest_flow"],
    )  # fmt: skip


_TAKES_TIER = Provenance("sum of the edges that take this tier")
_HASHED = ("worst_link", "slowest_flow", "pinned_worst_link", "pinned_slowest_flow")
_NO_UPLINKS: Mapping[str, Figure | None] = dict.fromkeys(("uplinks", "oversubscription", *_HASHED))


def _upward(worst: Switch, burst: Figure, target: float) -> Mapping[str, Figure | None]:
    """Uplinks needed, the oversubscription they imply, and how hashing fills those there are."""
    rate = Input("uplink", worst.speed, "Mb/s")
    need = ceil(Fraction(burst.value).limit_denominator(10**6) * 1000 / worst.speed
                / Fraction(str(target)))  # fmt: skip
    uplinks = Figure(
        need, "links",
        Provenance(
            "ceil(burst/(uplink rate x target utilisation))",
            (burst.as_input("burst"), rate, Input("target utilisation", target)),
        ),
    )  # fmt: skip
    implied = Provenance(
        "down capacity/(uplinks x uplink rate)",
        (Input("down", worst.down, "Mb/s"), uplinks.as_input("uplinks"), rate),
    )
    ratio = Figure(worst.down / (need * worst.speed), "down:up", implied) if need else None
    found: dict[str, Figure | None] = {"uplinks": uplinks, "oversubscription": ratio}
    return {**found, **_hashing(worst.moment.flows, worst.links)}


def _hashing(flows: int, links: int) -> Mapping[str, Figure | None]:
    if not flows or not links:
        return dict.fromkeys(_HASHED)
    inputs = (Input("n", flows, "flows"), Input("M", links, "links"))
    hashed = Provenance("E[max] of n flows on M links; max(1, n/M)/E[max]", inputs)
    pinned = Provenance("ceil(n/M); max(1, n/M)/ceil(n/M)", inputs)
    return {
        "worst_link": Figure(expected_max_load(flows, links), "flows", hashed),
        "slowest_flow": Figure(slowest_flow_share(flows, links), "of fair share", hashed),
        "pinned_worst_link": Figure(pinned_max_load(flows, links), "flows", pinned),
        "pinned_slowest_flow": Figure(pinned_slowest_share(flows, links), "of fair share", pinned),
    }
