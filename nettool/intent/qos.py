"""What the operator asks of RoCEv2 quality of service: the models behind `qos`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from nettool.core.model import Model
from nettool.core.units import Flag, Real, Size, Whole
from nettool.intent.fields import Name


class ClassIntent(Model):
    """One lossless class of traffic."""

    name: Name = Field(description="a name for people, e.g. roce")
    dscp: tuple[Annotated[Whole, Field(ge=0, le=63)], ...] = Field(description="DSCP values")
    tc: Whole = Field(ge=0, le=7, description="traffic class; queue and priority group follow it")


class EcnIntent(Model):
    """ECN thresholds: derived, a named preset, or given."""

    preset: str = Field(
        default="derived",
        description="derived (from bandwidth-delay, incast and buffer), or a published preset: "
        "sonic, nvidia, cisco, hpcc, simai",
    )
    rtt_us: Real | None = Field(default=None, gt=0, le=1e6, description="base round-trip time, µs")
    kmin: Size | None = Field(default=None, description="marking starts here, bytes a queue")
    kmax: Size | None = Field(default=None, description="every packet is marked from here")
    pmax: Whole | None = Field(
        default=None, ge=1, le=100, description="probability at kmax, percent"
    )


class WatchdogIntent(Model):
    """PFC watchdog."""

    enabled: Flag = Field(default=True, description="whether it runs")
    action: Literal["drop", "forward", "alert"] = Field(default="drop", description="on a storm")
    detection_ms: Whole | None = Field(
        default=None, ge=100, le=5000, description="default: by ports"
    )
    restoration_ms: Whole | None = Field(
        default=None, ge=100, le=60000, description="default: by ports"
    )


class QosIntent(Model):
    """RoCEv2 quality of service. The defaults are the field's: DSCP 26 on TC 3, CNP 48 on TC 6."""

    lossless: tuple[ClassIntent, ...] = Field(
        default=(ClassIntent(name="roce", dscp=(26,), tc=3),),
        max_length=2,
        description="lossless classes, two at most",
    )
    cnp_dscp: Whole = Field(default=48, ge=0, le=63, description="congestion notification packets")
    cnp_tc: Whole = Field(default=6, ge=0, le=7, description="their traffic class, strict priority")
    headroom: str | None = Field(
        default=None,
        description="variant: table, sonic, qbb, quanta, bcm or simple; default: the chip's",
    )
    headroom_table: str | None = Field(default=None, description="name of a headroom table")
    shared_headroom: Flag = Field(
        default=False, description="one shared headroom pool in place of dedicated headroom"
    )
    overrides: str | None = Field(
        default=None, description="a YAML file beside this one with measured or vendor figures"
    )
    ecn: EcnIntent = Field(default=EcnIntent(), description="ECN thresholds")
    watchdog: WatchdogIntent = Field(default=WatchdogIntent(), description="PFC watchdog")
    lossless_mtu: Whole = Field(
        default=4178, ge=256, le=9216, description="largest RoCE frame, bytes"
    )
