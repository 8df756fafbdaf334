"""Links: both ends of a cable must agree, and tiers must not hash alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nettool.config.validate.ends import odd_ends
from nettool.config.validate.fabric import FabricConfigs, LinkEnd, mtu_row
from nettool.config.validate.rule import Context, Fault, fabric_rule
from nettool.config.validate.spelling import digits, number_of
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

_SEEDS = (
    ("ToRRouter", 0),
    ("LeafRouter", 10),
    ("SpineRouter", 25),
    ("LowerRegionalHub", 60),
    ("FabricRegionalHub", 70),
    ("UpperRegionalHub", 80),
)
"""Seeds by what the type contains, first match; others have 0."""


@fabric_rule(
    "LNK001",
    "the ends of a link differ in speed",
    Severity.ERROR,
    why="The link does not come up.",
    fix="Set both ends to the same speed; break the port out if its cage is wider.",
    source="IEEE 802.3-2022 clause 1.4 (a link has one rate); sonic-net/sonic-mgmt PR 13215",
)
def speeds_agree(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Speeds of two configured ends, or of one and what was declared of it or of the other."""
    for _, a, b in fabric.ends:
        said = False
        for each in (a, b):
            for fault in _not_as_told(each):
                said = True
                yield fault
        if not said:
            yield from _differing(a, b, "speed")


