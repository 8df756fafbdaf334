"""What the clocks of a fabric can do: kind by tier, class and SyncE by model, NICs, links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from nettool.catalog.catalog import Catalog
from nettool.catalog.fact import Fact
from nettool.catalog.host import NicModel
from nettool.core.provenance import Input, Origin, Provenance, Trust, weakest
from nettool.intent.intent import TimingIntent
from nettool.plan.design.fabric import Device, Fabric
from nettool.plan.timing.budget import NS_PER_METRE
from nettool.plan.timing.links import OwnLink
from nettool.plan.timing.note import FILE, GIVEN
from nettool.plan.timing.profiles import REFERENCES
from nettool.plan.timing.worst import Clockwork

ASSUMED_CLASS = "C"


@dataclass(frozen=True, slots=True)
class ModelClock:
    """The clock of one switch model: G.8273.2 class, and whether SyncE works (None: unknown)."""

    clock_class: str
    why: Provenance
    synce: Fact | None


@dataclass(frozen=True)
class ClockFacts:
    """Everything about the clocks of a fabric that does not depend on the tree."""

    models: Mapping[str, ModelClock]
    works: Clockwork
    kinds: Mapping[str, str]
    """boundary or transparent, by role of the switch."""
    nics: Mapping[str, NicModel] = field(default_factory=dict)
    """NIC models by name."""

    def of(self, device: Device) -> ModelClock:
        """The clock of a switch."""
        return self.models[device.model]

    @property
    def trust(self) -> Trust:
        """That of the least sure clock class."""
        return weakest(*(each.why.trust for each in self.models.values()))

    def with_class(self, name: str) -> ClockFacts:
        """The same fabric with every switch in one clock class."""
        classes = dict.fromkeys(self.works.classes, name)
        return replace(self, works=replace(self.works, classes=classes))


def clock_facts(
    asked: TimingIntent, fabric: Fabric, catalog: Catalog, links: Sequence[OwnLink]
) -> ClockFacts:
    """The clocks of a fabric: as given, else as the catalog has them, else assumed."""
    models = {
        name: _model(name, asked, catalog)
        for name in dict.fromkeys(device.model for device in fabric.devices)
    }
    given = asked.clocks if isinstance(asked.clocks, dict) else {}
    usual = "boundary" if isinstance(asked.clocks, dict) else asked.clocks
    kinds: dict[str, str] = {
        device.role: given.get(device.role, usual) for device in fabric.devices
    }
    works = Clockwork(
        classes={each.name: models[each.model].clock_class for each in fabric.devices},
        facing=_facing(asked, fabric, links),
        references={
            each.name: REFERENCES.get(each.clock_class, REFERENCES["PRTC-A"])
            for each in asked.grandmasters
        },
        usual=_half(asked.asymmetry_m),
        asymmetry=_between_switches(asked, fabric, links),
        second=_second(asked, fabric, links),
    )
    cards = dict.fromkeys(nic.model for node in fabric.nodes for nic in node.nics)
    nics = {name: catalog.nic(name) for name in cards}
    return ClockFacts(models, works, kinds, nics)


def _model(name: str, asked: TimingIntent, catalog: Catalog) -> ModelClock:
    switch = catalog.switch(name)
    known = switch.ptp_class
    chosen: str
    if name in asked.clock_classes:
        chosen = asked.clock_classes[name]
        why = _as_given(chosen, "clock_classes", name)
    elif asked.clock_class is not None:
        chosen = asked.clock_class
        why = _as_given(chosen, "clock_class")
    elif known is not None:
        chosen, why = str(known.value), known.why
    else:
        chosen = ASSUMED_CLASS
        why = Provenance(
            f"class {chosen} taken where no public figure exists",
            (Input("model", name),),
            f"no public source gives the G.8273.2 class of {name}",
            Trust.ASSUMED,
        )
    return ModelClock(chosen, why, switch.synce)


def _as_given(value: str, *path: str) -> Provenance:
    given = Input("clock class", value, origin=Origin(FILE, ("timing", *path)))
    return Provenance("as given", (given,), GIVEN, Trust.GIVEN)


def _half(metres: float) -> float:
    return metres * NS_PER_METRE / 2


def _facing(asked: TimingIntent, fabric: Fabric, links: Sequence[OwnLink]) -> dict[str, float]:
    """The largest half asymmetry of each switch's NIC links, ns."""
    usual = _half(asked.asymmetry_m)
    largest = {name: halves[0] for name, halves in _uneven(asked, fabric, links).items()}
    return {e.name: largest.get(e.name, usual) for e in fabric.devices if e.facing_hosts}


def _second(asked: TimingIntent, fabric: Fabric, links: Sequence[OwnLink]) -> dict[str, float]:
    """The second largest, of switches that have a NIC link of their own asymmetry."""
    return {name: halves[1] for name, halves in _uneven(asked, fabric, links).items() if halves[1:]}


def _uneven(
    asked: TimingIntent, fabric: Fabric, links: Sequence[OwnLink]
) -> dict[str, list[float]]:
    """Half the asymmetry of all NIC links of a switch with a link of its own, largest first."""
    own = {
        end: _half(each.asked.asymmetry_m)
        for each in links
        if each.asked.asymmetry_m is not None
        for end in each.ends
    }
    usual = _half(asked.asymmetry_m)
    named = dict.fromkeys(device for device, _ in own if device in fabric.by_name)
    ports = {name: fabric.by_name[name].facing_hosts for name in named}
    return {
        name: sorted((own.get((name, port), usual) for port in facing), reverse=True)
        for name, facing in ports.items()
        if facing
    }


def _between_switches(
    asked: TimingIntent, fabric: Fabric, links: Sequence[OwnLink]
) -> dict[frozenset[str], float]:
    """Half the asymmetry of switches' links that have their own, ns; parallel links: the worst."""
    known = fabric.by_name
    found: dict[frozenset[str], float] = {}
    for each in links:
        (one, _), (other, _) = each.ends
        if each.asked.asymmetry_m is None or one not in known or other not in known:
            continue
        ends = frozenset((one, other))
        parallel = sum(n.device == other for n in known[one].neighbors.values()) > 1
        least = _half(asked.asymmetry_m) if parallel else 0.0
        found[ends] = max(found.get(ends, least), _half(each.asked.asymmetry_m))
    return found
