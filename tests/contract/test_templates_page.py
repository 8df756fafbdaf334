"""The page on templates says what is true: its example renders, its names are the view's."""

from __future__ import annotations

import re
from pathlib import Path

from nettool.config.nos.dialects.sonic.views.device import device_view
from nettool.intent.load import find_fabric
from nettool.pipeline import artifacts, plan_fabric

PAGE = (Path(__file__).parents[2] / "docs" / "templates.md").read_text(encoding="utf-8")


def test_the_example_adds_what_it_says(tmp_path):
    fabric = tmp_path / "fabric.yaml"
    fabric.write_text(find_fabric("rail-only-128").read_text())
    (tmp_path / "extra").mkdir()
    example = re.search(r"```jinja\n(.*?)```", PAGE, flags=re.DOTALL)[1]
    (tmp_path / "extra" / "snmp.json.j2").write_text(example)
    tables = next(each.tables for each in artifacts(plan_fabric(fabric), only=["leaf01"]))
    assert tables["SNMP"] == {"LOCATION": {"Location": "leaf01"}}
    assert tables["PORT"]["Ethernet0"]["description"] == "node01"


def test_the_page_lists_the_names_of_the_view():
    view = device_view(plan_fabric(find_fabric("rail-only-128")).configs[0])
    listed = dict(re.findall(r"^\| `(\w+)`[^|]*\| `([^`]+)` \|$", PAGE, flags=re.MULTILINE))
    have = {name: set(rows if name == "device" else rows[0]) for name, rows in view.items()}
    assert {name: set(fields.split()) for name, fields in listed.items()} == have
