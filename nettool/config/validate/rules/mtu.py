"""MTU along the paths that RoCE takes, not over one link alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator

from nettool.config.validate.ends import paused
from nettool.config.validate.fabric import FabricConfigs, LinkEnd, mtu_row
from nettool.config.validate.rule import Context, Fault, device_rule, fabric_rule
from nettool.config.validate.spelling import digits, number_of
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

ROCE_FRAME = 4096 + 40 + 8 + 12 + 16 + 4
"""Payload of the largest RDMA MTU, IPv6, UDP, BTH, RETH and ICRC, in bytes."""
_SOURCE = "InfiniBand Architecture specification 1.4, annex A17 (RoCEv2); NVIDIA/nccl#1524"
_DEFAULT = 9100


@fabric_rule(
    "MTU001",
    "a path has a smaller MTU than the ports that hosts send into",
    Severity.WARNING,
    why="RDMA does not find out the MTU of a path: NICs send what their own port allows, and the "
    "frames that do not fit into a link on the way are dropped without a message.",
    fix="Set the same MTU on every port of the path, 9100 or more.",
    source=f"{_SOURCE}; sonic-buildimage 086b03bd sonic-port.yang",
)
def paths_take_large_frames(fabric: FabricConfigs, _context: Context) -> Iterator[Fault]:
    """Links and host ports below the MTU of most host ports that they are joined to.

    An error where RDMA's largest frame (4,096 bytes of payload) fits the hosts' ports and not
    the narrow one.
    """
    joined = _joined(fabric)
    hosts = _hosts(fabric)
    most: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for (device, mtu), ends in hosts.items():
        most[joined[device]][mtu] += len(ends)
    entry = {root: counts.most_common(1)[0][0] for root, counts in most.items()}
    for (device, mtu), ends in hosts.items():
        need = entry[joined[device]]
        for end in ends if mtu < need else ():
            if end.end.mtu is None:
                yield _narrow(end, mtu, need, "other hosts' ports")
    widest = max(entry.values(), default=0)
    for group in fabric.alike:
        mtu = _mtu(group[0][0])
        if mtu >= widest or mtu != _mtu(group[0][1]) or not _carries_roce(group[0][0]):
            continue
        for a, b in group:
            need = entry.get(joined[a.end.device], 0)
            if mtu < need:
                yield _narrow(a, mtu, need, f"hosts' ports; the other end is {b.end}")


@device_rule(
    "MTU002",
    "a VLAN takes smaller frames than RDMA sends through its ports",
    Severity.ERROR,
    reads=("PORT", "PORT_QOS_MAP", "VLAN", "VLAN_MEMBER"),
    why="The VLAN's MTU is that of its gateway: larger frames that hosts send to another subnet "
    "are dropped there.",
    fix="Leave mtu of the VLAN out, or set it to that of its ports.",
    source=f"{_SOURCE}; sonic-swss portsorch.cpp, intfsorch.cpp setRouterIntfsMtu",
)
def vlans_take_large_frames(config: Config, _context: Context) -> Iterator[Fault]:
    """VLANs with an MTU below RDMA's largest frame that a port of theirs with PFC takes."""
    small = {
        key: mtu
        for key, row in config.rows("VLAN").items()
        if (mtu := number_of(row.get("mtu"))) is not None and mtu < ROCE_FRAME
    }
    for key in config.rows("VLAN_MEMBER") if small else ():
        vlan, _, port = key.partition("|")
        row = config.rows("PORT").get(port)
        if vlan not in small or row is None or not _pauses(config, port):
            continue
        mtu = number_of(row.get("mtu", _DEFAULT)) or 0
        if mtu >= ROCE_FRAME:
            message = f"mtu {small.pop(vlan)} of {vlan}, and {mtu} on its member {port}"
            yield Fault("VLAN", vlan, "mtu", message, f'set "{mtu}"')


@device_rule(
    "MTU003",
    "a port takes smaller frames than the VLAN it is a member of",
    Severity.WARNING,
    reads=("PORT", "VLAN", "VLAN_MEMBER"),
    why="The gateway and the other members send frames of the VLAN's MTU; those that do not fit "
    "this port are dropped there without a message.",
    fix="Set the same MTU on the VLAN and all its members.",
    source="IEEE 802.1Q; sonic-swss portsorch.cpp (MTU of a port)",
)
def members_take_the_vlans_frames(config: Config, _context: Context) -> Iterator[Fault]:
    """Ports that are up, with an MTU below one that their VLAN sets."""
    vlans = {key: number_of(row.get("mtu")) for key, row in config.rows("VLAN").items()}
    for key in config.rows("VLAN_MEMBER"):
        vlan, _, port = key.partition("|")
        row, most = config.rows("PORT").get(port), vlans.get(vlan)
        if row is None or most is None or row.get("admin_status") == "down":
            continue
        mtu = number_of(row.get("mtu", _DEFAULT))
        if mtu is not None and mtu < most:
            message = f"mtu {mtu} of {port}, and {most} of {vlan}, whose member it is"
            yield Fault("PORT", port, "mtu", message, f'set "{most}"')


def _hosts(fabric: FabricConfigs) -> dict[tuple[str, int], list[LinkEnd]]:
    """Ports that hosts send RDMA into, by device and MTU."""
    known: dict[Hashable, int | None] = {}
    found: dict[tuple[str, int], list[LinkEnd]] = {}
    for end, _ in fabric.beyond:
        kind = fabric.kind(end)
        if kind not in known:
            known[kind] = _mtu(end) if _carries_roce(end) else None
        mtu = known[kind]
        if mtu is not None:
            found.setdefault((end.end.device, mtu), []).append(end)
    return found


def _narrow(end: LinkEnd, mtu: int, need: int, where: str) -> Fault:
    level = Severity.ERROR if mtu < ROCE_FRAME <= need else None
    table, key, _ = mtu_row(end)
    message = f"mtu {mtu} here, on a path of frames up to {need} from {where}"
    return Fault(table, key, "mtu", message, f'set "{need}"', level, end.end.device)


def _joined(fabric: FabricConfigs) -> dict[str, str]:
    """A name for each set of devices that links join."""
    near: dict[str, set[str]] = {name: set() for name in fabric.devices}
    for a, b in fabric.inside:
        near[a.end.device].add(b.end.device)
        near[b.end.device].add(a.end.device)
    found: dict[str, str] = {}
    for name in near:
        queue = [name] if name not in found else []
        while queue:
            each = queue.pop()
            if each not in found:
                found[each] = name
                queue.extend(near[each])
    return found


def _mtu(end: LinkEnd) -> int:
    return number_of(mtu_row(end)[2].get("mtu", _DEFAULT)) or 0


def _carries_roce(end: LinkEnd) -> bool:
    """True for ports with PFC; for all ports where the device has no PORT_QOS_MAP."""
    if end.config is None or (end.row or {}).get("admin_status") == "down":
        return False
    return "PORT_QOS_MAP" not in end.config or bool(paused(end))


def _pauses(config: Config, port: str) -> bool:
    text = config.row("PORT_QOS_MAP", port).get("pfc_enable", "")
    return isinstance(text, str) and bool(digits(text))
