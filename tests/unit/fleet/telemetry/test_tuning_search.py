"""What a trace asks for, rule by rule, and that it asks for nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nettool.fleet.telemetry.intervals import watch
from nettool.fleet.telemetry.measured import lossless_of, measure
from nettool.fleet.telemetry.tuning_search import Search
from nettool.plan.qos.settings import POWER, XOFF, marking_of, of_profile
from tests.unit.fleet.telemetry.traces import (
    PROFILE,
    ground,
    planned,
    settled,
    steady,
    suggested,
    trace,
)

KMIN, KMAX, PMAX = (marking_of(400_000, each) for each in ("kmin", "kmax", "pmax"))
ALPHA, HEADROOM = of_profile(PROFILE, POWER), of_profile(PROFILE, XOFF)
SHARED = 33_933_312
"""Bytes that groups share there."""
PAUSED = {"pfc_tx": 5}

CASES = [
    ("quiet", {}, {}, {}),
    ("marks alone are no fault", {}, {"ecn_marked": 9, "queue_watermark": 700_000}, {}),
    ("headroom well filled", {}, {"headroom_watermark": 105_000}, {}),
    ("headroom nearly full", {}, {"headroom_watermark": 106_000}, {HEADROOM: 132_608}),
    ("paused below Kmax", {}, {**PAUSED, "queue_watermark": 1_200_000}, {KMAX: 960_000}),
    ("paused at Kmax", {}, {**PAUSED, "queue_watermark": 1_600_000}, {}),
    (
        "Kmin comes with it",
        {KMIN: 600_000},
        {**PAUSED, "queue_watermark": 1_200_000},
        {KMIN: 480_000, KMAX: 960_000},
    ),
    ("not below what keeps a link busy", {}, {**PAUSED, "queue_watermark": 9_000}, {KMAX: 800_000}),
    (
        "paused itself at the longest queue",
        {},
        {**PAUSED, "pfc_rx": 3, "queue_watermark": 1_200_000},
        {},
    ),
    (
        "the share is too small",
        {},
        {**PAUSED, "queue_watermark": 9_000, "pg_watermark": SHARED - 230_000},
        {KMAX: 800_000, ALPHA: 2},
    ),
    (
        "the buffer itself was full",
        {},
        {**PAUSED, "queue_watermark": 9_000, "pg_watermark": SHARED},
        {KMAX: 800_000},
    ),
    (
        "paused far above Kmax although marked",
        {},
        {**PAUSED, "ecn_marked": 40, "queue_watermark": 2_400_000},
        {PMAX: 20},
    ),
    ("not marked at all", {}, {**PAUSED, "queue_watermark": 2_400_000}, {}),
    (
        "marked before a link is busy",
        {KMIN: 150_000},
        {"ecn_marked": 7, "queue_watermark": 160_000},
        {KMIN: 400_128},
    ),
    (
        "Kmax makes room for it, as far as marking stays sure whatever sends",
        {KMIN: 150_000, KMAX: 500_000},
        {"ecn_marked": 7, "queue_watermark": 160_000},
        {KMIN: 353_424, KMAX: 706_848},
    ),
    (
        "never where anything paused",
        {KMIN: 150_000},
        {"ecn_marked": 7, **PAUSED, "pfc_rx": 3, "queue_watermark": 160_000},
        {},
    ),
]


@pytest.mark.parametrize(("given", "each", "asked"), [row[1:] for row in CASES], ids=[
    row[0] for row in CASES
])  # fmt: skip
def test_a_steady_trace_asks_for(given, each, asked):
    on = planned(ground(), given)
    assert suggested(settled(on, trace(*steady(**each)))) == {str(s): v for s, v in asked.items()}


@pytest.mark.parametrize(("given", "each"), [row[1:3] for row in CASES], ids=[
    row[0] for row in CASES
])  # fmt: skip
def test_what_was_followed_asks_for_nothing_more(given, each):
    on, recorded = planned(ground(), given), trace(*steady(**each))
    first = settled(on, recorded)
    kept = {setting: int(figure) for setting, figure in first.kept().items()}
    again = settled(planned(on, {**first.changed, **kept}), recorded)
    assert suggested(again) == {}
    assert {each.key for each in again.findings} >= {each.key for each in first.findings}


def test_the_numbers_of_the_shipped_fabric():
    switch = ground().qos.switches["leaf01"]
    assert int(switch.shared) == SHARED
    assert [int(getattr(switch.wreds[0], each)) for each in ("kmin", "kmax", "pmax")] == [
        400_000, 1_600_000, 10,
    ]  # fmt: skip
    assert settled(ground(), trace(*steady())).values[ALPHA] == 1


def _by(variant):
    """The fabric with headroom by another variant."""
    qos = ground().intent.qos.model_copy(update={"headroom": variant})
    return replace(ground(), intent=ground().intent.model_copy(update={"qos": qos}))


def test_alpha_that_would_follow_a_lower_kmin_is_held():
    on = planned(_by("quanta"), {KMIN: 600_000})
    search = settled(on, trace(*steady(**PAUSED, queue_watermark=1_200_000)))
    assert search.changed == {KMIN: 480_000, KMAX: 960_000}
    followed = planned(on, search.changed).qos.switches["leaf01"].profiles[0]
    power = of_profile(followed.name, POWER)
    assert (search.values[power], int(followed.dynamic_th)) == (1, 0)
    kept = {each: int(figure) for each, figure in search.kept().items()}
    assert kept == {power: 1}
    held = planned(on, {**search.changed, **kept}).qos.switches["leaf01"].profiles[0]
    assert int(held.dynamic_th) == 1


def test_headroom_below_its_bound_goes_up_to_it():
    on = planned(ground(), {HEADROOM: 50_000})
    needed = next(each.left for each in on.qos.switches["leaf01"].proofs)
    search = settled(on, trace(*steady(headroom_watermark=49_999)))
    assert 49_999 / 0.8 < float(needed) == 76_976
    assert search.changed == {HEADROOM: 76_976}


@pytest.mark.parametrize(
    ("given", "each", "key", "said"),
    [
        (
            {},
            {**PAUSED, "queue_watermark": 9_000},
            KMAX,
            "the trace asks for 7,168 B, and 800,000 B is where it stops: Kmin times its least "
            "published ratio 2",
        ),
        (
            {},
            {"headroom_watermark": 2_000_000},
            HEADROOM,
            "the trace asks for 2,500,096 B, and 1,013,536 B is where it stops: Ethernet0: first "
            "marking before a pause, one ingress feeding every egress queue",
        ),
    ],
)
def test_where_it_stops_is_said(given, each, key, said):
    search = settled(planned(ground(), given), trace(*steady(**each)))
    assert said in {each.message for each in search.findings if each.key == str(key)}


def test_profiles_that_share_a_threshold_get_it_together():
    on = ground("rail-optimized-256")
    shared = int(on.qos.switches["leaf01"].shared)
    short = {**PAUSED, "queue_watermark": 90_000, "pg_watermark": shared - 300_000}
    search = settled(on, trace(*steady(**short)))
    far = "pg_lossless_800000_40m_profile"
    assert search.changed == {
        KMAX: 800_000,
        ALPHA: 2,
        of_profile(far, POWER): 2,
    }
    where = {str(each.setting): each.ports for each in search.suggestions()}
    assert where == {
        "ecn.400G.kmax": 256,
        f"profiles.{PROFILE}.dynamic_th": 256,
        f"profiles.{far}.dynamic_th": 256,
    }


def test_a_figure_in_which_kinds_of_switches_differ_is_left_alone():
    on = ground("three-networks")
    profile = "pg_lossless_200000_5m_profile"
    device, port = next(
        (name, port)
        for name, switch in on.qos.switches.items()
        for port, own in switch.ports.items()
        if own.lossless_profile == profile
    )
    looks = steady(device=device)
    for each in looks:
        each["counters"]["headroom_watermark"] = {f"{port}|3": 62_000}
    search = settled(on, trace(*looks))
    assert search.changed == {}
    (told,) = search.findings
    assert (told.rule, told.key) == ("TUN009", f"profiles.{profile}.xoff")
    assert told.message == "it is 62,368, 70,272 B by kind of switch: nothing is suggested for it"


@pytest.mark.parametrize(("missing", "each"), [
    (KMAX, {"ecn_marked": 7, "queue_watermark": 160_000}),
    (KMIN, {**PAUSED, "queue_watermark": 1_200_000}),
])  # fmt: skip
def test_marking_in_which_kinds_differ_in_part_is_left_alone(missing, each):
    recorded = trace(*steady(**each))
    on = planned(ground(), {KMIN: 150_000})
    assert settled(on, recorded).changed
    watched = watch(recorded, lossless_of(on.qos))
    search = Search(on, measure(watched, on.qos), "trace.yaml")
    del search.values[missing]
    search.settle()
    assert search.changed == {}


def test_a_pause_in_an_interval_that_is_not_used_forbids_later_marking():
    on = planned(ground(), {KMIN: 150_000})
    looks = steady(ecn_marked=7, queue_watermark=160_000)
    assert settled(on, trace(*looks)).changed
    for number, each in enumerate(looks):
        each["counters"]["pfc_tx"] = {"Ethernet8|3": 5 if number else 4}
        each["started"] = "now" if number else "then"
    assert settled(on, trace(*looks)).changed == {}
