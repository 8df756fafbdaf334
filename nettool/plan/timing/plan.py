"""From a design to its clock tree: roles of every clock and port, and the error budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nettool.core.finding import Finding, Report, Severity
from nettool.core.provenance import Figure, Input, Origin, Provenance, Trust
from nettool.intent.intent import FabricIntent, TimingIntent
from nettool.plan.design.fabric import Device, Fabric
from nettool.plan.timing.budget import (
    NS_PER_METRE,
    Chain,
    constant_error,
    dynamic_error,
    total_error,
)
from nettool.plan.timing.failures import losses
from nettool.plan.timing.profiles import CLOCK_CLASSES, PROFILES, REFERENCES, PtpProfile
from nettool.plan.timing.roles import clock_ports, reference_port
from nettool.plan.timing.timing_plan import Budget, Clock, TimingPlan
from nettool.plan.timing.tree import Branch, adjacency, attachments, depth_below, grow

_FILE = "fabric.yaml"
_GIVEN = "the operator's intent"
_FINE_NS = 100.0
_FINE_LOG_SYNC = -3
"""Below 100 ns, eight sync messages a second or more."""


def plan_timing(intent: FabricIntent, fabric: Fabric) -> tuple[TimingPlan, Report]:
    """The clock tree and budget of a fabric, with what is wrong with the request.

    With timing off the plan is empty and says so. Findings name key paths of fabric.yaml.
    """
    asked = intent.timing
    profile = PROFILES[asked.profile]
    findings = list(_check(asked, profile, fabric)) if asked.enabled else []
    report = Report.of(findings)
    if not asked.enabled or report.has_errors:
        return _plan(asked, profile, {}, (), ()), report
    neighbours = adjacency(fabric)
    trees = [
        grow(neighbours, attachments(fabric, gm.attach, number), gm.name, without=frozenset())
        for number, gm in enumerate(asked.grandmasters)
    ]
    tree = trees[0]
    references, lacking = _references(asked, fabric)
    findings += lacking
    why = _clock_class(asked)
    clocks = {
        device.name: _clock(device, trees, asked, profile, (why, references.get(device.name, {})))
        for device in fabric.devices
        if device.name in tree
    }
    budgets = tuple(_budgets(asked, fabric, tree, why))
    findings += _missed(budgets, fabric, tree)
    findings += _slow(asked, profile)
    findings += _alone(asked, fabric)
    notes = (
        "community SONiC has no PTP or SyncE table: time is configured in ptp4l.conf",
        f"clock class {_class_name(asked)} of the switches is {why.trust}",
    )
    return _plan(asked, profile, clocks, budgets, notes), Report.of(findings)


def _plan(
    asked: TimingIntent,
    profile: PtpProfile,
    clocks: Mapping[str, Clock],
    budgets: tuple[Budget, ...],
    notes: tuple[str, ...],
) -> TimingPlan:
    fixed = Provenance(f"default of {profile.title}", (), profile.source, profile.trust)
    domain = profile.domain if asked.domain is None else asked.domain
    low, high = profile.domains
    domain_why = Provenance(
        "as given, else the profile's default",
        (Input("domain", domain, origin=Origin(_FILE, ("timing", "domain"))),),
        profile.source,
        Trust.PUBLISHED if asked.domain is None else Trust.GIVEN,
        f"{low} <= domain <= {high}",
    )
    return TimingPlan(
        enabled=asked.enabled,
        profile=asked.profile,
        domain=Figure(domain, "", domain_why),
        transport=profile.transport,
        delay=profile.delay,
        two_step=True,
        log_announce=Figure(profile.log_announce, "log2 s", fixed),
        log_sync=Figure(profile.log_sync, "log2 s", fixed),
        log_delay=Figure(profile.log_delay, "log2 s", fixed),
        synce=asked.enabled and asked.synce,
        linuxptp=asked.linuxptp,
        grandmasters=tuple(each.name for each in asked.grandmasters),
        clocks=clocks,
        budgets=budgets,
        notes=notes if asked.enabled else (),
    )


def _references(
    asked: TimingIntent, fabric: Fabric
) -> tuple[dict[str, dict[str, str]], list[Finding]]:
    """By switch, the ports where grandmasters are cabled; and those that find no free port."""
    ports: dict[str, dict[str, str]] = {}
    lacking: list[Finding] = []
    for number, gm in enumerate(asked.grandmasters):
        for name in attachments(fabric, gm.attach, number):
            taken = ports.setdefault(name, {})
            port = reference_port(fabric.by_name[name], len(taken))
            if port is None:
                said = f"{name} has no free port for grandmaster {gm.name}"
                hint = "attach it to a switch with a free SFP+ port or cage"
                lacking.append(_finding("TIM007", said, hint, f"grandmasters.{number}.attach"))
            else:
                taken[port] = gm.name
    return ports, lacking


def _clock(
    device: Device,
    trees: Sequence[Mapping[str, Branch]],
    asked: TimingIntent,
    profile: PtpProfile,
    own: tuple[Provenance, Mapping[str, str]],
) -> Clock:
    why, references = own
    branch = trees[0][device.name]
    fixed = Provenance(f"fixed by {profile.title}", (), profile.source, profile.trust)
    ordered = Provenance(
        "profile's priority2 + clocks from the grandmaster - 1: nearer switches win",
        (Input("clocks from the grandmaster", branch.hops),),
        profile.source,
        Trust.COMPUTED,
        "grandmaster < standby < switches <= 255",
    )
    return Clock(
        device=device.name,
        kind=asked.clocks,
        parent=branch.parent,
        hops=branch.hops,
        priority1=Figure(profile.priority1_fixed or 128, "", fixed),
        priority2=Figure(min(255, profile.priority2 + branch.hops - 1), "", ordered),
        clock_class=_class_name(asked),
        clock_class_why=why,
        ports=tuple(clock_ports(device, trees, references, synce=asked.synce)),
    )


def _class_name(asked: TimingIntent) -> str:
    return asked.clock_class or "C"


def _clock_class(asked: TimingIntent) -> Provenance:
    given = asked.clock_class is not None
    return Provenance(
        "as given" if given else "class C taken where no public figure exists",
        (
            Input(
                "clock_class", _class_name(asked), origin=Origin(_FILE, ("timing", "clock_class"))
            ),
        ),
        _GIVEN if given else "no vendor publishes the G.8273.2 class of these switches",
        Trust.GIVEN if given else Trust.ASSUMED,
    )


def _budgets(
    asked: TimingIntent, fabric: Fabric, tree: Mapping[str, Branch], why: Provenance
) -> Iterator[Budget]:
    leaves = [d for d in fabric.devices if d.name in tree and d.facing_hosts]
    if not leaves:
        return
    limits = CLOCK_CLASSES[_class_name(asked)]
    asymmetry = asked.asymmetry_m * NS_PER_METRE / 2
    target = _target(asked)
    deepest = max(leaves, key=lambda leaf: tree[leaf.name].hops)
    reference = REFERENCES.get(asked.grandmasters[0].clock_class, REFERENCES["PRTC-A"])
    hops = tree[deepest.name].hops
    yield _budget(
        "NIC against UTC",
        Chain(hops, limits, reference, asymmetry * hops, trust=why.trust),
        None,
    )
    below = max(depth_below(tree, leaves[0].name, other.name) for other in leaves)
    yield _budget(
        "two NICs, across leaves",
        Chain(below, limits, 0.0, asymmetry * below, factor=2, trust=why.trust),
        target,
    )


def _target(asked: TimingIntent) -> Figure | None:
    if asked.target_ns is None:
        return None
    given = Input("target_ns", asked.target_ns, "ns", Origin(_FILE, ("timing", "target_ns")))
    return Figure(asked.target_ns, "ns", Provenance("as given", (given,), _GIVEN, Trust.GIVEN))


def _budget(name: str, chain: Chain, target: Figure | None) -> Budget:
    total = total_error(chain)
    return Budget(
        name=name,
        clocks=chain.clocks,
        cte=constant_error(chain),
        dte=dynamic_error(chain),
        total=total,
        total_half=total_error(chain, half=True),
        target=target,
        meets=None if target is None else float(total) <= float(target),
    )


def _check(asked: TimingIntent, profile: PtpProfile, fabric: Fabric) -> Iterator[Finding]:
    low, high = profile.domains
    if asked.domain is not None and not low <= asked.domain <= high:
        yield _finding(
            "TIM001",
            f"domain {asked.domain} is outside {low}-{high} of {profile.title}",
            f"use {profile.domain}, the profile's default, or another of {low}-{high}",
            "domain",
        )
    if not asked.grandmasters:
        yield _finding("TIM002", "no grandmaster is named", "name two or more", "grandmasters")
    elif len(asked.grandmasters) == 1:
        yield _finding(
            "TIM003",
            "one grandmaster only: its failure leaves the fabric without a reference",
            "name a second one, attached to another switch",
            "grandmasters",
            Severity.WARNING,
        )
    known = fabric.by_name
    for number, grandmaster in enumerate(asked.grandmasters):
        for switch in grandmaster.attach:
            if switch not in known:
                yield _finding(
                    "TIM004",
                    f"grandmaster {grandmaster.name} attaches to {switch}, which is no switch",
                    f"switches: {', '.join(list(known)[:8])}, …",
                    f"grandmasters.{number}.attach",
                )


def _missed(
    budgets: tuple[Budget, ...], fabric: Fabric, tree: Mapping[str, Branch]
) -> Iterator[Finding]:
    for budget in budgets:
        if budget.meets is False and budget.target is not None:
            yield _finding(
                "TIM005",
                f"{budget.name}: {float(budget.total):.2f} ns (MTIE whole; half: "
                f"{float(budget.total_half):.2f} ns) against a target of "
                f"{float(budget.target):g} ns over {budget.clocks} clocks a branch",
                "a better clock class, fewer clocks below the common one, or a wider target",
                "target_ns",
                Severity.WARNING,
            )
    lost = [device.name for device in fabric.devices if device.name not in tree]
    if lost:
        yield _finding(
            "TIM006",
            f"{len(lost)} switches have no path to the grandmaster: {', '.join(lost[:8])}",
            "attach a grandmaster to each part of the network that is not connected",
            "grandmasters",
            Severity.WARNING,
        )


def _slow(asked: TimingIntent, profile: PtpProfile) -> Iterator[Finding]:
    if asked.target_ns is None or asked.target_ns >= _FINE_NS or profile.log_sync <= _FINE_LOG_SYNC:
        return
    yield _finding(
        "TIM008",
        f"{profile.title} sends a sync message every 2^{profile.log_sync} s; a target of "
        f"{asked.target_ns:g} ns needs one every 2^{_FINE_LOG_SYNC} s or faster",
        "use profile g8275.1 (2^-4 s), or a target of 100 ns or more",
        "profile",
        Severity.WARNING,
    )


def _alone(asked: TimingIntent, fabric: Fabric) -> Iterator[Finding]:
    """Single failures that cost a switch its reference; one grandmaster alone has its own rule."""
    if len(asked.grandmasters) < 2:
        return
    attached = {
        gm.name: attachments(fabric, gm.attach, number)
        for number, gm in enumerate(asked.grandmasters)
    }
    found = losses(fabric, attached)
    if found:
        worst = "; ".join(f"{each.failed} ({each.switches})" for each in found[:8])
        yield _finding(
            "TIM009",
            f"{len(found)} single failures leave switches without a reference: {worst}",
            "attach the grandmasters to different switches, and give each switch two ways up",
            "grandmasters",
            Severity.WARNING,
        )


def _finding(
    rule: str, message: str, hint: str, key: str, severity: Severity = Severity.ERROR
) -> Finding:
    return Finding(
        rule=rule, severity=severity, message=message, hint=hint, table=_FILE, key=f"timing.{key}"
    )
