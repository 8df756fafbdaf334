"""What ptp4l is told: one file a switch, and one a NIC, for each NIC has a clock of its own.

Option names follow the linuxptp version of the intent: 4.0 renamed slaveOnly and masterOnly.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from nettool.config.nos.dialects.linuxptp.blocks import Block, Option, chosen, version
from nettool.core.provenance import Traced
from nettool.plan.design.fabric import Nic
from nettool.plan.timing.profiles import DSCP, PROFILES
from nettool.plan.timing.timing_plan import Clock, ClockPort, TimingPlan

_FORWARDED = "01:1B:19:00:00:00"
_LINK_LOCAL = "01:80:C2:00:00:0E"
_RENAMED = (4, 0)
_HOST_PRIORITY = 255
_QUERY = "2"
"""Seconds, log2, between attempts to reach a clock that was asked and is silent."""
_LEASE = "60"
"""Seconds of messages that a unicast request asks for."""


def switch_blocks(plan: TimingPlan, clock: Clock) -> Iterator[Block]:
    """The file of a switch: its clock, the clocks that it asks by address, its ports."""
    is_boundary = clock.kind == "boundary"
    kind: list[Option] = [
        ("clock_type", chosen("BC" if is_boundary else "E2E_TC", "intent: clocks"))
    ]
    if not is_boundary:
        kind += [
            ("free_running", chosen("1", "a transparent clock adds its delay and sets no clock")),
            ("tc_spanning_tree", chosen("1", "messages follow the clock tree, so none goes round")),
        ]
    priorities = (("priority1", clock.priority1.text), ("priority2", clock.priority2.text))
    yield Block("global", (*kind, *_common(plan), *priorities))
    asked = {each.port: each for each in clock.ports if each.peer_address}
    for number, each in enumerate(asked.values(), 1):
        yield _table(number, plan, each.peer_address or "", each.peer)
    own = plan.own_transport.get(clock.device, {})
    tables = {port: number for number, port in enumerate(asked, 1)}
    alike: dict[Hashable, tuple[Option, ...]] = {}
    for each in clock.ports:
        mine, table = own.get(each.port), tables.get(each.port)
        like = each.role, each.may_follow, mine, table
        if like not in alike:
            alike[like] = tuple(_port(plan, each, mine, table))
        yield Block(each.port, alike[like])


def nic_blocks(plan: TimingPlan, node: str, nic: Nic) -> Iterator[Block]:
    """The file of one NIC: a clock that only follows."""
    renamed = version(plan.linuxptp) >= _RENAMED
    last = chosen(str(_HOST_PRIORITY), "a host never becomes the clock of a fabric")
    socket = chosen(f"/var/run/ptp4l-{nic.name}", "one ptp4l a NIC, each with its own socket")
    sockets: list[Option] = [("uds_address", socket)]
    if renamed:
        read_only = chosen(f"{socket}-ro", "one ptp4l a NIC, each with its own socket")
        sockets.append(("uds_ro_address", read_only))
    follows = ("clientOnly" if renamed else "slaveOnly", chosen("1", "hosts follow"))
    yield Block("global", (follows, *_common(plan), ("priority2", last), *sockets))
    own = plan.own_transport.get(node, {}).get(nic.name)
    options = _transport(own)
    address = asked_of(plan, nic)
    if address:
        yield _table(1, plan, address, nic.switch)
        options.append(("unicast_master_table", chosen("1", f"asks {nic.switch} for messages")))
    yield Block(nic.name, tuple(options))


def asked_of(plan: TimingPlan, nic: Nic) -> str | None:
    """The address that a NIC asks for messages, where the profile has it ask."""
    return nic.gateway if PROFILES[plan.profile].is_unicast else None


def _port(
    plan: TimingPlan, port: ClockPort, own: str | None, table: int | None
) -> Iterator[Option]:
    word = "serverOnly" if version(plan.linuxptp) >= _RENAMED else "masterOnly"
    reason = f"port role {port.role}{'' if port.may_follow else ', never another'}"
    yield word, chosen("0" if port.may_follow else "1", reason)
    if plan.profile == "g8275.1" and port.may_follow and port.role != "slave":
        rank = chosen("129", "standby path: behind the profile's default of 128")
        yield "G.8275.portDS.localPriority", rank
    yield from _transport(own)
    if table is not None:
        yield "unicast_master_table", chosen(str(table), f"asks {port.peer} for messages")


def _transport(own: str | None) -> list[Option]:
    return [("network_transport", chosen(own, "intent: links"))] if own else []


def _table(number: int, plan: TimingPlan, address: str, peer: str) -> Block:
    family = "UDPv6" if ":" in address else "UDPv4"
    why = f"profile {plan.profile}: messages are asked of a named clock"
    return Block(
        "unicast_master_table",
        (
            ("table_id", chosen(str(number), why)),
            ("logQueryInterval", chosen(_QUERY, why)),
            (family, chosen(address, f"address of {peer}", "the design's addresses")),
        ),
    )


def _common(plan: TimingPlan) -> Iterator[Option]:
    profile = f"profile {plan.profile}"
    yield "domainNumber", plan.domain.text
    yield "twoStepFlag", chosen("1" if plan.two_step else "0", "intent: two_step")
    yield "delay_mechanism", chosen(plan.delay, profile)
    yield "network_transport", chosen(plan.transport, f"intent: transport, else {profile}")
    yield "logAnnounceInterval", plan.log_announce.text
    yield "logSyncInterval", plan.log_sync.text
    yield "logMinDelayReqInterval", plan.log_delay.text
    if plan.profile.startswith("g8275"):
        yield "dataset_comparison", chosen("G.8275.x", profile)
    yield from _addressing(plan)
    if plan.transport != "L2" or plan.own_transport:
        marked = chosen(str(DSCP), "CS7: out of the lossless classes", "the fabric's QoS plan")
        yield "dscp_event", marked
        yield "dscp_general", marked


def _addressing(plan: TimingPlan) -> Iterator[Option]:
    if plan.profile == "g8275.1":
        address = chosen(_LINK_LOCAL, "G.8275.1: the address that bridges do not forward")
        yield "ptp_dst_mac", address
        yield "p2p_dst_mac", address
    elif plan.transport == "L2":
        yield "ptp_dst_mac", chosen(_FORWARDED, "IEEE 1588 layer 2")
    if PROFILES[plan.profile].is_unicast:
        asked = f"profile {plan.profile}: messages are asked of a named clock"
        one: Traced = chosen("1", asked)
        yield "hybrid_e2e", one
        yield "inhibit_multicast_service", one
        yield "unicast_listen", one
        yield "unicast_req_duration", chosen(_LEASE, asked)
