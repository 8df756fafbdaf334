"""What a trace has to be told of, beside suggestions: loss, and what nothing was concluded from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from nettool.core.finding import Finding, Severity
from nettool.core.provenance import Figure
from nettool.core.spans import named
from nettool.fleet.telemetry.choices import BEYOND, EARLIER, LEAST_INTERVALS, LEAST_SECONDS
from nettool.fleet.telemetry.intervals import Interval, Loss, Watched
from nettool.fleet.telemetry.measured import Measured, Sight, port_of
from nettool.fleet.telemetry.recorded import COUNTED, PEAKS, Recorded
from nettool.fleet.telemetry.tuning_rule import Wish
from nettool.plan.qos.limits import Limit
from nettool.plan.qos.qos_plan import QosPlan
from nettool.plan.qos.settings import Setting
from nettool.plan.qos.sharing import Sharing

_TIME = "%Y-%m-%dT%H:%M:%SZ"


def trace_findings(
    trace: Recorded, watched: Watched, measured: Measured, qos: QosPlan
) -> Iterator[Finding]:
    """All of them."""
    yield from (_loss(each, trace) for each in watched.losses)
    yield from _unplanned(trace, qos)
    yield from _unused(watched, trace)
    if not watched.counted:
        yield _nothing_counted(qos, trace)
        return
    yield from _not_recorded(trace)
    if not measured.is_enough:
        yield _too_little(measured, trace)
        return
    yield from _few_pauses(measured, trace)
    yield from _held_up(measured, trace)
    yield from _unmarked(measured, qos, trace)
    yield from _too_early(measured, qos, trace)


def stopped(setting: Setting, value: int, wish: Wish, limit: Limit, file: str) -> Finding:
    """The trace asks for more than the limits give."""
    unit = f" {setting.unit}" if setting.unit else ""
    return _note(
        "TUN004",
        file,
        f"the trace asks for {int(wish.target):,}{unit}, and {value:,}{unit} is where it stops: "
        f"{limit.why}",
        "what else would help is another lever: shorter cables, fewer senders, a measured "
        "qos.ecn.rtt_us, or figures of the chip's vendor",
        key=str(setting),
    )


def differing(setting: Setting, figures: Sequence[Figure], file: str) -> Finding:
    """Kinds of switches differ in a figure that the trace has something to say of."""
    told = ", ".join(f"{each.value:,}" for each in figures)
    return _note(
        "TUN009",
        file,
        f"it is {told} {setting.unit} by kind of switch: nothing is suggested for it",
        "an overrides file has one value for all of them; give it there and tune again",
        key=str(setting),
    )


def _loss(loss: Loss, trace: Recorded) -> Finding:
    what = "priority group" if loss.kind == "pg_drop" else "queue"
    if loss.start is None:
        when, severity = f"before {loss.end:{_TIME}}, when the trace begins", Severity.WARNING
    else:
        when = f"between {loss.start:{_TIME}} and {loss.end:{_TIME}}"
        severity = Severity.ERROR
    return Finding(
        rule="TUN001",
        severity=severity,
        message=f"{loss.device} {loss.place}: {loss.packets:,} packets of a lossless {what} were "
        f"dropped {when}; 0 is expected",
        hint="find the cause before any tuning: a cable longer than planned, a peer that does not "
        "obey PFC, or headroom that is not as planned (nettool verify)",
        file=trace.file,
        device=loss.device,
        key=loss.place,
    )


def _unplanned(trace: Recorded, qos: QosPlan) -> Iterator[Finding]:
    for name, samples in trace.by_device.items():
        switch = qos.switches.get(name)
        if switch is None:
            yield _warning(
                "TUN007", trace, f"{name} is no switch of the plan: nothing is concluded from it",
                "correct its name, or leave it out", device=name,
            )  # fmt: skip
            continue
        counted = {
            place.partition("|")[0]
            for each in samples
            for row in each.counters.values()
            for place, count in row.items()
            if count
        }
        if unknown := counted - set(switch.ports):
            yield _warning(
                "TUN007", trace,
                f"{name}: {named(unknown, 'ports')} counted something and the plan has no cable "
                "there: nothing is concluded from that",
                "ports are named as the switch names them: Ethernet0", device=name,
            )  # fmt: skip


def _nothing_counted(qos: QosPlan, trace: Recorded) -> Finding:
    own = [each for each in qos.classes if each.lossless]
    told = ", ".join(f"queue {c.queue}, group {c.pg}, priority {c.tc}" for c in own)
    return _warning(
        "TUN012",
        trace,
        f"no lossless place of the plan is counted: it has {told or 'no lossless class'}",
        "places are written port|index, as Ethernet0|3; see docs/tune.md",
    )


def _unused(watched: Watched, trace: Recorded) -> Iterator[Finding]:
    by_device: dict[str, list[Interval]] = defaultdict(list)
    for each in watched.intervals:
        if each.doubt:
            by_device[each.device].append(each)
    for device, own in by_device.items():
        first = own[0]
        more = f" (and {len(own) - 1} more intervals)" if len(own) > 1 else ""
        yield _note(
            "TUN002",
            trace.file,
            f"{device}: {first.start:{_TIME}} to {first.end:{_TIME}} is not used: "
            f"{first.doubt}{more}",
            "nothing; record longer where too few are left",
            device=device,
        )


def _not_recorded(trace: Recorded) -> Iterator[Finding]:
    found = {k for own in trace.by_device.values() for each in own for k in each.counters}
    lacking = [kind for kind in (*COUNTED, *PEAKS) if kind not in found]
    if lacking:
        yield _note(
            "TUN008",
            trace.file,
            f"the trace has no {', '.join(lacking)}: what needs it is not judged",
            "record it too; `nettool schema --counters` says what each kind is read from",
        )


def _too_little(measured: Measured, trace: Recorded) -> Finding:
    return _note(
        "TUN003",
        trace.file,
        f"{measured.intervals} intervals over {measured.seconds:g} s can be used, and at least "
        f"{int(LEAST_INTERVALS)} over {float(LEAST_SECONDS):g} s are needed: nothing is suggested",
        "record longer, under the load of a training job",
    )


def _few_pauses(measured: Measured, trace: Recorded) -> Iterator[Finding]:
    for speed, sights in measured.paused.items():
        if len(sights) < int(LEAST_INTERVALS):
            yield _note(
                "TUN003",
                trace.file,
                f"{speed // 1000}G: pauses were sent in {len(sights)} intervals, and at least "
                f"{int(LEAST_INTERVALS)} are needed to judge marking by them",
                "record longer, under the load of a training job",
            )


def _held_up(measured: Measured, trace: Recorded) -> Iterator[Finding]:
    if measured.held_up:
        yield _note(
            "TUN006",
            trace.file,
            f"in {measured.held_up} of {measured.pauses} intervals with pauses the port of "
            "the longest queue was paused itself: the congestion is further on, and they say "
            "nothing of the switch's own marking",
            "look at the switch or the host that sent them",
        )
    if measured.unseen:
        yield _note(
            "TUN008",
            trace.file,
            f"in {measured.unseen} of {measured.pauses} intervals with pauses no queue has a "
            "watermark: nothing is concluded from them",
            "record queue_watermark too",
        )


def _unmarked(measured: Measured, qos: QosPlan, trace: Recorded) -> Iterator[Finding]:
    kmaxes = {w.speed: float(w.kmax) for s in qos.switches.values() for w in s.wreds}
    for speed, sights in measured.paused.items():
        far = [s for s in sights if s.bytes >= float(BEYOND) * kmaxes[speed] and not s.marks]
        if len(far) >= int(LEAST_INTERVALS):
            yield _warning(
                "TUN005",
                trace,
                f"{speed // 1000}G: in {len(far)} intervals queues stood at {far[0].bytes:,} B and "
                f"more, above Kmax {kmaxes[speed]:,.0f} B, and no packet was marked "
                f"({far[0].text})",
                "no threshold helps there: see whether the profile is bound to the queue, and "
                "whether hosts send ECN-capable packets",
                device=far[0].device,
            )


def _too_early(measured: Measured, qos: QosPlan, trace: Recorded) -> Iterator[Finding]:
    """Groups that paused with far less than the planned threshold gave them."""
    early: dict[str, list[tuple[Sight, float]]] = defaultdict(list)
    for sight in (each for own in measured.paused.values() for each in own):
        planned = _threshold(qos, sight)
        if sight.group is not None and sight.group < float(EARLIER) * planned:
            early[sight.device].append((sight, planned))
    for device, own in early.items():
        if len(own) >= int(LEAST_INTERVALS):
            sight, planned = max(own, key=lambda each: each[0].group or 0)
            yield _warning(
                "TUN011",
                trace,
                f"{device}: in {len(own)} intervals groups paused with at most {sight.group:,} B, "
                f"where the planned threshold gives {planned:,.0f} B with {sight.shared:,} B in "
                f"use ({sight.text})",
                "what runs may not be what is planned: nettool verify, before any tuning",
                device=device,
            )


def _threshold(qos: QosPlan, sight: Sight) -> float:
    """What a group may hold as planned while the switch is as full as it was."""
    switch, port = qos.switches[sight.device], port_of(qos, sight.device, sight.place)
    profile = next(each for each in switch.profiles if each.name == port.lossless_profile)
    if switch.shared is None or sight.shared is None:
        return 0.0
    divided = Sharing(switch.shared, 1, profile.dynamic_th, profile.static_th)
    return divided.room(sight.shared) + sight.shared


def _note(rule: str, file: str, message: str, hint: str, **where: str) -> Finding:
    return _said(Severity.INFO, rule, file, message, hint, where)


def _warning(rule: str, trace: Recorded, message: str, hint: str, **where: str) -> Finding:
    return _said(Severity.WARNING, rule, trace.file, message, hint, where)


def _said(
    severity: Severity, rule: str, file: str, message: str, hint: str, where: Mapping[str, str]
) -> Finding:
    return Finding(
        rule=rule,
        severity=severity,
        message=message,
        hint=hint,
        file=file,
        device=where.get("device"),
        key=where.get("key"),
    )
