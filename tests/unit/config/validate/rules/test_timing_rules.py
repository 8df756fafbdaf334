"""Timing rules: a fragment that is refused, and ones that pass."""

from __future__ import annotations

from typing import Any

import pytest

from nettool.config.validate.engine import validate_tables


def _tables(tc: str, pfc: str = "3,4") -> dict[str, Any]:
    row = {"pfc_enable": pfc, "dscp_to_tc_map": "M"}
    ports = {name: dict(row) for name in ("Ethernet0", "Ethernet8")}
    return {"PORT_QOS_MAP": ports, "DSCP_TO_TC_MAP": {"M": {"26": "3", "56": tc}}}


@pytest.mark.parametrize(
    ("tables", "fields"),
    [
        (_tables("3"), ["56"]),
        (_tables("4"), ["56"]),
        (_tables("7"), []),
        (_tables("3", pfc="4"), []),
        ({"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}}}, []),
    ],
)
def test_clock_messages_are_not_paused(tables: dict[str, Any], fields: list[str]) -> None:
    found = validate_tables({"leaf01": tables}).findings
    assert [each.field for each in found if each.rule == "TIM030"] == fields
