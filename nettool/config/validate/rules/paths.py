"""Paths over the fabric: loopbacks that are reached, equal-cost paths as cabled, one MTU."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

from nettool.config.validate.addresses import placed, prefix_of
from nettool.config.validate.control import cabled, intended, sessions, working
from nettool.config.validate.fabric import FabricConfigs
from nettool.config.validate.routes import Reach, reaches
from nettool.config.validate.rule import Context, Fault, device_rule, fabric_rule
from nettool.config.validate.sessions import (
    Mode,
    mode_of,
    neighbors,
    own_as_allowed,
    own_asn,
)
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity
from nettool.core.spans import named

_NETWORKS = "BGP_GLOBALS_AF_NETWORK"


@fabric_rule(
    "BGP012",
    "a loopback that other devices cannot reach",
    Severity.ERROR,
    why="No chain of sessions that can come up joins the devices, so no route is carried.",
    fix="Mend the sessions reported, or add those that are missing.",
    source="RFC 4271 section 9; RFC 7938 section 5.2.1",
)
def loopbacks_are_reached(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Devices outside the largest set that working sessions join.

    Only devices that cables or sessions are meant to join are held together.
    """
    meant = {name: name for name in fabric.devices}
    up = dict(meant)
    for device, other in chain(cabled(fabric), {(s.device, s.other) for s in sessions(fabric)}):
        meant[_root(meant, device)] = _root(meant, other)
    for device, other in working(fabric):
        up[_root(up, device)] = _root(up, other)
    sizes = Counter(_root(up, name) for name in up)
    largest: dict[str, str] = {}
    for root, _ in sizes.most_common():
        largest.setdefault(_root(meant, root), root)
    for name in fabric.devices:
        best = largest[_root(meant, name)]
        if sizes[best] > 1 and _root(up, name) != best:
            yield from _cut_off(name, fabric.devices[name], sizes[best])


