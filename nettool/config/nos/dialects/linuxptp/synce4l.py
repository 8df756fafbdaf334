"""What synce4l is told: which ports frequency may come in by, in which order, and QL to the rest.

Nothing here was read by a real synce4l; the machine's own DPLL must be named as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.nos.dialects.linuxptp.blocks import Block, Option, chosen, version
from nettool.core.provenance import Provenance, Traced, Trust
from nettool.plan.design.fabric import Nic
from nettool.plan.timing.quality import UNUSABLE
from nettool.plan.timing.timing_plan import Clock, ClockPort, TimingPlan

UNVERIFIED = (
    "synce4l.conf: no synce4l has read it; add clock_id and module_name of the machine's own DPLL, "
    "or the commands that switch its clock"
)
_SOURCE = "synce4l README.md 1.1.1"
_LAST = 255
_RANKED = (1, 1)


def switch_blocks(plan: TimingPlan, clock: Clock) -> Iterator[Block]:
    """The file of a switch: one device that all of its ports belong to."""
    yield _global()
    yield _device("synce1", plan)
    alike: dict[int | None, tuple[Option, ...]] = {}
    for port in clock.ports:
        if port.synce_input not in alike:
            alike[port.synce_input] = tuple(_port(plan, port))
        yield Block(port.port, alike[port.synce_input])


def nic_blocks(plan: TimingPlan, nics: tuple[Nic, ...]) -> Iterator[Block]:
    """The file of a host: a device for each NIC, which takes its frequency from the switch."""
    yield _global()
    for number, nic in enumerate(nics, 1):
        yield _device(f"synce{number}", plan)
        yield Block(nic.name, (_heartbeat(),))


def _global() -> Block:
    return Block("global", (("use_syslog", _said("1", "states and changes go to the log")),))


def _device(name: str, plan: TimingPlan) -> Block:
    option = Provenance("as given: synce_option", (), "ITU-T G.8264", Trust.GIVEN)
    return Block(
        f"<{name}>",
        (
            ("network_option", Traced.of(plan.synce_option, option)),
            ("extended_tlv", _said("1", "PRTC and ePRTC are told apart by the enhanced code")),
            ("recover_time", _said("300", "seconds that a source must be good before it is used")),
        ),
    )


def _port(plan: TimingPlan, port: ClockPort) -> Iterator[Option]:
    yield _heartbeat()
    if port.synce_input is None:
        reason = "never an input: frequency from here could lead back to its own source"
        yield "allowed_qls", _said(f"{UNUSABLE:#x}", reason)
    elif version(plan.synce4l) >= _RANKED:
        rank = min(port.synce_input, _LAST)
        yield "internal_prio", _said(str(rank), "nearest to a grandmaster first, in port order")


def _heartbeat() -> Option:
    return "tx_heartbeat_msec", _said("1000", "one ESMC message a second (G.8264)")


def _said(text: str, reason: str) -> Traced:
    return chosen(text, reason, _SOURCE)
