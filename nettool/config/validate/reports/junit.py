"""JUnit XML: a test case a finding, errors failed; one that passed where there is nothing."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from nettool.config.validate.reports.place import place
from nettool.core.finding import Finding, Report, Severity

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(report: Report) -> str:
    """The report as JUnit XML. Errors are failures; warnings and notes are in system-out."""
    suite = ElementTree.Element(
        "testsuite",
        name="nettool",
        tests=str(max(1, len(report.findings))),
        failures=str(report.count(Severity.ERROR)),
        errors="0",
    )
    for finding in report.findings:
        _case(suite, finding)
    if not report.findings:
        ElementTree.SubElement(suite, "testcase", classname="nettool", name="no findings")
    ElementTree.indent(suite)
    text = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _case(suite: ElementTree.Element, finding: Finding) -> None:
    where = ":".join(str(each) for each in (finding.file, finding.line, finding.column) if each)
    name = _clean(" ".join(filter(None, (finding.rule, where, place(finding)))))
    case = ElementTree.SubElement(suite, "testcase", classname=f"nettool.{finding.rule}", name=name)
    said = _clean(f"{finding.message}\n{finding.hint or ''}".strip())
    if finding.severity is Severity.ERROR:
        kind = str(finding.severity)
        ElementTree.SubElement(
            case, "failure", message=_clean(finding.message), type=kind
        ).text = said
    else:
        ElementTree.SubElement(case, "system-out").text = f"{finding.severity}: {said}"


def _clean(text: str) -> str:
    """Without the characters that XML 1.0 cannot hold."""
    return _FORBIDDEN.sub("?", text)
