"""Recorded traces for tests, and the plan of a small shipped fabric to tune."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from nettool.core.source import SourceMap
from nettool.fleet.telemetry.intervals import watch
from nettool.fleet.telemetry.measured import lossless_of, measure
from nettool.fleet.telemetry.recorded import Recorded, read_trace
from nettool.fleet.telemetry.tuning_search import Ground, Search
from nettool.intent.load import find_fabric
from nettool.pipeline import plan_fabric
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.plan import plan_qos
from nettool.plan.qos.settings import overridden

START = datetime(2026, 3, 1, 10, tzinfo=UTC)
QUEUE, GROUP = "Ethernet0|3", "Ethernet8|3"
PROFILE = "pg_lossless_400000_5m_profile"
QUIET = {
    "ecn_marked": {QUEUE: 0},
    "pfc_tx": {GROUP: 0},
    "pfc_rx": {QUEUE: 0},
    "queue_drop": {QUEUE: 0},
    "pg_drop": {GROUP: 0},
    "queue_watermark": {QUEUE: 0},
    "pg_watermark": {GROUP: 0},
    "headroom_watermark": {GROUP: 0},
}
"""One look at a switch on which nothing ever happened."""


def look(number: int, device: str = "leaf01", started: str = "", **counts: int | None) -> dict:
    """The look of a number, 30 s after the one before; None leaves a kind out."""
    counters = {
        kind: {place: counts.get(kind, n) for place, n in row.items()}
        for kind, row in QUIET.items()
        if counts.get(kind, 0) is not None
    }
    time = (START + timedelta(seconds=30 * number)).isoformat()
    return {"time": time, "device": device, "started": started, "counters": counters}


def steady(intervals: int = 6, device: str = "leaf01", **each: int) -> list[dict]:
    """Looks between which counters grow by `each`, and watermarks stand at it."""
    return [
        look(
            n,
            device,
            **{k: by if k.endswith("watermark") else by * n for k, by in each.items()},
        )
        for n in range(intervals + 1)
    ]


def trace(*looks: dict) -> Recorded:
    """The trace of looks."""
    return read_trace({"samples": list(looks)}, SourceMap("trace.yaml"))


@cache
def ground(fabric: str = "rail-only-128") -> Ground:
    """A shipped fabric, planned."""
    plan = plan_fabric(Path(find_fabric(fabric)))
    return Ground(plan.intent, plan.fabric, plan.matrix, plan.catalog, plan.qos)


def planned(on: Ground, values: dict) -> Ground:
    """The fabric planned with these figures on top of its own."""
    own = overridden(on.own or Overrides(), values)
    qos, report = plan_qos(on.intent, on.fabric, on.matrix, on.catalog, own)
    assert not report.has_errors
    return replace(on, qos=qos, own=own)


def settled(on: Ground, recorded: Recorded) -> Search:
    """The search of a trace, once nothing moves any more."""
    watched = watch(recorded, lossless_of(on.qos))
    search = Search(on, measure(watched, on.qos), recorded.file)
    search.settle()
    return search


def suggested(search: Search) -> dict[str, int]:
    """What is suggested, by the name of its setting."""
    return {str(setting): value for setting, value in search.changed.items()}
