"""Which cages of the chosen switches can carry the chosen NICs and uplinks.

Names are looked up in the catalog, speeds and lanes matched; what does not exist or does not
match is collected as findings.
"""

from __future__ import annotations

from dataclasses import dataclass

from nettool.catalog.catalog import Catalog, UnknownNameError
from nettool.catalog.host import NicLink, NicModel
from nettool.catalog.switch import SwitchModel
from nettool.core.errors import UsageError
from nettool.core.finding import Finding
from nettool.core.source import KeyPath
from nettool.core.units import format_speed
from nettool.intent.intent import NetworkIntent, NicIntent, SwitchIntent
from nettool.plan.design.breakouts import Breakouts
from nettool.plan.design.cages import CageSet, SwitchCages
from nettool.plan.design.notes import error


@dataclass(frozen=True)
class NicKind:
    """One kind of NIC: its model, and how its ports run."""

    model: NicModel
    link: NicLink
    path: KeyPath


@dataclass(frozen=True)
class TierSwitch:
    """The switch of one tier: model, chip, SKU if it was given, and what its cages can carry."""

    model: SwitchModel
    sku: str | None
    asic: str
    cages: SwitchCages
    path: KeyPath


@dataclass(frozen=True)
class Hardware:
    """What a network is built from. `runs` are (kind, count) of nodes in order."""

    kinds: tuple[NicKind, ...]
    runs: tuple[tuple[int, int], ...]
    per_node: int
    leaf: TierSwitch
    spine: TierSwitch
    core: TierSwitch


def resolve(
    nodes: int, network: NetworkIntent, path: KeyPath, catalog: Catalog, findings: list[Finding]
) -> Hardware | None:
    """The hardware of a network; None where `findings` got an error."""
    before = len(findings)
    kinds, runs = _nics(nodes, network, path, catalog, findings)
    tiers = _tiers(network, path, catalog, findings)
    if len(findings) > before:
        return None
    views = {
        (model.name, wanted.sku): Breakouts(model, wanted.sku) for model, wanted, _, _ in tiers
    }
    models = [views[model.name, wanted.sku] for model, wanted, _, _ in tiers]
    uplink = _uplink(network, path, models, findings)
    if not uplink:
        return None
    lower, upper = uplink
    lanes = models[0].lanes(lower)
    leaf = SwitchCages(
        tuple(_nic_cages(models[0], each.link) for each in kinds), models[0].carrying(lower, lanes)
    )
    spine = SwitchCages(
        (models[1].carrying(lower, lanes),), models[1].carrying(upper, models[1].lanes(upper))
    )
    core = SwitchCages((models[2].carrying(upper, models[1].lanes(upper)),))
    for kind, cages in zip(kinds, leaf.down, strict=True):
        if not cages.uses:
            findings.append(_no_cage(models[0], kind, path))
    if len(findings) > before:
        return None
    built = [
        TierSwitch(model, wanted.sku, asic, cages, where)
        for (model, wanted, asic, where), cages in zip(tiers, (leaf, spine, core), strict=True)
    ]
    return Hardware(tuple(kinds), runs, network.nic.per_node, *built)


def _nics(
    nodes: int, network: NetworkIntent, path: KeyPath, catalog: Catalog, findings: list[Finding]
) -> tuple[list[NicKind], tuple[tuple[int, int], ...]]:
    wanted = [(network.nic, (*path, "nic"))]
    wanted += [(g.nic, (*path, "groups", n, "nic")) for n, g in enumerate(network.groups)]
    kinds = []
    for nic, where in wanted:
        kind = _nic(nic, where, catalog, findings)
        if kind:
            kinds.append(kind)
        if nic.per_node != network.nic.per_node:
            findings.append(
                error(
                    "DSN003",
                    (*where, "per_node"),
                    f"{nic.per_node} NICs a node here, {network.nic.per_node} in the rest of the "
                    "network: NIC n must have a rail n",
                    "give every group of one network the same number, or make a second network",
                )
            )
    return kinds, _runs(nodes, network, path, findings)


def _nic(
    nic: NicIntent, path: KeyPath, catalog: Catalog, findings: list[Finding]
) -> NicKind | None:
    try:
        model = catalog.nic(nic.model)
    except UnknownNameError as exc:
        findings.append(error("DSN001", (*path, "model"), exc.args[0], exc.hint))
        return None
    link = model.link(nic.speed) if nic.speed else model.links[0]
    if link is None:
        speeds = ", ".join(dict.fromkeys(format_speed(each.speed) for each in model.links))
        findings.append(
            error(
                "DSN005",
                (*path, "speed"),
                f"{nic.model} does not run at {format_speed(nic.speed or 0)}",
                f"it runs at {speeds}",
            )
        )
        return None
    return NicKind(model, link, path)


