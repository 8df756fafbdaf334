"""Several configurations as one fabric: devices, links between them, addresses, sessions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from nettool.config.validate.declared import DeclaredEnd, DeclaredLink, Links
from nettool.config.validate.tables import Config, Row


@dataclass(frozen=True, slots=True)
class LinkEnd:
    """One end of a link with its configuration; `row` is its PORT row, None where unknown."""

    end: DeclaredEnd
    config: Config | None
    row: Row | None


@dataclass(frozen=True)
class FabricConfigs:
    """All devices with a file, and the links between them.

    `declared` is what the user gave. Where nothing was given, links are taken from
    DEVICE_NEIGHBOR, and `inferred` is true.
    """

    devices: Mapping[str, Config]
    declared: Links
    inferred: bool = False
    notes: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, configs: Sequence[Config], links: Links) -> FabricConfigs:
        """The fabric of these configurations."""
        devices = {each.device: each for each in configs}
        if links.links:
            return cls(devices, links)
        found = tuple(_from_neighbors(devices))
        return cls(devices, Links(found, links.tiers, links.file), inferred=True)

    @cached_property
    def ends(self) -> tuple[tuple[DeclaredLink, LinkEnd, LinkEnd], ...]:
        """Every link with the configuration of both ends, where there is one."""
        return tuple((each, self._end(each.a), self._end(each.b)) for each in self.declared.links)

    @property
    def inside(self) -> Iterator[tuple[LinkEnd, LinkEnd]]:
        """Links whose both ends are ports of devices with a file."""
        return ((a, b) for _, a, b in self.ends if a.row is not None and b.row is not None)

    def _end(self, end: DeclaredEnd) -> LinkEnd:
        config = self.devices.get(end.device)
        row = config.rows("PORT").get(end.port) if config else None
        return LinkEnd(end, config, row)


def _from_neighbors(devices: Mapping[str, Config]) -> Iterator[DeclaredLink]:
    seen: set[frozenset[tuple[str, str]]] = set()
    for config in devices.values():
        for key, row in config.rows("DEVICE_NEIGHBOR").items():
            here = (config.device, str(row.get("local_port", key)))
            there = (str(row.get("name", "")), str(row.get("port", "")))
            pair = frozenset({here, there})
            if there[0] in devices and there[1] and len(pair) == 2 and pair not in seen:
                seen.add(pair)
                yield DeclaredLink(DeclaredEnd(*here), DeclaredEnd(*there))
