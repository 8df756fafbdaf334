"""Lint any CONFIG_DB, and validate rendered devices before anything touches a switch.

`lint` is what `nettool lint` calls; `validate_tables` is for rendered output:

    lint(files: Sequence[Path], *, platform: Platform | None, platforms: PlatformOf | None,
         traffic: Traffic | None, links: Links | None, waivers: Sequence[Waiver],
         yang: YangCheck | None) -> Report
    validate_tables({"leaf01": tables, ...}, links, platform=..., traffic=...) -> Report
    explain("BUF003") -> str                                    (`nettool lint --explain`)

The options come from `platform_at`, `load_traffic`, `load_links` and `load_waivers`; `platforms`
gives the platform that a device's tables name, where none is given for all; `yang` is any function
of the tables of one device that reports what the models refuse. The report's summary tells what
was read (`files`, `devices`), for which platforms (`platforms`), what could not be checked and why
(`not_checked`), and what was waived (`waived`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from nettool.config.nos.artifact import Tables
from nettool.config.validate import waivers as waiving
from nettool.config.validate.declared import Links, Traffic
from nettool.config.validate.fabric import FabricConfigs
from nettool.config.validate.platform import Platform
from nettool.config.validate.reading import ConfigFile, read, with_text
from nettool.config.validate.rule import (
    RULES,
    Context,
    DeviceRule,
    FabricRule,
    Fault,
    Rule,
)
from nettool.config.validate.secrets import masked
from nettool.config.validate.tables import Config, TableStore
from nettool.config.validate.waivers import Waiver
from nettool.core.errors import UsageError
from nettool.core.finding import Finding, Report, Severity

_MOST = 2000
"""Findings of one rule on one device; more help nobody and take long to place."""
YangCheck = Callable[[Tables], Report]
PlatformOf = Callable[[Tables], Platform | None]
_LOWER = {Severity.ERROR: Severity.WARNING, Severity.WARNING: Severity.INFO}


def lint(
    files: Sequence[Path],
    *,
    platform: Platform | None = None,
    platforms: PlatformOf | None = None,
    traffic: Traffic | None = None,
    links: Links | None = None,
    waivers: Sequence[Waiver] = (),
    yang: YangCheck | None = None,
) -> Report:
    """Every finding on the files: each alone and, where several are given, as a fabric.

    Raises UsageError for a file that is missing or unreadable; whatever is in a file is a finding.
    """
    engines = _Engines(traffic)
    read_files = [read(path) for path in files]
    configs, names = _named(read_files, engines.store)
    findings: list[Finding] = [each for file in read_files for each in file.findings]
    for file, config in zip(read_files, configs, strict=True):
        if config is None:
            continue
        told = platforms(file.tables) if platforms and file.tables else None
        found = engines.of(platform or told).device(config)
        if yang and file.tables is not None:
            found.extend(
                replace(each, device=config.device, file=file.file)
                for each in yang(file.tables).findings
            )
        findings.extend(masked(_placed(file, found), config))
    known = [each for each in configs if each is not None]
    if links is not None or len(known) > 1:
        across = engines.across().fabric(known, links or Links())
        findings.extend(_across(across, known, names, links))
    return _report(findings, waivers, engines, files=len(read_files), devices=len(known))


def validate_tables(
    devices: Mapping[str, Tables],
    links: Links | None = None,
    *,
    platforms: Mapping[str, Platform] | None = None,
    traffic: Traffic | None = None,
    without_lossless: Container[str] = (),
    waivers: Sequence[Waiver] = (),
) -> Report:
    """Every finding on rendered devices, alone and as a fabric; no file and line.

    `platforms` gives the platform of a device by its name; devices `without_lossless` are those
    that no host sends lossless traffic to, such as a management network's. Devices whose tables
    are equal (the same objects, or the same content) are asked once.
    """
    engines = _Engines(traffic)
    findings: list[Finding] = []
    configs = [engines.store.config(name, tables) for name, tables in devices.items()]
    for config in configs:
        name = config.device
        engine = engines.of((platforms or {}).get(name), lossless=name not in without_lossless)
        findings.extend(masked(engine.device(config), config))
    if links is not None or len(configs) > 1:
        findings.extend(engines.across().fabric(configs, links or Links()))
    return _report(findings, waivers, engines, devices=len(configs))


def explain(rule_id: str) -> str:
    """A rule's page: what it finds, why it matters, what to do, and where that is published.

    Raises UsageError for an id that no rule has.
    """
    wanted = rule_id.strip().upper()
    if wanted not in RULES:
        near = ", ".join(each for each in RULES if each[:3] == wanted[:3]) or ", ".join(RULES)
        raise UsageError(f"there is no rule {rule_id!r}; known are {near}")
    rule = RULES[wanted]
    lines = [f"{rule.id}  {rule.title} ({rule.severity})", "", f"Why: {rule.why}",
             f"Fix: {rule.fix}", f"Source: {rule.source}"]  # fmt: skip
    if rule.needs:
        lines.append(f"Needs: {', '.join(_option(each) for each in rule.needs)}")
    return "\n".join(lines)


class _Engines:
    """One engine a platform, over one store of tables."""

    def __init__(self, traffic: Traffic | None) -> None:
        self.store = TableStore()
        self._traffic = traffic
        self._engines: dict[tuple[int, bool], _Engine] = {}
        self._devices: Counter[tuple[int, bool]] = Counter()

    def of(self, platform: Platform | None, *, lossless: bool = True) -> _Engine:
        """The engine of the next device: its platform, and whether lossless traffic gets there."""
        self._devices[id(platform), lossless] += 1
        return self._engine(platform, lossless=lossless)

    def across(self) -> _Engine:
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
        for key, engine in self._engines.items():
            for rule, lacks in engine.skipped.items():
                without[rule, lacks] += self._devices[key]
        return {
            rule: lacks if count >= every else f"{lacks} ({count} of {every} devices)"
            for (rule, lacks), count in sorted(without.items())
        }

    def _engine(self, platform: Platform | None, *, lossless: bool) -> _Engine:
        key = id(platform), lossless
        if key not in self._engines:
            traffic = self._traffic
            if traffic is not None and not lossless:
                traffic = replace(traffic, lossless=frozenset())
            self._engines[key] = _Engine(Context(platform, traffic), self.store)
        return self._engines[key]


class _Engine:
    """The rules of one run, and what they said of tables that were seen before."""

    def __init__(self, context: Context, store: TableStore) -> None:
        self.context = context
        self.store = store
        self.skipped: dict[str, str] = {}
        self._said: dict[tuple[object, ...], tuple[Fault, ...]] = {}
        rules = [RULES[each] for each in RULES]
        self._device = [r for r in rules if isinstance(r, DeviceRule) and self._can(r)]
        self._fabric = [r for r in rules if isinstance(r, FabricRule) and self._can(r)]

    def device(self, config: Config) -> list[Finding]:
        """What the device rules say of one configuration."""
        found = [
            self._finding(rule, fault, config.device, config.file)
            for rule in self._device
            for fault in self._faults(rule, config)
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

    def _faults(self, rule: DeviceRule, config: Config) -> tuple[Fault, ...]:
        if not rule.reads:
            return _bounded(rule, config, self.context)
        seen = {name: config.tables[name] for name in rule.reads if name in config.tables}
        key = (rule.id, *(id(seen.get(name)) for name in rule.reads))
        known = self._said.get(key)
        if known is None:
            known = _bounded(rule, Config("", seen), self.context)
            self._said[key] = known
        return known

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
            self.skipped[rule.id] = ", ".join(_option(each) for each in missing)
        return not missing


def _bounded(rule: DeviceRule, config: Config, context: Context) -> tuple[Fault, ...]:
    faults = tuple(islice(rule.check(config, context), _MOST + 1))
    if len(faults) <= _MOST:
        return faults
    more = f"more than {_MOST} findings of this rule; the rest is not shown"
    return (*faults[:_MOST], Fault(None, None, None, more, "mend these first"))


_FACTS = {
    "breakout": "breakout modes",
    "buffer": "packet buffer",
    "lookup": "headroom table",
    "port_headroom": "headroom limit of a port",
    "size_holds_headroom": "rule for profile sizes",
    "max_lossless_priorities": "number of lossless priorities",
    "pfc_to_pg_map_needed": "need of a PFC map",
}


def _option(need: str) -> str:
    whole, _, fact = need.partition(".")
    option = f"--{whole}"
    return f"{option} with its {_FACTS.get(fact, fact)}" if fact else option


def _named(
    files: Sequence[ConfigFile], store: TableStore
) -> tuple[list[Config | None], dict[str, ConfigFile]]:
    """Configurations by the device's name: its hostname, where no other file has the same."""
    hosts = [_hostname(each) for each in files]
    count = Counter(each for each in hosts if each)
    configs: list[Config | None] = []
    names: dict[str, ConfigFile] = {}
    for file, host in zip(files, hosts, strict=True):
        if file.tables is None:
            configs.append(None)
            continue
        name = host if host and count[host] == 1 else _file_name(file.file)
        names[name] = file
        configs.append(store.config(name, with_text(file.tables), file.file))
    return configs, names