@fabric_rule(
    "BGP014",
    "fewer equal paths between leaves than the cables offer",
    Severity.WARNING,
    why="The switch spreads traffic over the next hops that BGP gives it: cables without a "
    "working session, paths above max_ebgp_paths and routes over another AS number without "
    "load_balance_mp_relax are left out, and the rest carries their load.",
    fix="Mend the sessions of this leaf, or allow as many paths as there are cables.",
    source="RFC 7938 sections 6.1 and 6.2; sonic-buildimage 086b03bd dockers/docker-fpm-frr "
    "bgpd.main.conf.j2, sonic-bgp-global.yang",
)
def leaves_have_their_paths(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Leaves (one of those alike) that lose paths, next hops counted from the configurations."""
    found = [each for each in _between_leaves(fabric) if 0 < each.found < each.offered]
    for members, losses in _worst(found):
        least = min(losses, key=lambda each: each.found / each.offered)
        source, *_ = least.source
        others = named((each for each in least.target if each != source), "leaves")
        message = f"{source} reaches {others} over {least.found} of {least.offered} equal paths"
        verb = "does" if len(members) == 2 else "do"
        more = f"; so {verb} {named(members[1:], 'leaves')}" if len(members) > 1 else ""
        yield Fault("BGP_NEIGHBOR", None, None, message + more, device=members[0])


@fabric_rule(
    "BGP015",
    "leaves of one AS number drop each other's routes",
    Severity.ERROR,
    why="A route that holds the receiver's own AS number is a loop to BGP and is dropped, so "
    "hosts behind these leaves do not reach each other.",
    fix="Give each leaf an AS number of its own, or allow the own number (allow_as_in).",
    source="RFC 4271 section 9.1.2; RFC 7938 section 5.2.2; sonic-buildimage 086b03bd "
    "dockers/docker-fpm-frr peer-group.conf.j2 (allowas-in on a ToRRouter)",
)
def leaves_take_routes(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Leaves with an AS number that another leaf has, which no session inside the AS joins."""
    groups: dict[int, list[str]] = {}
    for name in _leaves(fabric):
        number = own_asn(fabric.devices[name])
        if number is not None:
            groups.setdefault(number, []).append(name)
    up = working(fabric)
    for number, names in groups.items():
        members = sorted(names)
        for name in members if len(members) > 1 else ():
            config = fabric.devices[name]
            inside = any((name, each) in up for each in members)
            if not inside and not own_as_allowed(config):
                other = members[members[0] == name]
                message = f"{other} has AS {number} as well; its routes are dropped here"
                yield Fault(*_place_of_asn(config), message, device=name)


@device_rule(
    "BGP016",
    "a loopback that is not announced",
    Severity.WARNING,
    reads=("DEVICE_METADATA", "BGP_NEIGHBOR", _NETWORKS, "ROUTE_REDISTRIBUTE",
           "LOOPBACK_INTERFACE"),
    why="frrcfgd announces what BGP_GLOBALS_AF_NETWORK or ROUTE_REDISTRIBUTE names and nothing "
    "else; no other device has a route to the loopback.",
    fix="Add BGP_GLOBALS_AF_NETWORK|default|<family>|<prefix> for it.",
    source="sonic-buildimage 086b03bd sonic-bgp-global.yang, sonic-route-common.yang",
)  # fmt: skip
def loopbacks_are_announced(config: Config, _context: Context) -> Iterator[Fault]:
    """Loopback addresses in no network row, where frrcfgd runs and connected is not passed on."""
    if mode_of(config) is not Mode.FRRCFGD or not neighbors(config):
        return
    if any("|connected|bgp|" in key for key in config.rows("ROUTE_REDISTRIBUTE")):
        return
    told = [prefix_of(key.rpartition("|")[2]) for key in config.rows(_NETWORKS)]
    for each in placed(config, ("LOOPBACK_INTERFACE",)):
        own = each.prefix
        if own is None or each.vrf not in {"", "default"}:
            continue
        if not any(t and t.version == own.version and t.first <= own.address <= t.last
                   for t in told):  # fmt: skip
            message = f"{each.text} of {each.port} is in no {_NETWORKS} row"
            yield Fault(each.table, each.key, None, message)


def _place_of_asn(config: Config) -> tuple[str, str, str]:
    if mode_of(config) is Mode.FRRCFGD:
        return "BGP_GLOBALS", "default", "local_asn"
    return "DEVICE_METADATA", "localhost", "bgp_asn"


def _cut_off(name: str, config: Config, size: int) -> Iterator[Fault]:
    loopback = next(iter(placed(config, ("LOOPBACK_INTERFACE",))), None)
    if loopback:
        message = f"no session joins {name} with the {size} other devices: {loopback.text}"
        yield Fault(loopback.table, loopback.key, None, message, device=name)


def _between_leaves(fabric: FabricConfigs) -> tuple[Reach, ...]:
    everywhere = frozenset(device for device, _ in intended(fabric))
    return reaches(fabric, _leaves(fabric) or everywhere)


def _leaves(fabric: FabricConfigs) -> frozenset[str]:
    """Routed leaves by the tiers given; else by device type or by having hosts."""
    routed = {device for device, _ in intended(fabric)}
    tiers = fabric.declared.tiers
    told = {name for name in routed if tiers.get(name, "").lower().startswith(("leaf", "tor"))}
    return frozenset(told or {name for name in routed if _is_leaf(fabric.devices[name])})


def _is_leaf(config: Config) -> bool:
    return "VLAN_MEMBER" in config or "ToRRouter" in str(config.metadata.get("type", ""))


def _worst(found: Iterable[Reach]) -> Iterator[tuple[tuple[str, ...], list[Reach]]]:
    """Classes that most losses have in common: one bad leaf, not all those that talk to it."""
    losses: dict[tuple[str, ...], list[Reach]] = {}
    for each in found:
        for members in {each.source, each.target}:
            losses.setdefault(members, []).append(each)
    weight = {members: sum(len(r.source) * len(r.target) for r in rows) / len(members)
              for members, rows in losses.items()}  # fmt: skip
    most = max(weight.values(), default=0.0)
    return ((members, rows) for members, rows in losses.items() if weight[members] > most / 2)


def _root(roots: dict[str, str], name: str) -> str:
    while roots[name] != name:
        roots[name] = roots[roots[name]]
        name = roots[name]
    return name
