"""A verification for a change ticket: Markdown for people, JUnit for pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from xml.etree import ElementTree as Xml

from nettool.core.finding import Finding, Report, Severity
from nettool.core.order import natural
from nettool.fleet.verify.check import CHECKS

ASSUMED = "VER022"
"""What was read rests on an assumption: the verdict, good or bad, says so."""
_ORDER = list(Severity)


def as_markdown(report: Report, devices: Iterable[str], nodes: Sequence[str] = ()) -> str:
    """A table of all devices, GPU nodes among them, with their worst finding; every finding."""
    names = sorted(devices, key=natural)
    asked = f" and {len(nodes)} hosts" if nodes else ""
    verdict = "not verified" if report.has_errors else "verified"
    looked_at = report.summary.get("looked_at", len(names))
    lines = [
        f"# {len(names)} switches{asked} {verdict}",
        "",
        f"{looked_at} of {len(names)} looked at, {len(CHECKS)} checks each: {', '.join(CHECKS)}.",
        "",
        f"| {'device' if nodes else 'switch'} | verdict | errors | warnings |",
        "| --- | --- | --- | --- |",
        *(_row(name, report) for name in [*names, *nodes]),
        *_details(report),
    ]
    return "\n".join(lines) + "\n"


def as_junit(report: Report, devices: Iterable[str]) -> str:
    """One test case a switch; each error is its failure, warnings go to its output."""
    names = sorted(devices, key=natural)
    failed = sum(_count(report, name, Severity.ERROR) > 0 for name in names)
    suite = Xml.Element("testsuite", name="verify", tests=str(len(names)), failures=str(failed))
    for name in names:
        case = Xml.SubElement(suite, "testcase", classname="verify", name=name)
        for finding in _of(report, name):
            if finding.severity is Severity.ERROR:
                failure = Xml.SubElement(case, "failure", type=finding.rule)
                failure.set("message", finding.message)
                failure.text = finding.hint
        others = [f.message for f in _of(report, name) if f.severity is not Severity.ERROR]
        if others:
            Xml.SubElement(case, "system-out").text = "\n".join(others)
    Xml.indent(suite)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n' + Xml.tostring(suite, encoding="unicode") + "\n"
    )


def _row(name: str, report: Report) -> str:
    errors, warnings = (_count(report, name, s) for s in (Severity.ERROR, Severity.WARNING))
    assumed = any(each.rule == ASSUMED for each in _of(report, name))
    verdict = "**failed**" if errors else ("look" if warnings else "ok")
    verdict += " (assumed)" if assumed else ""
    return f"| {name} | {verdict} | {errors} | {warnings} |"


def _details(report: Report) -> Iterator[str]:
    if report.findings:
        yield from ("", "| rule | severity | finding | what to do |", "| --- | --- | --- | --- |")
    for finding in sorted(report.findings, key=lambda each: _ORDER.index(each.severity)):
        cells = (finding.rule, str(finding.severity), finding.message, finding.hint or "")
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _of(report: Report, name: str) -> tuple[Finding, ...]:
    return tuple(each for each in report.findings if each.device == name)


def _count(report: Report, name: str, severity: Severity) -> int:
    return sum(each.severity is severity for each in _of(report, name))
