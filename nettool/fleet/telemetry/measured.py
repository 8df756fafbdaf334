"""What a trace measured, by kind of port: the queues that paused, marks, and the use of headroom.

A pause says which port was told to wait, not which queue made it wait: that is taken to be the one
of the switch that needs the longest to drain. Where its own port was told to wait, the cause is
further on, and the interval says nothing of the switch's thresholds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from nettool.fleet.telemetry.choices import LEAST_INTERVALS, LEAST_SECONDS
from nettool.fleet.telemetry.intervals import Interval, Lossless, Watched
from nettool.plan.qos.qos_plan import PortQos, QosPlan


@dataclass(frozen=True, slots=True)
class Sight:
    """Bytes that were seen in one place, and what the whole switch had: marks, and shared bytes.

    `shared` is of all groups, `group` the most that one which paused had; None where their
    watermarks were not recorded.
    """

    device: str
    place: str
    start: datetime
    end: datetime
    bytes: int
    marks: int = 0
    shared: int | None = None
    group: int | None = None

    @property
    def text(self) -> str:
        """Where and when."""
        return f"{self.device} {self.place} {self.start:%Y-%m-%dT%H:%M:%SZ}-{self.end:%H:%M:%SZ}"


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of all intervals that are used.

    `paused` is by speed the queues that paused others, the shortest first; `marked` those that
    marked; `headroom` by profile the highest use. `pauses` are intervals with a pause sent, of them
    `held_up` with one received at the longest queue, and `unseen` without the watermark of a queue.
    """

    intervals: int = 0
    seconds: float = 0.0
    paused: Mapping[int, tuple[Sight, ...]] = field(default_factory=dict)
    marked: Mapping[int, tuple[Sight, ...]] = field(default_factory=dict)
    headroom: Mapping[str, Sight] = field(default_factory=dict)
    pauses: int = 0
    held_up: int = 0
    unseen: int = 0
    ever_paused: bool = False

    @property
    def is_enough(self) -> bool:
        """Whether there is enough of it to conclude anything."""
        return self.intervals >= int(LEAST_INTERVALS) and self.seconds >= float(LEAST_SECONDS)


def lossless_of(qos: QosPlan) -> dict[str, Lossless]:
    """The lossless places of every planned switch."""
    own = [each for each in qos.classes if each.lossless]
    queues, groups = frozenset(c.queue for c in own), frozenset(c.pg for c in own)
    priorities = frozenset(qos.lossless_priorities)
    ports: dict[int, frozenset[str]] = {
        id(switch): frozenset(name for name, port in switch.ports.items() if port.lossless)
        for switch in qos.switches.values()
    }
    return {
        name: Lossless(ports[id(switch)], queues, groups, priorities)
        for name, switch in qos.switches.items()
    }


def measure(watched: Watched, qos: QosPlan) -> Measured:
    """The figures of the intervals that are used; that a pause was ever sent, of all."""
    intervals = watched.used
    pausing = [each for each in intervals if each.total("pfc_tx")]
    own = [
        (sight, _is_paused(each, sight.place))
        for each in pausing
        if (sight := _longest(each, qos)) is not None
    ]
    seconds: dict[str, float] = {}
    for each in intervals:
        seconds[each.device] = seconds.get(each.device, 0.0) + each.seconds
    return Measured(
        intervals=len(intervals),
        seconds=max(seconds.values(), default=0.0),
        paused=_by_speed(qos, (sight for sight, is_paused in own if not is_paused)),
        marked=_by_speed(qos, (s for each in intervals for s in _marking(each, qos))),
        headroom=_headroom(intervals, qos),
        pauses=len(pausing),
        held_up=sum(is_paused for _, is_paused in own),
        unseen=len(pausing) - len(own),
        ever_paused=any(each.total("pfc_tx") for each in watched.intervals),
    )


def port_of(qos: QosPlan, device: str, place: str) -> PortQos:
    """The planned port of a place."""
    return qos.switches[device].ports[place.partition("|")[0]]


def _longest(interval: Interval, qos: QosPlan) -> Sight | None:
    """The queue that needs the longest to drain; None where none was recorded."""
    queues = interval.peaks.get("queue_watermark", {})
    if not any(queues.values()):
        return None
    place = max(queues, key=lambda each: queues[each] / _speed(qos, interval.device, each))
    return _sight(interval, place, queues[place], interval.total("ecn_marked"))


def _is_paused(interval: Interval, place: str) -> bool:
    """Whether the port of a queue was told to wait."""
    port = place.partition("|")[0]
    return any(each.partition("|")[0] == port for each in interval.grown.get("pfc_rx", {}))


def _marking(interval: Interval, qos: QosPlan) -> Iterator[Sight]:
    """The queue of each speed that marked most."""
    most: dict[int, str] = {}
    marks = interval.grown.get("ecn_marked", {})
    for place, count in marks.items():
        speed = _speed(qos, interval.device, place)
        if speed not in most or count > marks[most[speed]]:
            most[speed] = place
    queues = interval.peaks.get("queue_watermark", {})
    for place in most.values():
        yield _sight(interval, place, queues.get(place, 0), marks[place])


def _sight(interval: Interval, place: str, size: int, marks: int) -> Sight:
    groups = interval.peaks.get("pg_watermark", {})
    shared = sum(groups.values()) if groups else None
    paused = [groups[each] for each in interval.grown.get("pfc_tx", {}) if each in groups]
    group = max(paused, default=None)
    return Sight(interval.device, place, interval.start, interval.end, size, marks, shared, group)


def _by_speed(qos: QosPlan, seen: Iterable[Sight]) -> dict[int, tuple[Sight, ...]]:
    found: dict[int, list[Sight]] = {}
    for sight in seen:
        found.setdefault(_speed(qos, sight.device, sight.place), []).append(sight)
    return {
        speed: tuple(sorted(own, key=lambda each: (each.bytes, each.start, each.device)))
        for speed, own in sorted(found.items())
    }


def _headroom(intervals: Iterable[Interval], qos: QosPlan) -> dict[str, Sight]:
    highest: dict[str, Sight] = {}
    for interval in intervals:
        for place, size in interval.peaks.get("headroom_watermark", {}).items():
            profile = port_of(qos, interval.device, place).lossless_profile
            if size and (profile not in highest or size > highest[profile].bytes):
                highest[profile] = _sight(interval, place, size, 0)
    return dict(sorted(highest.items()))


def _speed(qos: QosPlan, device: str, place: str) -> int:
    return port_of(qos, device, place).speed
