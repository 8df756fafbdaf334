"""Timing cases drawn from public reports: what they mean, said in a fabric of ours.

A case is abstract. Its profile, domain and sources become the `timing` of a shipped fabric; what
this project's intent cannot even say (a boundary clock that only follows, or that has one port)
becomes the file of ptp4l that would say it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from nettool.config.nos.dialects.linuxptp.options import check
from nettool.core.finding import Finding, Severity
from nettool.intent.load import find_fabric

CASES = Path(__file__).parents[4] / "../shared/cases/hand"
NAMES = ("tim-01", "tim-03", "tim-04")
PROFILES = {"G.8275.1": "g8275.1", "G.8275.2": "g8275.2", "default": "ieee1588"}
Place = tuple[str, str | None]


def _rows() -> list[Any]:
    absent = pytest.mark.skip(reason="the cases from public reports are not beside this checkout")
    return [
        pytest.param(name, id=name, marks=() if (CASES / name).is_dir() else absent)
        for name in NAMES
    ]


@pytest.mark.parametrize("name", _rows())
def test_faults_are_found_in_their_place_and_nothing_else(name: str, plan_intent: Any) -> None:
    case = yaml.safe_load((CASES / name / "expected.yaml").read_text())
    wanted = {(each["table"], each["key"], each["field"]) for each in case["must_flag"]}
    found = set()
    for file in case["inputs"]:
        timing = yaml.safe_load((CASES / name / file).read_text())["timing"]
        findings = [*_planned(timing, plan_intent), *_checked(timing)]
        for each in findings:
            place = _place(each)
            if place is not None and each.severity is Severity.ERROR:
                found.add((file, *place))
    assert found == wanted


def _planned(timing: dict[str, Any], plan_intent: Any) -> Iterator[Finding]:
    """What the plan says of the profile, domain and SyncE sources of a case."""
    data = yaml.safe_load(find_fabric("rail-optimized-256").read_text())
    synce = timing.get("synce", {})
    sources = [
        {"name": f"source{number}", "attach": [each["device"]], "ql": each["ql"]}
        for number, each in enumerate(synce.get("sources", []))
    ]
    data["timing"] = {
        "profile": PROFILES[timing.get("profile", "G.8275.1")],
        "domain": timing.get("domain"),
        "transport": timing.get("transport"),
        "clocks": timing.get("clock", "boundary"),
        "grandmasters": sources or [{"name": "gm1"}, {"name": "gm2"}],
        "synce_option": synce.get("network_option", 1),
    }
    yield from plan_intent(data).report.findings


def _checked(timing: dict[str, Any]) -> Iterator[Finding]:
    """What is wrong with the file of a switch that has these ports and this role."""
    for device, each in timing.get("devices", {}).items():
        lines = ["[global]", "clock_type BC" if timing["clock"] == "boundary" else "clock_type OC"]
        if timing.get("client_only"):
            lines.append("slaveOnly 1")
        text = "\n".join([*lines, *(f"[{port}]" for port in each["ports"])]) + "\n"
        yield from check(text, "ptp4l", "3.1", file=device)


def _place(finding: Finding) -> Place | None:
    """Where the case would have the finding."""
    if finding.rule == "TIM001":
        return "timing", "domain"
    if finding.rule == "TIM011" and finding.key is not None:
        return f"timing.synce.sources[{finding.key.split('.')[2]}]", "ql"
    if finding.rule == "TIM104":
        return "timing", "client_only"
    if finding.rule == "TIM105":
        return f"timing.{finding.file}", "ports"
    return (finding.rule, None) if finding.rule.startswith("TIM") else None
