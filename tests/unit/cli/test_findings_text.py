"""Findings as text: what is alike is said once, and what is worst stands last."""

import pytest

from nettool.cli.main import main
from nettool.cli.screen import Screen
from nettool.core.finding import Finding, Report, Severity


def _finding(severity, message, rule="QOS009", line=3):
    return Finding(rule=rule, severity=severity, message=message, file="f.yaml", line=line)


ALIKE = [_finding(Severity.INFO, f"leaf{n:02}") for n in range(1, 6)]
OTHER = [
    _finding(Severity.INFO, "elsewhere", line=9),
    _finding(Severity.WARNING, "careful", line=1),
    _finding(Severity.WARNING, "careful too", line=1),
    _finding(Severity.ERROR, "broken", line=2),
]


def test_infos_alike_are_one_line_with_their_number():
    text = Screen().findings(Report.of([*ALIKE, *OTHER]))
    assert text.splitlines() == [
        "f.yaml:3: info QOS009 leaf01 (and 4 more of QOS009 here; -v shows each)",
        "f.yaml:9: info QOS009 elsewhere",
        "f.yaml:1: warning QOS009 careful",
        "f.yaml:1: warning QOS009 careful too",
        "f.yaml:2: error QOS009 broken",
        "1 error, 2 warnings, 6 info",
    ]


def test_verbose_shows_each():
    screen = Screen()
    screen.verbose = 1
    assert screen.findings(Report.of(ALIKE)).count("info QOS009") == 5


def test_an_error_is_never_left_out_for_warnings():
    many = [_finding(Severity.WARNING, f"w{n}", line=n) for n in range(900)]
    lines = Screen().findings(Report.of([*OTHER, *many])).splitlines()
    assert lines[0] == "404 more are left out (--format json has all)"
    assert lines[-2] == "f.yaml:2: error QOS009 broken"


@pytest.mark.parametrize("network", ["compute", "storage", "oob"])
def test_cables_are_listed_by_network(network, capsys):
    assert main(["plan", "three-networks", "--no-lock"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [network, "nic-leaf"] in [row[:2] for row in rows]
    assert [network, "leaf-spine"] in [row[:2] for row in rows]
