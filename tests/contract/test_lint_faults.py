"""Hundreds of faults, put into good files at random places: each is found there and only there.

The rows of lint/faults.yaml and lint/fabric.yaml are the faults, at least one a rule; each is
tried at several places drawn by a seeded random. The file without the fault is silent of the rule.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
import yaml

from nettool.config.render.render import render
from nettool.config.validate.declared import Traffic, load_links
from nettool.config.validate.engine import lint, validate_tables
from nettool.config.validate.platform import Headroom, Platform
from nettool.config.validate.rule import RULES
from nettool.core.finding import Finding

HERE = Path(__file__).parent / "lint"
GOLDEN = Path(__file__).parents[1] / "golden"
REPORTED = Path(__file__).parents[2] / "../shared/cases/hand"
OPTIMIZED = GOLDEN / "rail-optimized-256"
BASES = {
    "leaf": OPTIMIZED / "devices/leaf01/config_db.json",
    "spine": OPTIMIZED / "devices/spine01/config_db.json",
    "only": GOLDEN / "rail-only-128/devices/leaf01/config_db.json",
    "unified": HERE / "unified.json",
}
TRAFFIC = Traffic(lossless=frozenset({26}), cnp=frozenset({48}))
PLATFORM = Platform(
    name="test",
    breakout_modes=("2x400G[200G,100G]", "1x800G[400G,200G]", "1x400G[200G,100G]", "1x10G[1G]",
                    "4x200G"),
    max_lossless_priorities=2,
    buffer=1_000_000_000,
    size_includes_xoff=False,
    size_holds_headroom=True,
    lookup={(400_000, 5): Headroom(1518, 0, 17_000), (800_000, 40): Headroom(1518, 0, 285_312)},
    port_headroom={400_000: 300_000, 800_000: 300_000},
)  # fmt: skip
Tables = dict[str, Any]
Place = tuple[str | None, str | None, str | None, str | None]


class Picked(str):
    """A row's key; its fields are attributes, as rows name them."""

    row: dict[str, Any]

    def __getattr__(self, field: str) -> str:
        return str(self.row[field])


@dataclass(frozen=True)
class Fabric:
    """Files of several devices, and their cable plan."""

    devices: dict[str, Tables]
    plan: tuple[dict[str, str], ...]


def _lint(
    paths: list[Path], platform: Platform | None = PLATFORM, **more: Any
) -> tuple[Finding, ...]:
    return tuple(lint(paths, platform=platform, traffic=TRAFFIC, **more).findings)


def _rows(name: str, places: int) -> list[Any]:
    rows = yaml.safe_load((HERE / name).read_text(encoding="utf-8"))
    counts: dict[str, int] = {}
    cases = []
    for row in rows:
        number = counts[row["rule"]] = counts.get(row["rule"], 0) + 1
        name = f"{row['rule']}-{number}"
        cases += [pytest.param(row, seed, id=f"{name}-{seed}") for seed in range(places)]
    return cases


def _reported() -> list[Any]:
    """Good files from public reports, with the faults that any file can have."""
    rows = yaml.safe_load((HERE / "faults.yaml").read_text(encoding="utf-8"))
    plain = [each for each in rows if "pick" in each and "in" not in each
             and set(RULES[each["rule"]].needs) <= {"traffic"}]  # fmt: skip
    found = [
        pytest.param(path, row, id=f"{path.parent.name}-{row['rule']}-{number}")
        for path in sorted(REPORTED.glob("good-*/config_db.json"))
        for number, row in enumerate(plain)
        if _keys(row["pick"], json.loads(path.read_text(encoding="utf-8")))
        and row["rule"] not in {each.rule for each in _found_in_report(path)}
    ]
    absent = pytest.mark.skip(reason="the cases from public reports are not beside this checkout")
    return found or [pytest.param(None, {}, marks=absent, id="absent")]


def _keys(pick: str, tables: Tables) -> list[str]:
    table, _, pattern = pick.partition(" / ")
    found = tables.get(table, {})
    return [key for key in found if fnmatchcase(key, pattern or "*") and key != "GLOBAL"]


@cache
def _found_in_report(path: Path) -> tuple[Finding, ...]:
    return _lint([path], None)


DEVICE_FAULTS, FABRIC_FAULTS = _rows("faults.yaml", 3), _rows("fabric.yaml", 2)


def test_every_rule_has_a_fault() -> None:
    files = (yaml.safe_load(each.read_text(encoding="utf-8")) for each in HERE.glob("*.yaml"))
    tried = {row["rule"] for rows in files for row in rows}
    assert set(RULES) - tried == set(), "add a row to tests/contract/lint/*.yaml"
    assert tried - set(RULES) == set()
    assert len(DEVICE_FAULTS) + len(FABRIC_FAULTS) >= 200


