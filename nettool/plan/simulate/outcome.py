"""What became of one case: figures with units, each resting on the planned ones."""

from __future__ import annotations

from dataclasses import dataclass

from nettool.core.provenance import Figure, Provenance
from nettool.plan.qos.qos_plan import Profile
from nettool.plan.qos.trace import derived
from nettool.plan.simulate.reaction import PARAMETERS
from nettool.plan.simulate.run import Run
from nettool.plan.simulate.scenario import Scenario
from nettool.plan.simulate.setup import PS_PER_US, byte_time

_MODEL = "frame by frame: taken in as its first byte comes, paused as annex O counts"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run showed. A time is None where the thing never happened.

    `headroom` is the highest use of the group that came closest to its `xoff`, by `profile`;
    `goodput` the delivered part of the egress line rate since the first arrival (None where the
    port is stopped); `fairness` the least sender's part over the largest one's.
    """

    scenario: Scenario
    sent: Figure
    dropped: Figure
    queue_peak: Figure
    first_mark: Figure | None
    first_pause: Figure | None
    marks: Figure
    pauses: Figure
    headroom: Figure
    xoff: Figure
    profile: str
    goodput: Figure | None
    fairness: Figure
    duration: Figure
    is_cut: bool

    @property
    def headroom_share(self) -> float:
        """Highest use of headroom, as a part of xoff."""
        return float(self.headroom) / float(self.xoff) if self.xoff.value else 0.0

    @property
    def ecn_first(self) -> bool | None:
        """Whether marking began before a pause; None where neither did."""
        if self.first_mark is None:
            return None if self.first_pause is None else False
        return self.first_pause is None or float(self.first_mark) < float(self.first_pause)


def outcome_of(scenario: Scenario, run: Run) -> Outcome:
    """The figures of a run that is over."""
    setup, why = run.setup, _why(scenario, run)
    group, profile = _closest(scenario, run)
    return Outcome(
        scenario=scenario,
        sent=Figure(run.sent * setup.frame, "B", why),
        dropped=Figure(run.dropped * setup.frame, "B", why),
        queue_peak=Figure(run.queue_peak * setup.frame, "B", why),
        first_mark=_since(run, run.first_mark, why),
        first_pause=_since(run, run.first_pause, why),
        marks=Figure(run.marks, "frames", why),
        pauses=Figure(run.pauses, "pauses", why),
        headroom=Figure(group, "B", why),
        xoff=profile.xoff or Figure(0, "B", why),
        profile=profile.name,
        goodput=_goodput(run, why) if setup.drains else None,
        fairness=_fairness(run, why),
        duration=Figure(run.now / PS_PER_US, "us", why),
        is_cut=run.is_cut,
    )


def _why(scenario: Scenario, run: Run) -> Provenance:
    """One provenance for all figures of a run."""
    how = [each.as_input(name) for name, each in PARAMETERS.items()] if run.setup.reaction else []
    inputs = (scenario.senders.as_input("senders"), *scenario.planned, *how)
    return derived(f"simulated for {run.now / PS_PER_US:.1f} us", *inputs, source=_MODEL)


def _closest(scenario: Scenario, run: Run) -> tuple[int, Profile]:
    """The group that came closest to its headroom, and its profile; a full one if one lost."""
    pairs = zip(run.buffer.groups, scenario.profiles, strict=True)
    group, profile = max(pairs, key=lambda each: each[0].peak / max(1, each[0].feed.xoff))
    return group.peak, profile


def _since(run: Run, when: int, why: Provenance) -> Figure | None:
    """Time since the first frame arrived."""
    if when < 0:
        return None
    return Figure(round((when - run.first_arrival) / PS_PER_US, 3), "us", why)


def _goodput(run: Run, why: Provenance) -> Figure:
    could = (run.now - max(0, run.first_arrival)) / (run.setup.frame * byte_time(run.setup.speed))
    return Figure(round(min(1.0, run.delivered / could), 4) if could > 0 else 0.0, "", why)


def _fairness(run: Run, why: Provenance) -> Figure:
    parts = [each.delivered / run.setup.feeds[each.feed].speed for each in run.senders]
    return Figure(round(min(parts) / max(parts), 4) if max(parts) else 1.0, "", why)
