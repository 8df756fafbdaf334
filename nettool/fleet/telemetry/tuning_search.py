"""The search for thresholds: rules are asked one after the other until none asks for more.

Each rule sees what was granted before it, and every step is tried on the proof first. A figure
only ever moves one way, so this ends; and what comes out, planned and held against the same trace,
asks for nothing further.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from nettool.catalog.catalog import Catalog
from nettool.core.finding import Finding
from nettool.core.provenance import Figure
from nettool.core.units import format_speed, parse_speed
from nettool.fleet.telemetry.bounds import Bounds, bounds_of, group_of, step_of
from nettool.fleet.telemetry.measured import Measured
from nettool.fleet.telemetry.moved import Moved, moved_by
from nettool.fleet.telemetry.tuning_findings import differing, stopped
from nettool.fleet.telemetry.tuning_rule import RULES, View, Wish, published
from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.placement.matrix import TrafficMatrix
from nettool.plan.qos.ecn import base_rtt
from nettool.plan.qos.limits import Limit, Trials
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.plan import tasks_of
from nettool.plan.qos.qos_plan import QosPlan
from nettool.plan.qos.settings import MARKING, POWER, XOFF, Setting, joined, planned_settings
from nettool.plan.qos.trace import assumed


@dataclass(frozen=True, slots=True)
class Ground:
    """The plan that is tuned, with what it was made from."""

    intent: FabricIntent
    fabric: Fabric
    matrix: TrafficMatrix
    catalog: Catalog
    qos: QosPlan
    own: Overrides = field(default_factory=Overrides)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One figure to change, for all ports of a kind, with its reason and its limits.

    `moved` are the claims of the proof that it moves, were it the only one.
    """

    setting: Setting
    rule: str
    ports: int
    devices: tuple[str, ...]
    present: Figure
    suggested: Figure
    wish: Wish
    bounds: Bounds
    moved: tuple[Moved, ...] = ()


