"""Single failures against the plain way: take one thing out and see who is still reached."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from nettool.plan.design.fabric import Device, Fabric
from nettool.plan.timing.failures import losses
from nettool.plan.timing.tree import Failure, adjacency, grow

SPINES = {"gm1": ("spine01",), "gm2": ("spine02",)}


def _cut(fabric: Fabric, switch: str, *peers: str) -> Fabric:
    """The fabric without any cable between a switch and some peers."""

    def keep(device: Device) -> Device:
        gone = peers if device.name == switch else (switch,) if device.name in peers else ()
        left = {p: n for p, n in device.neighbors.items() if n.device not in gone}
        return replace(device, neighbors=left)

    return replace(fabric, devices=tuple(keep(each) for each in fabric.devices))


def _switches_lost(fabric: Fabric, attached: dict[str, tuple[str, ...]]) -> dict[str, int]:
    def reached(*failed: str) -> set[str]:
        neighbours = adjacency(fabric)
        trees = (
            grow(neighbours, {gm: roots}, Failure(frozenset(failed)))
            for gm, roots in attached.items()
        )
        return {name for tree in trees for name in tree}

    whole = reached()
    lost = {name: len(whole - {name} - reached(name)) for name in whole}
    return {f"switch {name}": count for name, count in lost.items() if count}


@pytest.fixture
def fabric(shipped_fabric: Any) -> Any:
    """The shipped fabric of four leaves and two spines."""
    return shipped_fabric("rail-optimized-256").fabric


def test_two_grandmasters_on_two_spines_survive_any_failure(fabric: Fabric) -> None:
    assert losses(fabric, SPINES) == ()


def test_two_grandmasters_on_one_switch_share_its_failure(fabric: Fabric) -> None:
    found = losses(fabric, {"gm1": ("spine01",), "gm2": ("spine01",)})
    assert [(each.failed, each.switches) for each in found] == [("switch spine01", 5)]


def test_one_grandmaster_takes_all_with_it(fabric: Fabric) -> None:
    found = {each.failed: each.switches for each in losses(fabric, {"gm1": ("spine01",)})}
    assert found["grandmaster gm1"] == 6
    assert found["link grandmaster gm1 to spine01"] == 6
    assert found["switch spine01"] == 5


def test_a_leaf_with_one_way_up_depends_on_it(fabric: Fabric) -> None:
    found = losses(_cut(fabric, "leaf01", "spine02"), SPINES)
    assert [(each.failed, each.switches) for each in found] == [("switch spine01", 1)]


@pytest.mark.parametrize("attached", [SPINES, {"a": ("leaf01",)}, {"a": ("leaf01", "leaf02")}])
@pytest.mark.parametrize("peers", [(), ("spine01",), ("spine01", "spine02")])
def test_agrees_with_taking_each_switch_out(
    fabric: Fabric, attached: dict[str, tuple[str, ...]], peers: tuple[str, ...]
) -> None:
    cut = _cut(fabric, "leaf01", *peers)
    found = {e.failed: e.switches for e in losses(cut, attached) if e.failed.startswith("switch")}
    assert found == _switches_lost(cut, attached)
