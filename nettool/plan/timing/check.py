"""What is wrong with a request for time, before any tree is grown."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.catalog.catalog import Catalog
from nettool.core.finding import Finding
from nettool.intent.intent import FabricIntent, TimingIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.timing.note import error, warning
from nettool.plan.timing.profiles import DSCP, PROFILES, REFERENCES, Interval, PtpProfile
from nettool.plan.timing.quality import QUALITY_LEVELS, UNUSABLE, level
from nettool.plan.timing.references import SWITCH_PRIORITY1, priorities


def check_request(intent: FabricIntent, fabric: Fabric, catalog: Catalog) -> Iterator[Finding]:
    """Values outside their profile, names that name nothing, and what contradicts itself."""
    asked = intent.timing
    profile = PROFILES[asked.profile]
    yield from _domain(asked, profile)
    yield from _transports(asked, profile)
    yield from _intervals(asked, profile)
    yield from _grandmasters(asked, fabric)
    yield from _order(asked, profile)
    yield from _quality(asked)
    yield from _models(asked, fabric)
    yield from _one_step(asked, fabric, catalog)
    yield from _lossless(intent, profile)


def _domain(asked: TimingIntent, profile: PtpProfile) -> Iterator[Finding]:
    low, high = profile.domains
    if asked.domain is not None and not low <= asked.domain <= high:
        yield error(
            "TIM001",
            f"domain {asked.domain} is outside {low}-{high} of {profile.title}",
            f"use {profile.domain}, the profile's default, or another of {low}-{high}",
            "domain",
        )


def _transports(asked: TimingIntent, profile: PtpProfile) -> Iterator[Finding]:
    chosen = [("transport", asked.transport)]
    chosen += [(f"links.{n}.transport", each.transport) for n, each in enumerate(asked.links)]
    allowed = " or ".join(profile.transports)
    for key, transport in chosen:
        if transport is not None and transport not in profile.transports:
            said = f"transport {transport} is not one of {profile.title}: {allowed}"
            yield error("TIM010", said, f"use {allowed}, or another profile", key)


def _intervals(asked: TimingIntent, profile: PtpProfile) -> Iterator[Finding]:
    rows: tuple[tuple[str, Interval], ...] = (
        ("log_announce", profile.announce),
        ("log_sync", profile.sync),
        ("log_delay", profile.delay_request),
    )
    for key, range_ in rows:
        value = getattr(asked, key)
        if value is not None and not range_.fastest <= value <= range_.slowest:
            span = f"{range_.fastest} to {range_.slowest}"
            if range_.fastest == range_.slowest:
                span = f"fixed at {range_.default}"
            yield error(
                "TIM014",
                f"{key} {value} is outside {profile.title}: {span} (log2 of seconds)",
                f"use {range_.default}, the profile's default",
                key,
            )


def _grandmasters(asked: TimingIntent, fabric: Fabric) -> Iterator[Finding]:
    if not asked.grandmasters:
        yield error("TIM002", "no grandmaster is named", "name two or more", "grandmasters")
    elif len(asked.grandmasters) == 1:
        yield warning(
            "TIM003",
            "one grandmaster only: its failure leaves the fabric without a reference",
            "name a second one, attached to another switch",
            "grandmasters",
        )
    known = fabric.by_name
    for number, grandmaster in enumerate(asked.grandmasters):
        for switch in grandmaster.attach:
            if switch not in known:
                yield error(
                    "TIM004",
                    f"grandmaster {grandmaster.name} attaches to {switch}, which is no switch",
                    f"switches: {', '.join(list(known)[:8])}, …",
                    f"grandmasters.{number}.attach",
                )
        if grandmaster.clock_class not in REFERENCES:
            yield error(
                "TIM004",
                f"grandmaster {grandmaster.name} is of class {grandmaster.clock_class}, which "
                "has no published error",
                f"use one of {', '.join(REFERENCES)}",
                f"grandmasters.{number}.clock_class",
            )


def _order(asked: TimingIntent, profile: PtpProfile) -> Iterator[Finding]:
    """Priorities: grandmaster before standby before the switches, and fixed where they are."""
    fixed = profile.priority1_fixed
    before: tuple[int, int] | None = None
    for number, each in enumerate(asked.grandmasters):
        if each.priority1 is not None and fixed not in (None, each.priority1):
            said = f"priority1 {each.priority1} of {each.name}: {profile.title} fixes it at {fixed}"
            hint = "leave it out, and order grandmasters by priority2"
            yield error("TIM014", said, hint, f"grandmasters.{number}.priority1")
        one, two = (int(figure) for figure in priorities(asked, number))
        if before is not None and (one, two) <= before:
            yield error(
                "TIM019",
                f"{each.name} has priorities {one}/{two}, {asked.grandmasters[number - 1].name} "
                f"before it {before[0]}/{before[1]}: the order of the list would not hold",
                "lower numbers win: give each grandmaster higher ones than the one before",
                f"grandmasters.{number}",
            )
        if one > SWITCH_PRIORITY1:
            yield error(
                "TIM019",
                f"{each.name} has priority1 {one}, behind the switches' {SWITCH_PRIORITY1}",
                f"give it {SWITCH_PRIORITY1} or less",
                f"grandmasters.{number}.priority1",
            )
        before = one, two


def _quality(asked: TimingIntent) -> Iterator[Finding]:
    for number, each in enumerate(asked.grandmasters):
        if each.ql is None:
            continue
        found = level(each.ql, asked.synce_option)
        if found is None or found.ssm == UNUSABLE:
            other = 3 - asked.synce_option
            elsewhere = f"; it is one of option {other}" if level(each.ql, other) else ""
            legal = [q.name for q in QUALITY_LEVELS[asked.synce_option] if q.ssm != UNUSABLE]
            yield error(
                "TIM011",
                f"{each.name} announces QL {each.ql}, which is no source in network option "
                f"{asked.synce_option}{elsewhere}",
                f"option {asked.synce_option} has {', '.join(legal)}; or set synce_option: {other}",
                f"grandmasters.{number}.ql",
            )


def _models(asked: TimingIntent, fabric: Fabric) -> Iterator[Finding]:
    used = dict.fromkeys(device.model for device in fabric.devices)
    for model in asked.clock_classes:
        if model not in used:
            yield error(
                "TIM004",
                f"clock_classes names {model}, and no switch of this fabric is one",
                f"models here: {', '.join(used)}",
                f"clock_classes.{model}",
            )


def _one_step(asked: TimingIntent, fabric: Fabric, catalog: Catalog) -> Iterator[Finding]:
    if asked.two_step:
        return
    for model in dict.fromkeys(nic.model for node in fabric.nodes for nic in node.nics):
        fact = catalog.nic(model).ptp_one_step
        if fact is None or not fact.value:
            known = "is not known to stamp" if fact is None else "cannot stamp"
            yield error(
                "TIM013",
                f"one-step clocks are asked for, and NIC {model} {known} a sync message as it "
                f"leaves ({'no public source' if fact is None else fact.source})",
                "leave two_step at true: both ends of a link must agree",
                "two_step",
            )


def _lossless(intent: FabricIntent, profile: PtpProfile) -> Iterator[Finding]:
    chosen = {intent.timing.transport or profile.transports[0]}
    chosen |= {each.transport for each in intent.timing.links if each.transport}
    if chosen == {"L2"}:
        return
    for each in intent.qos.lossless:
        if DSCP in each.dscp:
            yield error(
                "TIM017",
                f"PTP over UDP is marked DSCP {DSCP} (CS7), which lossless class {each.name} "
                f"(TC {each.tc}) takes: a paused clock message measures the pause",
                f"take {DSCP} out of the class, or carry PTP over L2",
                "transport",
            )
