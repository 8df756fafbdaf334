"""SONiC's YANG models: what is shipped loads without a violation, what is wrong is found.

The models are not ours to carry: name a directory of them in NETTOOL_YANG_MODELS.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from nettool.config.render.render import render
from nettool.config.validate.yang_rows import convert
from nettool.config.validate.yang_schema import parse_module, tables_of
from nettool.core.errors import UsageError

MODELS = os.environ.get("NETTOOL_YANG_MODELS", "")
BRANCHES = os.environ.get("NETTOOL_YANG_BRANCHES", "")
needs_models = pytest.mark.skipif(
    not MODELS, reason="NETTOOL_YANG_MODELS names no directory of SONiC YANG models"
)
Tables = dict[str, dict[str, dict[str, Any]]]

TOY = """
module sonic-toy { // a comment
    namespace "http://x/sonic-toy"; prefix toy;
    import sonic-common { prefix c; }
    container sonic-toy {
        container TOY {
            list TOY_LIST { key "name"; leaf name { type string; } leaf size { type uint8; } }
            list TOY_PREFIX_LIST {
                key "name prefix"; leaf name { type string; } leaf prefix { type string; }
                uses c:shared;
            }
        }
        container TOY_MAP {
            list TOY_MAP_LIST {
                key "name"; leaf name { type string; }
                list TOY_MAP { key "dscp"; leaf dscp { type string; } leaf tc { type string; } }
            }
        }
        container TOY_GLOBAL { container GLOBAL { leaf-list hash { type string; } } }
    }
}
"""
COMMON = """
module sonic-common {
    namespace "http://x/sonic-common"; prefix c;
    grouping shared { choice kind { case one { leaf scope { type string; } } } }
}
"""


@pytest.fixture
def shapes() -> Any:
    modules = {each.argument: each for each in map(parse_module, (TOY, COMMON))}
    return tables_of(modules)


def test_tables_are_the_second_level_containers(shapes: Any) -> None:
    assert set(shapes) == {"TOY", "TOY_MAP", "TOY_GLOBAL"}
    assert [each.keys for each in shapes["TOY"].lists] == [("name",), ("name", "prefix")]
    assert shapes["TOY"].lists[1].fields == {"scope"}


def test_rows_go_to_the_list_that_takes_their_key(shapes: Any) -> None:
    tables: Tables = {
        "TOY": {"a": {"size": 5}, "a|10.0.0.0/8": {"scope": "global"}},
        "TOY_MAP": {"AZURE": {"26": "3"}},
        "TOY_GLOBAL": {"GLOBAL": {"hash": ["SRC_IP", "DST_IP"]}},
    }
    converted = convert(tables, shapes)
    assert converted.findings == ()
    assert converted.data == {"sonic-toy:sonic-toy": {
        "TOY": {
            "TOY_LIST": [{"name": "a", "size": "5"}],
            "TOY_PREFIX_LIST": [{"name": "a", "prefix": "10.0.0.0/8", "scope": "global"}],
        },
        "TOY_MAP": {"TOY_MAP_LIST": [{"name": "AZURE", "TOY_MAP": [{"dscp": "26", "tc": "3"}]}]},
        "TOY_GLOBAL": {"GLOBAL": {"hash": ["SRC_IP", "DST_IP"]}},
    }}  # fmt: skip


@pytest.mark.parametrize(
    ("tables", "rule", "place"),
    [
        ({"TOY": {"a": {"colour": "x"}}}, "YANG002", ("TOY", "a", "colour")),
        ({"TOY": {"a|b|c": {}}}, "YANG003", ("TOY", "a|b|c", None)),
        ({"VENDOR": {"a": {}}}, "YANG004", ("VENDOR", None, None)),
    ],
)
def test_what_no_model_knows_is_reported(
    shapes: Any, tables: Tables, rule: str, place: tuple[str | None, ...]
) -> None:
    (finding,) = convert(tables, shapes).findings
    assert (finding.rule, (finding.table, finding.key, finding.field)) == (rule, place)


def test_a_directory_without_models_is_refused(tmp_path: Path) -> None:
    yang = pytest.importorskip("nettool.config.validate.yang")
    pytest.importorskip("oopt_gnpy_libyang", reason="libyang is not installed")
    with pytest.raises(UsageError, match=r"no \*\.yang files"):
        yang.check({}, tmp_path)


def test_a_module_that_does_not_load_is_named(tmp_path: Path) -> None:
    yang = pytest.importorskip("nettool.config.validate.yang")
    pytest.importorskip("oopt_gnpy_libyang", reason="libyang is not installed")
    (tmp_path / "sonic-toy.yang").write_text(TOY)
    with pytest.raises(UsageError, match="module sonic-toy does not load"):
        yang.check({}, tmp_path)


@needs_models
@pytest.mark.parametrize(
    ("fabric", "routing"),
    [
        ("rail-only-128", ""),
        ("rail-optimized-256", ""),
        ("rail-optimized-256", "frrcfgd numbered"),
        ("rail-optimized-256", "frrcfgd unnumbered"),
    ],
)
def test_what_is_rendered_loads_without_a_violation(
    shipped_fabric: Any, fabric: str, routing: str
) -> None:
    yang = pytest.importorskip("nettool.config.validate.yang")
    for artifact in render(shipped_fabric(fabric, routing).configs):
        if artifact.tables is not None:
            report = yang.check(artifact.tables, Path(MODELS))
            assert report.findings == (), artifact.device


@pytest.mark.skipif(not BRANCHES, reason="NETTOOL_YANG_BRANCHES names no folder of branches")
@pytest.mark.parametrize("release", ["202311", "202405", "202411", "202505"])
@pytest.mark.parametrize("manager", ["bgpcfgd", "frrcfgd"])
def test_each_release_loads_into_the_models_of_its_branch(
    configured: Any, release: str, manager: str
) -> None:
    """The folder has a checkout's src/sonic-yang-models under each branch's name."""
    yang = pytest.importorskip("nettool.config.validate.yang")
    for artifact in render(configured(release=release, manager=manager, six=True)):
        if artifact.tables is not None:
            assert yang.check(artifact.tables, Path(BRANCHES) / release).findings == ()


MUTATIONS = [
    ("PORT", "Ethernet0", "speed", "9999999", "Unsatisfied range"),
    ("PORT", "Ethernet0", "mtu", "67", "Unsatisfied range"),
    ("PORT", "Ethernet0", "admin_status", "sideways", "Invalid enumeration value"),
    ("PORT", "Ethernet0", "colour", "red", "the models do not know this field"),
    ("PORT", "Ethernet0", "lanes", None, 'Mandatory node "lanes"'),
    ("BUFFER_PG", "Ethernet0|3", "profile", "absent", "Invalid"),
    ("BUFFER_PROFILE", "pg_lossless_400000_5m_profile", "dynamic_th", "9", "Unsatisfied range"),
    ("PFC_WD", "Ethernet0", "detection_time", "50", "Unsatisfied range"),
    ("SCHEDULER", "scheduler.roce", "weight", "101", "Unsatisfied range"),
    ("WRED_PROFILE", "ROCE_400G", "green_max_threshold", "1", ""),
    ("QUEUE", "Ethernet0|3", "wred_profile", "absent", "Invalid leafref value"),
    ("DSCP_TO_TC_MAP", "AZURE", "64", "3", "Invalid DSCP"),
    ("CABLE_LENGTH", "AZURE", "Ethernet0", "5", "Invalid"),
    ("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "8", "Unsatisfied pattern"),
    ("VLAN", "Vlan101", "vlanid", "102", ""),
    ("DEVICE_METADATA", "localhost", "type", "Toaster", "Unsatisfied pattern"),
    ("DEVICE_METADATA", "localhost", "suppress-fib-pending", "maybe", "Invalid enumeration value"),
    ("SWITCH_HASH", "GLOBAL", "ecmp_hash", ["QP"], "Invalid enumeration value"),
    ("BGP_NEIGHBOR", "10.128.0.1", "local_addr", "x", "Invalid union value"),
    ("FLEX_COUNTER_TABLE", "ACL", "POLL_INTERVAL", "5", "Unsatisfied range"),
]


@needs_models
@pytest.mark.parametrize(("table", "key", "field", "value", "message"), MUTATIONS)
def test_a_wrong_value_is_found_at_its_place(
    shipped_fabric: Any, table: str, key: str, field: str, value: Any, message: str
) -> None:
    yang = pytest.importorskip("nettool.config.validate.yang")
    artifact = next(
        a for a in render(shipped_fabric("rail-optimized-256").configs) if a.tables is not None
    )
    tables = {name: dict(rows) for name, rows in artifact.tables.items()}
    row = {**tables[table][key], field: value}
    tables[table][key] = {name: each for name, each in row.items() if each is not None}
    findings = yang.check(tables, Path(MODELS)).findings
    found = {(each.table, each.key, each.field): each.message for each in findings}
    assert (table, key, field) in found, found
    assert found[table, key, field].startswith(message)


@needs_models
@pytest.mark.parametrize(
    ("table", "key", "row", "message"),
    [
        ("BUFFER_PG", "Ethernet0|9", {"profile": "NULL"}, "Invalid Buffer PG number"),
        ("VLAN", "Vlan1", {"vlanid": "2"}, "Unsatisfied pattern"),
        ("INTERFACE", "Ethernet0|10.0.0.300/24", {}, "Invalid union value"),
        ("MGMT_PORT", "mgmt0", {}, ""),
    ],
)
def test_a_wrong_key_is_found_at_its_row(
    table: str, key: str, row: dict[str, str], message: str
) -> None:
    yang = pytest.importorskip("nettool.config.validate.yang")
    findings = yang.check({table: {key: row}}, Path(MODELS)).findings
    found = {(each.table, each.key): each.message for each in findings}
    assert (table, key) in found
    assert found[table, key].startswith(message)
