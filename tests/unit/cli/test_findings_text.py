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


def _row(**fields):
    same = {"rule": "REF001", "severity": Severity.ERROR, "message": "names nope", "hint": "h"}
    return Finding(**{**same, **fields})


PORTS = range(0, 40, 8)
SAID_OF_MANY = {
    "the rows of a table": (
        [_row(table="PORT", key=f"Ethernet{n}", field="fec", line=n + 1) for n in PORTS],
        "1 PORT|Ethernet0|fec: error REF001 names nope "
        "(and 4 more alike: Ethernet8, Ethernet16, Ethernet24, …; -v shows each)",
    ),
    "the rows of a table, each told by its name": (
        [_row(table="BUFFER_PG", key=f"Ethernet{n}|3", message=f"Ethernet{n}|3 has x",
              hint=f"add QUEUE|Ethernet{n}|3") for n in (0, 8)],
        "BUFFER_PG|Ethernet0|3: error REF001 Ethernet0|3 has x "
        "(and 1 more alike: Ethernet8|3; -v shows each)",
    ),
    "the ports of a switch that was looked at": (
        [_row(device="leaf01", message=f"leaf01: {port} pauses priorities 3")
         for port in ("Ethernet0", "Ethernet8")],
        "leaf01: error REF001 leaf01: Ethernet0 pauses priorities 3 "
        "(and 1 more alike: Ethernet8; -v shows each)",
    ),
    "its neighbours, and the other switches": (
        [_row(device="leaf01",
              message=f"leaf01: BGP neighbour {peer} ({spine}) is Idle, not Established")
         for peer, spine in (("10.0.0.1", "spine01"), ("10.0.0.3", "spine02"))]
        + [_row(device="leaf02",
                message="leaf02: BGP neighbour fe80::1 (spine01) is Idle, not Established")],
        "leaf01: error REF001 leaf01: BGP neighbour 10.0.0.1 (spine01) is Idle, not Established "
        "(and 2 more alike: 10.0.0.3, leaf02; -v shows each)",
    ),
    "what a counter came to at each place": (
        [_row(device="leaf01", message=f"leaf01: Ethernet0|{n}: {n * 1000} dropped")
         for n in (3, 4)],
        "leaf01: error REF001 leaf01: Ethernet0|3: 3000 dropped "
        "(and 1 more alike: Ethernet0|4; -v shows each)",
    ),
    "the lines of a file": (
        [_row(file="pg.ini", line=n) for n in (2, 9, 10)],
        "pg.ini:2: error REF001 names nope (and 2 more alike: line 9, line 10; -v shows each)",
    ),
    "the cells of a column, whatever word each holds": (
        [_row(file="c.csv", key=f"F{n}", message=f"no port '{n}'") for n in (2, 10)],
        "c.csv F2: error REF001 no port '2' (and 1 more alike: F10; -v shows each)",
    ),
    "the lines of a file, each of another port": (
        [_row(file="port_config.ini", line=n, message=f"Ethernet{n * 4} lanes are 'q'")
         for n in (2, 3)],
        "port_config.ini:2: error REF001 Ethernet8 lanes are 'q' "
        "(and 1 more alike: line 3; -v shows each)",
    ),
    "the same fault in many files": (
        [_row(file=f"{name}.txt", message="no LLDP table") for name in ("leaf1", "leaf2")],
        "leaf1.txt: error REF001 no LLDP table (and 1 more alike: leaf2.txt; -v shows each)",
    ),
    "misspelled names of a column, each with its own nearest": (
        [_row(file="c.csv", key=f"A{n}", message=f"'nodex{n}' is none", hint=f"node{n}?")
         for n in (2, 3)],
        "c.csv A2: error REF001 'nodex2' is none (and 1 more alike: A3; -v shows each)",
    ),
    "the same value of many cables": (
        [_row(file="c.csv", key=f"D{n}", message=f"node{n}:nic1 to leaf01:E{n}: 7, not 5")
         for n in (2, 3)],
        "c.csv D2: error REF001 node2:nic1 to leaf01:E2: 7, not 5 "
        "(and 1 more alike: D3; -v shows each)",
    ),
    "NICs of many hosts": (
        [_row(device=f"node{n:02}", table="nics", key=f"nic{nic}", file="h.json", line=9)
         for n in range(1, 7) for nic in (1, 2)],
        "h.json:9 node01 nics|nic1: error REF001 names nope "
        "(and 11 more alike on 6 devices: node02, node03, node04, …; -v shows each)",
    ),
    "the switches of a fabric": (
        [_row(device=f"leaf{n:02}", table="POOL", key="p") for n in (1, 2)],
        "leaf01 POOL|p: error REF001 names nope (and 1 more alike: leaf02; -v shows each)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SAID_OF_MANY)
def test_what_is_said_of_many_places_is_one_line(case):
    findings, line = SAID_OF_MANY[case]
    shown = Screen().findings(Report.of(findings)).splitlines()
    assert (shown[0], len([each for each in shown if "error REF001" in each])) == (line, 1)


@pytest.mark.parametrize(
    "other",
    [{"message": "names other"}, {"hint": "g"}, {"table": "QUEUE"}, {"field": "speed"},
     {"rule": "REF002"}, {"severity": Severity.WARNING}],
)  # fmt: skip
def test_what_differs_in_more_than_its_place_stays_apart(other):
    row = {"table": "PORT", "key": "Ethernet0", "field": "fec"}
    findings = [_row(**row), _row(**{**row, "key": "Ethernet4", **other})]
    assert "alike" not in Screen().findings(Report.of(findings))


@pytest.mark.parametrize(
    ("one", "other"),
    [("unknown key 'a'", "unknown key 'b'"), ("kmin is 7 B", "kmin is 8 B"), ("400G", "800G")],
)
def test_other_words_and_values_of_a_file_stay_apart(one, other):
    findings = [
        _row(file="f.yaml", line=1, message=one),
        _row(file="f.yaml", line=2, message=other),
    ]
    assert "alike" not in Screen().findings(Report.of(findings))


def test_other_values_of_a_sheet_stay_apart():
    said = "node{0}:nic1 to leaf01:Ethernet{0}: length_m is {1} in the sheet, 5 in the plan"
    findings = [_row(file="c.csv", key=f"D{n}", message=said.format(n, 5 + n)) for n in (2, 3)]
    assert "alike" not in Screen().findings(Report.of(findings))


def test_verbose_shows_each():
    screen = Screen()
    screen.verbose = 1
    assert screen.findings(Report.of(ALIKE)).count("info QOS009") == 5


def test_an_error_is_never_left_out_for_warnings():
    many = [_finding(Severity.WARNING, f"{n} B", line=n) for n in range(900)]
    lines = Screen().findings(Report.of([*OTHER, *many])).splitlines()
    assert lines[0] == "404 more are left out (--format json has all)"
    assert lines[-2] == "f.yaml:2: error QOS009 broken"


@pytest.mark.parametrize("network", ["compute", "storage", "oob"])
def test_cables_are_listed_by_network(network, capsys):
    assert main(["plan", "three-networks", "--no-lock"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [network, "nic-leaf"] in [row[:2] for row in rows]
    assert [network, "leaf-spine"] in [row[:2] for row in rows]


def test_tables_stand_apart_and_an_empty_one_is_its_title(capsys):
    screen = Screen()
    screen.table(("a", "b"), [(1, "x")], title="first")
    screen.table(("a", "b"), [], title="nothing fails")
    screen.table(("a", "b"), [])
    screen.table(("a",), [("y",)])
    assert capsys.readouterr().out == "first\na  b\n─  ─\n1  x\n\nnothing fails\n\na\n─\ny\n"


def test_what_was_not_checked_is_told_by_what_it_needs():
    buffer, modes = "--platform with its packet buffer", "--platform with its modes"
    lacks = {"BUF003": buffer, "BUF010": buffer, "BRK001": modes, "MAP002": "--traffic"}
    text = Screen().findings(Report.of((), not_checked=lacks))
    assert text.splitlines()[1:] == [
        "not checked without --platform: BUF003, BUF010 (packet buffer); BRK001 (modes)",
        "not checked without --traffic: MAP002",
    ]
