"""Switches as the design hands them on: addresses, and where each number comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from nettool.core.provenance import Input, Provenance, Trust, weakest
from nettool.intent.intent import FabricIntent
from nettool.plan.design.addressing import Ledger, Pool
from nettool.plan.design.drafts import TIER, BlockDrafts, Draft
from nettool.plan.design.fabric import Device, Gateway, Neighbor
from nettool.plan.design.hardware import TierSwitch
from nettool.plan.design.network import Network
from nettool.plan.design.notes import given
from nettool.plan.design.wiring import LinkPools, link_pools


def drafts_in_order(blocks: tuple[BlockDrafts, ...]) -> Iterator[Draft]:
    """Leaves, then spines, then cores of a network, each by number."""
    leaves = [leaf for block in blocks for segment in block.leaves for leaf in segment]
    spines = [spine for block in blocks for pod in block.spines for spine in pod]
    cores = [core for block in blocks for core in block.cores]
    for group in (leaves, spines, cores):
        yield from sorted(group, key=lambda each: each.number)


class Finisher:
    """Turns drafts into devices; equal provenance is made once."""

    def __init__(self, intent: FabricIntent, network: Network, ledger: Ledger) -> None:
        self._network = network
        self._ledger = ledger
        self._management = management_pool(intent)
        self._management_intent = intent.management
        self._length = intent.management.pool.partition("/")[2]
        pools = network.intent.pools
        self._loopbacks = Pool(pools.loopbacks, 32, first=1)
        self._loopbacks6 = Pool(pools.loopbacks6, 128, first=1) if pools.loopbacks6 else None
        self._links = link_pools(network)
        self._shared = lru_cache(maxsize=None)(self._model_why)

    def device(self, draft: Draft, gateways: tuple[Gateway, ...]) -> Device:
        """The finished switch, its neighbours in layout order."""
        network, place = self._network, draft.place
        switch = _switch(network, draft)
        loopback = self._ledger.first(network.pools.loopback, (network.name, place))
        six = self._loopbacks6
        return Device(
            name=draft.name,
            number=draft.number,
            role=draft.role,
            tier=TIER[draft.role],
            network=network.name,
            model=switch.model.name,
            sku=draft.ports.sku,
            asic=switch.asic,
            layout=draft.ports.layout,
            neighbors=_in_layout_order(draft),
            mtu=network.intent.mtu,
            rails=draft.rails if draft.role != "leaf" or _by_rail(network) else (),
            pod=draft.pod,
            plane=draft.plane,
            redundancy=_redundancy(draft),
            management=f"{self._management.address(draft.sequence - 1)}/{self._length}",
            management_gateway=self._gateway,
            loopback=f"{self._loopbacks.address(loopback)}/32",
            loopback6=f"{six.address(loopback)}/128" if six else None,
            asn=draft.asn,
            gateways=gateways,
            why=self._why(draft, loopback),
            platform=switch.model.platform,
        )

    @property
    def _gateway(self) -> str:
        return self._management_intent.gateway or self._management.text(self._management.base + 1)

    def _why(self, draft: Draft, loopback: int) -> Mapping[str, Provenance]:
        network = self._network
        pools = (*network.path, "pools")
        why = dict(self._shared(draft.role, draft.ports.layout.key, draft.ports.sku))
        why["loopback"] = Provenance(
            "the pool's n-th address, in the order in which switches came to be",
            (
                given("pool", network.intent.pools.loopbacks, (*pools, "loopbacks")),
                Input("n", loopback + 1),
            ),
        )
        why["management"] = Provenance(
            "pool + first + n - 1, n over the switches of all networks",
            (
                given("pool", self._management_intent.pool, ("management", "pool")),
                given("first", self._management_intent.first, ("management", "first")),
                Input("n", draft.sequence),
            ),
        )
        if draft.asn is not None:
            why["asn"] = _asn_why(network, draft)
        if self._links.four:
            why["links"] = self._links_why(draft, self._links)
        return why

    def _links_why(self, draft: Draft, links: LinkPools) -> Provenance:
        held = self._ledger.all(links.counter, (self._network.name, draft.place))
        pool = given("pool", self._network.intent.pools.links,
                     (*self._network.path, "pools", "links"))  # fmt: skip
        formula = "the lower switch's uplink k has the pool's k-th /31 from its first; it is even"
        first = (Input("first /31 of its uplinks", held[0]),) if held else ()
        return Provenance(formula, (pool, *first), bound="one /31 a link, none used twice")

    def _model_why(self, role: str, layout: str, sku: str) -> dict[str, Provenance]:
        """Provenance of mtu, layout and sku, shared by all switches of one breakout."""
        network = self._network
        switch = _tier(network, role)
        path = switch.path
        model = given("model", switch.model.name, (*path, "model"))
        trust = weakest(
            switch.model.lanes.trust, *(each.trust for each in switch.model.kinds.values())
        )
        chosen = switch.model.sku(sku)
        return {
            "mtu": Provenance(
                "as given for the network", (given("mtu", network.intent.mtu,
                (*network.path, "mtu"), "B"),), trust=Trust.GIVEN,
            ),
            "layout": Provenance(
                f"ports of {layout.rpartition(':')[0]}, NICs from the front, uplinks behind",
                (model,), source=switch.model.names.source, trust=trust,
            ),
            "sku": Provenance(
                "as given" if switch.sku else "the SKU with this breakout, or the nearest",
                (model,), source=chosen.source, trust=chosen.trust,
            ),
        }  # fmt: skip


def management_pool(intent: FabricIntent) -> Pool:
    """Addresses of the switches' management ports; the last one is the broadcast's."""
    management = intent.management
    bits = 32 if ":" not in management.pool else 128
    return Pool(management.pool, bits, first=management.first)


def _asn_why(network: Network, draft: Draft) -> Provenance:
    first = network.intent.pools.asn_first
    shared = {"leaf": "every leaf its own", "spine": "one for the spines of a pod"}
    return Provenance(
        f"first + n; {shared.get(draft.role, 'one for all cores')}",
        (
            given("first", first, (*network.path, "pools", "asn_first")),
            Input("n", (draft.asn or first) - first),
        ),
    )


def _in_layout_order(draft: Draft) -> Mapping[str, Neighbor]:
    order = draft.ports.order
    names = list(draft.neighbors)
    ranks = [order[name] for name in names]
    if ranks == sorted(ranks):
        return draft.neighbors
    return {name: draft.neighbors[name] for name in sorted(names, key=order.__getitem__)}


def _redundancy(draft: Draft) -> str:
    """Leaves of a segment serve the same nodes; spines of a pod, and cores, the same leaves."""
    prefix, place = draft.network.prefix, draft.place
    if draft.role == "leaf":
        return f"{prefix}segment{place.group + 1:02}"
    block = f"-{place.block + 1}" if len(draft.network.blocks) > 1 else ""
    return f"{prefix}{draft.role}{block}" + (f"-pod{draft.pod}" if draft.pod else "")


def _switch(network: Network, draft: Draft) -> TierSwitch:
    return _tier(network, draft.role)


def _tier(network: Network, role: str) -> TierSwitch:
    hardware = network.hardware
    return {"leaf": hardware.leaf, "spine": hardware.spine, "core": hardware.core}[role]


def _by_rail(network: Network) -> bool:
    return network.blocks[0].by_rail
