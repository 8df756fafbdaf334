"""The planner's prediction and the mock's updater against what each branch's updater answered."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from nettool.config.diff.plan import plan_update
from nettool.config.diff.tables import diff_tables
from nettool.config.nos.dialects.sonic.updater import branches
from nettool.fleet.mock.spec import SwitchSpec
from nettool.fleet.mock.updater.refusals import refusal
from nettool.fleet.mock.updater.rules import updater_rules

DATA = yaml.safe_load((Path(__file__).parent / "updater_answers.yaml").read_text())
CASES = [(edit, group["passes"]) for group in DATA["answers"] for edit in group["edits"]]
IDS = [edit["name"] for edit, _ in CASES]
CHIPS = DATA["chips"]["all"]
HWSKU = {
    **{
        name: ("mellanox", skus[0]) for name, skus in updater_rules()["chips"]["whole_name"].items()
    },
    **{
        name: ("broadcom", skus[0])
        for name, skus in updater_rules()["chips"]["part_of_name"].items()
    },
    **{name: (name, "any") for name in updater_rules()["chips"]["asic_type"]},
    "": ("broadcom", "never-heard-of"),
}


def before_and_after(edit: dict[str, Any]) -> tuple[Any, Any]:
    old = deepcopy(DATA["base"])
    if "without" in edit:
        _parent(old, edit["without"]).pop(edit["without"].rpartition("/")[2])
    new = deepcopy(old)
    for op, path, *value in edit["operations"]:
        parent, name = _parent(new, path), path.rpartition("/")[2]
        if op == "remove":
            del parent[name]
        else:
            parent[name] = _parent(DATA["base"], path)[name] if value == ["base"] else value[0]
    return old, new


def _parent(tables: Any, path: str) -> Any:
    for part in path.split("/")[:-1]:
        tables = tables[part]
    return tables


def expected(passes: dict[str, str]) -> dict[str, set[str]]:
    """Branch to the chips that let the edit pass."""
    found, name = {}, ""
    for branch in branches():
        name = passes.get(branch, name)
        found[branch] = set(DATA["chips"][name])
    return found


@pytest.mark.parametrize(("edit", "passes"), CASES, ids=IDS)
def test_the_planner_foresees_it(edit, passes):
    old, new = before_and_after(edit)
    changes = diff_tables("leaf01", old, new)
    for branch, chips in expected(passes).items():
        plans = {c: plan_update(changes, old, chip=c, version=branch) for c in CHIPS}
        assert {chip for chip, plan in plans.items() if plan.way == "patch"} == chips, branch


@pytest.mark.parametrize(("edit", "passes"), CASES, ids=IDS)
def test_the_mock_answers_alike(edit, passes):
    old, new = before_and_after(edit)
    tables = {path.split("/")[0] for _, path, *_ in edit["operations"]}
    for branch, chips in expected(passes).items():
        for chip in CHIPS:
            asic_type, hwsku = HWSKU[chip]
            spec = SwitchSpec("leaf01", version=f"{branch}.0-test", asic_type=asic_type)
            metadata = {"DEVICE_METADATA": {"localhost": {"hwsku": hwsku}}}
            refused = refusal(spec, {**old, **metadata}, {**new, **metadata}, tables)
            assert (refused is None) == (chip in chips), (branch, chip, refused)


@pytest.mark.parametrize(
    ("version", "chip", "passes"),
    [
        ("202205.1-abc", "spc4", True),
        ("20220532.7", "spc4", False),
        ("20240510.12", "th5", True),
        ("20240400.1", "th5", False),
        ("20250510.1", "marvell-teralynx", False),
        ("20251110.1", "marvell-teralynx", True),
        ("202502.3", "th5", True),
        ("202106", "spc1", True),
        ("", "spc6", True),
        ("master.1234-dirty", "spc6", True),
    ],
)
def test_an_images_version_tells_branch_and_date(version, chip, passes):
    old, new = before_and_after({"operations": [["replace", "PFC_WD/Ethernet0/action", "alert"]]})
    plan = plan_update(diff_tables("leaf01", old, new), old, chip=chip, version=version)
    assert (plan.way == "patch") is passes


def test_both_know_the_same_branches():
    assert list(branches()) == updater_rules()["branches"]
