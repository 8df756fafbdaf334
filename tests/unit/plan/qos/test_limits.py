"""A limit is the last value that the proof takes: one step beyond it a claim breaks."""

from __future__ import annotations

import pytest

from nettool.plan.qos.limits import Trials
from nettool.plan.qos.plan import tasks_of
from nettool.plan.qos.settings import (
    POWER,
    XOFF,
    Setting,
    joined,
    marking_of,
    of_profile,
    overridden,
    planned_settings,
)
from tests.unit.fleet.telemetry.traces import ground

PROFILE = "pg_lossless_400000_5m_profile"
KMIN, KMAX, PMAX = (marking_of(400_000, each) for each in ("kmin", "kmax", "pmax"))
ALPHA, HEADROOM = of_profile(PROFILE, POWER), of_profile(PROFILE, XOFF)


def _trials(fabric="rail-only-128", **own):
    on = ground(fabric)
    overrides = overridden(on.own, own.get("values", {}))
    parts = (on.intent, on.fabric, on.matrix, on.catalog, overrides)
    return Trials(tasks_of(*parts, on.qos.lossless_priorities), overrides)


def _values(trials):
    found = planned_settings(trials.planned)
    return {each: int(figures[0]) for each, figures in found.items() if len(figures) == 1}


@pytest.mark.parametrize(
    ("setting", "toward", "step", "limit", "claim"),
    [
        (KMIN, 10**8, 256, 706_688, "no dynamic_th from -8 to 7 lets 32 congested queues"),
        (KMAX, 10**8, 256, 27_146_496, "certain marking before a pause, 2 senders to one port"),
        (KMAX, 256, 256, 400_128, "Kmax must be above Kmin"),
        (ALPHA, -8, 1, 0, "first marking before a pause, one ingress feeding every egress queue"),
        (HEADROOM, 256, 256, 77_088, "400G at 5 m: xoff holds what arrives after a pause"),
        (HEADROOM, 10**8, 256, 1_013_536, "first marking before a pause"),
    ],
)
def test_one_step_beyond_a_limit_a_claim_breaks(setting, toward, step, limit, claim):
    trials = _trials()
    values = _values(trials)
    found = trials.limit([setting], values, toward, step)
    assert int(found.value) == limit
    assert claim in found.why
    beyond = limit + (step if toward > values[setting] else -step)
    assert trials.broken({**values, setting: limit}) is None
    assert claim in trials.broken({**values, setting: beyond}).text


def test_a_limit_has_the_formula_of_the_claim_that_ends_there():
    trials = _trials()
    why = trials.limit([KMAX], _values(trials), 10**8, 256).value.why
    assert why.formula.endswith("<= alpha (B - Kmax)")
    assert why.bound == "certain marking before a pause, 2 senders to one port"
    assert why.trust == "assumed"


def test_where_no_claim_ends_the_value_asked_for_is_the_limit():
    trials = _trials()
    found = trials.limit([PMAX], _values(trials), 100, 1)
    assert (int(found.value), found.why) == (100, "no claim of the proof ends before")


def test_the_cautious_claim_binds_while_it_holds():
    trials = _trials(values={KMAX: 700_000})
    found = trials.limit([KMAX], _values(trials), 10**8, 1)
    certain = next(each for s in trials.planned for each in s.proofs if "one ingress" in
                   each.claim and each.claim.startswith("certain"))  # fmt: skip
    assert int(found.value) == int(certain.right) == 706_944
    assert found.value.why.source == "DCQCN (SIGCOMM 2015) section 4"


@pytest.mark.parametrize("fabric", ["rail-only-128", "rail-optimized-256"])
def test_the_figures_as_they_are_break_nothing(fabric):
    trials = _trials(fabric)
    assert trials.broken(_values(trials)) is None


def test_profiles_of_one_switch_share_their_threshold():
    both = {PROFILE, "pg_lossless_800000_40m_profile"}
    groups = joined(_trials("rail-optimized-256").planned)
    assert groups == dict.fromkeys(both, frozenset(both))


def test_settings_are_named_as_the_overrides_file_has_them():
    assert str(KMAX) == "ecn.400G.kmax"
    own = overridden(ground().own, {KMAX: 900_000, HEADROOM: 120_000, ALPHA: 2})
    assert own.values.model_dump(exclude_defaults=True) == {
        "ecn": {400_000: {"kmax": 900_000}},
        "profiles": {PROFILE: {"xoff": 120_000, "dynamic_th": 2}},
    }
    assert Setting("ecn", "400G", "pmax").unit == "%"
