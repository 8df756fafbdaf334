"""A network as a picture: its tiers one above the other, what is alike in one box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from nettool.core.spans import named
from nettool.core.units import format_speed
from nettool.plan.design.fabric import Device, Fabric
from nettool.report.page import Box, Line, Picture

MOST = 12
"""Boxes in a row: more are folded by rail, pod and plane, until as many are left."""
_ROLES = ("core", "spine", "leaf")
_NODES = "node"
_WIDTH, _HEIGHT, _GAP, _PITCH, _MARGIN = 164, 44, 16, 140, 20
_THIN, _THICK = 1.0, 6.0
_LABELLED = 6
"""Bundles between two tiers of which each has its label; of more that are alike, one has."""
_Key = Callable[[Device], Hashable]
_FOLDS: tuple[_Key, ...] = (
    lambda each: each.name,
    lambda each: (each.plane, each.pod, each.rails),
    lambda each: (each.plane, each.pod),
    lambda each: each.plane,
    lambda each: each.network,
)


def pictures(fabric: Fabric) -> tuple[Picture, ...]:
    """One picture a network."""
    return tuple(_picture(fabric, network) for network in fabric.topology)


def _picture(fabric: Fabric, network: str) -> Picture:
    groups = [
        (role, found)
        for role in _ROLES
        if (found := _folded([x for x in fabric.of_network(network) if x.role == role]))
    ]
    home = {name: (role, place) for role, each in groups for place, names in enumerate(each)
            for name in names}  # fmt: skip
    bundles, nodes = _bundles(fabric, home)
    rows = [*groups, (_NODES, nodes)] if nodes else groups
    width = 2 * _MARGIN + max((len(each) for _, each in rows), default=1) * (_WIDTH + _GAP)
    boxes = {
        (role, place): _box(role, names, fabric, (place, len(each), row, width))
        for row, (role, each) in enumerate(rows)
        for place, names in enumerate(each)
    }
    height = 2 * _MARGIN + (len(rows) - 1) * _PITCH + _HEIGHT if rows else 2 * _MARGIN
    title = f"{network}: {fabric.topology[network]}"
    lines = tuple(_lines(bundles, boxes))
    return Picture(f"topology-{network}", title, width, height, tuple(boxes.values()), lines)


def _folded(devices: Sequence[Device]) -> list[tuple[str, ...]]:
    """Names of the devices of each box: as few folded as fit in a row."""
    groups: dict[Hashable, list[str]] = {}
    for key in _FOLDS:
        groups = {}
        for each in devices:
            groups.setdefault(key(each), []).append(each.name)
        if len(groups) <= MOST:
            break
    return [tuple(each) for each in groups.values()]


_Place = tuple[str, int]
_Bundles = Mapping[tuple[_Place, _Place], Counter[int]]


def _bundles(fabric: Fabric, home: Mapping[str, _Place]) -> tuple[_Bundles, list[tuple[str, ...]]]:
    """Links between boxes by speed, the lower end first; and the boxes of the nodes."""
    facing: dict[str, Counter[tuple[_Place, int]]] = {}
    bundles: dict[tuple[_Place, _Place], Counter[int]] = {}
    for link in fabric.links:
        upper = home.get(link.b.device)
        if upper is None:
            continue
        lower = home.get(link.a.device)
        if lower is None:
            facing.setdefault(link.a.device, Counter())[upper, link.kind.speed] += 1
        else:
            bundles.setdefault((lower, upper), Counter())[link.kind.speed] += 1
    alike: dict[Hashable, list[str]] = {}
    for node, ends in facing.items():
        alike.setdefault(tuple(sorted(ends.items())), []).append(node)
    nodes = [tuple(each) for each in alike.values()]
    if len(nodes) > MOST:
        nodes = [tuple(facing)]
    for place, names in enumerate(nodes):
        for name in names:
            for (upper, speed), count in facing[name].items():
                key = ((_NODES, place), upper)
                bundles.setdefault(key, Counter())[speed] += count
    return bundles, nodes


def _box(
    role: str, names: tuple[str, ...], fabric: Fabric, where: tuple[int, int, int, int]
) -> Box:
    place, count, row, width = where
    left = (width - count * (_WIDTH + _GAP) + _GAP) // 2
    x, y = left + place * (_WIDTH + _GAP), _MARGIN + row * _PITCH
    return Box(x, y, _WIDTH, _HEIGHT, _short(names), _note(names, fabric), role)


def _note(names: tuple[str, ...], fabric: Fabric) -> str:
    """How many of what, and the plane, pod or rail that all of them share."""
    devices = [fabric.by_name[each] for each in names if each in fabric.by_name]
    what = devices[0].model if devices else f"{fabric.node_by_name[names[0]].gpus} GPUs"
    shared = [
        f"{kind} {numbers.pop()}"
        for kind, numbers in (
            ("plane", {each.plane for each in devices}),
            ("pod", {each.pod for each in devices}),
            ("rail", {_rail(each, fabric) for each in devices}),
        )
        if len(numbers) == 1 and None not in numbers
    ]
    return ", ".join([f"{len(names)} x {what}" if len(names) > 1 else what, *shared])


def _rail(device: Device, fabric: Fabric) -> int | None:
    """The one rail of a switch, where others of its tier have another one."""
    tier = (each for each in fabric.of_network(device.network) if each.role == device.role)
    several = len({each.rails for each in tier}) > 1
    return device.rails[0] if several and len(device.rails) == 1 else None


def _short(names: tuple[str, ...]) -> str:
    """Names as a box has room for them."""
    return named(names, "").partition(" (")[0] if len(names) > 1 else names[0]


def _lines(bundles: _Bundles, boxes: Mapping[_Place, Box]) -> Iterator[Line]:
    """A line a bundle, as thick as its capacity is large."""
    size = {ends: sum(speed * n for speed, n in each.items()) for ends, each in bundles.items()}
    most = max(size.values(), default=1)
    labels = _labels(bundles)
    for ends in bundles:
        below, above = (boxes[end] for end in ends)
        thick = _THIN + (_THICK - _THIN) * size[ends] / most
        yield Line(
            below.x + below.width // 2, below.y, above.x + above.width // 2,
            above.y + above.height, f"{thick:.1f}", labels.get(ends, ""),
        )  # fmt: skip


def _labels(bundles: _Bundles) -> dict[tuple[_Place, _Place], str]:
    """What is written on lines: on each of a few, on one of many that are alike."""
    tiers: dict[str, dict[tuple[_Place, _Place], str]] = {}
    for ends, each in bundles.items():
        told = ", ".join(f"{n} x {format_speed(speed)}" for speed, n in sorted(each.items()))
        tiers.setdefault(ends[0][0], {})[ends] = told
    labels: dict[tuple[_Place, _Place], str] = {}
    for lines in tiers.values():
        if len(lines) <= _LABELLED:
            labels |= lines
        elif len(set(lines.values())) == 1:
            first, told = next(iter(lines.items()))
            labels[first] = f"each {told}"
    return labels
