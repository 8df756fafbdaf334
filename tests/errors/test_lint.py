"""Exact messages of lint on files with many faults: all at once, each with line and column.

To renew the texts after an intended change: NETTOOL_GOLDEN=write.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nettool.config.validate.declared import load_links, load_traffic
from nettool.config.validate.engine import lint
from nettool.config.validate.platform import load_platform
from nettool.core.finding import Report

CASES = Path(__file__).parent / "lint"


def _told(report: Report) -> str:
    """A finding a line, and what to do on the next."""
    blocks = []
    for each in report.findings:
        name = Path(each.file or "").name
        place = "|".join(part for part in (each.table, each.key, each.field) if part)
        where = f"{name}:{each.line}:{each.column}" if each.line else name
        blocks.append(f"{where} {each.severity} {each.rule} {place}\n  {each.message}\n")
        blocks.append(f"  -> {each.hint}\n")
    return "".join(blocks)


def _is_as_kept(told: str, name: str) -> None:
    kept = CASES / name
    if os.environ.get("NETTOOL_GOLDEN") == "write":
        kept.write_text(told, encoding="utf-8")
    assert told == kept.read_text(encoding="utf-8")


def test_a_file_with_many_faults_says_everything() -> None:
    report = lint(
        [CASES / "leaf01.json"],
        platform=load_platform(CASES / "platform.yaml"),
        traffic=load_traffic(CASES / "traffic.yaml"),
    )
    assert len({each.rule for each in report.findings}) >= 30
    _is_as_kept(_told(report), "leaf01.txt")


def test_two_devices_say_what_is_between_them() -> None:
    files = [CASES / "leaf01.json", CASES / "spine01.json"]
    report = lint(files, links=load_links(CASES / "links.yaml"))
    alone = {each for file in files for each in lint([file]).findings}
    between = Report.of(each for each in report.findings if each not in alone)
    assert len({each.rule for each in between.findings}) >= 15
    _is_as_kept(_told(between), "fabric.txt")


BROKEN = [
    ('{"PORT": {"Ethernet0": {"mtu": "9100",}}}', "JSN001"),
    ('{"PORT": {}, "PORT": {}}', "JSN002"),
    ('{"PORT": {}} // end', "JSN003"),
    ('\ufeff{"PORT": {}}', "JSN004"),
    ('{"PORT": {"Ethernet0": {"mtu": NaN}}}', "JSN005"),
    ('{"PORT": {}}\n{"VLAN": {}}', "JSN006"),
    ('["PORT"]', "JSN008"),
    ('{"PORT": "Ethernet0"}', "JSN008"),
    ('{"PORT": {"Ethernet0": {"mtu": true}}}', "JSN011"),
    ('{"PORT": {"Ethernet0": {"mtu": 9100, "lanes": "1", "speed": "100000"}}}', "JSN012"),
]


def test_broken_files_say_why(tmp_path: Path) -> None:
    told = ""
    for number, (text, rule) in enumerate(BROKEN):
        path = tmp_path / f"{number}.json"
        path.write_text(text, encoding="utf-8")
        report = lint([path])
        assert rule in {each.rule for each in report.findings}, text
        told += f"{text}\n{_told(report)}"
    _is_as_kept(told, "broken.txt")


@pytest.mark.parametrize("name", ["leaf01.txt", "fabric.txt", "broken.txt"])
def test_no_message_is_a_bare_word(name: str) -> None:
    lines = (CASES / name).read_text(encoding="utf-8").splitlines()
    told = [each.strip() for each in lines if each.startswith("  ") and "->" not in each]
    assert all(len(each.split()) >= 3 for each in told)
