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
from pathlib import Path
from typing import Any

from nettool.config.nos.artifact import Tables
from nettool.config.validate import waivers as waiving
from nettool.config.validate.asking import Engines, option_of
from nettool.config.validate.declared import Links, Traffic
from nettool.config.validate.platform import Platform
from nettool.config.validate.reading import ConfigFile, read, with_text
from nettool.config.validate.rule import RULES
from nettool.config.validate.secrets import masked
from nettool.config.validate.tables import Config, TableStore
from nettool.config.validate.waivers import Waiver
from nettool.core.codes import codes
from nettool.core.errors import UsageError
from nettool.core.finding import Finding, Report

YangCheck = Callable[[Tables], Report]
PlatformOf = Callable[[Tables], Platform | None]


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

    Raises UsageError for a file that is missing or unreadable, and for cables between other
    devices; whatever is in a file is a finding.
    """
    engines = Engines(traffic)
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
    if links is not None:
        _refuse_strange(links, known)
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
    branch: str = "",
    waivers: Sequence[Waiver] = (),
) -> Report:
    """Every finding on rendered devices, alone and as a fabric; no file and line.

    `platforms` gives the platform of a device by its name; devices `without_lossless` are those
    that no host sends lossless traffic to, such as a management network's; `branch` is the SONiC
    branch that they are rendered for. Devices whose tables are equal are asked once.
    """
    engines = Engines(traffic, planned=True, branch=branch)
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
    """The page of a finding's code: what it finds, why it matters, and what to do.

    A rule's page names its public source as well. Raises UsageError for a code that nothing has.
    """
    wanted = rule_id.strip().upper()
    if wanted in codes():
        code = codes()[wanted]
        return f"{code.id}  {code.finds} ({code.level})\n\nWhy: {code.why}\nFix: {code.fix}"
    if wanted not in RULES:
        known = sorted([*RULES, *codes()])
        near = [each for each in known if each[:3] == wanted[:3]]
        said = ", ".join(near or sorted({each[:3] + "…" for each in known}))
        raise UsageError(f"there is no rule or code {rule_id!r}; known are {said}")
    rule = RULES[wanted]
    lines = [f"{rule.id}  {rule.title} ({rule.severity})", "", f"Why: {rule.why}",
             f"Fix: {rule.fix}", f"Source: {rule.source}"]  # fmt: skip
    if rule.needs:
        lines.append(f"Needs: {', '.join(option_of(each) for each in rule.needs)}")
    return "\n".join(lines)


def _refuse_strange(links: Links, known: Sequence[Config]) -> None:
    """Cables that end at none of the devices check nothing, and nobody would notice."""
    here = {each.device for each in known}
    ends = dict.fromkeys(end.device for link in links.links for end in (link.a, link.b))
    if ends and known and here.isdisjoint(ends):
        raise UsageError(
            f"{links.file or 'the links'}: no cable ends at a device that was given; they name "
            f"{', '.join(list(ends)[:4])}, …; given are {', '.join(sorted(here)[:4])} "
            "(a device is called by its hostname, else by its file)"
        )


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
    findings: Iterable[Finding], waivers: Sequence[Waiver], engines: Engines, **counts: int
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