@pytest.mark.parametrize("base", list(BASES))
def test_a_good_file_has_no_finding(base: str) -> None:
    assert _found_in_base(base) == ()


@pytest.mark.parametrize(("row", "seed"), DEVICE_FAULTS)
def test_a_fault_in_a_file_is_found_in_its_place(
    row: dict[str, Any], seed: int, tmp_path: Path
) -> None:
    names = row.get("in", ["leaf", "spine", "only"])
    base = names[seed % len(names)]
    assert row["rule"] not in {each.rule for each in _found_in_base(base)}
    path = tmp_path / "config_db.json"
    tables = json.loads(_text_of(base))
    words = _picked(row, tables, Random(seed))
    _change(row, {"": tables}, words)
    path.write_bytes(_written(tables))
    found = _lint([path], replace(PLATFORM, **row.get("platform", {})))
    _assert_found(row, words, found, {"": path})


@pytest.mark.parametrize(("path", "row"), _reported())
def test_a_fault_in_a_reported_good_file_is_found(
    path: Path, row: dict[str, Any], tmp_path: Path
) -> None:
    tables = json.loads(path.read_text(encoding="utf-8"))
    words = _picked(row, tables, Random(row["at"]))
    _change(row, {"": tables}, words)
    copy = tmp_path / "config_db.json"
    copy.write_bytes(_written(tables))
    _assert_found(row, words, _lint([copy], None), {"": copy})


@pytest.mark.parametrize(("row", "seed"), FABRIC_FAULTS)
def test_a_fault_across_devices_is_found_in_its_place(
    row: dict[str, Any], seed: int, tmp_path: Path, shipped_fabric: Callable[..., Any]
) -> None:
    good = _fabric(shipped_fabric)
    devices = orjson.loads(orjson.dumps(good.devices))
    number, nic, words = _cables(good, Random(seed))
    _change(row, devices, words)
    plan = [dict(each) for each in good.plan]
    plan[number].update({k: _filled(v, words) for k, v in row.get("links", {}).items()})
    plan[nic].update(row.get("links nic", {}))
    found, paths = _lint_fabric(devices, plan, tmp_path)
    _assert_found(row, words, found, paths)


def test_the_fabric_without_a_fault_is_silent(
    tmp_path: Path, shipped_fabric: Callable[..., Any]
) -> None:
    good = _fabric(shipped_fabric)
    assert _lint_fabric(good.devices, good.plan, tmp_path)[0] == ()


@pytest.mark.parametrize("routing", ["frrcfgd numbered", "frrcfgd unnumbered"])
@pytest.mark.parametrize("name", ["rail-optimized-256", "dual-plane-512"])
def test_other_forms_of_routing_are_silent(
    name: str, routing: str, shipped_fabric: Callable[..., Any]
) -> None:
    made = render(shipped_fabric(name, routing).configs)
    tables = {each.device: each.tables for each in made if each.tables is not None}
    assert validate_tables(tables).findings == ()


def _lint_fabric(
    devices: dict[str, Tables], plan: Any, folder: Path
) -> tuple[tuple[Finding, ...], dict[str, Path]]:
    paths = {name: folder / f"{name}.json" for name in devices}
    for name, tables in devices.items():
        paths[name].write_bytes(_written(tables))
    text = io.StringIO()
    writer = csv.DictWriter(text, list(plan[0]))
    writer.writeheader()
    writer.writerows(plan)
    (folder / "cabling.csv").write_text(text.getvalue(), encoding="utf-8")
    links = load_links(folder / "cabling.csv")
    found = tuple(lint(list(paths.values()), traffic=TRAFFIC, links=links).findings)
    return found, {**paths, "links": folder / "cabling.csv"}


def _written(tables: Tables) -> bytes:
    return orjson.dumps(tables, option=orjson.OPT_INDENT_2)


@cache
def _text_of(base: str) -> str:
    return BASES[base].read_text(encoding="utf-8")


@cache
def _found_in_base(base: str) -> tuple[Finding, ...]:
    return _lint([BASES[base]])


_KEPT: dict[str, Fabric] = {}


def _fabric(shipped_fabric: Callable[..., Any]) -> Fabric:
    if "fabric" not in _KEPT:
        made = render(shipped_fabric("rail-optimized-256").configs)
        devices = {each.device: each.tables for each in made if each.tables is not None}
        with (OPTIMIZED / "cabling.csv").open(encoding="utf-8") as file:
            _KEPT["fabric"] = Fabric(json.loads(json.dumps(devices)), tuple(csv.DictReader(file)))
    return _KEPT["fabric"]


