"""Links with a transport or an asymmetry of their own, found by either end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nettool.core.finding import Finding
from nettool.intent.intent import TimingIntent, TimingLinkIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.timing.note import error
from nettool.plan.timing.timing_plan import Fibre


@dataclass(frozen=True, slots=True)
class OwnLink:
    """One entry of `timing.links` with both ends of the link that it names."""

    number: int
    ends: tuple[Fibre, Fibre]
    asked: TimingLinkIntent

    @property
    def key(self) -> frozenset[Fibre]:
        """The link itself, whichever end named it."""
        return frozenset(self.ends)

    @property
    def said(self) -> str:
        """Both ends in words."""
        return " - ".join(f"{device}:{port}" for device, port in self.ends)


def own_links(asked: TimingIntent, fabric: Fabric) -> tuple[list[OwnLink], list[Finding]]:
    """The links that have their own entry, and entries that name no cabled port or contradict."""
    found: list[OwnLink] = []
    findings: list[Finding] = []
    for number, each in enumerate(asked.links):
        device, _, port = each.port.partition(":")
        peer = _peer(fabric, device, port)
        if peer is None:
            said = f"link {each.port}: no such switch or node, or nothing is cabled to its port"
            hint = "name either end as fabric.json does: leaf01:Ethernet512, node01:nic1"
            findings.append(error("TIM004", said, hint, f"links.{number}.port"))
        else:
            found.append(OwnLink(number, ((device, port), peer), each))
    return found, [*findings, *_contradictions(found)]


def own_transport(links: Sequence[OwnLink]) -> Mapping[str, Mapping[str, str]]:
    """By device or node and port, the transport where it is the link's own: at both ends."""
    chosen: dict[str, dict[str, str]] = {}
    for each in links:
        if each.asked.transport is not None:
            for device, port in each.ends:
                chosen.setdefault(device, {})[port] = each.asked.transport
    return chosen


def _peer(fabric: Fabric, device: str, port: str) -> Fibre | None:
    if device in fabric.by_name:
        neighbor = fabric.by_name[device].neighbors.get(port)
        return (neighbor.device, neighbor.port) if neighbor else None
    node = fabric.node_by_name.get(device)
    nics = node.nics if node else ()
    return next(((nic.switch, nic.port) for nic in nics if nic.name == port), None)


def _contradictions(links: Sequence[OwnLink]) -> Iterator[Finding]:
    """Two ends of one link that are told differently."""
    first: dict[frozenset[Fibre], OwnLink] = {}
    for each in links:
        other = first.setdefault(each.key, each)
        for field in ("transport", "asymmetry_m"):
            here, there = getattr(each.asked, field), getattr(other.asked, field)
            if here != there and None not in (here, there):
                yield error(
                    "TIM010",
                    f"link {each.said}: {field} is {there} at {other.asked.port} and {here} at "
                    f"{each.asked.port}; both ends of a link must have the same",
                    "give a link one entry, by either of its ports",
                    f"links.{each.number}.{field}",
                )
