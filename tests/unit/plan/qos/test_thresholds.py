"""Alpha that serves ECN, presets by speed, cables by row, and watchdog times."""

from __future__ import annotations

import pytest

from nettool.intent.intent import EcnIntent, WatchdogIntent
from nettool.plan.calculators.chips import asked
from nettool.plan.qos.cables import cable_for
from nettool.plan.qos.ecn import mark, turned_round
from nettool.plan.qos.overrides import Overrides, OverridesFile
from nettool.plan.qos.sharing import choose_sharing
from nettool.plan.qos.threshold import pause_room, threshold, weakest_power
from nettool.plan.qos.watchdog import default_times, incoherent, longest_pause, plan_watchdog


def sharing(shared, queues, need, *, mode="dynamic", preferred=None, given=None):
    return choose_sharing(
        mode=mode,
        shared=asked("B", shared, "B"),
        queues=queues,
        need=asked("Kmin", need, "B"),
        total=asked("sum", need * queues, "B"),
        preferred=None if preferred is None else asked("ini", preferred),
        given=None if given is None else asked("own", given),
    )


@pytest.mark.parametrize(
    ("shared", "queues", "need", "options", "power", "served"),
    [
        (87e6, 64, 400_000, {"preferred": 1}, 1, True),
        (87e6, 64, 400_000, {"preferred": -8}, -1, True),
        (87e6, 64, 400_000, {}, -1, True),
        (87e6, 64, 400_000, {"given": -4, "preferred": 1}, -4, False),
        (87e6, 128, 800_000, {"preferred": 1}, 1, False),
        (87e6, 128, 800_000, {}, 7, False),
    ],
    ids=[
        "the platform's serves",
        "it does not",
        "smallest",
        "given stands",
        "none serves",
        "none, and no platform",
    ],
)
def test_alpha(shared, queues, need, options, power, served):
    chosen = sharing(shared, queues, need, **options)
    assert (chosen.power.value, chosen.served) == (power, served)


def test_the_smallest_serving_alpha_is_the_boundary():
    power = weakest_power(400_000, 64 * 400_000, 87e6, 64)
    below = 2.0 ** (power - 1)
    held = threshold(below, 87e6, 64) >= 400_000
    assert not (held and pause_room(below, 87e6, 64 * 400_000) > 0)


def test_a_static_pool_is_cut_into_equal_parts():
    cut = sharing(64_000_000, 64, 400_000, mode="static")
    assert (cut.power, cut.fixed.value, cut.each(64)) == (None, 1_000_000, 1_000_000)
    assert cut.room(600_000) == 400_000
    assert cut.certain_limit() == 1_000_000 / 64


@pytest.mark.parametrize(
    ("preset", "speed", "expected"),
    [
        ("derived", 400_000, (400_000, 1_600_000, 10)),
        ("derived", 800_000, (800_000, 3_200_000, 10)),
        ("sonic", 100_000, (1_048_576, 2_097_152, 5)),
        ("nvidia", 400_000, (150_000, 1_500_000, 100)),
        ("cisco", 400_000, (150_000, 3_000_000, 7)),
        ("hpcc", 400_000, (1_600_000, 6_400_000, 20)),
        ("simai", 200_000, (300_000, 1_200_000, 80)),
        ("simai", 800_000, (800_000, 3_200_000, 20)),
    ],
)
def test_presets(preset, speed, expected):
    made = mark(speed, EcnIntent(preset=preset), asked("k", 8), Overrides())
    assert (made.kmin.value, made.kmax.value, made.pmax.value) == expected


def test_a_small_buffer_bounds_the_derived_kmax():
    small = sharing(2_000_000, 2, 400_000)
    made = mark(400_000, EcnIntent(), asked("k", 1), Overrides(), small)
    alpha = small.alpha.value
    assert 400_000 <= made.kmax.value < 1_600_000
    assert alpha * (2_000_000 - made.kmax.value) >= made.kmax.value
    assert "alpha (B - Kmax) >= Kmax / k" in made.kmax.why.bound


