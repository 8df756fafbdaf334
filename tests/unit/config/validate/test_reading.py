"""Any file becomes tables, or one clear finding with line and column; nothing raises."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nettool.config.validate.engine import lint
from nettool.config.validate.reading import MAX_BYTES, parse, read
from nettool.core.errors import UsageError
from nettool.core.finding import Finding, Severity

GOOD = b'{"PORT": {"Ethernet0": {"lanes": "0,1", "speed": "100000"}}}'
BROKEN = [
    (b"", "JSN001", 1, 1, "the file is empty"),
    (b"  \n ", "JSN001", 1, 1, "the file is empty"),
    (b'{\n "A": {\n  "x": "1",\n }\n}', "JSN001", 3, 11, "a comma stands before the closing '}'"),
    (b'{"A": ["1",\n]}', "JSN001", 1, 11, "a comma stands before the closing ']'"),
    (b'{"A": {\n "k": "v" "w": "x"}}', "JSN001", 2, 11, "a comma is missing"),
    (b'{"A": {"k": {\n "f": "v"', "JSN001", 2, 9, "the file ends too early: 3"),
    (b'{"A": {\n "k": "v}}', "JSN001", 2, 7, "the text that begins on line 2 has no end"),
    (b"{'A': {}}", "JSN001", 1, 2, "a single quote"),
    (b'{"A": {"k": True}}', "JSN001", 1, 13, "True is no JSON value"),
    (b'{"A": {}} trailing', "JSN001", 1, 11, "'trailing' follows the end"),
    (b'{"A": {"k": "a\tb"}}', "JSN001", 1, 15, "a control character (code 9)"),
    (b'{"A": {"k": "a\nb"}}', "JSN001", 1, 15, "the text on line 1 has no end on its line"),
    (b'{"A": {"k": "\\ud800"}}', "JSN001", 1, 14, "half of a surrogate pair"),
    (b'{\n // ports\n "A": {}}', "JSN003", 2, 2, "a comment ('// ports')"),
    (b'{"A": {} /* ports */}', "JSN003", 1, 10, "a comment"),
    (b'{"A": {}}\n# end', "JSN003", 2, 1, "a comment ('# end')"),
    (b'{"A": {"k": NaN}}', "JSN005", 1, 13, "NaN is no JSON number"),
    (b'{"A": {"k": -Infinity}}', "JSN005", 1, 13, "-Infinity is no JSON number"),
    (b'{"A": {}}\n{"B": {}}', "JSN006", 2, 1, "a second JSON document starts on line 2"),
    (b'{"A": {}} ["x"]', "JSN006", 1, 11, "a second JSON document"),
    (b"[]", "JSN008", 1, 1, "the file holds a list"),
    (b'"text"', "JSN008", 1, 1, "the file holds text"),
    (b"null", "JSN008", 1, 1, "the file holds null"),
    (b"\xff\xfe{\x00", "JSN009", 1, 1, "not UTF-8 text: byte 0 is 0xff"),
    (b"[" * 5000, "JSN010", 1, 101, "nested deeper than 100 levels"),
    (b'{"A":' * 5000 + b"1" + b"}" * 5000, "JSN010", 1, 501, "nested deeper than 100 levels"),
]


@pytest.mark.parametrize(("data", "rule", "line", "column", "message"), BROKEN)
def test_a_broken_file_has_one_finding(
    data: bytes, rule: str, line: int, column: int, message: str
) -> None:
    found = parse(data, "x.json")

    assert found.tables is None
    (finding,) = found.findings
    assert (finding.rule, finding.line, finding.column) == (rule, line, column)
    assert message in finding.message
    assert finding.hint
    assert finding.severity is Severity.ERROR


ODD = [
    (b'{"A": null}', "JSN008", ("A", None, None), 1, 7),
    (b'{"A": {"k": []}}', "JSN008", ("A", "k", None), 1, 13),
    (b'{"A": {\n"k": {"f": null}}}', "JSN011", ("A", "k", "f"), 2, 12),
    (b'{"A": {"k": {"f": true}}}', "JSN011", ("A", "k", "f"), 1, 19),
    (b'{"A": {"k": {"f": {"g": "1"}}}}', "JSN011", ("A", "k", "f"), 1, 14),
    (b'{"A": {"k": {"f": 9100}}}', "JSN012", ("A", "k", "f"), 1, 19),
    (b'{"A": {"k": {"f": [1, "2"]}}}', "JSN012", ("A", "k", "f"), 1, 19),
    (b'{"PORT": {"k": {"lanes": ["1"]}}}', "JSN013", ("PORT", "k", "lanes"), 1, 26),
    (
        b'{"TC_TO_QUEUE_MAP": {"k": {"3": ["1", "2"]}}}',
        "JSN013",
        ("TC_TO_QUEUE_MAP", "k", "3"),
        1,
        33,
    ),
]


@pytest.mark.parametrize(("data", "rule", "place", "line", "column"), ODD)
def test_a_value_of_another_shape_is_placed(
    data: bytes, rule: str, place: tuple[str, ...], line: int, column: int
) -> None:
    (finding,) = parse(data, "x.json").findings

    assert finding.rule == rule
    assert (finding.table, finding.key, finding.field) == place
    assert (finding.line, finding.column) == (line, column)


def test_numbers_are_read_as_the_switch_stores_them() -> None:
    tables = parse(b'{"A": {"k": {"f": 9100, "g": true, "h": null, "i": [1, "2"]}}}', "x").tables

    assert tables == {"A": {"k": {"f": "9100", "g": "True", "i": ["1", "2"]}}}


def test_a_key_that_stands_twice_names_the_line_that_is_lost() -> None:
    found = parse(b'{"A": {\n "k": {"f": "1"},\n "k": {"f": "2"}}}', "x.json")

    (finding,) = found.findings
    assert (finding.rule, finding.line, finding.column) == ("JSN002", 3, 2)
    assert "the one on line 2 is silently dropped" in finding.message
    assert found.tables == {"A": {"k": {"f": "2"}}}


def test_a_byte_order_mark_is_named_and_the_rest_is_read() -> None:
    found = parse(b"\xef\xbb\xbf" + GOOD, "x.json")

    assert [each.rule for each in found.findings] == ["JSN004"]
    assert found.tables == parse(GOOD, "x.json").tables


@pytest.mark.parametrize(
    "dump",
    [
        b'{"PORT|Ethernet0": {"lanes": "0,1", "speed": "100000"}}',
        b'{"PORT|Ethernet0": {"ttl": -0.001, "type": "hash", '
        b'"value": {"lanes": "0,1", "speed": "100000"}}}',
    ],
)
def test_a_redis_dump_gives_the_same_tables(dump: bytes) -> None:
    assert parse(dump, "x.json").tables == parse(GOOD, "x.json").tables


def test_a_redis_dump_has_empty_rows_and_lists() -> None:
    tables = parse(
        b'{"VLAN|Vlan2": {"dhcp_servers@": "192.0.2.1,192.0.2.2"}, '
        b'"INTERFACE|Ethernet0": {"NULL": "NULL"}}',
        "x.json",
    ).tables

    assert tables == {
        "VLAN": {"Vlan2": {"dhcp_servers": ["192.0.2.1", "192.0.2.2"]}},
        "INTERFACE": {"Ethernet0": {}},
    }


def test_a_finding_in_a_dump_stands_where_the_dump_has_it(tmp_path: Path) -> None:
    dump = tmp_path / "dump.json"
    dump.write_text(
        '{"PORT|Ethernet0": {"type": "hash", "value": {"lanes": "0", "speed": "1000"}},\n'
        ' "PORT|Ethernet1": {"type": "hash",\n  "value": {"speed": "1000", "lanes": "0"}}}'
    )

    placed = {(each.rule, each.line) for each in lint([dump]).findings if each.field == "lanes"}

    assert ("PRT001", 1) in placed or ("PRT001", 3) in placed


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)

    (finding,) = read(path).findings

    assert finding.rule == "JSN007"
    assert finding.message == f"{MAX_BYTES + 1} bytes; up to {MAX_BYTES} are read"


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"absent\.json: No such file"):
        read(tmp_path / "absent.json")


def test_a_secret_is_placed_and_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"SNMP_COMMUNITY": {\n "CANARY-a": {"TYPE": "RO"},\n "CANARY-b": {}}}')

    found = [each for each in lint([path]).findings if each.rule == "SEC001"]

    assert [(each.key, each.line) for each in found] == [("<secret>", 2), ("<secret>", 3)]
    assert "CANARY" not in str(found)


def test_equal_rows_of_many_files_are_kept_once():
    rows = {f"Ethernet{n}": {"pfc_enable": "3", "dscp_to_tc_map": "ROCE"} for n in range(3)}
    data = json.dumps({"PORT_QOS_MAP": rows}).encode()
    read_rows = [row for _ in range(2) for row in parse(data, "f").tables["PORT_QOS_MAP"].values()]
    assert read_rows == [rows["Ethernet0"]] * 6
    assert len({id(each) for each in read_rows}) == 1


def test_a_text_is_put_away_small_and_its_places_are_found_all_the_same():
    rows = {f"Ethernet{n}": {"mtu": "9100", "speed": "400000"} for n in range(200)}
    data = json.dumps({"PORT": rows}, indent=1).encode()
    file = parse(data, "f")
    assert len(file.packed.data) < len(data) / 5
    found = _of("PORT", "Ethernet1", "speed")
    assert file.places([found]) == [(9, 13)]


def _of(table, key, field):
    return Finding(
        rule="X", severity=Severity.ERROR, message="m", table=table, key=key, field=field
    )
