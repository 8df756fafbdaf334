"""The limits between which a figure may be suggested: the proof's, and those of published figures.

The proof is asked for how far a figure goes before a claim breaks. Where it has no claim on one
side, what is published bounds it: Kmin by what keeps a link busy, Kmax by its least ratio to Kmin,
Pmax by the least and the largest, headroom by what arrives after a pause.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from nettool.core.provenance import Figure, Input
from nettool.core.units import parse_speed
from nettool.fleet.telemetry.tuning_rule import Published
from nettool.plan.qos.limits import Limit, Trials
from nettool.plan.qos.proof import CAUTIOUS, IN_FLIGHT
from nettool.plan.qos.qos_plan import SwitchQos
from nettool.plan.qos.settings import POWER, XOFF, Setting, Values, marking_of, of_profile
from nettool.plan.qos.threshold import POWERS
from nettool.plan.qos.trace import derived

Joined = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lower and the upper limit.

    `certain` is the Kmax of the claim that real incast does not need: up to it marking is sure
    before a pause whatever sends.
    """

    lower: Limit
    upper: Limit
    certain: Limit | None = None


def step_of(switches: Iterable[SwitchQos]) -> int:
    """The largest cell of the chips: sizes go by whole ones."""
    return max((int(each.cell) for each in switches if each.cell), default=1)


def group_of(setting: Setting, joined: Joined) -> tuple[Setting, ...]:
    """The settings that move together, the given one first."""
    if setting.key != POWER:
        return (setting,)
    others = sorted(joined[setting.name] - {setting.name})
    return (setting, *(of_profile(each, POWER) for each in others))


def bounds_of(
    setting: Setting,
    values: Values,
    trials: Trials,
    known: Mapping[int, Published],
    joined: Joined,
    *,
    step: int,
) -> Bounds:
    """The limits of a setting, everything else as `values` have it."""
    if setting.key == "pmax":
        low, high = known[int(parse_speed(setting.name))].pmax_ends
        return _around(values[setting], _published(low), _published(high))
    moved = [each for each in group_of(setting, joined) if each in values]
    if setting.key == POWER:
        ends = (POWERS[0], POWERS[-1])
        lower, upper = (trials.limit(moved, values, end, 1) for end in ends)
        return Bounds(lower, upper)
    most = max((int(each.shared) for each in trials.planned if each.shared), default=0)
    upper = trials.limit(moved, values, max(most, values[setting]), step)
    if setting.key == XOFF:
        return Bounds(_in_flight(setting, trials), upper)
    lower, ratio = _of_marking(setting, values, known)
    if setting.key == "kmin" and float(ratio.value) < float(upper.value):
        upper = ratio
    around = _around(values[setting], lower, upper)
    return around if setting.key == "kmin" else replace(around, certain=_certain(setting, trials))


def _certain(setting: Setting, trials: Trials) -> Limit | None:
    """The least of all kinds of switches that have the speed."""
    speed = int(parse_speed(setting.name))
    rights = [
        proof.right
        for switch in trials.planned
        for proof in switch.proofs
        if proof.claim == CAUTIOUS and any(each.speed == speed for each in switch.wreds)
    ]
    least = min(rights, key=float, default=None)
    return Limit(least, CAUTIOUS) if least else None


def _around(value: int, lower: Limit, upper: Limit) -> Bounds:
    """The limits; a value that is beyond one already may stay, and not go further."""
    if value < float(lower.value):
        lower = _as_it_is(value, lower)
    if value > float(upper.value):
        upper = _as_it_is(value, upper)
    return Bounds(lower, upper)


def _as_it_is(value: int, limit: Limit) -> Limit:
    why = derived("as it is, which is beyond the limit", limit.value.as_input("limit"))
    return Limit(Figure(value, limit.value.unit, why), f"as it is, beyond {limit.why}")


def _published(figure: Figure) -> Limit:
    return Limit(figure, f"published: {figure.why.source or figure.why.formula}")


def _of_marking(
    setting: Setting, values: Values, known: Mapping[int, Published]
) -> tuple[Limit, Limit]:
    """The least that a threshold may be, and the most that Kmin may be below its Kmax."""
    speed = int(parse_speed(setting.name))
    own, ratio = known[speed], known[speed].ratio
    kmin, kmax = (values[marking_of(speed, each)] for each in ("kmin", "kmax"))
    most = derived("Kmax / ratio", Input("Kmax", kmax, "B"), ratio.as_input("ratio"))
    top = Limit(Figure(math.floor(kmax / float(ratio)), "B", most), "Kmax over its least ratio")
    if setting.key == "kmin":
        told = f"{own.least.why.formula}: less costs throughput ({own.least.why.source})"
        return Limit(own.least, told), top
    least = derived("Kmin x ratio", Input("Kmin", kmin, "B"), ratio.as_input("ratio"))
    low = Figure(math.ceil(kmin * float(ratio)), "B", least)
    return Limit(low, f"Kmin times its least published ratio {float(ratio):g}"), top


def _in_flight(setting: Setting, trials: Trials) -> Limit:
    """What arrives after a pause, from the claim of the proof about this profile."""
    needs = [
        proof
        for switch in trials.planned
        for proof in switch.proofs
        if proof.claim.endswith(IN_FLIGHT)
        and switch.ports[proof.binding].lossless_profile == setting.name
    ]
    proof = max(needs, key=lambda each: float(each.left))
    return Limit(proof.left, f"{proof.binding}: {proof.claim}")
