"""Rules asked of devices: which can run with what is known, and what equal tables said before.

An engine holds the rules for one platform; `Engines` has one for each platform that is met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from nettool.config.validate.classes import with_few_ports
from nettool.config.validate.declared import Links, Traffic
from nettool.config.validate.fabric import FabricConfigs
from nettool.config.validate.platform import Platform
from nettool.config.validate.rule import (
    EACH_TABLE,
    RULES,
    Context,
    DeviceRule,
    FabricRule,
    Fault,
    Rule,
)
from nettool.config.validate.tables import Config, Table, TableStore
from nettool.core.finding import Finding, Severity

Said = tuple[DeviceRule, Fault]
_MOST = 2000
"""Findings of one rule on one device; more help nobody and take long to place."""
_LOWER = {Severity.ERROR: Severity.WARNING, Severity.WARNING: Severity.INFO}
_FACTS = {
    "breakout": "breakout modes",
    "buffer": "packet buffer",
    "lookup": "headroom table",
    "port_headroom": "headroom limit of a port",
    "size_holds_headroom": "rule for profile sizes",
    "max_lossless_priorities": "number of lossless priorities",
    "pfc_to_pg_map_needed": "need of a PFC map",
}


class _View(NamedTuple):
    """A configuration, and what rules see of it: tables by identity, named fields by value."""

    config: Config
    seen: Mapping[str, Hashable]


class _Group(NamedTuple):
    """Rules that read the same tables, which are asked together."""

    number: int
    reads: tuple[str, ...]
    port_by_port: bool
    rules: tuple[DeviceRule, ...]

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that they read, whole or one field of."""
        return _tables_of(self.reads)


class Engines:
    """One engine a platform, over one store of tables."""

    def __init__(self, traffic: Traffic | None, *, planned: bool = False, branch: str = "") -> None:
        """`planned`: of our own output, whose platforms are the catalog's and no option's."""
        self.store = TableStore()
        self._traffic = traffic
        self._branch = branch
        self._told = entry_of if planned else option_of
        self._engines: dict[tuple[int, bool], Engine] = {}
        self._devices: Counter[tuple[int, bool]] = Counter()

    def of(self, platform: Platform | None, *, lossless: bool = True) -> Engine:
        """The engine of the next device: its platform, and whether lossless traffic gets there."""
        self._devices[id(platform), lossless] += 1
        return self._engine(platform, lossless=lossless)

    def across(self) -> Engine:
        """The engine for rules across devices."""
        return next(iter(self._engines.values()), None) or self._engine(None, lossless=True)

    @property
    def platforms(self) -> list[str]:
        """The platforms met, by name."""
        met = (each.context.platform for each in self._engines.values())
        return sorted({each.name for each in met if each})

    @property
    def skipped(self) -> dict[str, str]:
        """Rules that could not run, with what they lack and, if not on all, on how many devices."""
        every = sum(self._devices.values())
        without: Counter[tuple[str, str]] = Counter()
        for key, count in self._devices.items():
            for rule, lacks in self._engines[key].skipped.items():
                without[rule, ", ".join(map(self._told, lacks))] += count
        return {
            rule: lacks if count >= every else f"{lacks} ({count} of {every} devices)"
            for (rule, lacks), count in sorted(without.items())
        }

    def _engine(self, platform: Platform | None, *, lossless: bool) -> Engine:
        key = id(platform), lossless
        if key not in self._engines:
            traffic = self._traffic
            if traffic is not None and not lossless:
                traffic = replace(traffic, lossless=frozenset())
            self._engines[key] = Engine(Context(platform, traffic, self._branch), self.store)
        return self._engines[key]


