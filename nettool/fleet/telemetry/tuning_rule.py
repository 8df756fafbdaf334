"""A rule of tuning: from what a trace measured to figures that it asks for. One file a rule.

A rule gives a target that follows from the trace and from published figures, never from the value
as it is: what was followed asks for nothing more when the same trace is read again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median_low

from nettool.core.provenance import Figure, Input
from nettool.core.registry import Registry
from nettool.fleet.telemetry.measured import Measured, Sight
from nettool.plan.qos.preset import PRESETS, EcnQuery, Marking
from nettool.plan.qos.qos_plan import QosPlan
from nettool.plan.qos.settings import Setting, Values, marking_of
from nettool.plan.qos.trace import derived, given

_OWN_RULE = "derived"


@dataclass(frozen=True, slots=True)
class Published:
    """What is published of the marking of one speed: every preset but the derived one, and that.

    `least` is what keeps the link busy for one round trip: the derived Kmin.
    """

    least: Figure
    presets: Mapping[str, Marking]

    @property
    def ratio(self) -> Figure:
        """The least Kmax over Kmin."""
        inputs = [
            Input(name, round(float(each.kmax) / float(each.kmin), 3), "", why=each.kmax.why)
            for name, each in self.presets.items()
        ]
        value = min(float(each.value) for each in inputs)
        return Figure(value, "", derived("least published Kmax over Kmin", *inputs))

    @property
    def pmax(self) -> Figure:
        """The middle of the Pmax."""
        inputs = [each.pmax.as_input(name) for name, each in self.presets.items()]
        value = median_low(int(each.value) for each in inputs)
        return Figure(value, "%", derived("middle of the published Pmax", *inputs))

    @property
    def pmax_ends(self) -> tuple[Figure, Figure]:
        """The least and the largest Pmax."""
        order = sorted((each.pmax for each in self.presets.values()), key=float)
        return order[0], order[-1]


def published(speed: int, rtt: Figure, incast: Figure) -> Published:
    """What is published of a speed in Mb/s, for a base round trip in us."""
    query = EcnQuery(speed, rtt, incast)
    found = {name: PRESETS[name](query) for name in PRESETS}
    least = found.pop(_OWN_RULE).kmin
    return Published(least, found)


@dataclass(frozen=True, slots=True)
class View:
    """What a rule looks at: what was measured, and the figures as they are by now."""

    measured: Measured
    values: Values
    qos: QosPlan
    published: Mapping[int, Published]
    file: str
    cell: int

    def marking(self, speed: int, key: str) -> int:
        """An ECN threshold of a speed; 0 where kinds of switches differ in it."""
        return self.values.get(marking_of(speed, key), 0)

    def seen(self, name: str, sight: Sight) -> Input:
        """A measured value as the input of a formula."""
        figure = given(sight.bytes, "B", sight.device, sight.place, file=self.file)
        return Input(f"{name}, {sight.text}", sight.bytes, "B", why=figure.why)

    def down(self, size: float) -> int:
        """Bytes in whole cells, not more."""
        return math.floor(size / self.cell) * self.cell

    def up(self, size: float) -> int:
        """Bytes in whole cells, not less."""
        return math.ceil(size / self.cell) * self.cell


@dataclass(frozen=True, slots=True)
class Wish:
    """What a rule asks for: `target` before limits, in words why, and the sights that say so."""

    setting: Setting
    target: Figure
    raises: bool
    reason: str
    sights: tuple[Sight, ...]


Rule = Callable[[View], Iterator[Wish]]
RULES: Registry[Rule] = Registry("nettool.fleet.telemetry.tuning_rules")
