"""SARIF and JUnit: every finding is there once, at its place, and the form is the standard's."""

import json
from xml.etree import ElementTree

import pytest

from nettool.config.validate.reports import render_report
from nettool.core.finding import Finding, Report, Severity

FINDINGS = (
    Finding(rule="PRT001", severity=Severity.ERROR, message='lanes "0" & 1\x00', hint="mend it",
            file="a b/config_db.json", line=4, column=3, device="leaf01", table="PORT",
            key="Ethernet0", field="lanes"),
    Finding(rule="XYZ001", severity=Severity.WARNING, message="look here", device="leaf02"),
    Finding(rule="XYZ002", severity=Severity.INFO, message="a note"),
)  # fmt: skip


def test_sarif():
    run = json.loads(render_report(Report.of(FINDINGS), "sarif"))["runs"][0]
    results = {each["ruleId"]: each for each in run["results"]}
    assert {rule: each["level"] for rule, each in results.items()} == {
        "PRT001": "error", "XYZ001": "warning", "XYZ002": "note",
    }  # fmt: skip
    region = results["PRT001"]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 4, "startColumn": 3}
    logical = results["PRT001"]["locations"][0]["logicalLocations"][0]
    assert logical == {"fullyQualifiedName": "leaf01 PORT|Ethernet0|lanes"}
    rules = run["tool"]["driver"]["rules"]
    for each in run["results"]:
        assert rules[each["ruleIndex"]]["id"] == each["ruleId"]


def test_junit():
    suite = ElementTree.fromstring(render_report(Report.of(FINDINGS), "junit"))
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    failed = suite.find("testcase/failure")
    assert failed is not None
    assert failed.get("message") == 'lanes "0" & 1?'


@pytest.mark.parametrize("form", ["sarif", "junit"])
def test_an_empty_report_is_valid_and_passes(form):
    text = render_report(Report.of(()), form)
    if form == "junit":
        assert len(ElementTree.fromstring(text)) == 1
    else:
        assert json.loads(text)["runs"][0]["results"] == []