class Engine:
    """The rules of one run, and what they said of tables that were seen before."""

    def __init__(self, context: Context, store: TableStore) -> None:
        self.context = context
        self.store = store
        self.skipped: dict[str, list[str]] = {}
        self._said: dict[tuple[object, ...], tuple[Said, ...]] = {}
        asked = tuple(each.id for each in _every() if not each.needs or self._can(each))
        self._groups, self._fields, self._fabric = _sorted_out(asked)

    def device(self, config: Config) -> list[Finding]:
        """What the device rules say of one configuration."""
        whole = self._view(config)
        few_ports = with_few_ports(config)
        few = self._view(few_ports) if few_ports else None
        found = [
            self._finding(rule, fault, config.device, config.file)
            for group in self._groups
            if not (few and group.port_by_port) or self._faults(group, few)
            for rule, fault in self._faults(group, whole)
        ]
        config.forget_own()
        return found

    def fabric(self, configs: Sequence[Config], links: Links) -> list[Finding]:
        """What the fabric rules say of all configurations together."""
        across = FabricConfigs.of(configs, links)
        files = {each.device: each.file for each in configs}
        return [
            self._finding(rule, fault, fault.device, files.get(fault.device or ""))
            for rule in self._fabric
            for fault in rule.check(across, self.context)
        ]

    def _view(self, config: Config) -> _View:
        ids: dict[str, Hashable] = {name: id(table) for name, table in config.tables.items()}
        row = config.metadata
        ids.update((each, str(row.get(each.partition(".")[2]))) for each in self._fields)
        return _View(config, ids)

    def _faults(self, group: _Group, view: _View) -> tuple[Said, ...]:
        if not group.reads:
            return _said(group.rules, view.config, self.context)
        if group.reads == EACH_TABLE:
            return self._of_tables(group, view.config)
        key = (group.number, *map(view.seen.get, group.reads))
        known = self._said.get(key)
        if known is None:
            tables = view.config.tables
            seen = {name: tables[name] for name in group.tables if name in tables}
            known = self._said[key] = _said(group.rules, Config("", seen), self.context)
        return known

    def _of_tables(self, group: _Group, config: Config) -> tuple[Said, ...]:
        found: list[Said] = []
        for table in config.tables.values():
            known = self._said.get((group.number, id(table)))
            if known is None:
                known = self._said[group.number, id(table)] = _said_of(group.rules, table)
            found += known
        return tuple(found)

    def _finding(self, rule: Rule, fault: Fault, device: str | None, file: str | None) -> Finding:
        severity, weak = fault.severity or rule.severity, self._weak(rule)
        return Finding(
            rule=rule.id,
            severity=_LOWER.get(severity, severity) if weak else severity,
            message=fault.message + weak,
            hint=fault.hint or rule.fix,
            file=file,
            device=device or None,
            table=fault.table,
            key=fault.key,
            field=fault.field,
        )

    def _weak(self, rule: Rule) -> str:
        """What a rule rests on that is not firm, in words; empty where all is."""
        platform = self.context.platform
        facts = [each.partition(".")[2] for each in rule.needs if each.startswith("platform.")]
        trusts = {each: platform.weak[each] for each in facts if platform and each in platform.weak}
        said = ", ".join(f"{each.replace('_', ' ')} is {trust}" for each, trust in trusts.items())
        return f" ({platform.name}: {said})" if platform and said else ""

    def _can(self, rule: Rule) -> bool:
        missing = [each for each in rule.needs if self.context.lacks(each)]
        if missing and not any(self.context.excludes(each) for each in missing):
            self.skipped[rule.id] = missing
        return not missing


@cache
def _tables_of(reads: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each.partition(".")[0] for each in reads)


@cache
def _every() -> tuple[Rule, ...]:
    return tuple(RULES[each] for each in RULES)


@lru_cache(maxsize=64)
def _sorted_out(
    asked: tuple[str, ...],
) -> tuple[tuple[_Group, ...], frozenset[str], tuple[FabricRule, ...]]:
    """The device rules of these ids by what they read, the fields they read, the fabric rules."""
    rules = [RULES[each] for each in asked]
    alike: dict[tuple[tuple[str, ...], bool], list[DeviceRule]] = {}
    for rule in rules:
        if isinstance(rule, DeviceRule):
            alike.setdefault((rule.reads, rule.port_by_port), []).append(rule)
    groups = tuple(_Group(at, *key, tuple(each)) for at, (key, each) in enumerate(alike.items()))
    fields = frozenset(name for group in groups for name in group.reads if "." in name)
    return groups, fields, tuple(rule for rule in rules if isinstance(rule, FabricRule))


def _said(rules: Iterable[DeviceRule], config: Config, context: Context) -> tuple[Said, ...]:
    return tuple((rule, fault) for rule in rules for fault in _bounded(rule.check(config, context)))


def _said_of(rules: Iterable[DeviceRule], table: Table) -> tuple[Said, ...]:
    return tuple(
        (rule, fault) for rule in rules if rule.of_table for fault in _bounded(rule.of_table(table))
    )


def _bounded(found: Iterable[Fault]) -> tuple[Fault, ...]:
    faults = tuple(islice(found, _MOST + 1))
    if len(faults) <= _MOST:
        return faults
    more = f"more than {_MOST} findings of this rule; the rest is not shown"
    return (*faults[:_MOST], Fault(None, None, None, more, "mend these first"))


def option_of(need: str) -> str:
    """A rule's need as the option that meets it."""
    whole, _, fact = need.partition(".")
    option = f"--{whole}"
    return f"{option} with its {_FACTS.get(fact, fact)}" if fact else option


def entry_of(need: str) -> str:
    """A rule's need as what meets it in a fabric's own catalog; a plan has the rest."""
    fact = need.partition(".")[2]
    return f"a catalog entry with its {_FACTS.get(fact, fact)}"
