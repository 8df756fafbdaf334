"""Every way out that a plan offers, followed, is one."""

from __future__ import annotations

import re

import pytest

from nettool.plan.calculators.chips import budget_of
from nettool.plan.qos.advice import what_would_fit
from nettool.plan.qos.ports import SwitchClass

from .test_plan import planned

TWO = [{"name": "roce", "dscp": [26], "tc": 3}, {"name": "bulk", "dscp": [34], "tc": 4}]
ONE = TWO[:1]
FAR = {"nic": 300, "leaf_spine": 300}


def offers(report, rule):
    """What the plan offers, by the words that begin each."""
    hints = [each.hint for each in report.findings if each.rule == rule]
    return [way for hint in hints for way in hint.split("; or ")]


def numbers(texts, begins):
    found = [re.match(begins + r" ([\d,.]+)", each) for each in texts]
    return [int(each[1].replace(",", "")) for each in found if each]


def is_said(rule, **changes):
    _, report = planned(**changes)
    return rule in {each.rule for each in report.findings}


def least(report, begins):
    found = [re.match(begins + r" ([\d,.]+)", each) for each in offers(report, "QOS015")]
    return min(float(each[1].replace(",", "")) for each in found if each)


@pytest.mark.parametrize(
    ("changes", "begins", "field"),
    [
        ({"qos__ecn__rtt_us": 80.0}, "lower qos.ecn.rtt_us to", "rtt_us"),
        ({"qos__ecn__rtt_us": 30.0, "qos__lossless": TWO}, "lower qos.ecn.rtt_us to", "rtt_us"),
        ({"qos__ecn__rtt_us": 12.0, "qos__lossless": TWO, "networks__compute__cables": FAR},
         "lower qos.ecn.rtt_us to", "rtt_us"),
        ({"qos__ecn__kmin": 5_000_000, "qos__ecn__kmax": 9_000_000}, "lower Kmin to", "kmin"),
    ],
)  # fmt: skip
def test_a_lower_threshold_serves(changes, begins, field):
    _, report = planned(**changes)
    value = least(report, begins)
    assert not is_said(
        "QOS015", **{**changes, f"qos__ecn__{field}": int(value) if field == "kmin" else value}
    )
    more = value * 1.02
    assert is_said(
        "QOS015", **{**changes, f"qos__ecn__{field}": int(more) if field == "kmin" else more}
    )


def test_one_class_serves_where_it_is_offered():
    changes = {"qos__ecn__rtt_us": 12.0, "qos__lossless": TWO, "networks__compute__cables": FAR}
    _, report = planned(**changes)
    told = {f.message.split(":")[0]: f.hint for f in report.findings if f.rule == "QOS015"}
    one = {k for k, hint in told.items() if "one lossless class" in hint}
    _, better = planned(**{**changes, "qos__lossless": ONE})
    still = {f.message.split(":")[0] for f in better.findings if f.rule == "QOS015"}
    assert one == set(told) - still == {"spine01 and 1 more"}


def test_a_smaller_other_pool_fits():
    small = "asics: {{teralynx10: {{buffer: 70MB{}}}}}"
    _, report = planned(overrides=small.format(""))
    size = min(numbers(offers(report, "QOS006"), "lower lossy_pool to"))
    pools = f", pools: {{lossy_pool: {{size: {size}}}}}"
    assert not is_said("QOS006", overrides=small.format(pools))


@pytest.mark.parametrize(("asic", "table"), [("th5", "th5_dell"), ("spectrum4", "spectrum4")])
@pytest.mark.parametrize("ports", ["64x800G", "100x800G", "64x800G+64x400G"])
@pytest.mark.parametrize("lossless", [1, 2])
def test_classes_cables_and_a_pool_fit_where_they_are_offered(chip, asic, table, ports, lossless):
    made = chip(asic, table)
    over, load = budget_of(made, ports, 300, lossless)
    if over.fits:
        pytest.skip("it fits as it is")
    named = {f"Ethernet{8 * number}": port for number, port in enumerate(load.headrooms)}
    switch = SwitchClass("", "", "", "", "", "leaf", 9216, None, named, ("leaf01",))
    ways = what_would_fit(switch, over, load, made, 8).hint.split("; or ")
    for way in ways:
        if way.startswith("use one lossless class"):
            assert budget_of(made, ports, 300, 1)[0].fits
        elif way.startswith("use cables"):
            (metres,) = numbers(ways, "use cables of at most")
            assert budget_of(made, ports, metres, lossless)[0].fits
        elif way.startswith("share one headroom pool"):
            pooled, same = budget_of(made, ports, 300, lossless, shared=True)
            assert pooled.fits
            assert pooled.set_aside.value >= 8 * lossless * same.largest.xoff.value
        elif way.startswith("lower"):
            assert "lossy_pool" in way
        else:
            assert way == "use fewer ports, or a switch with more buffer"