def _cables(fabric: Fabric, random: Random) -> tuple[int, int, dict[str, str]]:
    """A cable between switches and one to a host, by row of the plan, and what rows may name."""
    ups = [n for n, each in enumerate(fabric.plan) if each["tier"] == "leaf-spine"]
    number = random.choice(ups)
    cable = fabric.plan[number]
    leaf, up = cable["a_device"], cable["a_port"]
    nics = [n for n, each in enumerate(fabric.plan) if each["b_device"] == leaf]
    nic = random.choice(nics)
    address = next(k for k in fabric.devices[leaf]["INTERFACE"] if k.startswith(f"{up}|"))
    own = address.partition("|")[2].partition("/")[0]
    rows = fabric.devices[leaf]["BGP_NEIGHBOR"].items()
    peer = next(key for key, row in rows if row["local_addr"] == own)
    far = {"spine": cable["b_device"], "down": cable["b_port"], "nic": fabric.plan[nic]["b_port"]}
    words = {"leaf": leaf, "up": up, "address": address, "own": own, "peer": peer, **far}
    return number, nic, words


def _picked(row: dict[str, Any], tables: Tables, random: Random) -> dict[str, str]:
    words: dict[str, str] = {}
    for name, place in (("row", row.get("pick")), ("other", row.get("pick two"))):
        if place:
            keys = [key for key in _keys(place, tables) if key not in words.values()]
            words[name] = key = Picked(random.choice(keys))
            key.row = tables[place.partition(" / ")[0]][key]
    port, _, index = words.get("row", "").partition("|")
    return {**words, "port": port, "index": index}


def _filled(value: Any, words: dict[str, str]) -> Any:
    return value.format_map(words) if isinstance(value, str) else value


def _parts(place: str, words: dict[str, str]) -> tuple[str, list[str]]:
    device, colon, rest = _filled(place, words).rpartition(": ")
    return (device if colon else ""), rest.split(" / ")


def _change(row: dict[str, Any], devices: dict[str, Tables], words: dict[str, str]) -> None:
    for place, value in row.get("set", {}).items():
        for holder, last in _holders(devices, place, words, make=True):
            holder[last] = _filled(value, words)
    for place in row.get("drop", ()):
        for holder, last in _holders(devices, place, words):
            holder.pop(last, None)
    for place, name in row.get("move", {}).items():
        for holder, last in _holders(devices, place, words):
            items = [(_filled(name, words) if k == last else k, v) for k, v in holder.items()]
            holder.clear()
            holder.update(items)


def _holders(
    devices: dict[str, Tables], place: str, words: dict[str, str], *, make: bool = False
) -> Iterator[tuple[dict[str, Any], str]]:
    device, (*path, last) = _parts(place, words)
    at: list[dict[str, Any]] = [devices[device]]
    for name in path:
        if name == "*":
            at = [inner for each in at for inner in each.values()]
        else:
            at = [each.setdefault(name, {}) if make else each[name] for each in at]
    return ((each, last) for each in at)


def _assert_found(
    row: dict[str, Any], words: dict[str, str], found: tuple[Finding, ...], paths: dict[str, Path]
) -> None:
    wanted = [_place(each, words) for each in (row["at"], *row.get("or", ()))]
    of_rule = [each for each in found if each.rule == row["rule"]]
    right = [each for each in of_rule if any(_is_at(row, each, place) for place in wanted)]
    said = [(f.rule, f.device, f.table, f.key, f.field) for f in found]
    assert right, f"wanted {wanted}, lint said {said}"
    for each in right if "hidden" not in row else ():
        path = paths.get(each.device or "") or next(iter(paths.values()))
        if each.table != "links":
            assert each.file == str(path)
            assert (each.line or 0) * (each.column or 0) > 0
            _assert_points(each, path.read_text(encoding="utf-8"))


def _place(text: str, words: dict[str, str]) -> Place:
    device, parts = _parts(text, words)
    table, key, field = (*parts, None, None)[:3]
    return (device or None, table, key, field)


def _is_at(row: dict[str, Any], finding: Finding, place: Place) -> bool:
    device, table, key, field = place
    if device is not None and finding.device != device:
        return False
    if row.get("under") or row.get("hidden"):
        return finding.table == table and (key is None or finding.key == key)
    return (finding.table, finding.key, finding.field) == (table, key, field)


def _assert_points(finding: Finding, text: str) -> None:
    """Line and column are those of the value, or of the nearest thing above it that is there."""
    at: Any = json.loads(text)
    shown = None
    for name in (finding.table, finding.key, finding.field):
        if name is None or not isinstance(at, dict) or name not in at:
            break
        at = at[name]
        shown = json.dumps(name) if isinstance(at, dict) else json.dumps(at)
    line = text.splitlines()[(finding.line or 1) - 1]
    assert shown is not None
    assert line[(finding.column or 1) - 1 :].startswith(shown.split(",")[0]), (line, shown)
