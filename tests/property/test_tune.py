"""Whatever a trace holds: no suggestion leaves the proof, and none is asked for twice."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nettool.plan.qos.settings import marking_of
from tests.unit.fleet.telemetry.traces import ground, look, planned, settled, suggested, trace

RATES = {"ecn_marked": [0, 9], "pfc_tx": [0, 5, 5], "pfc_rx": [0, 0, 0, 2]}
PEAKS = {
    "queue_watermark": [9_000, 300_000, 500_000, 1_200_000, 2_400_000, 9_000_000],
    "pg_watermark": [200_000, 31_000_000, 33_000_000, 33_600_000],
    "headroom_watermark": [0, 0, 0, 80_000, 110_000, 2_000_000],
}
"""What a trace is around, by kind."""
PRESENT = st.one_of(
    st.just({}),
    st.fixed_dictionaries(
        {
            marking_of(400_000, "kmin"): st.integers(50_000, 650_000),
            marking_of(400_000, "kmax"): st.integers(700_000, 6_000_000),
            marking_of(400_000, "pmax"): st.integers(1, 100),
        }
    ),
)


@st.composite
def traces(draw):
    """Looks at two switches: counters that grow or begin again, and watermarks around a height."""
    looks = []
    for device in ("leaf01", "leaf03"):
        rates = {kind: draw(st.sampled_from(each)) for kind, each in RATES.items()}
        heights = {kind: draw(st.sampled_from(each)) for kind, each in PEAKS.items()}
        totals = dict.fromkeys(rates, 0)
        for number in range(draw(st.integers(2, 8))):
            begins_again = draw(st.integers(0, 15)) == 15
            totals = {k: 0 if begins_again else n + rates[k] for k, n in totals.items()}
            part = draw(st.integers(99, 101))
            peaks = {kind: height * part // 100 for kind, height in heights.items()}
            looks.append(look(number, device, **totals, **peaks))
    return trace(*looks)


def _check(present, recorded):
    on = planned(ground(), present)
    search = settled(on, recorded)
    for each in search.suggestions():
        low, high = each.bounds.lower.value.value, each.bounds.upper.value.value
        assert low <= each.suggested.value <= high
        assert each.suggested.value != each.present.value
        assert each.setting.key != "xoff" or each.suggested.value > each.present.value
    values = {**search.changed, **{s: int(figure) for s, figure in search.kept().items()}}
    assert search.trials.broken(search.values) is None
    assert search.trials.broken(values) is None
    assert suggested(settled(planned(on, values), recorded)) == {}


@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(PRESENT, traces())
def test_within_the_proof_and_stable(present, recorded):
    _check(present, recorded)


@pytest.mark.slow
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(PRESENT, traces())
def test_within_the_proof_and_stable_over_many(present, recorded):
    _check(present, recorded)
