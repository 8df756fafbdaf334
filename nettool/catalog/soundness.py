"""What makes an entry unusable although each of its fields is well formed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nettool.catalog.cage import Cage, choose_mode
from nettool.catalog.entry import Entry
from nettool.catalog.switch import SwitchModel
from nettool.core.source import KeyPath

Fault = tuple[KeyPath, str]
"""Where in its file an entry is wrong, and what is wrong there."""


def faults(entry: Entry) -> Iterator[Fault]:
    """Every fault of any entry; only switches can have one."""
    if isinstance(entry, SwitchModel):
        yield from switch_faults(entry)


def switch_faults(model: SwitchModel) -> Iterator[Fault]:
    """Every fault, by the key path of where it stands.

    Two cages may share lanes (a QSFP and an SFP+ on one MAC), but no SKU may use both.
    """
    known = {each.asic for each in model.asics}
    if model.default_asic not in (None, *known):
        yield ("default_asic",), f"{model.default_asic} is none of its chips {sorted(known)}"
    cages = list(_placed(model))
    yield from _doubles("cage", ((path, each.cage) for path, each in cages))
    yield from _doubles("port", ((path, each.port) for path, each in cages))
    for path, cage in cages:
        if cage.kind not in model.kinds:
            yield (*path, "kind"), f"{cage.kind!r} is none of its kinds {sorted(model.kinds)}"
            return
        yield from _misfits(path, model, cage)
    yield from _sku_faults(model)


def _placed(model: SwitchModel) -> Iterator[tuple[KeyPath, Cage]]:
    for key, cages in (("cages", model.cages), ("extras", model.extras)):
        for place, cage in enumerate(cages):
            yield (key, place), cage


def _doubles(what: str, values: Iterable[tuple[KeyPath, str | int]]) -> Iterator[Fault]:
    seen: dict[str | int, KeyPath] = {}
    for path, value in values:
        if value in seen:
            first = ".".join(map(str, seen[value]))
            yield path, f"{what} {value} is taken by {first}"
        seen.setdefault(value, path)


def _misfits(path: KeyPath, model: SwitchModel, cage: Cage) -> Iterator[Fault]:
    modes = model.kinds[cage.kind].modes
    for text in modes:
        try:
            choice = choose_mode(modes, len(cage.lanes), text)
            if choice:
                cage.children(choice)
        except ValueError as exc:
            yield path, str(exc)


def _sku_faults(model: SwitchModel) -> Iterator[Fault]:
    for place, sku in enumerate(model.skus):
        try:
            layout = model.layout(sku.name)
        except ValueError as exc:
            yield ("skus", place, "modes"), str(exc)
            continue
        ports = (*layout.slots, *layout.extras)
        path = ("skus", place)
        yield from _doubles(
            f"{sku.name}: port", (((*path, each.name), each.name) for each in ports)
        )
        yield from _doubles(
            f"{sku.name}: lane", (((*path, each.name), x) for each in ports for x in each.lanes)
        )
