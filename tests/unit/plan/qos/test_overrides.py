"""The operator's own figures: read, located, and in the plan with the place they stand at."""

from __future__ import annotations

import pytest

from nettool.core.errors import FindingsError
from nettool.core.provenance import Trust
from nettool.core.source import parse_yaml
from nettool.plan.calculators.chips import headroom_of, query_of
from nettool.plan.qos.overrides import parse_overrides

WHOLE = """\
x-letter: vendor, October
asics:
  teralynx10:
    cell: 192
    buffer: 200MB
    pools: {ingress_lossless_pool: {size: 150MB, xoff: 60MB}}
    headroom:
      - {speed: 400G, cable: 5m, size: 1518, xon: 0, xoff: 100000, xon_offset: 9000}
      - {speed: 400G, cable: 20m, size: 1518, xon: 0, xoff: 110000}
profiles: {egress_lossy_profile: {dynamic_th: -2}}
ecn: {400G: {kmin: 300000, kmax: 900000, pmax: 20}}
watchdog: {detection_ms: 500, poll_ms: 250}
"""


def parsed(text):
    return parse_overrides(parse_yaml(text, "own.yaml"))


def test_chip_takes_the_operators_figures(chip):
    made = chip(overrides=parsed(WHOLE))
    pool = made.pools[0]
    values = (made.cell, made.buffer, pool.size, pool.xoff)
    assert [each.value for each in values] == [192, 200_000_000, 150_000_000, 60_000_000]
    assert {each.why.trust for each in values} == {Trust.GIVEN}
    assert made.cell.why.inputs[0].origin.path == ("asics", "teralynx10", "cell")
    assert made.pools[1].size.why.trust is Trust.REFERENCE_BOARD


@pytest.mark.parametrize(
    ("cable", "xoff", "used"), [(5, 100_000, 5), (20, 110_000, 20), (21, 147_072, 40)]
)
def test_own_rows_win_and_others_remain(chip, cable, xoff, used):
    made = chip(overrides=parsed(WHOLE))
    query = query_of(made.asic, made.table, speed=400_000, cable=cable)
    answer = headroom_of(made, "table", query)
    assert (answer.xoff.value, answer.cable.value) == (xoff, used)


def test_figures_by_profile_speed_and_timer():
    own = parsed(WHOLE)
    assert own.profile("egress_lossy_profile", "dynamic_th", "").value == -2
    assert own.profile("egress_lossy_profile", "size") is None
    assert own.profile("none_such", "size") is None
    kmin = own.ecn(400_000, "kmin")
    assert (kmin.value, kmin.why.inputs[0].origin.path) == (300_000, ("ecn", "400G", "kmin"))
    assert own.ecn(800_000, "kmin") is None
    assert own.watchdog("poll").value == 250
    assert own.watchdog("restoration") is None


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("- 1\n", 1, "the file must hold keys and values"),
        ("ecn:\n  400G: {kmin: 9, kmax: 5}\n", 2, "ecn: kmin 9 B is above kmax 5 B"),
        ("asics:\n  th5: {cel: 1}\n", 2, "asics.th5.cel: Extra inputs are not permitted; given 1"),
        ("weights: {a: 60, b: 50}\n", 1, "weights sum to 110, expected at most 100"),
        ("watchdog:\n  poll_ms: 50\n", 2,
         "watchdog.poll_ms: Input should be greater than or equal to 100; given 50"),
        ("profiles:\n  p: {dynamic_th: 1, static_th: 9}\n", 2,
         "p has both dynamic_th and static_th; a pool takes one kind"),
    ],
)  # fmt: skip
def test_mistakes_are_located(text, line, message):
    with pytest.raises(FindingsError) as caught:
        parsed(text)
    finding = caught.value.report.findings[0]
    assert (finding.rule, finding.file, finding.line) == ("QOS014", "own.yaml", line)
    assert finding.message == message
