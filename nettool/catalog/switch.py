"""A switch model: cages, SKUs, chips, and the port layout that a breakout makes of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from pydantic import Field, PrivateAttr

from nettool.catalog.cage import (
    Cage,
    CageKind,
    Evidence,
    ModeChoice,
    choose_mode,
    format_numbers,
    parse_numbers,
)
from nettool.catalog.entry import Entry
from nettool.catalog.fact import Fact
from nettool.catalog.link import LinkEnd, slot_end
from nettool.catalog.ports import PortLayout, PortSlot
from nettool.core.breakout import Child, fec_for
from nettool.core.errors import UsageError
from nettool.core.provenance import weakest


class AsicVariant(Evidence):
    """A chip that this model is built with, and the names that say so."""

    asic: str = Field(description="name of the chip in the catalog")
    names: tuple[str, ...] = Field(default=(), description="model names that fix this chip")
    codes: tuple[str, ...] = Field(default=(), description="the platform code's names for it")
    latency: Fact | None = Field(default=None, description="cut-through latency, ns")


class Sku(Evidence):
    """A HwSKU: one breakout of the whole switch. Cages it does not name have no port."""

    name: str
    modes: dict[str, str] = Field(description="cages (1-32) to their mode")
    fec: dict[str, str] = Field(default={}, description="cages to the FEC set instead of SONiC's")
    headroom: str | None = Field(default=None, description="headroom table, where its own")

    @cached_property
    def mode_of(self) -> dict[int, str]:
        """Mode by cage number."""
        return dict(_spread(self.modes))

    @cached_property
    def fec_of(self) -> dict[int, str]:
        """FEC by cage number, where it is set."""
        return dict(_spread(self.fec))


class SwitchModel(Entry):
    """One switch model. What is not known is None, never a guess."""

    vendor: str
    about: str = ""
    platform: str = Field(description="the platform string of SONiC")
    asics: tuple[AsicVariant, ...] = Field(min_length=1, description="chips it is built with")
    default_asic: str | None = Field(
        default=None, description="the chip that the bare name means; None where it must be given"
    )
    kinds: dict[str, CageKind] = Field(description="kinds of cages and their modes")
    cages: tuple[Cage, ...] = Field(min_length=1, description="data cages in panel order")
    extras: tuple[Cage, ...] = Field(default=(), description="SFP+ and service ports")
    names: Evidence = Field(description="where port names and labels were read")
    lanes: Evidence = Field(description="where lanes, index and alias were read")
    skus: tuple[Sku, ...] = Field(min_length=1, description="the first is the default")
    capacity: Fact | None = None
    buffer: Fact | None = Field(default=None, description="packet buffer, B, where stated for it")
    latency: Fact | None = Field(default=None, description="cut-through latency, ns")
    ptp_class: Fact | None = Field(default=None, description="clock class A to D of G.8273.2")
    synce: Fact | None = Field(default=None, description="whether SyncE works")
    headroom: str | None = Field(default=None, description="headroom table, where not the chip's")
    note: str = ""

    _layouts: dict[Any, PortLayout] = PrivateAttr(default_factory=dict)
    _asked: dict[Any, PortLayout] = PrivateAttr(default_factory=dict)

    @cached_property
    def cage_by_number(self) -> dict[int, Cage]:
        """Cages and extra ports by number."""
        return {each.cage: each for each in (*self.cages, *self.extras)}

    @cached_property
    def sku_by_name(self) -> dict[str, Sku]:
        """SKUs by name."""
        return {each.name: each for each in self.skus}

    def variant(self, asic: str | None = None) -> AsicVariant:
        """The build with this chip, or the only or default one. Raises UsageError if not clear."""
        wanted = asic or self.default_asic
        fitting = [each for each in self.asics if wanted in (None, each.asic, *each.names)]
        if len(fitting) == 1:
            return fitting[0]
        known = ", ".join(each.asic for each in self.asics)
        if wanted is None:
            raise UsageError(f"{self.name} is built with several chips: give one of {known}")
        raise UsageError(f"{self.name} is not built with {wanted}: give one of {known}")

    def latency_of(self, asic: str | None = None) -> Fact | None:
        """Cut-through latency of the build with this chip, or of the model."""
        return self.variant(asic).latency or self.latency

    def sku(self, name: str | None = None) -> Sku:
        """The SKU of this name, or the default one. Raises UsageError for an unknown name."""
        if name is None:
            return self.skus[0]
        if name not in self.sku_by_name:
            known = ", ".join(self.sku_by_name)
            raise UsageError(f"{self.name} has no SKU {name!r}: known are {known}")
        return self.sku_by_name[name]

    def with_skus(self, skus: tuple[Sku, ...]) -> SwitchModel:
        """The same switch with other SKUs."""
        return SwitchModel.model_validate({**self.model_dump(), "skus": skus})

    def choose(self, cage: int, wanted: str) -> ModeChoice:
        """The mode of a cage that `wanted` asks for. Raises ValueError where it allows none."""
        if cage not in self.cage_by_number:
            raise ValueError(f"{self.name} has no cage {cage}")
        place = self.cage_by_number[cage]
        kind = self.kinds[place.kind]
        choice = choose_mode(kind.modes, len(place.lanes), wanted)
        if choice is None:
            allowed = ", ".join(kind.modes)
            raise ValueError(
                f"{self.name} cage {cage} ({place.label}) does not allow {wanted}: "
                f"allowed are {allowed}"
            )
        return choice

    def end(self, slot: PortSlot) -> LinkEnd:
        """A port as one end of a link."""
        return slot_end(slot, self.kinds[self.cage_by_number[slot.cage].kind].form_factor)

    def modes_for(self, cage: int, speed: int, lanes: int | None = None) -> tuple[str, ...]:
        """Modes of a cage, to give to `layout`, whose ports all run at `speed` on `lanes` lanes."""
        place = self.cage_by_number[cage]
        found: list[str] = []
        for text in self.kinds[place.kind].modes:
            choice = self.choose(cage, text)
            terms = choice.mode.terms
            width = (terms[0].lanes or len(place.lanes)) // terms[0].count
            if len(terms) == 1 and speed in terms[0].speeds and lanes in (None, width):
                given = f"({terms[0].lanes})" if terms[0].lanes else ""
                rated = f"{terms[0].count}x{speed // 1000}G{given}"
                found.append(text if terms[0].speed == speed else rated)
        return tuple(found)

    def layout(self, sku: str | None = None, modes: Mapping[int, str] | None = None) -> PortLayout:
        """The ports in the breakout of a SKU (default: the first), cages in `modes` changed.

        Equal breakouts give the same object. Raises UsageError for an unknown SKU, ValueError
        for a cage or mode that does not exist.
        """
        asked = (sku, tuple(sorted(modes.items())) if modes else ())
        if asked not in self._asked:
            self._asked[asked] = self._layout(self.sku(sku), modes or {})
        return self._asked[asked]

    def sku_for(self, modes: Mapping[int, str]) -> Sku:
        """The SKU whose breakout is exactly `modes` (other cages as in the default SKU).

        Where there is none, the one with most of these cages broken out alike, whatever the speed
        of their ports: its other cages then need no change.
        """
        wanted = _breakout(self.layout(modes=modes))
        exact = next((s for s in self.skus if _breakout(self.layout(s.name)) == wanted), None)
        return exact or max(self.skus, key=lambda each: self._alike(each, modes))

    def _alike(self, sku: Sku, modes: Mapping[int, str]) -> int:
        """How many cages of `modes` have the SKU's own breakout, by number of ports and lanes."""
        own = {cage: sku.mode_of[cage] for cage in modes if cage in sku.mode_of}
        return sum(self._split(cage, own[cage]) == self._split(cage, modes[cage]) for cage in own)

    def _split(self, cage: int, wanted: str) -> tuple[tuple[int, int], ...]:
        """Ports, and lanes for them, of each term of a mode."""
        lanes = len(self.cage_by_number[cage].lanes)
        return tuple((t.count, t.lanes or lanes) for t in self.choose(cage, wanted).mode.terms)

    def _layout(self, chosen: Sku, modes: Mapping[int, str]) -> PortLayout:
        wanted = {**chosen.mode_of, **modes}
        unknown = wanted.keys() - self.cage_by_number.keys()
        if unknown:
            raise ValueError(f"{self.name} has no cage {min(unknown)}")
        picked = tuple(
            (number, choice, self._set_fec(chosen, number, choice))
            for number in self.cage_by_number
            if number in wanted
            for choice in [self.choose(number, wanted[number])]
        )
        identity = tuple((number, each.text, each.speed, fec) for number, each, fec in picked)
        if identity not in self._layouts:
            self._layouts[identity] = self._laid_out(picked)
        return self._layouts[identity]

    def _set_fec(self, sku: Sku, cage: int, choice: ModeChoice) -> str | None:
        """The FEC that the SKU sets, as long as the cage is in the SKU's own mode."""
        fec = sku.fec_of.get(cage)
        return fec if fec and choice == self.choose(cage, sku.mode_of[cage]) else None

    def _laid_out(self, picked: tuple[tuple[int, ModeChoice, str | None], ...]) -> PortLayout:
        extra = {each.cage for each in self.extras}
        slots: list[PortSlot] = []
        extras: list[PortSlot] = []
        for number, choice, fec in picked:
            into = extras if number in extra else slots
            into.extend(self._slots(self.cage_by_number[number], choice, fec))
        digest = hashlib.sha256(repr((self.name, slots, extras)).encode()).hexdigest()[:12]
        return PortLayout(f"{self.name}:{_summary(picked)}:{digest}", tuple(slots), tuple(extras))

    def _slots(self, cage: Cage, choice: ModeChoice, fec: str | None) -> Iterator[PortSlot]:
        kind = self.kinds[cage.kind]
        trust = weakest(self.lanes.trust, kind.trust)
        for child in cage.children(choice):
            speed = choice.speed or child.speed
            yield PortSlot(
                name=child.name,
                cage=cage.cage,
                label=cage.label,
                parent=cage.port,
                mode=choice.text,
                subport=child.subport,
                lanes=child.lanes,
                alias=child.alias,
                index=child.index,
                speed=speed,
                fec=fec or _fec(kind, choice, child, speed),
                lane_trust=trust,
            )


def _breakout(layout: PortLayout) -> list[tuple[str, str, int]]:
    return [(each.name, each.mode, each.speed) for each in (*layout.slots, *layout.extras)]


def _fec(kind: CageKind, choice: ModeChoice, child: Child, speed: int) -> str:
    if speed != child.speed:
        return fec_for(speed // len(child.lanes))
    return kind.fec.get(choice.text, child.fec)


def _spread(by_range: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    for numbers, value in by_range.items():
        for number in parse_numbers(numbers):
            yield number, value


def _summary(picked: tuple[tuple[int, ModeChoice, str | None], ...]) -> str:
    by_mode: dict[str, list[int]] = {}
    for number, choice, _ in picked:
        speed = f"@{choice.speed}" if choice.speed else ""
        by_mode.setdefault(choice.text + speed, []).append(number)
    return "+".join(f"{format_numbers(each)}={mode}" for mode, each in by_mode.items())
