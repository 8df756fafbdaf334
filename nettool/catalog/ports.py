"""Ports as SONiC names them: slots of a cage in a breakout mode.

A `PortSlot` is the static half of a port, equal on every switch of one model and SKU, so a
fabric of thousands shares one `PortLayout`.
"""

from __future__ import annotations

from dataclasses import dataclass

from nettool.core.provenance import Trust
from nettool.core.quick import lazy


@dataclass(frozen=True, slots=True)
class PortSlot:
    """One logical port: a slice of a cage's lanes.

    `speed` in Mb/s; `subport` 0 for a whole cage, 1..n for children; `parent` is the name of
    the cage's first port (the key of BREAKOUT_CFG); `lane_trust` is `assumed` where no public
    lane map exists (the push then takes lanes, index and alias from the switch).
    """

    name: str
    cage: int
    label: str
    parent: str
    mode: str
    subport: int
    lanes: tuple[int, ...]
    alias: str
    index: int
    speed: int
    fec: str
    lane_trust: Trust

    @property
    def lane_rate(self) -> int:
        """Mb/s of one lane."""
        return self.speed // len(self.lanes)


@dataclass(frozen=True)
class PortLayout:
    """All ports of a switch in one breakout: data slots in panel order, then extra ports.

    `key` names it for caches: model, SKU and modes. `extras` are SFP+ and service ports, which
    are written admin down.
    """

    key: str
    slots: tuple[PortSlot, ...]
    extras: tuple[PortSlot, ...] = ()

    @lazy
    def by_name(self) -> dict[str, PortSlot]:
        """Slots and extras by port name."""
        return {each.name: each for each in (*self.slots, *self.extras)}

    @lazy
    def lane_trusts(self) -> tuple[Trust, ...]:
        """How far the lanes can be believed, each trust once."""
        return tuple(dict.fromkeys(each.lane_trust for each in self.slots))

    @lazy
    def modes(self) -> dict[str, str]:
        """Parent port to breakout mode, in panel order."""
        return {each.parent: each.mode for each in (*self.slots, *self.extras)}
