"""The grandmasters as the fabric sees them: error, priorities, quality level, and their ports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nettool.core.finding import Finding
from nettool.core.provenance import Figure, Input, Origin, Provenance, Trust
from nettool.intent.intent import GrandmasterIntent, TimingIntent
from nettool.plan.design.fabric import Device, Fabric
from nettool.plan.timing.note import FILE, GIVEN, error
from nettool.plan.timing.profiles import PROFILES, REFERENCES, PtpProfile
from nettool.plan.timing.quality import level, level_of_class
from nettool.plan.timing.timing_plan import Fibre, Reference
from nettool.plan.timing.tree import Attached

SWITCH_PRIORITY1 = 128


def plan_references(
    asked: TimingIntent, fabric: Fabric, attached: Attached
) -> tuple[tuple[Reference, ...], list[Finding]]:
    """Every grandmaster with the ports it is cabled to; and those that find no free port."""
    ports: dict[str, list[Fibre]] = {name: [] for name in attached}
    taken: dict[str, int] = {}
    lacking: list[Finding] = []
    for number, (name, switches) in enumerate(attached.items()):
        for switch in switches:
            port = _free_port(fabric.by_name[switch], taken.get(switch, 0))
            taken[switch] = taken.get(switch, 0) + 1
            if port is None:
                said = f"{switch} has no free port for grandmaster {name}"
                hint = "attach it to a switch with a free SFP+ port or cage"
                lacking.append(error("TIM007", said, hint, f"grandmasters.{number}.attach"))
            else:
                ports[name].append((switch, port))
    found = tuple(
        _reference(number, asked, tuple(ports[each.name]))
        for number, each in enumerate(asked.grandmasters)
    )
    return found, lacking


def ports_of(references: Sequence[Reference]) -> Mapping[str, Mapping[str, str]]:
    """By switch, the ports where grandmasters are cabled, with their names."""
    ports: dict[str, dict[str, str]] = {}
    for each in references:
        for device, port in each.attached:
            ports.setdefault(device, {})[port] = each.name
    return ports


def priorities(asked: TimingIntent, number: int) -> tuple[Figure, Figure]:
    """Priority1 and priority2 that a grandmaster must be set to, in the order of the list."""
    profile = PROFILES[asked.profile]
    gm = asked.grandmasters[number]
    ordered = SWITCH_PRIORITY1 - len(asked.grandmasters) + number
    first = profile.priority1_fixed
    one = gm.priority1 if gm.priority1 is not None else ordered if first is None else first
    two = gm.priority2 if gm.priority2 is not None else ordered
    return (
        Figure(one, "", _priority_why(gm, number, "priority1", profile)),
        Figure(two, "", _priority_why(gm, number, "priority2", profile)),
    )


def _priority_why(
    gm: GrandmasterIntent, number: int, field: str, profile: PtpProfile
) -> Provenance:
    given = getattr(gm, field)
    if given is not None:
        origin = Origin(FILE, ("timing", "grandmasters", number, field))
        return Provenance("as given", (Input(field, given, origin=origin),), GIVEN, Trust.GIVEN)
    if field == "priority1" and profile.priority1_fixed is not None:
        return Provenance(f"fixed by {profile.title}", (), profile.source, profile.trust)
    return Provenance(
        "128 - grandmasters + place in the list: the first one leads, all before the switches",
        (Input("place", number),),
        profile.source,
        Trust.COMPUTED,
        "grandmaster < standby < switches",
    )


def _reference(number: int, asked: TimingIntent, attached: tuple[Fibre, ...]) -> Reference:
    gm = asked.grandmasters[number]
    one, two = priorities(asked, number)
    ql = gm.ql or level_of_class(gm.clock_class)
    codes = level(ql, asked.synce_option)
    limit = REFERENCES.get(gm.clock_class, REFERENCES["PRTC-A"])
    origin = Origin(FILE, ("timing", "grandmasters", number, "clock_class"))
    why = Provenance(
        "largest error of its class",
        (Input("clock class", gm.clock_class, origin=origin),),
        "ITU-T G.8272 and G.8272.1",
        Trust.RECALLED,
    )
    return Reference(
        name=gm.name,
        clock_class=gm.clock_class,
        error=Figure(limit, "ns", why),
        priority1=one,
        priority2=two,
        ql=ql,
        ssm=codes.ssm if codes else 0,
        enhanced_ssm=codes.enhanced if codes else 0,
        attached=attached,
    )


def _free_port(device: Device, taken: int) -> str | None:
    """A switch's next free port for a grandmaster: SFP+ first, else a free cage."""
    return next((port for number, port in enumerate(_free(device)) if number == taken), None)


def _free(device: Device) -> Iterator[str]:
    yield from (slot.name for slot in device.layout.extras)
    yield from (slot.name for slot in device.layout.slots if slot.name not in device.neighbors)
