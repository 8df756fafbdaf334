"""What the operator asks of PTP and SyncE: the models behind `timing`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from nettool.core.model import Model
from nettool.core.units import Flag, Real, Whole
from nettool.intent.fields import Address, Name


class GrandmasterIntent(Model):
    """A PTP grandmaster and where it attaches."""

    name: Name = Field(description="its name")
    attach: tuple[str, ...] = Field(
        default=(), description="switches it is cabled to; default: the top tier, one each"
    )
    clock_class: str = Field(default="PRTC-B", description="PRTC-A, PRTC-B or ePRTC")
    ql: str | None = Field(
        default=None,
        description="SyncE quality level of its frequency: ePRTC, PRTC, PRC, SSU-A, SSU-B, EEC1 "
        "(option 1); ePRTC, PRTC, PRS, STU, ST2, TNC, ST3E, ST3, SMC, PROV (option 2); default: "
        "its class's",
    )
    address: Address | None = Field(
        default=None, description="whom switches ask for messages, where the profile is unicast"
    )
    priority1: Whole | None = Field(
        default=None, ge=0, le=255, description="its own; default: in the order of this list"
    )
    priority2: Whole | None = Field(
        default=None, ge=0, le=255, description="its own; default: in the order of this list"
    )


ClockKind = Literal["boundary", "transparent"]
ClockClassName = Literal["A", "B", "C", "D"]
PtpTransport = Literal["L2", "UDPv4", "UDPv6"]


class TimingLinkIntent(Model):
    """One link whose timing is not that of the others."""

    port: str = Field(
        pattern=r"^[^:\s]+:[^:\s]+$",
        description="the link by either of its ports: leaf01:Ethernet512, or node01:nic1",
    )
    transport: PtpTransport | None = Field(default=None, description="at both ends of it")
    asymmetry_m: Real | None = Field(
        default=None,
        ge=0,
        le=100_000,
        description="its unequal Tx and Rx fibre as measured, metres",
    )


def _named_once(given: tuple[GrandmasterIntent, ...]) -> tuple[GrandmasterIntent, ...]:
    names = [each.name for each in given]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"two grandmasters are named {', '.join(twice)}: give each its own name")
    return given


class TimingIntent(Model):
    """PTP and SyncE."""

    enabled: Flag = Field(default=True, description="whether to plan time at all")
    profile: Literal["ieee1588", "g8275.1", "g8275.2"] = Field(
        default="g8275.1", description="PTP profile"
    )
    domain: Whole | None = Field(default=None, ge=0, le=255, description="default: the profile's")
    transport: PtpTransport | None = Field(default=None, description="default: the profile's")
    two_step: Flag = Field(default=True, description="two-step clocks; one-step needs the NIC's")
    log_announce: Whole | None = Field(
        default=None, ge=-7, le=7, description="log2 of seconds; default: the profile's"
    )
    log_sync: Whole | None = Field(
        default=None, ge=-7, le=7, description="log2 of seconds; default: the profile's"
    )
    log_delay: Whole | None = Field(
        default=None, ge=-7, le=7, description="log2 of seconds; default: the profile's"
    )
    clocks: ClockKind | dict[Literal["leaf", "spine", "core"], ClockKind] = Field(
        default="boundary", description="of switches, or by tier; a tier not named is boundary"
    )
    clock_class: ClockClassName | None = Field(
        default=None, description="G.8273.2 class; default: the switch model's, else C, assumed"
    )
    clock_classes: dict[str, ClockClassName] = Field(
        default={}, description="G.8273.2 class by switch model, before clock_class"
    )
    grandmasters: Annotated[tuple[GrandmasterIntent, ...], AfterValidator(_named_once)] = Field(
        default=(), description="two or more"
    )
    synce: Flag = Field(default=True, description="whether frequency is carried by SyncE")
    synce_option: Whole = Field(
        default=1, ge=1, le=2, description="network option of G.8264: 1 (E1 countries) or 2 (T1)"
    )
    target_ns: Real | None = Field(
        default=None, gt=0, le=1e9, description="largest error between two NICs, ns"
    )
    asymmetry_m: Real = Field(
        default=0.0, ge=0, le=100_000, description="unequal Tx and Rx fibre of one link, metres"
    )
    end_station_ns: Real = Field(
        default=0.0, ge=0, le=1e9, description="error of a NIC's own clock, ns"
    )
    links: tuple[TimingLinkIntent, ...] = Field(
        default=(), description="single links with a transport or asymmetry of their own"
    )
    linuxptp: str = Field(
        default="3.1",
        pattern=r"^\d+(\.\d+)*$",
        description="version of linuxptp on hosts and switches",
    )
    synce4l: str = Field(
        default="1.1",
        pattern=r"^\d+(\.\d+)*$",
        description="version of synce4l on hosts and switches",
    )
