"""Which hash seed each tier has, and the proof that no two tiers that meet share one.

With one seed on two tiers a spine repeats the choice that its leaf made, and part of its links
stay idle (polarisation). SONiC takes the seed from the device type, so the type must follow the
tier. Source: sonic-buildimage dockers/docker-orchagent/switch.json.j2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nettool.core.finding import Finding, Severity
from nettool.core.provenance import Figure, Input, Provenance, Trust
from nettool.plan.design.fabric import Fabric, Role

SOURCE = "sonic-buildimage 086b03bd dockers/docker-orchagent/switch.json.j2"
TYPE_OF_ROLE: Mapping[Role, str] = {
    "leaf": "ToRRouter",
    "spine": "LeafRouter",
    "core": "SpineRouter",
}
"""The kinds of device type that give three tiers three seeds."""
PINNING = (
    "one-to-one pinning of NIC to uplink is computed (pinned, %) but not rendered: SONiC's model "
    "of access lists knows a REDIRECT action without a target, and AsterNOS publishes no lines of "
    "its policy routing"
)
"""Why no dialect pins paths. Sources: sonic-buildimage 086b03bd sonic-acl.yang, leaf PACKET_ACTION;
docs.asternos.com intelligent lossless network guide, which describes it without commands."""
_SEEDS = (("ToRRouter", 0), ("LeafRouter", 10), ("SpineRouter", 25))


@dataclass(frozen=True, slots=True)
class TierSeed:
    """The hash of one tier: SONiC device type, and the seed that follows from it."""

    role: Role
    device_type: str
    seed: Figure


def seed_of_type(device_type: str) -> Figure | None:
    """The ECMP hash seed that SONiC derives from a device type, None where it sets none.

    Every name that contains SpineRouter has the same seed: Upper-, Lower- and FabricSpineRouter
    do not differ.
    """
    for part, seed in _SEEDS:
        if part in device_type:
            why = Provenance(
                f"types whose name contains {part} have seed {seed}",
                (Input("type", device_type),),
                SOURCE,
                Trust.PUBLISHED,
                "differs from the seed of every tier it is cabled to",
            )
            return Figure(seed, "", why)
    return None


def tier_seeds(fabric: Fabric, types: Mapping[Role, str] = TYPE_OF_ROLE) -> Mapping[Role, TierSeed]:
    """The seed of each tier that the fabric has; tiers whose type sets none are left out."""
    seeds = {}
    for role in dict.fromkeys(each.role for each in fabric.devices):
        seed = seed_of_type(types[role])
        if seed is not None:
            seeds[role] = TierSeed(role, types[role], seed)
    return seeds


def check_seeds(fabric: Fabric, types: Mapping[Role, str] = TYPE_OF_ROLE) -> Iterator[Finding]:
    """An error for each pair of tiers that are cabled to each other and hash alike."""
    seeds = tier_seeds(fabric, types)
    for lower, upper in sorted(_adjacent(fabric)):
        one, other = seeds.get(lower), seeds.get(upper)
        if one and other and int(one.seed) == int(other.seed):
            yield Finding(
                rule="DSN014",
                severity=Severity.ERROR,
                message=f"{lower} ({one.device_type}) and {upper} ({other.device_type}) hash with "
                f"the same seed {int(one.seed)}: flows that a {lower} puts on one link stay "
                f"together on every {upper}",
                hint="give the tiers types with different seeds: ToRRouter 0, LeafRouter 10, "
                "SpineRouter 25",
                table="DEVICE_METADATA",
                key="localhost",
                field="type",
            )


def _adjacent(fabric: Fabric) -> set[tuple[Role, Role]]:
    """Pairs of roles, lower first, with at least one link between them."""
    return {
        (device.role, fabric.by_name[faced.device].role)
        for device in fabric.devices
        for faced in device.neighbors.values()
        if faced.role != "node" and device.tier < fabric.by_name[faced.device].tier
    }
