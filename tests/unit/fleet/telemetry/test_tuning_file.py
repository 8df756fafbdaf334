"""The overrides file of suggestions: what stood before, what changes, what is held."""

from __future__ import annotations

from dataclasses import replace

import yaml

from nettool.core.source import parse_yaml
from nettool.fleet.telemetry.tune import tune
from nettool.fleet.telemetry.tuning_file import overrides_text
from nettool.plan.qos.overrides import parse_overrides
from nettool.plan.qos.settings import POWER, of_profile, planned_settings
from tests.unit.fleet.telemetry.traces import PROFILE, ground, steady, trace

BEFORE = {"x-by": "ops", "weights": {"roce": 90}, "profiles": {PROFILE: {"static_th": 5, "xon": 0}}}


def _tuned():
    tuning, _ = tune(ground(), trace(*steady(headroom_watermark=110_000)))
    power = of_profile(PROFILE, POWER)
    held = planned_settings(ground().qos.switches.values())[power][0]
    return replace(tuning, kept={power: held})


def test_what_stood_before_stays_and_a_threshold_takes_the_place_of_the_other_kind():
    before = str(BEFORE)
    text = overrides_text(_tuned(), BEFORE, "trace.yaml")
    assert yaml.safe_load(text) == {
        "x-by": "ops",
        "weights": {"roce": 90},
        "profiles": {PROFILE: {"xon": 0, "dynamic_th": 1, "xoff": 137_728}},
    }
    assert str(BEFORE) == before


def test_it_says_what_it_is_of_and_what_changes():
    lines = overrides_text(_tuned(), {}, "trace.yaml").splitlines()
    assert lines[0] == "# Suggested by `nettool tune` from trace.yaml."
    assert f"# profiles.{PROFILE}.xoff: 117,536 B -> 137,728 B" in lines
    assert f"# profiles.{PROFILE}.dynamic_th: stays 1, would follow the others otherwise" in lines


def test_it_is_read_as_overrides():
    own = parse_overrides(parse_yaml(overrides_text(_tuned(), BEFORE, "trace.yaml"), "own.yaml"))
    assert own.values.profiles[PROFILE].xoff == 137_728
    assert own.profile(PROFILE, "dynamic_th", "").value == 1
