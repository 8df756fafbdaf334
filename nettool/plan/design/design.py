"""From intent to the design: switches, ports, cables, names, addresses and AS numbers.

    intent -> counts (counting, clos) -> numbers (lock, addressing) -> drafts -> wiring, nics
           -> Fabric

Each network is designed on its own; management addresses and names are dealt over all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from nettool.catalog.catalog import Catalog
from nettool.core.errors import FindingsError
from nettool.core.finding import Finding, Report
from nettool.intent.intent import FabricIntent
from nettool.plan.demand.demand import Demand
from nettool.plan.design.addressing import Ledger, deal
from nettool.plan.design.checks import check_networks, check_pools, check_rails
from nettool.plan.design.counting import count_network
from nettool.plan.design.devices import Finisher, drafts_in_order
from nettool.plan.design.drafts import BlockDrafts, draft_network, upper_ports
from nettool.plan.design.fabric import Device, Fabric, Link, Nic, Node
from nettool.plan.design.former import former_network
from nettool.plan.design.growth import what_moves
from nettool.plan.design.kinds import LinkKinds
from nettool.plan.design.legs import Legs, legs_of
from nettool.plan.design.lengths import CableKinds
from nettool.plan.design.lock import Lock
from nettool.plan.design.network import Network
from nettool.plan.design.nics import Cabled, cable_nics
from nettool.plan.design.ratios import far_ratios
from nettool.plan.design.tiers import tiers_of
from nettool.plan.design.wiring import wire_block


def design(
    intent: FabricIntent,
    demand: Demand | None,
    catalog: Catalog,
    *,
    lock: Lock | None = None,
    needed: Mapping[str, float] | None = None,
) -> tuple[Fabric, Report]:
    """The fabric that the intent asks for, and what is worth saying about it.

    `lock` keeps what exists from being renumbered; `lock_of` gives the one to keep. `needed`
    has the oversubscription by network for `from-demand` (1 where it is not known yet).
    Raises FindingsError with every error at once; findings are located by key path.
    """
    findings: list[Finding] = []
    past = lock or Lock()
    networks = _count(intent, catalog, (needed or {}, past), findings)
    findings += check_networks(networks, past)
    findings += far_ratios(networks)
    findings += check_rails(networks, demand)
    _stop_on_errors(findings)
    now, ledger = _numbers(past, networks)
    findings += check_pools(intent, networks, ledger)
    _stop_on_errors(findings)
    fabric = _build(intent, catalog, networks, (now, ledger), findings)
    if past.generations and now is not past:
        then = _as_it_was(intent, catalog, networks, past)
        findings += what_moves(networks, (past, now), then, fabric)
    _stop_on_errors(findings)
    return fabric, Report.of(findings)


def lock_of(fabric: Fabric) -> Lock:
    """The lock to keep beside `fabric.yaml`: what was locked, and what is new."""
    lock = fabric.settings.get("lock")
    return lock if isinstance(lock, Lock) else Lock()


def _count(
    intent: FabricIntent,
    catalog: Catalog,
    known: tuple[Mapping[str, float], Lock],
    findings: list[Finding],
) -> tuple[Network, ...]:
    needed, lock = known
    found = []
    for number, (name, wanted) in enumerate(intent.networks.items()):
        given = wanted.oversubscription
        ratio = needed.get(name, 1.0) if given == "from-demand" else float(given)
        network = count_network(
            name, wanted, intent.cluster.nodes, ratio, catalog, findings, first=number == 0
        )
        if network:
            locked = lock.last(name)
            length = locked.prefix_length if locked else None
            found.append(replace(network, locked_length=length))
    return tuple(found)


def _stop_on_errors(findings: list[Finding]) -> None:
    report = Report.of(findings)
    if report.has_errors:
        raise FindingsError(report)


def _numbers(past: Lock, networks: tuple[Network, ...]) -> tuple[Lock, Ledger]:
    """The lock with what is new, and every number; cables are laid anew where none can stay."""
    lock = past.grown({each.name: each.outline for each in networks})
    pools = {each.name: each.pools for each in networks}
    ledger = deal(lock, pools)
    for network in networks:
        legs = legs_of(lock, network.name, ledger)
        if legs and not legs.fit(*upper_ports(network)):
            lock = lock.laid_anew(network.name, past)
            ledger = deal(lock, pools)
    return lock, ledger


def _as_it_was(
    intent: FabricIntent, catalog: Catalog, networks: tuple[Network, ...], past: Lock
) -> Fabric | None:
    """The fabric of the lock's last generation, without networks that no switch of today fits."""
    former = (former_network(each, past) for each in networks)
    known = tuple(each for each in former if each)
    if not known:
        return None
    nodes = max(each.nodes for each in known)
    cluster = intent.cluster.model_copy(update={"nodes": nodes})
    ledger = deal(past, {each.name: each.pools for each in known})
    then = intent.model_copy(update={"cluster": cluster})
    try:
        return _build(then, catalog, known, (past, ledger), [])
    except (IndexError, KeyError, ValueError):
        return None  # a lock of other switches tells of ports that those of today do not have


