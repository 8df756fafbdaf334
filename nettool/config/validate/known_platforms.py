"""Platforms out of the catalog: by a switch model's name, or by what a configuration says it is.

Chip figures come with their trust: inferred or assumed ones are left out, for a limit that may be
too low would find fault with good files. A headroom table of another board with the same chip
counts as inferred, and is used: its rows are what such a board needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nettool.catalog.asic import Asic, HeadroomTable
from nettool.catalog.catalog import Catalog, load_catalog
from nettool.catalog.fact import Fact
from nettool.catalog.imports import PLATFORM, import_platform
from nettool.catalog.switch import Sku, SwitchModel
from nettool.config.nos.artifact import Tables
from nettool.config.validate.platform import Headroom, Platform, load_platform
from nettool.core.errors import UsageError
from nettool.core.provenance import Trust, weakest

_FILES = frozenset({".yaml", ".yml", ".json"})
MELLANOX = "mellanox"


class KnownPlatforms:
    """Platforms of a catalog, each made once."""

    def __init__(self, catalog: Catalog | None = None) -> None:
        self._catalog = catalog or load_catalog()
        self._made: dict[tuple[str, str | None, str | None], Platform] = {}
        self._told: dict[tuple[str, str], Platform | None] = {}

    def of(self, tables: Tables) -> Platform | None:
        """The platform that DEVICE_METADATA names; None where it names none that is known."""
        rows: Any = tables.get("DEVICE_METADATA")
        row: Any = rows.get("localhost") if isinstance(rows, dict) else None
        if not isinstance(row, dict):
            return None
        words = (str(row.get("hwsku") or ""), str(row.get("platform") or ""))
        if words not in self._told:
            found = self._catalog.switch_for(*words)
            self._told[words] = self.made(found[0], found[1]) if found else None
        return self._told[words]

    def named(self, name: str) -> Platform:
        """The platform of a switch model. Raises UnknownNameError with the nearest name."""
        return self.made(self._catalog.switch(name), None)

    def made(self, model: SwitchModel, sku: Sku | None, asic: str | None = None) -> Platform:
        """The platform of a model, of one SKU and chip where these are told."""
        key = (model.name, sku.name if sku else None, asic)
        if key not in self._made:
            self._made[key] = platform_of(model, self._catalog, sku, asic)
        return self._made[key]


def platform_of(
    model: SwitchModel, catalog: Catalog, sku: Sku | None = None, asic: str | None = None
) -> Platform:
    """What the catalog knows of a switch: breakout modes, lanes, buffer, pools and headroom."""
    cages = (*model.cages, *model.extras)
    kinds = weakest(*(each.trust for each in model.kinds.values()))
    weak = {} if kinds.is_firm else {"breakout": kinds}
    chip = _chip(model, catalog, asic)
    return Platform(
        name=model.name,
        modes_by_port={each.port: tuple(model.kinds[each.kind].modes) for each in cages},
        lanes={each.port: tuple(each.lanes) for each in cages},
        **(_chip_facts(model, chip, catalog, sku, weak) if chip else {}),
        weak=weak,
    )


def platform_at(named: str) -> tuple[Platform | None, KnownPlatforms]:
    """The platform that the user names, and where to look up those that files name themselves.

    `named` is a facts file, a catalog switch, a folder of SONiC's platform files, or a folder of
    catalog files (then each file's own platform is looked up there).
    """
    path = Path(named)
    if not path.is_dir():
        is_file = path.suffix in _FILES or path.is_file()
        known = KnownPlatforms()
        return (load_platform(path) if is_file else known.named(named)), known
    if (path / "switches").is_dir():
        return None, KnownPlatforms(load_catalog(path))
    model = import_platform(path).model
    if model is None:
        raise UsageError(f"{path}: no usable {PLATFORM} and no `switches` folder in it")
    return platform_of(model, load_catalog()), KnownPlatforms()


def _chip(model: SwitchModel, catalog: Catalog, asic: str | None) -> Asic | None:
    """The chip, where the model is built with one only, or it is told; None where unknown."""
    try:
        name = model.variant(asic).asic
    except UsageError:
        return None
    return catalog.asic(name) if name in catalog.names("asics") else None


def _chip_facts(
    model: SwitchModel, chip: Asic, catalog: Catalog, sku: Sku | None, weak: dict[str, Trust]
) -> dict[str, Any]:
    """Keyword arguments of Platform; what is not firm is entered into `weak`."""
    table = _table(model, chip, catalog, sku)
    if table and not _trust(table, model).is_firm:
        weak["lookup"] = _trust(table, model)
    return {
        "asic": chip.name,
        "buffer": _fact("buffer", chip.buffer, weak),
        "cell": _fact("cell", chip.cell, weak),
        "size_includes_xoff": _fact("size_includes_xoff", chip.pool_size_includes_xoff, weak),
        "max_lossless_priorities": chip.lossless_queues_max,
        "pfc_to_pg_map_needed": chip.sonic_asic_type == MELLANOX,
        "size_holds_headroom": chip.sonic_asic_type == MELLANOX,
        "lookup": _lookup(table) if table else {},
    }


def _table(
    model: SwitchModel, chip: Asic, catalog: Catalog, sku: Sku | None
) -> HeadroomTable | None:
    own = catalog.own_headroom(model, sku)
    names = (own,) if own else chip.headroom_tables
    return catalog.headroom_table(names[0]) if names else None


def _trust(table: HeadroomTable, model: SwitchModel) -> Trust:
    own = table.trust is Trust.GIVEN or f"/{model.platform}/" in table.source
    return table.trust if own or not table.trust.is_firm else Trust.INFERRED


def _fact(name: str, fact: Fact | None, weak: dict[str, Trust]) -> Any:
    if fact is None or not (fact.trust.is_firm or fact.trust is Trust.REFERENCE_BOARD):
        return None
    if not fact.trust.is_firm:
        weak[name] = fact.trust
    return fact.value


def _lookup(table: HeadroomTable) -> Mapping[tuple[int, int], Headroom]:
    return {
        (row.speed, row.cable): Headroom(row.size, row.xon, row.xoff, row.xon_offset)
        for row in table.rows
    }