def test_overrides_beat_intent_and_intent_beats_the_preset():
    own = Overrides(OverridesFile.model_validate({"ecn": {"400G": {"kmin": 1000}}}))
    made = mark(400_000, EcnIntent(kmin=2000, kmax=3000), asked("k", 8), own)
    assert (made.kmin.value, made.kmax.value, made.pmax.value) == (1000, 3000, 10)


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"kmin": 2000, "kmax": 1000}, "qos.ecn.kmin"),
        ({"kmin": 2000, "kmax": 2000}, "qos.ecn.kmin"),
        ({"kmax": 10}, "qos.ecn.kmax"),
        ({"kmin": 2000, "kmax": 2001}, None),
        ({}, None),
    ],
)
def test_thresholds_the_wrong_way_round_are_an_error_at_their_key(given, key):
    ecn = EcnIntent(**given)
    made = {400_000: mark(400_000, ecn, asked("k", 8), Overrides())}
    found = [(each.rule, each.key) for each in turned_round(made, ecn, "leaf01")]
    assert found == ([("QOS021", key)] if key else [])


@pytest.mark.parametrize(
    ("speed", "length", "used", "rule"),
    [
        (400_000, 5, 5, None),
        (800_000, 30, 40, "QOS005"),
        (800_000, 301, 301, "QOS004"),
        (10_000, 3, 3, "QOS004"),
    ],
)
def test_cable_length_is_a_row_of_the_platform(chip, port, speed, length, used, rule):
    cabled = cable_for(port(speed, length), chip("teralynx10"))
    assert cabled.length.value == used
    assert (cabled.finding.rule if cabled.finding else None) == rule
    if rule:
        assert cabled.finding.key == "networks.compute.cables.nic"


@pytest.mark.parametrize(
    ("asic", "lossless", "used"),
    [("spectrum4", True, 31), ("teralynx10", False, 31), ("th6", True, 31)],
)
def test_any_whole_metre_where_no_row_binds(chip, port, asic, lossless, used):
    cabled = cable_for(port(800_000, 30.4, lossless=lossless), chip(asic))
    assert (cabled.length.value, cabled.finding) == (used, None)


@pytest.mark.parametrize(
    ("asked_for", "own", "expected"),
    [
        ({}, {}, (600, 600, 600)),
        ({"detection_ms": 300}, {}, (300, 600, 300)),
        ({"detection_ms": 900}, {}, (900, 900, 600)),
        ({"detection_ms": 900}, {"detection_ms": 800, "poll_ms": 200}, (800, 800, 200)),
    ],
)
def test_watchdog_times_stay_in_order(asked_for, own, expected):
    overrides = Overrides(OverridesFile.model_validate({"watchdog": own}))
    made = plan_watchdog(WatchdogIntent(**asked_for), 66, overrides)
    assert (made.detection.value, made.restoration.value, made.poll.value) == expected
    assert list(incoherent(made)) == []


def test_watchdog_off():
    assert plan_watchdog(WatchdogIntent(enabled=False), 66, Overrides()) is None


@pytest.mark.parametrize(
    ("asked_for", "own", "message"),
    [
        ({"detection_ms": 300}, {"poll_ms": 400},
         "detection is 300 ms, below the poll of 400 ms"),
        ({"detection_ms": 400, "restoration_ms": 200}, {"poll_ms": 200},
         "restoration is 200 ms, below the detection of 400 ms"),
    ],
)  # fmt: skip
def test_unsafe_watchdogs_are_refused_with_the_inequality(asked_for, own, message):
    overrides = Overrides(OverridesFile.model_validate({"watchdog": own}))
    made = plan_watchdog(WatchdogIntent(**asked_for), 66, overrides)
    findings = list(incoherent(made))
    assert message in [each.message for each in findings]
    assert {each.rule for each in findings} == {"QOS010"}


def test_longest_pause_drains_every_buffer_ahead():
    pause = longest_pause(asked("B", 87_000_000, "B"), 400_000, 3)
    assert pause.value == pytest.approx(3 * 1.74)
    assert float(default_times(32).detection) > pause.value
