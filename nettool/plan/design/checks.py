"""Checks of pools and routing: what is short, what overlaps, what contradicts itself."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from itertools import combinations

from nettool.core.finding import Finding
from nettool.core.source import KeyPath
from nettool.intent.intent import FabricIntent
from nettool.plan.demand.demand import Demand, Dimension, Flow, JobDemand
from nettool.plan.design.addressing import Ledger, Pool, network_of
from nettool.plan.design.devices import management_pool
from nettool.plan.design.lock import Lock
from nettool.plan.design.network import Network
from nettool.plan.design.nics import FIRST_HOST, SubnetPools
from nettool.plan.design.notes import error, warning
from nettool.plan.design.wiring import link_pools

LAST_ASN = 4_294_967_294
PRIVATE_ASN = (range(64_512, 65_535), range(4_200_000_000, 4_294_967_295))


def check_networks(networks: tuple[Network, ...], lock: Lock) -> Iterator[Finding]:
    """What contradicts itself in a network, before numbers are dealt."""
    yield from _check_order([each.name for each in networks], lock)
    for network in networks:
        yield from _check_versions(network)
        yield from _check_subnets(network)
        yield from _check_routing(network)
        yield from _check_lock(network, lock)


def _check_order(names: list[str], lock: Lock) -> Iterator[Finding]:
    """Names and management addresses are dealt network by network: a change of these moves them."""
    known = dict.fromkeys(name for each in lock.generations for name in each)
    lost = ", ".join(name for name in known if name not in names)
    if lost and names:
        yield warning(
            "DSN016", ("networks",),
            f"{lost} stands in the lock and not in the fabric: names and management addresses of "
            "the switches of later networks pass to other switches",
            "leave it in; `plan --no-lock` shows a change without keeping it",
        )  # fmt: skip
    after = [name for name in names if name in known]
    for name in names[: names.index(after[-1])] if after else ():
        if name not in known:
            yield warning(
                "DSN016", ("networks", name),
                f"{name} is new and stands before {after[-1]}, which the lock has: names and "
                f"management addresses of switches of {after[-1]} pass to others",
                f"put {name} after {after[-1]}",
            )  # fmt: skip


def check_pools(
    intent: FabricIntent, networks: tuple[Network, ...], ledger: Ledger
) -> Iterator[Finding]:
    """Pools that are short or overlap, after numbers are dealt."""
    yield from _overlaps(intent, networks)
    yield from _check_gateway(intent, ledger)
    management = management_pool(intent)
    devices = ledger.dealt("device")
    short = management.shortage(devices + 1, "switches and a broadcast", ("management", "pool"))
    if short:
        yield short
    for network in networks:
        yield from _short_pools(network, ledger)


def check_rails(networks: tuple[Network, ...], demand: Demand | None) -> Iterator[Finding]:
    """Jobs that talk across rails where rails never meet, and do not relay inside the node."""
    for network in networks:
        apart = [each for each in network.blocks if len(each.rails) == 1]
        for job in demand.jobs if demand and len(apart) > 1 else ():
            if job.pxn:
                continue
            for dimension in _across_rails(job, demand.gpus_per_node if demand else 1):
                yield warning(
                    "DSN013", (*network.path, "topology"),
                    f"job {job.name}: {dimension} {job.degrees[dimension]} talks between GPUs of "
                    f"different nodes and rails, and {network.intent.topology} has no path between "
                    "rails; the job does not relay over the GPU of the other rail (pxn off)",
                    "use rail-optimized, turn pxn on, or keep groups inside a node or a rail",
                )  # fmt: skip


def _across_rails(job: JobDemand, gpus_per_node: int) -> Iterator[Dimension]:
    """Dimensions whose groups leave the node without staying on one local index."""
    for dimension in dict.fromkeys(each.dimension for each in job.flows):
        flows = (each for each in job.flows if each.dimension is dimension)
        if any(_crosses(each, gpus_per_node) for each in flows):
            yield dimension


def _crosses(flow: Flow, gpus_per_node: int) -> bool:
    """Whether a group needs paths between different rails of different nodes.

    A ring that spreads over node and fabric can go round inside nodes and along rails; neighbours
    a stride apart, and all-to-all groups that spread both ways, cannot.
    """
    leaving = [each for each in flow.group if each.stride * each.size > gpus_per_node]
    uneven = any(each.stride % gpus_per_node and gpus_per_node % each.stride for each in leaving)
    inside = any(each.stride < gpus_per_node and each.size > 1 for each in flow.group)
    both = bool(leaving) and inside
    return uneven or (both and flow.pattern in ("all-to-all", "pairwise"))


def _check_gateway(intent: FabricIntent, ledger: Ledger) -> Iterator[Finding]:
    management = intent.management
    if management.gateway is None:
        return
    base = int(network_of(management.pool).network_address)
    number = int(ipaddress.ip_address(management.gateway)) - base - management.first
    if 0 <= number < ledger.dealt("device"):
        yield error(
            "DSN007", ("management", "gateway"),
            f"gateway {management.gateway} is also switch {number + 1}'s address: they begin at "
            f"{management.first} in {management.pool}",
            "move the gateway below `first`, or `first` above the gateway",
        )  # fmt: skip


def _check_versions(network: Network) -> Iterator[Finding]:
    pools, subnets = network.intent.pools, network.intent.subnets
    path = network.path
    for where, prefix, version in (
        ((*path, "pools", "loopbacks"), pools.loopbacks, 4),
        ((*path, "pools", "links"), pools.links, 4),
        ((*path, "pools", "loopbacks6"), pools.loopbacks6, 6),
        ((*path, "pools", "links6"), pools.links6, 6),
        ((*path, "subnets", "pool"), subnets.pool, 4),
        ((*path, "subnets", "pool6"), subnets.pool6, 6),
    ):
        if prefix and network_of(prefix).version != version:
            yield error(
                "DSN006", where, f"pool {prefix} is not IPv{version}",
                "IPv4 pools are loopbacks, links and pool; IPv6 ones end in 6",
            )  # fmt: skip


def _short_pools(network: Network, ledger: Ledger) -> Iterator[Finding]:
    names, pools = network.pools, network.intent.pools
    path = (*network.path, "pools")
    links = link_pools(network)
    subnets = SubnetPools(network)
    wanted: list[tuple[Pool | None, str, str, KeyPath]] = [
        (Pool(pools.loopbacks, 32, first=1), names.loopback, "loopbacks", (*path, "loopbacks")),
        (links.four, names.link, "links", (*path, "links")),
        (links.six, names.link, "links", (*path, "links6")),
        (subnets.four, names.subnet, "subnets", (*network.path, "subnets", "pool")),
        (subnets.six, names.subnet, "subnets", (*network.path, "subnets", "pool6")),
    ]
    if pools.loopbacks6:
        six = Pool(pools.loopbacks6, 128, first=1)
        wanted.append((six, names.loopback, "loopbacks", (*path, "loopbacks6")))
    for pool, counter, what, where in wanted:
        short = pool.shortage(ledger.dealt(counter), what, where) if pool else None
        if short:
            yield short
    yield from _check_asns(network, ledger.dealt(names.asn))


def _check_asns(network: Network, dealt: int) -> Iterator[Finding]:
    first = network.intent.pools.asn_first
    last = first + dealt - 1
    path = (*network.path, "pools", "asn_first")
    if not network.routed:
        return
    if last > LAST_ASN:
        yield error(
            "DSN004", path,
            f"{dealt} AS numbers from {first} end at {last}, the last one is {LAST_ASN}: "
            f"{last - LAST_ASN} are missing",
            f"begin at {LAST_ASN - dealt + 1} or lower; 4200000000 leaves room for 94 million",
        )  # fmt: skip
    elif not any(first in each and last in each for each in PRIVATE_ASN):
        yield warning(
            "DSN011", path,
            f"AS numbers {first} to {last} are not all private (64512-65534 or "
            "4200000000-4294967294)",
            "begin at 4200000000",
        )  # fmt: skip


def _check_subnets(network: Network) -> Iterator[Finding]:
    subnets, path = network.intent.subnets, (*network.path, "subnets")
    length, clos, block = network.prefix_length, network.closes[0], network.blocks[0]
    per_subnet = max(each.count * (1 if block.by_rail else block.on_leaf) for each in clos.segments)
    room = (1 << max(0, 32 - length)) - FIRST_HOST - 1
    if per_subnet > room:
        need = 32 - (per_subnet + FIRST_HOST).bit_length()
        yield error(
            "DSN006", (*path, "prefix_length"),
            f"a /{length} has room for {max(0, room)} NICs beside its gateway, a leaf has "
            f"{per_subnet} in one subnet",
            f"a /{need} is large enough",
        )  # fmt: skip
    if subnets.per == "rail" and len(clos.segments) > 1:
        yield error(
            "DSN006", (*path, "per"),
            f"one subnet a rail, and a rail has {len(clos.segments)} leaves that do not bridge",
            "use `per: leaf`: one subnet a leaf, routed between leaves",
        )  # fmt: skip
    last = subnets.vlan + (len(block.rails) - 1 if block.by_rail else 0)
    last = max(last, subnets.vlan + max(max(each.rails) for each in network.blocks) - 1)
    if block.by_rail and last > 4094:
        yield error(
            "DSN006", (*path, "vlan"),
            f"VLANs {subnets.vlan} to {last}, one a rail, end above 4094",
            f"begin at {4094 - (last - subnets.vlan)} or lower",
        )  # fmt: skip


def _check_routing(network: Network) -> Iterator[Finding]:
    routing, path = network.intent.routing, (*network.path, "routing")
    if network.tiers > 1 and routing.protocol == "none":
        yield error(
            "DSN012", (*path, "protocol"),
            f"protocol none, and {network.closes[0].leaves} leaves connect over spines",
            "use `protocol: bgp`, or rail-only, where switches do not connect",
        )  # fmt: skip
    if network.routed and routing.links == "unnumbered" and routing.manager == "bgpcfgd":
        yield error(
            "DSN012", (*path, "manager"),
            "unnumbered links with bgpcfgd, whose BGP_NEIGHBOR rows are keyed by address only",
            "use `manager: frrcfgd`, or `links: numbered`",
        )  # fmt: skip


def _check_lock(network: Network, lock: Lock) -> Iterator[Finding]:
    first, now = lock.first(network.name), network.outline
    length = network.locked_length
    if length and length != network.prefix_length:
        yield warning(
            "DSN010", (*network.path, "subnets", "prefix_length"),
            f"NIC subnets are /{network.prefix_length}, the lock has /{length}: NIC addresses "
            "change",
            f"give `prefix_length: {length}` if that is large enough, or plan the change",
        )  # fmt: skip
    both = min(first.segments, now.segments) if first else 0
    if first and both > 1 and now.per_segment != first.per_segment:
        yield warning(
            "DSN010", (*network.path, "oversubscription"),
            f"leaves take {now.per_segment} nodes, the lock has {first.per_segment}: nodes from "
            f"number {min(now.per_segment, first.per_segment) + 1} on move and are renumbered",
            "keep oversubscription and leaf model as they were, or plan a recabling",
        )  # fmt: skip


def _overlaps(intent: FabricIntent, networks: tuple[Network, ...]) -> Iterator[Finding]:
    """Pools that share addresses; networks may share a pool of the same use as a whole."""
    used: dict[tuple[str, str], KeyPath] = {
        ("management", intent.management.pool): ("management", "pool")
    }
    for network in networks:
        pools = network.intent.pools.model_dump(exclude={"asn_first"}, exclude_none=True)
        if not network.routed:
            pools = {key: value for key, value in pools.items() if key.startswith("loopbacks")}
        for key, prefix in pools.items():
            used.setdefault((key, prefix), (*network.path, "pools", key))
        for key in ("pool", "pool6"):
            given = getattr(network.intent.subnets, key)
            if given:
                used.setdefault((f"subnets {key}", given), (*network.path, "subnets", key))
    for (a, where), (b, other) in combinations(used.items(), 2):
        one, two = network_of(a[1]), network_of(b[1])
        if one.version == two.version and one.overlaps(two):
            yield error(
                "DSN007", other,
                f"pool {b[1]} overlaps {a[1]} of {'.'.join(map(str, where))}",
                "give each use a range of its own",
            )  # fmt: skip
