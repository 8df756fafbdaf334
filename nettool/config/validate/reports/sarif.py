"""SARIF 2.1.0 (OASIS): one run, the rules that spoke, a result a finding."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import PurePath
from typing import Any

from nettool.config.validate.reports.place import place
from nettool.config.validate.rule import RULES
from nettool.core.codes import codes
from nettool.core.finding import Finding, Report, Severity
from nettool.core.told import json_text

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def sarif(report: Report) -> str:
    """The report as SARIF; findings without a file carry their place as a logical location."""
    ids = sorted({each.rule for each in report.findings})
    run = {
        "tool": {
            "driver": {
                "name": "nettool",
                "version": version("nettool"),
                "rules": [_rule(each) for each in ids],
            }
        },
        "results": [_result(each, ids.index(each.rule)) for each in report.findings],
        "columnKind": "unicodeCodePoints",
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule_id: str) -> dict[str, Any]:
    row: dict[str, Any] = {"id": rule_id}
    if rule_id in RULES:
        known = RULES[rule_id]
        row |= {
            "shortDescription": {"text": known.title},
            "fullDescription": {"text": known.why},
            "help": {"text": f"{known.fix}\nSource: {known.source}"},
        }
    elif code := codes().get(rule_id):
        row |= {
            "shortDescription": {"text": code.finds},
            "fullDescription": {"text": code.why},
            "help": {"text": code.fix},
        }
    return row


def _result(finding: Finding, index: int) -> dict[str, Any]:
    hint = f" ({finding.hint})" if finding.hint else ""
    location: dict[str, Any] = {}
    if finding.file:
        location["physicalLocation"] = {
            "artifactLocation": {"uri": PurePath(finding.file).as_posix()},
            "region": {"startLine": finding.line or 1, "startColumn": finding.column or 1},
        }
    if place(finding):
        location["logicalLocations"] = [{"fullyQualifiedName": place(finding)}]
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message + hint},
        "locations": [location] if location else [],
    }