def _hostname(file: ConfigFile) -> str | None:
    row: Any = ((file.tables or {}).get("DEVICE_METADATA") or {}).get("localhost") or {}
    name = row.get("hostname")
    return name if isinstance(name, str) and name else None


def _file_name(file: str) -> str:
    path = Path(file)
    return path.parent.name if path.stem == "config_db" and path.parent.name else path.stem


def _placed(file: ConfigFile, findings: list[Finding]) -> Iterable[Finding]:
    if not findings:
        return
    for finding, (line, column) in zip(findings, file.places(findings), strict=True):
        yield replace(finding, line=line, column=column)


def _across(
    findings: list[Finding],
    configs: Sequence[Config],
    names: Mapping[str, ConfigFile],
    links: Links | None,
) -> Iterable[Finding]:
    by_device = {each.device: each for each in configs}
    for name, file in names.items():
        own = [each for each in findings if each.device == name and each.table]
        yield from masked(_placed(file, own), by_device[name])
    for each in findings:
        if each.device not in names or not each.table:
            yield each if each.file else replace(each, file=links.file if links else None)


def _report(
    findings: Iterable[Finding], waivers: Sequence[Waiver], engines: _Engines, **counts: int
) -> Report:
    result = waiving.apply(waivers, findings)
    summary: dict[str, object] = {**counts}
    if engines.platforms:
        summary["platforms"] = engines.platforms
    if engines.skipped:
        summary["not_checked"] = engines.skipped
    if result.waived:
        summary["waived"] = [
            {"rule": each.rule, "device": each.device, "table": each.table, "key": each.key,
             "reason": by.reason}
            for each, by in result.waived
        ]  # fmt: skip
    return Report.of(result.stay, **summary)
