"""Every number and every address of a rendered CONFIG_DB says where it comes from."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from typing import Any

import pytest

from nettool.config.device.device import DeviceConfig
from nettool.config.nos.artifact import Tables
from nettool.config.nos.dialect import DIALECTS
from nettool.config.nos.dialects.sonic.groups import GROUPS
from nettool.config.render.render import render
from nettool.core.provenance import Provenance, Traced

NUMBER = re.compile(r"-?\d[\d,.]*(m|%|G)?")
CASES = [
    ("rail-only-128", ""),
    ("rail-optimized-256", ""),
    ("rail-optimized-256", "frrcfgd numbered"),
    ("rail-optimized-256", "frrcfgd unnumbered"),
]


def is_address(text: str) -> bool:
    try:
        ipaddress.ip_interface(text)
    except ValueError:
        return False
    return not text.isdigit()


def is_figure(text: str) -> bool:
    return bool(NUMBER.fullmatch(text)) or is_address(text)


def figures(tables: Tables) -> Iterator[tuple[str, str]]:
    """Path and text of every value that is a number or an address, and of every such row."""
    for table, rows in tables.items():
        for key, row in rows.items():
            if any(is_address(part) for part in key.split("|")):
                yield f"{table}|{key}", key
            for field, value in row.items():
                for text in value if isinstance(value, list) else [value]:
                    if is_figure(text):
                        yield f"{table}|{key}|{field}", text


def traced(config: DeviceConfig) -> dict[str, str | None]:
    """Path to formula of all values of the views; None where a value has no provenance."""
    found: dict[str, str | None] = {}
    for group in GROUPS:
        for table, rows in group.view(config).items():
            for key, row in rows.items():
                found[f"{table}|{key}"] = formula(key)
                for field, value in row.items():
                    one = value[0] if isinstance(value, list) else value
                    found[f"{table}|{key}|{field}"] = formula(one)
    return found


def formula(value: object) -> str | None:
    return value.why.formula if isinstance(value, Traced) else None


@pytest.mark.parametrize(("name", "routing"), CASES)
def test_every_figure_has_a_provenance(shipped_fabric: Any, name: str, routing: str) -> None:
    planned = shipped_fabric(name, routing)
    configs = {each.name: each for each in planned.configs}
    seen = 0
    for artifact in render(planned.configs):
        if artifact.tables is None:
            continue
        known = traced(configs[artifact.device])
        silent = [path for path, _ in figures(artifact.tables) if not known.get(path)]
        assert silent == []
        seen += sum(1 for _ in figures(artifact.tables))
    assert seen > 400 * len(configs)


def roots(why: Provenance) -> Iterator[Provenance]:
    """A provenance and all that its inputs rest on."""
    yield why
    for each in why.inputs:
        if each.why:
            yield from roots(each.why)


EXPLAINED = (
    ("leaf01", "BUFFER_PROFILE|pg_lossless_400000_5m_profile|xoff", "129920"),
    ("leaf01", "BUFFER_PG|Ethernet0|3|profile", "pg_lossless_400000_5m_profile"),
    ("spine01", "SCHEDULER|scheduler.roce|weight", None),
    ("leaf01", "WRED_PROFILE|ROCE_400G|green_min_threshold", None),
    ("leaf01", "INTERFACE|Ethernet256|10.128.0.0/31", "Ethernet256|10.128.0.0/31"),
    ("leaf01", "DEVICE_METADATA|localhost|bgp_asn", None),
    ("leaf01", "PORT|Ethernet0|speed", "400000"),
    ("leaf01", "VLAN_INTERFACE|Vlan101|10.1.0.1/24", "Vlan101|10.1.0.1/24"),
    ("leaf01", "CRM|Config|polling_interval", "300"),
)


@pytest.mark.parametrize(("device", "path", "value"), EXPLAINED)
def test_explain_tells_value_and_source(
    shipped_fabric: Any, device: str, path: str, value: str | None
) -> None:
    planned = shipped_fabric("rail-optimized-256")
    config = next(each for each in planned.configs if each.name == device)
    found = DIALECTS["sonic"].explain(config, path)
    assert found is not None
    assert value in (None, found.value)
    assert any(each.source or each.inputs for each in roots(found.why))
