"""What the runs mean for the operator: findings with the numbers of both sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nettool.core.finding import Finding
from nettool.core.spans import named
from nettool.plan.qos.note import error, info, warning
from nettool.plan.simulate.outcome import Outcome

NEARLY_FULL = 0.9


def judged(outcomes: Iterable[Outcome]) -> Iterator[Finding]:
    """Loss is an error, a pause before the first mark a warning; full headroom is told."""
    for each in outcomes:
        where = _where(each)
        if each.dropped.value:
            yield _lost(each, where)
        elif each.headroom_share > NEARLY_FULL:
            yield _nearly_full(each, where)
        if each.first_pause is not None and not each.ecn_first:
            yield _pause_first(each, where)
        if each.is_cut:
            yield info(
                "SIM004",
                f"{where}: ended after {float(each.duration):,.1f} us, when as many frames had "
                "been sent as are simulated at most",
                "fewer senders (--incast) or a shorter --time tell the whole",
                *("qos",),
            )


def _where(outcome: Outcome) -> str:
    case = outcome.scenario
    met = f"{int(float(case.senders))} senders to one port"
    what = met if case.kind == "incast" else "the port is paused"
    return f"{named(case.devices, 'switches')}, {case.port}: {what}"


def _lost(outcome: Outcome, where: str) -> Finding:
    return error(
        "SIM001",
        f"{where}: {float(outcome.dropped):,.0f} B of lossless traffic are dropped; the headroom "
        f"of {outcome.profile} holds {float(outcome.xoff):,.0f} B",
        "take a larger xoff (another headroom variant, or the overrides file), a shorter cable or "
        "a smaller MTU; with qos.shared_headroom, a larger pool",
        *("qos", "headroom"),
    )


def _pause_first(outcome: Outcome, where: str) -> Finding:
    mark = outcome.first_mark
    marked = f"the first frame is marked after {float(mark):,.1f} us" if mark else "none is marked"
    paused = float(outcome.first_pause) if outcome.first_pause else 0.0
    return warning(
        "SIM002",
        f"{where}: the first pause is sent after {paused:,.1f} us, {marked}",
        "lower Kmin, Kmax or the base round trip under qos.ecn, or raise dynamic_th",
        *("qos", "ecn"),
    )


def _nearly_full(outcome: Outcome, where: str) -> Finding:
    return info(
        "SIM003",
        f"{where}: {float(outcome.headroom):,.0f} B of the {float(outcome.xoff):,.0f} B headroom "
        f"of {outcome.profile} are used ({outcome.headroom_share:.0%}; above {NEARLY_FULL:.0%} "
        "there is little left for a slower peer)",
        "nothing is lost; a longer cable or a slower response than planned would be",
        *("qos", "headroom"),
    )
