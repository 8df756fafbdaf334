"""Lint on cases drawn from public reports: each fault is found in its place, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from nettool.config.validate.declared import Traffic, load_links, traffic_from
from nettool.config.validate.engine import lint
from nettool.config.validate.platform import Platform, load_platform
from nettool.core.finding import Finding, Severity

CASES = Path(__file__).parents[2] / "../shared/cases/hand"
Place = tuple[Any, Any, Any]


def _cases() -> list[Any]:
    paths = sorted(CASES.glob("*/expected.yaml"))
    found = {path.parent.name: yaml.safe_load(path.read_text()) for path in paths}
    rows = [
        pytest.param(name, case, id=name)
        for name, case in found.items()
        if case["verb"] in {"lint", "fabric-lint"}
    ]
    absent = pytest.mark.skip(reason="the cases from public reports are not beside this checkout")
    return rows or [pytest.param("", {}, marks=absent, id="absent")]


@pytest.mark.parametrize(("name", "case"), _cases())
def test_faults_are_found_in_their_place_and_nothing_else(name: str, case: dict[str, Any]) -> None:
    folder = CASES / name
    findings = _lint(folder, case)
    where = [(_place(each, case), str(each.severity)) for each in findings]
    wanted = case["must_flag"] or []
    missed = [_of(each) for each in wanted if not _is_found(each, where)]
    assert not missed, f"not found; lint said {where}"
    wrong = [
        place for place, _ in where
        if any(_covers(_of(each), place) for each in case["must_not_flag"] or [])
    ]  # fmt: skip
    assert not wrong, wrong
    if case.get("no_other_errors"):
        allowed = [place for each in wanted for place in _places(each)]
        allowed += [_of(each) for each in case.get("tolerated") or []]
        others = [
            place for place, severity in where
            if severity == Severity.ERROR and not any(_covers(each, place) for each in allowed)
        ]  # fmt: skip
        assert not others, others


def _lint(folder: Path, case: dict[str, Any]) -> tuple[Finding, ...]:
    files = [folder / each for each in case["inputs"] if each.endswith(".json")]
    links = folder / "links.yaml"
    found = lint(
        files,
        platform=_platform(case),
        traffic=_traffic(folder / "intent.yaml"),
        links=load_links(links) if links.exists() else None,
    )
    return tuple(found.findings)


def _platform(case: dict[str, Any]) -> Platform | None:
    name = case.get("platform")
    path = CASES / "_platforms" / f"{name}.yaml"
    return load_platform(path) if name and path.exists() else None


def _traffic(path: Path) -> Traffic | None:
    data = yaml.safe_load(path.read_text()) if path.exists() else {}
    return traffic_from(data["traffic"], "intent.yaml") if "traffic" in data else None


def _place(finding: Finding, case: dict[str, Any]) -> Place:
    key = finding.key
    if case["verb"] == "fabric-lint" and finding.device and finding.table != "links":
        key = f"{finding.device}:{key}" if key else finding.device
    return finding.table, key, finding.field


def _of(entry: dict[str, Any]) -> Place:
    return entry.get("table"), entry.get("key"), entry.get("field")


def _places(entry: dict[str, Any]) -> list[Place]:
    others = entry.get("same_fault_may_be_reported_at") or []
    return [_of(entry), *[(each[0], each[1], each[2]) for each in others]]


def _covers(pattern: Place, place: Place) -> bool:
    return all(want is None or want == got for want, got in zip(pattern, place, strict=True))


def _is_found(entry: dict[str, Any], where: list[tuple[Place, str]]) -> bool:
    level = entry.get("level", "any")
    return any(
        _covers(pattern, place) and level in {"any", severity}
        for pattern in _places(entry)
        for place, severity in where
    )