class Search:
    """Asks the rules until nothing moves."""

    def __init__(self, ground: Ground, measured: Measured, file: str) -> None:
        self.ground, self.measured, self.file = ground, measured, file
        qos = ground.qos
        priorities = qos.lossless_priorities
        own = (ground.intent, ground.fabric, ground.matrix, ground.catalog, ground.own)
        self.trials = Trials(tasks_of(*own, priorities), ground.own)
        self.found = planned_settings(self.trials.planned)
        self.joined = joined(self.trials.planned)
        self.values = {s: int(f[0]) for s, f in self.found.items() if len(f) == 1}
        self.start = dict(self.values)
        self.granted: dict[Setting, tuple[str, Wish]] = {}
        self.stops: dict[Setting, tuple[Wish, Limit]] = {}
        incast = max(ground.matrix.incast.values(), key=float, default=assumed(1, "", "no job"))
        rtt = base_rtt(ground.intent.qos.ecn)
        speeds = sorted({int(parse_speed(s.name)) for s in self.found if s.section == "ecn"})
        self.published = {each: published(each, rtt, incast) for each in speeds}
        self.step = step_of(self.trials.planned)

    @property
    def changed(self) -> dict[Setting, int]:
        """The figures that moved."""
        return {s: v for s, v in self.values.items() if v != self.start[s]}

    @property
    def findings(self) -> Iterator[Finding]:
        """Where the trace asks for more than the limits give."""
        for setting in sorted(self.stops):
            yield stopped(setting, self.values[setting], *self.stops[setting], self.file)
        measured = self.measured
        told = {format_speed(each) for each in (*measured.paused, *measured.marked)}
        for setting, figures in self.found.items():
            if len(figures) > 1 and setting.name in {*told, *measured.headroom}:
                yield differing(setting, figures, self.file)

    def settle(self) -> None:
        """Ask until no rule asks for more."""
        while self._round():
            pass

    def suggestions(self) -> Iterator[Suggestion]:
        """Each figure that moved, with the limits around where it is now."""
        for setting, value in sorted(self.changed.items()):
            rule, wish = self.granted[setting]
            devices, ports = self._where(setting)
            yield Suggestion(
                setting,
                rule,
                ports,
                devices,
                self.found[setting][0],
                Figure(value, setting.unit, wish.target.why),
                wish,
                self._bounds(setting),
                tuple(moved_by(self._alone(setting), self.trials)),
            )

    def kept(self) -> dict[Setting, Figure]:
        """Figures that would follow the changed ones, and are held for every claim to hold."""
        held: dict[Setting, Figure] = {}
        while True:
            values = {**self.changed, **{s: int(f) for s, f in held.items()}}
            after = planned_settings(e.switch for e in self.trials.of(values) if e.switch)
            strayed = {
                s for s, v in self.values.items() if {float(f) for f in after.get(s, ())} != {v}
            } - values.keys()  # fmt: skip
            if not strayed:
                return held
            held |= {each: self.found[each][0] for each in strayed}

    def _round(self) -> bool:
        """Ask each rule once; True where a figure moved."""
        before = dict(self.values)
        for name in RULES:
            view = View(
                self.measured, dict(self.values), self.ground.qos, self.published, self.file,
                self.step,
            )  # fmt: skip
            for wish in RULES[name](view):
                if self._is_one(wish.setting):
                    self._grant(name, wish)
        return self.values != before

    def _is_one(self, setting: Setting) -> bool:
        """Whether all kinds of switches have one value, of a threshold also its fellows."""
        fellows = MARKING if setting.section == "ecn" else (setting.key,)
        return all(replace(setting, key=each) in self.values for each in fellows)

    def _grant(self, name: str, wish: Wish) -> None:
        """Move a figure towards what is asked for, as far as the limits go."""
        setting, bounds = wish.setting, self._bounds(wish.setting)
        value, target = self.values[setting], int(wish.target)
        if wish.raises:
            target = max(target, int(bounds.lower.value))
            new = max(value, min(target, int(bounds.upper.value)))
        else:
            new = min(value, max(target, int(bounds.lower.value)))
        self.stops.pop(setting, None)
        if (new < target) if wish.raises else (new > target):
            self.stops[setting] = (wish, bounds.upper if wish.raises else bounds.lower)
        moved = self._with(setting, new)
        if blocked := self.trials.broken(moved):
            self.stops[setting] = (wish, Limit(self.found[setting][0], blocked.text))
        elif new != value:
            self.values = moved
            for each in group_of(setting, self.joined):
                if each in self.values:
                    self.granted.setdefault(each, (name, wish))

    def _with(self, setting: Setting, value: int) -> dict[Setting, int]:
        together = [each for each in group_of(setting, self.joined) if each in self.values]
        return {**self.values, **dict.fromkeys(together, value)}

    def _alone(self, setting: Setting) -> dict[Setting, int]:
        """The figures as they were, but for one, and those that go with it."""
        own = {each: self.values[each] for each in group_of(setting, self.joined)
               if each in self.values}  # fmt: skip
        return {**self.start, **own}

    def _bounds(self, setting: Setting) -> Bounds:
        return bounds_of(
            setting, self.values, self.trials, self.published, self.joined, step=self.step
        )

    def _where(self, setting: Setting) -> tuple[tuple[str, ...], int]:
        """The switches that have it, and how many of their ports."""
        devices, ports = [], 0
        for name, switch in self.ground.qos.switches.items():
            own = sum(_has(setting, p.lossless_profile, p.speed) for p in switch.ports.values())
            if own:
                devices.append(name)
                ports += own
        return tuple(devices), ports


def _has(setting: Setting, profile: str, speed: int) -> bool:
    if setting.key in (XOFF, POWER):
        return setting.name == profile
    return bool(profile) and int(parse_speed(setting.name)) == speed
