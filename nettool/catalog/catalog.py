"""The catalog: what hardware exists, one YAML file a thing, each figure with source and trust.

`load_catalog` gives the shipped data, and on top of it a folder of the user's own files in the
same shape (`switches/`, `asics/`, `nics/`, `gpus/`, `optics/`, `headroom/`), which add things or
replace them by name. Files are read when they are first asked for.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, TypeVar, cast

from nettool.catalog.asic import Asic, HeadroomTable, table_name
from nettool.catalog.entry import Entry
from nettool.catalog.host import GpuModel, NicModel
from nettool.catalog.link import CableChoice, LinkEnd, NoCable, cable_for, cable_to_nic
from nettool.catalog.optic import Optic
from nettool.catalog.reading import read_entry
from nettool.catalog.switch import Sku, SwitchModel
from nettool.core.errors import UsageError
from nettool.core.order import natural
from nettool.core.resources import catalog_data

Kind = Literal["switches", "asics", "nics", "gpus", "optics", "headroom"]
KINDS: Mapping[Kind, type[Entry]] = {
    "switches": SwitchModel,
    "asics": Asic,
    "nics": NicModel,
    "gpus": GpuModel,
    "optics": Optic,
    "headroom": HeadroomTable,
}
_SINGULAR: Mapping[Kind, str] = {
    "switches": "switch model",
    "asics": "ASIC",
    "nics": "NIC model",
    "gpus": "GPU model",
    "optics": "optic",
    "headroom": "headroom table",
}
M = TypeVar("M", bound=Entry)


class UnknownNameError(UsageError, KeyError):
    """The catalog has no such thing; `nearest` is the known name that looks most like it."""

    def __init__(self, kind: Kind, name: str, nearest: str | None, known: tuple[str, ...]) -> None:
        self.kind, self.name, self.nearest, self.known = kind, name, nearest, known
        super().__init__(f"unknown {_SINGULAR[kind]} {name!r}")

    @property
    def hint(self) -> str:
        """What to do about it: the nearest name, or all of them."""
        if self.nearest:
            return f"did you mean {self.nearest}?"
        return f"known are {', '.join(self.known)}"

    def __str__(self) -> str:
        return f"{self.args[0]}: {self.hint}"


class Catalog:
    """Hardware by kind and name. Names are the names of the files."""

    def __init__(self, *folders: Path) -> None:
        self._paths: dict[Kind, dict[str, Path]] = {kind: {} for kind in KINDS}
        for folder in folders:
            for kind in KINDS:
                found = sorted((folder / kind).glob("*.yaml"))
                self._paths[kind].update({each.stem: each for each in found})
        self._read: dict[tuple[Kind, str], Entry] = {}
        self._optics: tuple[Optic, ...] = ()

    def names(self, kind: Kind) -> tuple[str, ...]:
        """Known names of a kind, in natural order."""
        return tuple(sorted(self._paths[kind], key=natural))

    def nearest(self, kind: Kind, name: str) -> str | None:
        """The known name that begins with `name` or is most like it, or None."""
        by_lower = {each.lower(): each for each in self.names(kind)}
        longer = [each for each in by_lower if name and each.startswith(name.lower())]
        if longer:
            return by_lower[longer[0]]
        close = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.5)
        return by_lower[close[0]] if close else None

    def switch(self, name: str) -> SwitchModel:
        """A switch model, also by a name that fixes its chip (CX532P-NT)."""
        if name in self._paths["switches"]:
            return self._entry("switches", SwitchModel, name)
        for model in self.switches():
            for variant in model.asics:
                if name in variant.names:
                    return model.model_copy(update={"default_asic": variant.asic})
        raise self._unknown("switches", name)

    def switch_for(self, hwsku: str, platform: str) -> tuple[SwitchModel, Sku | None] | None:
        """The switch that DEVICE_METADATA tells by `hwsku`, or else by `platform`; None if neither.

        Only files that hold one of the two words are read.
        """
        words = tuple(each for each in (hwsku, platform) if each)
        texts = {name: path.read_text("utf-8") for name, path in self._paths["switches"].items()}
        near = [self.switch(n) for n, text in texts.items() if any(each in text for each in words)]
        for model in near:
            if hwsku in model.sku_by_name:
                return model, model.sku_by_name[hwsku]
        return next(((each, None) for each in near if each.platform == platform), None)

    def asic(self, name: str) -> Asic:
        """A chip by name or alias."""
        if name in self._paths["asics"]:
            return self._entry("asics", Asic, name)
        for each in self.asics():
            if name in each.aliases:
                return each
        raise self._unknown("asics", name)

    def nic(self, name: str) -> NicModel:
        """A NIC model."""
        return self._entry("nics", NicModel, name)

    def gpu(self, name: str) -> GpuModel:
        """A GPU model."""
        return self._entry("gpus", GpuModel, name)

    def headroom_table(self, name: str) -> HeadroomTable:
        """The rows of a pg_profile_lookup.ini."""
        return self._entry("headroom", HeadroomTable, name)

    def switches(self) -> Iterator[SwitchModel]:
        """All switch models."""
        return (self._entry("switches", SwitchModel, each) for each in self.names("switches"))

    def asics(self) -> Iterator[Asic]:
        """All chips."""
        return (self._entry("asics", Asic, each) for each in self.names("asics"))

    def nics(self) -> Iterator[NicModel]:
        """All NIC models."""
        return (self._entry("nics", NicModel, each) for each in self.names("nics"))

    def gpus(self) -> Iterator[GpuModel]:
        """All GPU models."""
        return (self._entry("gpus", GpuModel, each) for each in self.names("gpus"))

    def optics(self) -> tuple[Optic, ...]:
        """All cables and transceivers, cheaper media and shorter reach first."""
        if not self._optics:
            every = (self._entry("optics", Optic, each) for each in self.names("optics"))
            self._optics = tuple(sorted(every, key=lambda each: each.rank))
        return self._optics

    def optic(
        self, speed: int, length: float, form_factor: str | None = None, lanes: int | None = None
    ) -> Optic | None:
        """The cheapest medium that carries `speed` Mb/s over `length` metres, or None.

        `form_factor` and `lanes` are those of the port it is plugged into; None where open.
        """
        for each in self.optics():
            if each.speed != speed or float(each.reach.value) < length:
                continue
            if form_factor in (None, *each.form_factors) and lanes in (None, each.host_lanes):
                return each
        return None

    def cable(self, a: LinkEnd, b: LinkEnd, length: float) -> CableChoice | NoCable:
        """The cheapest cable of at least `length` metres between two ends, or why none is."""
        return cable_for(self.optics(), a, b, length)

    def nic_cable(self, nic: NicModel, port: LinkEnd, length: float) -> CableChoice | NoCable:
        """The cheapest cable between a NIC, in any way it can run, and a switch port."""
        return cable_to_nic(self.optics(), nic, port, length)

    def headroom_of(
        self, switch: SwitchModel, sku: str | None = None, asic: str | None = None
    ) -> HeadroomTable | None:
        """The headroom table of a switch: its SKU's, its own, or the first of its chip's."""
        own = self.own_headroom(switch, switch.sku(sku))
        names = (own,) if own else self.asic(switch.variant(asic).asic).headroom_tables
        return self.headroom_table(names[0]) if names else None

    def own_headroom(self, switch: SwitchModel, sku: Sku | None) -> str | None:
        """The table that bears the name of a SKU or model, or that it names; None: the chip's."""
        names = (*([sku.name] if sku else []), switch.name)
        taken = [table_name(each) for each in names if table_name(each) in self._paths["headroom"]]
        return next(iter(taken), None) or (sku.headroom if sku else None) or switch.headroom

    def _entry(self, kind: Kind, model: type[M], name: str) -> M:
        if (kind, name) not in self._read:
            if name not in self._paths[kind]:
                raise self._unknown(kind, name)
            self._read[kind, name] = read_entry(self._paths[kind][name], model)
        return cast(M, self._read[kind, name])

    def _unknown(self, kind: Kind, name: str) -> UnknownNameError:
        return UnknownNameError(kind, name, self.nearest(kind, name), self.names(kind))


def load_catalog(extra: Path | None = None) -> Catalog:
    """The shipped catalog, with the user's files of `extra` added to it or replacing it by name.

    Raises UsageError where `extra` is no folder. A broken file is reported when it is asked for.
    """
    if extra is None:
        return _shipped()
    if not extra.is_dir():
        raise UsageError(f"{extra}: no such folder of catalog files")
    return Catalog(catalog_data(), extra)


def catalog_beside(fabric: Path) -> Catalog:
    """The shipped catalog with the files of the folder `catalog` beside a fabric file."""
    own = fabric.parent / "catalog"
    return load_catalog(own if own.is_dir() else None)


@cache
def _shipped() -> Catalog:
    return Catalog(catalog_data())