@fabric_rule(
    "LNK002",
    "the ends of a link differ in FEC",
    Severity.ERROR,
    why="Without the same FEC on both ends the link does not come up.",
    fix="Set the same fec on both ends: rs from 50 Gb/s a lane on.",
    source="IEEE 802.3-2022 clauses 74 (FC-FEC), 91 and 119 (RS-FEC); sonic-buildimage 086b03bd "
    "sonic-port.yang",
)
def fec_agrees(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """FEC of two configured ends, where both set it and neither says auto."""
    for a, b in fabric.inside:
        if "auto" not in {(a.row or {}).get("fec"), (b.row or {}).get("fec")}:
            yield from _differing(a, b, "fec")


@fabric_rule(
    "LNK003",
    "the ends of a link differ in MTU",
    Severity.ERROR,
    why="Frames that the larger end sends are dropped by the smaller one without a message: small "
    "packets pass, RDMA transfers hang.",
    fix="Set the same MTU on both ends, 9100 or more for RoCE.",
    source="NVIDIA/nccl#1524; sonic-buildimage 086b03bd sonic-port.yang",
)
def mtus_agree(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """MTU of two configured ends, that of the bundle for its members; 9100 where none is set."""
    said: set[tuple[str, str, str]] = set()
    for _, a, b in fabric.ends:
        ours, theirs = _mtu(a), _mtu(b)
        if ours is None or theirs is None or ours == theirs:
            continue
        if b.row is None or (a.row is not None and ours < theirs):
            a, b, ours, theirs = b, a, theirs, ours  # noqa: PLW2901 - the smaller end is told
        table, key, _ = mtu_row(b)
        if b.row is not None and (b.end.device, table, key) not in said:
            said.add((b.end.device, table, key))
            message = f"mtu {theirs} here, and {ours} on {a.end}"
            hint = f'set both to the same, such as "{ours}"'
            yield Fault(table, key, "mtu", message, hint, device=b.end.device)


@fabric_rule(
    "LNK004",
    "the ends of a link pause different priorities",
    Severity.ERROR,
    why="An end that does not honour pause keeps sending, and the lossless class drops.",
    fix="Set the same pfc_enable on both ends.",
    source="IEEE 802.1Q-2022 clause 36; sonic-swss qosorch.cpp",
)
def pause_agrees(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """pfc_enable in PORT_QOS_MAP of both ends, where both devices have the table."""
    for each in odd_ends(fabric, _pauses):
        here, there = (_shown(value) for value in (each.here, each.there))
        message = f"pfc_enable {here} here, and {there} on {each.other.end}"
        device, port = each.end.place
        yield Fault("PORT_QOS_MAP", port, "pfc_enable", message, device=device)


@fabric_rule(
    "LNK005",
    "a cable names a port that is not configured",
    Severity.ERROR,
    why="The port does not exist on the switch, so the link is down.",
    fix="Correct the cable list, or configure the port.",
    source="sonic-buildimage 086b03bd portconfig.py; sonic-swss portsorch.cpp (ports are those of "
    "PORT)",
)
def ports_are_there(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Ends on a device with a PORT table that has no such port."""
    for _, *ends in fabric.ends:
        for each in ends:
            if each.row is None and each.config and "PORT" in each.config:
                message = f"the cable list names {each.end}, and PORT has no such row"
                yield Fault("PORT", each.end.port, None, message, device=each.end.device)


@fabric_rule(
    "LNK006",
    "neighbouring tiers hash with the same seed",
    Severity.WARNING,
    why="The hash seed comes from the device type: ToRRouter 0, LeafRouter 10, SpineRouter and all "
    "its kinds 25, any other or none 0. With equal seeds the second tier repeats the choice of the "
    "first, and part of its uplinks stays idle.",
    fix="Give each tier a type with another seed (ToRRouter, LeafRouter, SpineRouter).",
    source="sonic-buildimage 086b03bd dockers/docker-orchagent/switch.json.j2; "
    "sonic-net/sonic-buildimage#25441",
)
def tiers_hash_apart(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Linked devices with equal seeds; said once a seed, where most of them meet."""
    seeds = {name: _seed(each) for name, each in fabric.devices.items()}
    pairs = {
        (link.a.device, link.b.device)
        for link in fabric.declared.links
        if seeds.get(link.a.device) is not None
        and seeds.get(link.a.device) == seeds.get(link.b.device)
    }
    for seed in {seeds[a] for a, _ in pairs}:
        alike = sorted(each for each in pairs if seeds[each[0]] == seed)
        device, _ = Counter(name for pair in alike for name in pair).most_common(1)[0]
        kind = fabric.devices[device].metadata.get("type", "(none)")
        message = f"type {kind} gives hash seed {seed}, as on its neighbours ({len(alike)} pairs)"
        yield Fault("DEVICE_METADATA", "localhost", "type", message, device=device)


def _differing(a: LinkEnd, b: LinkEnd, name: str) -> Iterator[Fault]:
    ours, theirs = _value(a, name), _value(b, name)
    if ours is None or theirs is None or ours == theirs:
        return
    if b.row is None:
        a, b, ours, theirs = b, a, theirs, ours
    if b.row is not None:
        message = f"{name} {theirs} here, and {ours} on {a.end}"
        hint = f'set both to the same, such as "{ours}"'
        yield Fault("PORT", b.end.port, name, message, hint, device=b.end.device)


def _not_as_told(each: LinkEnd) -> Iterator[Fault]:
    speed = number_of(each.row.get("speed")) if each.row is not None else None
    if speed is not None and each.end.speed is not None and speed != each.end.speed:
        message = f"speed {speed} here, and the cable list says {each.end.speed}"
        device, port = each.place
        yield Fault("PORT", port, "speed", message, f'set "{each.end.speed}"', device=device)


def _value(end: LinkEnd, name: str) -> str | None:
    if end.row is not None:
        value = end.row.get(name)
        return None if value is None else str(value)
    return str(end.end.speed) if name == "speed" and end.end.speed is not None else None


def _mtu(end: LinkEnd) -> int | None:
    return end.end.mtu if end.row is None else number_of(mtu_row(end)[2].get("mtu", "9100"))


def _pauses(end: LinkEnd) -> tuple[int, ...] | str | None:
    if end.config is None or "PORT_QOS_MAP" not in end.config:
        return None
    text = str(end.config.row("PORT_QOS_MAP", end.end.port).get("pfc_enable", ""))
    return tuple(sorted(digits(text))) or text


def _shown(priorities: object) -> str:
    if isinstance(priorities, tuple):
        return ",".join(str(each) for each in priorities)
    return str(priorities) or "off"


def _seed(config: Config) -> int | None:
    """The seed of a device; None for a fragment that does not say what the device is."""
    if not config.is_whole:
        return None
    kind = str(config.metadata.get("type", ""))
    return next((seed for name, seed in _SEEDS if name in kind), 0)
