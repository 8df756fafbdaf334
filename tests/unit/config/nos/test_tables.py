"""CONFIG_DB as text: duplicates are found wherever they hide, order and bytes are stable."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nettool.config.nos.dialects.sonic.tables import (
    format_file,
    format_table,
    ordered,
    parse_config_db,
)
from nettool.core.errors import FindingsError

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
PAIRS = st.lists(st.tuples(NAMES, NAMES), max_size=4)


@given(PAIRS)
def test_duplicates_are_found_and_nothing_else(pairs: list[tuple[str, str]]) -> None:
    fields = ", ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in pairs)
    text = f'{{"T": {{"row": {{{fields}}}}}}}'
    names = [key for key, _ in pairs]
    if len(set(names)) == len(names):
        assert parse_config_db(text) == {"T": {"row": dict(pairs)}}
    else:
        with pytest.raises(FindingsError) as caught:
            parse_config_db(text)
        assert caught.value.report.findings[0].rule == "CDB002"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"A": {}, "A": {}}', "set twice in one object: 'A'"),
        ('{"A": {"x": {"f": "\\u0022", "f": "1"}}}', "set twice in one object: 'f'"),
        ('{"A": {"x": {}}, "B": {"x": {}, "x": {}, "y": {}, "y": {}}}',
         "set twice in one object: 'x', 'y'"),
        ("[]", "a CONFIG_DB is an object of tables, not a list"),
        ('{"A": 1}', "table A is an object of rows, not a number"),
        ('{"A": {"x": null}}', "row A|x is an object of fields, not null"),
        ('{"A": {"x": "y"}}', "row A|x is an object of fields, not a text"),
    ],
)  # fmt: skip
def test_what_is_no_config_db_is_said(text: str, message: str) -> None:
    with pytest.raises(FindingsError) as caught:
        parse_config_db(text, "f.json")
    (finding,) = caught.value.report.findings
    assert (finding.message, finding.file) == (message, "f.json")


def test_broken_text_is_located() -> None:
    with pytest.raises(FindingsError) as caught:
        parse_config_db('{"A": {\n  "x": }', "f.json")
    finding = caught.value.report.findings[0]
    assert (finding.rule, finding.line, finding.column) == ("CDB001", 2, 8)


def test_a_file_is_its_tables_in_order() -> None:
    rows = ordered({"Ethernet100": {"b": "1", "a": ["x"]}, "Ethernet4": {}})
    text = format_file([format_table("PORT", rows), format_table("VLAN", {})])
    assert text == (
        '{\n  "PORT": {\n    "Ethernet4": {},\n    "Ethernet100": {\n      "a": [\n        "x"\n'
        '      ],\n      "b": "1"\n    }\n  },\n  "VLAN": {}\n}\n'
    )
    assert list(parse_config_db(text)["PORT"]) == ["Ethernet4", "Ethernet100"]
