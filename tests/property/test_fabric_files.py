"""Whatever stands in place of one value of a fabric or its lock: it is taken, or told in place."""

from __future__ import annotations

import copy
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from nettool.core.errors import FindingsError
from nettool.intent.intent import FabricIntent
from nettool.intent.load import fabric_schema, find_fabric
from nettool.pipeline import plan_fabric
from nettool.report.lock_file import read_lock

ODD = st.sampled_from(
    [True, None, "", [], {}, -1, 0, 10**20, 2**40, 1e308, float("inf"), float("nan"), "16",
     "\x00", [1], {"a": 1}, "x" * 5000, "999999999m"]
)  # fmt: skip
FABRICS = {
    name: yaml.safe_load(find_fabric(name).read_text(encoding="utf-8"))
    for name in ("rail-optimized-256", "three-networks", "clos3-1024")
}
LOCK = yaml.safe_load(find_fabric("clos3-1024").with_name("fabric.lock.yaml").read_text())
SCHEMA = jsonschema.Draft202012Validator(fabric_schema())
BOUNDS = settings(
    max_examples=60, deadline=8_000, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def _places(data, path=()):
    """Every key path of a tree of mappings and lists."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from _places(value, (*path, key))


def _changed(data, path, value):
    data = inner = copy.deepcopy(data)
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return yaml.safe_dump(data)


def _told(call, file: Path):
    """What a call says is wrong with a file."""
    try:
        call(file)
    except FindingsError as exc:
        return exc.report.findings
    return ()


def _has_place(finding) -> bool:
    return bool(finding.message and finding.file and finding.line)


@pytest.mark.parametrize("name", FABRICS)
@given(data=st.data(), value=ODD)
@BOUNDS
def test_one_odd_value_in_a_fabric(name, tmp_path, data, value):
    path = data.draw(st.sampled_from(list(_places(FABRICS[name]))))
    file = tmp_path / "fabric.yaml"
    file.write_text(_changed(FABRICS[name], path, value), encoding="utf-8")
    assert all(map(_has_place, _told(plan_fabric, file)))


@pytest.mark.parametrize("name", FABRICS)
@given(data=st.data(), value=ODD)
@BOUNDS
def test_editors_are_told_what_the_loader_says(name, data, value):
    """The JSON Schema refuses what the models refuse; NaN is no JSON."""
    path = data.draw(st.sampled_from(list(_places(FABRICS[name]))))
    given_ = yaml.safe_load(_changed(FABRICS[name], path, value))
    said = SCHEMA.is_valid(given_)
    try:
        FabricIntent.model_validate(given_)
    except ValidationError:
        assert not said or str(value) == "nan", f"{path}: the schema takes {value!r}"
    else:
        assert said, f"{path}: the schema refuses {value!r}"


@given(path=st.sampled_from(list(_places(LOCK))), value=ODD)
@BOUNDS
def test_one_odd_value_in_a_lock(tmp_path, path, value):
    (tmp_path / "fabric.lock.yaml").write_text(_changed(LOCK, path, value), encoding="utf-8")
    (tmp_path / "fabric.yaml").write_text(yaml.safe_dump(FABRICS["clos3-1024"]), encoding="utf-8")
    said = _told(read_lock, tmp_path / "fabric.yaml")
    assert all(map(_has_place, said))
    assert said == () or _told(plan_fabric, tmp_path / "fabric.yaml") == said