def _build(
    intent: FabricIntent, catalog: Catalog, networks: tuple[Network, ...],
    numbers: tuple[Lock, Ledger], findings: list[Finding],
) -> Fabric:  # fmt: skip
    lock, ledger = numbers
    names = _node_names(intent, lock)
    nics: list[list[Nic]] = [[] for _ in names]
    devices: list[Device] = []
    links: list[Link] = []
    for network in networks:
        legs = legs_of(lock, network.name, ledger)
        blocks = draft_network(network, lock, ledger, legs.rooms if legs else ())
        cabled = Cabled(nics)
        kinds = LinkKinds(network, catalog, findings)
        cables = CableKinds(network, kinds)
        links += _cable(network, blocks, (ledger, legs), (kinds, cables), (names, cabled))
        finisher = Finisher(intent, network, ledger)
        finished = [
            finisher.device(each, cabled.gateways.get(each.name, ()))
            for each in drafts_in_order(blocks)
        ]
        findings += cables.check(finished)
        devices += finished
    gpus = intent.cluster.gpus_per_node
    return Fabric(
        name=intent.name,
        devices=tuple(devices),
        nodes=tuple(
            Node(name, number, gpus, tuple(nics[number - 1]))
            for number, name in enumerate(names, 1)
        ),
        links=tuple(links),
        topology={each.name: each.intent.topology for each in networks},
        tiers=tuple(tier for each in networks for tier in tiers_of(each)),
        settings={"lock": lock},
    )


def _cable(
    network: Network, blocks: tuple[BlockDrafts, ...], numbers: tuple[Ledger, Legs | None],
    known: tuple[LinkKinds, CableKinds], into: tuple[list[str], Cabled],
) -> list[Link]:  # fmt: skip
    (kinds, cables), (names, cabled), (ledger, legs) = known, into, numbers
    of_nics = kinds.of_nics()
    between = kinds.of_switches(blocks)
    links = list(cable_nics(network, blocks, ledger, (of_nics, cables), names, cabled))
    for block in blocks:
        links += wire_block(network, block, ledger, (between, cables), legs)
    if len(blocks) > 1 and network.blocks[0].plane:
        for each in cabled.nics:
            each.sort(key=lambda nic: (nic.network != network.name, nic.index, nic.plane or 0))
    return links


def _node_names(intent: FabricIntent, lock: Lock) -> list[str]:
    """Names padded to the count that the fabric began with."""
    oldest = next(iter(lock.generations[0].values())) if lock.generations else None
    width = max(2, len(str(oldest.nodes if oldest else intent.cluster.nodes)))
    return [f"node{number:0{width}}" for number in range(1, intent.cluster.nodes + 1)]
