"""Switched and bundled links: both ends are in the same VLANs, and in a bundle or not."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.ends import odd_ends
from nettool.config.validate.fabric import FabricConfigs, LinkEnd, Vlans, bundles_of, vlans_of
from nettool.config.validate.rule import Context, Fault, fabric_rule
from nettool.core.finding import Severity


@fabric_rule(
    "LNK017",
    "the ends of a link carry different VLANs",
    Severity.WARNING,
    why="Frames with the tag of a VLAN that the other end does not have are dropped there; an end "
    "that tags where the other does not puts hosts into another VLAN.",
    fix="Give both ends the same VLANs with the same tagging_mode.",
    source="IEEE 802.1Q-2022 section 6.9; sonic-buildimage 086b03bd sonic-vlan.yang",
)
def vlans_agree(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Members of VLANs at both ends; an error where one VLAN is tagged at one end only."""
    for each in odd_ends(fabric, _vlans):
        here, there = (value if isinstance(value, frozenset) else frozenset()
                       for value in (each.here, each.there))  # fmt: skip
        modes = dict(here), dict(there)
        vlan = min(vlan for vlan, _ in here ^ there)
        told = (f"{side.get(vlan, 'no member')}" for side in modes)
        message = "{vlan}: {} here, and {} on {end}".format(*told, vlan=vlan, end=each.other.end)
        level = Severity.ERROR if all(vlan in side for side in modes) else None
        name = _name(each.end)
        yield Fault("VLAN_MEMBER", f"{vlan}|{name}", "tagging_mode" if level else None, message,
                    None, level, each.end.end.device)  # fmt: skip


@fabric_rule(
    "LNK018",
    "one end of a link is in a bundle, the other is not",
    Severity.ERROR,
    why="LACP finds no partner: the member stays out of the bundle, and the bundle down.",
    fix="Make both ends members of a bundle, or neither.",
    source="IEEE 802.1AX-2020 section 6; sonic-buildimage 086b03bd sonic-portchannel.yang",
)
def bundles_have_two_ends(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Members of a PORTCHANNEL that are cabled to a port of a device with a file that is none."""
    for pair in fabric.inside:
        for here, there in (pair, pair[::-1]):
            bundle, other = _bundle(here), _bundle(there)
            if bundle is not None and other is None:
                key = f"{bundle}|{here.end.port}"
                message = f"{there.end} at the other end is in no bundle"
                yield Fault("PORTCHANNEL_MEMBER", key, None, message, device=here.end.device)


def _bundle(end: LinkEnd) -> str | None:
    return bundles_of(end.config).get(end.end.port) if end.config else None


def _name(end: LinkEnd) -> str:
    return _bundle(end) or end.end.port


def _vlans(end: LinkEnd) -> Vlans | None:
    return vlans_of(end.config).get(_name(end)) if end.config else None
