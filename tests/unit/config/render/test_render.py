"""Rendering: what comes out, what is shared, what a user may replace or add."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from nettool.config.nos.artifact import Artifact
from nettool.config.nos.dialects.sonic.tables import parse_config_db
from nettool.config.render.environment import TemplateSet
from nettool.config.render.render import render
from nettool.core.errors import FindingsError
from nettool.core.order import natural


def config_db(artifacts: list[Artifact], device: str = "leaf01") -> Artifact:
    return next(a for a in artifacts if a.device == device and a.path == "config_db.json")


def test_every_switch_gets_its_config_db_and_its_neutral_state(configured: Any) -> None:
    artifacts = list(render(configured()))
    files = {(each.device, each.path) for each in artifacts}
    names = ("leaf01", "leaf02", "spine01", "spine02")
    assert {(n, f) for n in names for f in ("config_db.json", "device.json")} <= files


def test_text_and_tables_say_the_same(configured: Any) -> None:
    for artifact in render(configured()):
        if artifact.tables is not None:
            assert parse_config_db(artifact.text) == artifact.tables
            assert artifact.text.endswith("}\n")


def test_same_input_same_bytes(configured: Any) -> None:
    first = [each.text for each in render(configured())]
    assert [each.text for each in render(configured())] == first


def test_ports_stand_in_natural_order(configured: Any) -> None:
    tables = config_db(list(render(configured()))).tables or {}
    assert list(tables["PORT"]) == ["Ethernet0", "Ethernet4", "Ethernet8", "Ethernet16",
                                    "Ethernet104", "Ethernet512"]  # fmt: skip
    assert list(tables) == sorted(tables)


@pytest.mark.parametrize("manager", ["bgpcfgd", "frrcfgd"])
def test_rows_and_fields_of_every_table_stand_in_natural_order(
    configured: Any, manager: str
) -> None:
    for artifact in render(configured(manager=manager, six=True)):
        for table, rows in (artifact.tables or {}).items():
            assert list(rows) == sorted(rows, key=natural), table
            for row in rows.values():
                assert list(row) == sorted(row, key=natural), table


def test_equal_switches_share_rows(configured: Any) -> None:
    artifacts = list(render(configured()))
    one, two = (config_db(artifacts, name).tables or {} for name in ("spine01", "spine02"))
    assert one["BUFFER_PG"] is two["BUFFER_PG"]
    assert one["INTERFACE"] is not two["INTERFACE"]


def test_an_xon_of_zero_is_written(configured: Any) -> None:
    tables = config_db(list(render(configured()))).tables or {}
    assert tables["BUFFER_PROFILE"]["pg_lossless_400000_5m_profile"]["xon"] == "0"


def test_a_users_template_replaces_ours(configured: Any, tmp_path: Path) -> None:
    (tmp_path / "sonic").mkdir()
    (tmp_path / "sonic" / "lldp.json.j2").write_text('{"LLDP": {"GLOBAL": {"enabled": "false"}}}')
    tables = config_db(list(render(configured(), templates=[tmp_path]))).tables or {}
    assert tables["LLDP"] == {"GLOBAL": {"enabled": "false"}}
    assert "PORT" in tables


EXTRA = """{
  "PORT": {
    {% for port in ports %}
    {{ port.name | tojson }}: {"description": {{ port.peer | tojson }}}{{ "," if not loop.last }}
    {% endfor %}
  },
  "SNMP": {"LOCATION": {"Location": {{ device.hostname | tojson }}}}
}
"""


def test_an_extra_template_adds_rows_and_fields(configured: Any, tmp_path: Path) -> None:
    (tmp_path / "more.json.j2").write_text(EXTRA)
    artifact = config_db(list(render(configured(), extra=tmp_path)))
    tables = artifact.tables or {}
    assert tables["PORT"]["Ethernet8"]["description"] == "spine01"
    assert tables["PORT"]["Ethernet8"]["speed"] == "800000"
    assert tables["SNMP"] == {"LOCATION": {"Location": "leaf01"}}
    assert parse_config_db(artifact.text) == tables


@pytest.mark.parametrize(
    ("text", "rule", "message"),
    [
        ('{"PORT": {"Ethernet0": {"mtu": "9000"}}}', "TPL001",
         "PORT|Ethernet0|mtu is set twice: '9216' by sonic/ports.json.j2, '9000' by "
         "extra/more.json.j2"),
        ("{{ device.colour }}", "TPL003", "template extra/more.json.j2: 'dict object' has no "
         "attribute 'colour'"),
        ("{% if %}", "TPL002", "template extra/more.json.j2: Expected an expression, got 'end of "
         "statement block'"),
        ('{"PORT": []}', "CDB003", "table PORT is an object of rows, not a list"),
        ('{"PORT": {"a": {}, "a": {}}}', "CDB002", "set twice in one object: 'a'"),
        ('{"PORT" {}}', "CDB001", "not valid JSON: unexpected character"),
    ],
)  # fmt: skip
def test_a_wrong_extra_template_is_a_finding(
    configured: Any, tmp_path: Path, text: str, rule: str, message: str
) -> None:
    (tmp_path / "more.json.j2").write_text(text)
    with pytest.raises(FindingsError) as caught:
        list(render(configured(), extra=tmp_path))
    finding = caught.value.report.findings[0]
    assert (finding.rule, finding.file) == (rule, "extra/more.json.j2")
    assert finding.message.startswith(message)


def test_device_json_is_the_neutral_state(configured: Any) -> None:
    shown = next(a for a in render(configured()) if a.path == "device.json")
    data = orjson.loads(shown.text)
    assert data["device"] == "leaf01"
    assert data["schema_version"] == 1
    assert data["ports"]["ports"]["Ethernet512"]["enabled"] is False
    assert data["routing"]["asn"] == 4_200_000_001
    assert list(data) == sorted(data)


@pytest.mark.parametrize(
    "text",
    [
        '{% set kept = name %}{"{{ kept }}": {}}',
        '{"{{ name }}": {}}',
        '{% block b %}{"{{ name }}": {}}{% endblock %}',
    ],
)
def test_a_template_remembers_nothing_of_the_device_before(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.json.j2").write_text(text)
    filled = TemplateSet([tmp_path])
    assert [filled.render("a.json.j2", {"name": each}) for each in ("one", "two", "one")] == [
        '{"one": {}}', '{"two": {}}', '{"one": {}}',
    ]  # fmt: skip
    with pytest.raises(FindingsError):
        filled.render("a.json.j2", {})
