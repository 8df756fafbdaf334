"""What a trace shows from one look at a switch to the next, and which of it proves nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from nettool.fleet.telemetry.choices import GAP
from nettool.fleet.telemetry.recorded import COUNTED, PEAKS, Recorded, Sample
from nettool.fleet.verify.verdict import compare

Counts = Mapping[str, Mapping[str, int]]
"""By kind, then by place."""


@dataclass(frozen=True, slots=True)
class Lossless:
    """The lossless ports of one switch, and which indexes of theirs are lossless, as planned."""

    ports: frozenset[str]
    queues: frozenset[int]
    groups: frozenset[int]
    priorities: frozenset[int]

    def has(self, kind: str, place: str) -> bool:
        """Whether a place of a kind of counter must lose nothing."""
        port, _, index = place.partition("|")
        own = (
            self.priorities
            if kind.startswith("pfc_")
            else self.groups
            if kind.startswith(("pg_", "headroom_"))
            else self.queues
        )
        return port in self.ports and index.isdigit() and int(index) in own


@dataclass(frozen=True, slots=True)
class Interval:
    """One switch between two looks, lossless places alone.

    `grown` is by how much counters went up, `peaks` the highest fill in bytes. `doubt` is why
    nothing is concluded from it, empty where something is.
    """

    device: str
    start: datetime
    end: datetime
    grown: Counts
    peaks: Counts
    doubt: str = ""

    @property
    def seconds(self) -> float:
        """How long it is."""
        return (self.end - self.start).total_seconds()

    def total(self, kind: str) -> int:
        """The growth of a kind in all places."""
        return sum(self.grown.get(kind, {}).values())


@dataclass(frozen=True, slots=True)
class Loss:
    """Packets lost in a place that must lose nothing; `start` is None before the trace."""

    device: str
    kind: str
    place: str
    packets: int
    start: datetime | None
    end: datetime


@dataclass(frozen=True, slots=True)
class Watched:
    """All intervals of a trace, and every loss, whatever else an interval is worth.

    `counted` says whether any lossless place is counted at all.
    """

    intervals: tuple[Interval, ...]
    losses: tuple[Loss, ...] = ()
    counted: bool = True

    @property
    def used(self) -> tuple[Interval, ...]:
        """Those from which something is concluded."""
        return tuple(each for each in self.intervals if not each.doubt)


def watch(trace: Recorded, lossless: Mapping[str, Lossless]) -> Watched:
    """The intervals of every switch that the plan has."""
    intervals: list[Interval] = []
    losses: list[Loss] = []
    counted = False
    for device, samples in trace.by_device.items():
        if device not in lossless:
            continue
        own = [_Look(each, lossless[device]) for each in samples]
        counted = counted or any(any(look.counts.values()) for look in own)
        must = {k: frozenset(p for look in own for p in look.counts.get(k, ())) for k in COUNTED}
        longest = _longest(samples)
        intervals += [_interval(a, b, must, longest) for a, b in pairwise(own)]
        losses += _losses(own)
    return Watched(tuple(intervals), tuple(losses), counted)


class _Look:
    """One sample with its lossless places alone."""

    def __init__(self, sample: Sample, lossless: Lossless) -> None:
        self.sample = sample
        self.counts: dict[str, dict[str, int]] = {
            kind: {place: n for place, n in row.items() if lossless.has(kind, place)}
            for kind, row in sample.counters.items()
            if kind in COUNTED or kind in PEAKS
        }


def _longest(samples: Sequence[Sample]) -> timedelta:
    """The longest time between two looks at a switch that leaves none out."""
    gaps = [(b.when - a.when).total_seconds() for a, b in pairwise(samples)]
    return timedelta(seconds=float(GAP) * median(gaps)) if gaps else timedelta(0)


def _interval(
    before: _Look, after: _Look, must: Mapping[str, frozenset[str]], longest: timedelta
) -> Interval:
    grown: dict[str, Mapping[str, int]] = {}
    doubts: list[str] = []
    for kind in COUNTED:
        verdict = compare(before.counts.get(kind, {}), after.counts.get(kind, {}), must=must[kind])
        grown[kind] = verdict.grown
        doubts += [f"{kind} of {place} {said}" for place, said in verdict.doubts.items()]
    start, end = before.sample.when, after.sample.when
    if doubts:
        said = doubts[0] + (f" (and {len(doubts) - 1} more)" if len(doubts) > 1 else "")
    elif _restarted(before.sample, after.sample):
        said = f"its services began again at {after.sample.started}"
    elif end - start > longest:
        said = f"looks are missing: {(end - start).total_seconds():g} s without one"
    else:
        said = ""
    peaks = {kind: after.counts.get(kind, {}) for kind in PEAKS}
    return Interval(after.sample.device, start, end, grown, peaks, said)


def _restarted(before: Sample, after: Sample) -> bool:
    return bool(before.started and after.started and before.started != after.started)


def _losses(looks: Iterable[_Look]) -> Iterator[Loss]:
    """A counter that begins again has counted what it shows since; the first look is from before.

    A place that is counted for the first time within the trace counts in the same way.
    """
    before: dict[tuple[str, str], int] = {}
    start: datetime | None = None
    for look in looks:
        for kind in ("pg_drop", "queue_drop"):
            for place, now in look.counts.get(kind, {}).items():
                old = before.get((kind, place), 0)
                lost = now - old if now >= old else now
                since = start if (kind, place) in before else None
                if lost:
                    yield Loss(look.sample.device, kind, place, lost, since, look.sample.when)
                before[kind, place] = now
        start = look.sample.when
