"""Thresholds suggested from counters, as far as the lossless proof goes, and what they do.

No I/O.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nettool.core.finding import Report
from nettool.core.provenance import Figure
from nettool.fleet.telemetry.intervals import Watched, watch
from nettool.fleet.telemetry.measured import Measured, lossless_of, measure
from nettool.fleet.telemetry.moved import Moved, moved_by
from nettool.fleet.telemetry.recorded import Recorded
from nettool.fleet.telemetry.simulated import Shift, shifts
from nettool.fleet.telemetry.tuning_findings import trace_findings
from nettool.fleet.telemetry.tuning_search import Ground, Search, Suggestion
from nettool.plan.qos.plan import plan_qos
from nettool.plan.qos.qos_plan import QosPlan
from nettool.plan.qos.settings import Setting, Values, overridden


@dataclass(frozen=True, slots=True)
class Tuning:
    """All suggestions, with what they do to the proof and in the simulation.

    `kept` are figures that would follow a suggested one and are held where they are.
    """

    suggestions: tuple[Suggestion, ...]
    kept: Mapping[Setting, Figure]
    moved: tuple[Moved, ...]
    shifts: tuple[Shift, ...]
    measured: Measured
    watched: Watched

    @property
    def values(self) -> dict[Setting, int]:
        """What the overrides file has to say."""
        changed = {each.setting: int(each.suggested) for each in self.suggestions}
        return dict(sorted({**changed, **{s: int(f) for s, f in self.kept.items()}}.items()))


def tune(ground: Ground, trace: Recorded) -> tuple[Tuning, Report]:
    """Suggestions of a trace, and what the trace itself has to be told of."""
    qos = ground.qos
    watched = watch(trace, lossless_of(qos))
    measured = measure(watched, qos)
    search = Search(ground, measured, trace.file)
    if measured.is_enough:
        search.settle()
    suggestions = tuple(search.suggestions())
    report = Report.of(
        (*trace_findings(trace, watched, measured, qos), *search.findings),
        suggestions=len(suggestions),
        intervals=len(watched.intervals),
        used=len(watched.used),
    )
    if not suggestions:
        return Tuning((), {}, (), (), measured, watched), report
    kept = search.kept()
    values = {**search.changed, **{s: int(f) for s, f in kept.items()}}
    moved = tuple(moved_by(values, search.trials))
    changed = shifts(ground.intent, ground.fabric, ground.matrix, qos, _planned(ground, values))
    return Tuning(suggestions, kept, moved, changed, measured, watched), report


def _planned(ground: Ground, values: Values) -> QosPlan:
    overrides = overridden(ground.own, values)
    plan, _ = plan_qos(ground.intent, ground.fabric, ground.matrix, ground.catalog, overrides)
    return plan