def _runs(
    nodes: int, network: NetworkIntent, path: KeyPath, findings: list[Finding]
) -> tuple[tuple[int, int], ...]:
    """Runs of equal nodes in node order; kind 0 is the network's own NIC."""
    kind_of = [0] * nodes
    for number, group in enumerate(network.groups, 1):
        first, _, last = group.nodes.partition("-")
        low, high = int(first), int(last or first)
        if not 1 <= low <= high <= nodes:
            findings.append(
                error(
                    "DSN003",
                    (*path, "groups", number - 1, "nodes"),
                    f"nodes {group.nodes} of a cluster of {nodes}",
                    f"give numbers from 1 to {nodes}, the smaller one first",
                )
            )
            continue
        kind_of[low - 1 : high] = [number] * (high - low + 1)
    runs: list[tuple[int, int]] = []
    for kind in kind_of:
        if runs and runs[-1][0] == kind:
            runs[-1] = (kind, runs[-1][1] + 1)
        else:
            runs.append((kind, 1))
    return tuple(runs)


_Tier = tuple[SwitchModel, SwitchIntent, str, KeyPath]


def _tiers(
    network: NetworkIntent, path: KeyPath, catalog: Catalog, findings: list[Finding]
) -> list[_Tier]:
    """Leaf, spine and core with their models; a tier that is not given is as the one below."""
    bare = SwitchIntent(model=network.leaf.model, asic=network.leaf.asic)
    spine, core = network.spine or bare, network.core or network.spine or bare
    wanted = [
        (network.leaf, (*path, "leaf")),
        (spine, (*path, "spine" if network.spine else "leaf")),
        (core, (*path, "core" if network.core else "spine" if network.spine else "leaf")),
    ]
    found: list[_Tier] = []
    for intent, where in wanted:
        try:
            model = catalog.switch(intent.model)
        except UnknownNameError as exc:
            _add_once(findings, error("DSN001", (*where, "model"), exc.args[0], exc.hint))
            continue
        if not _choice_problems(model, intent, where, findings):
            found.append((model, intent, model.variant(intent.asic).asic, where))
    return found


def _choice_problems(
    model: SwitchModel, intent: SwitchIntent, where: KeyPath, findings: list[Finding]
) -> int:
    """How many of SKU and chip the model does not have, each told at its key."""
    problems = 0
    choices = {"sku": (model.sku, intent.sku), "asic": (model.variant, intent.asic)}
    for key, (choose, given) in choices.items():
        try:
            choose(given)
        except UsageError as exc:
            problem, _, known = str(exc).partition(": ")
            hint = f"{known}; the key is `{where[-1]}.{key}`"
            _add_once(findings, error("DSN001", (*where, key), problem, hint))
            problems += 1
    return problems


def _add_once(findings: list[Finding], finding: Finding) -> None:
    if finding not in findings:
        findings.append(finding)


def _uplink(
    network: NetworkIntent, path: KeyPath, models: list[Breakouts], findings: list[Finding]
) -> tuple[int, int] | None:
    """Speed of leaf-spine and of spine-core links: as given, else the fastest both ends have."""
    speeds: list[int] = []
    for key, low, high, given in (
        ("uplink", models[0], models[1], network.uplink),
        ("spine_uplink", models[1], models[2], network.spine_uplink or network.uplink),
    ):
        common = low.speeds() & high.speeds()
        if given and given not in common:
            listed = ", ".join(format_speed(each) for each in sorted(common)) or "none"
            findings.append(
                error(
                    "DSN005",
                    (*path, key),
                    f"{low.model.name} and {high.model.name} have no common port at "
                    f"{format_speed(given)}",
                    f"speeds that both have: {listed}",
                )
            )
            return None
        speeds.append(given or max(common, default=0))
    return speeds[0], speeds[1]


def _nic_cages(view: Breakouts, link: NicLink) -> CageSet:
    return view.carrying(link.speed, link.lanes)


def _no_cage(view: Breakouts, kind: NicKind, path: KeyPath) -> Finding:
    speeds = ", ".join(format_speed(each) for each in sorted(view.speeds()))
    where = f"{view.model.name} with SKU {view.sku}" if view.sku else view.model.name
    return error(
        "DSN005",
        (*path, "leaf"),
        f"{where} has no port at {format_speed(kind.link.speed)} for {kind.model.name}",
        f"its ports run at {speeds}; choose another switch, SKU or NIC speed",
    )
