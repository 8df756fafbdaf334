"""What a site reports of its GPU hosts' NICs, in the form of the `host.json` of a build.

    hosts:
      - name: node01
        agreement: {trust: dscp, mtu: 9216, roce_dscp: {roce: [26]}, pfc_priorities: [3]}
        nics:
          - {name: nic1, speed: 400000, address: 10.1.0.2/24, gateway: 10.1.0.1}
          - {name: nic2, speed: 400000, address: 10.1.1.2/24, gateway: 10.1.1.1, mtu: 1500}

A file holds such a mapping, a list of hosts, or one host. `agreement` holds for all NICs of a host
unless a NIC says otherwise itself. Everything but the names may be left out: what is not reported
is not verified, and said so. Keys that begin with `x-` are the site's own.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    WithJsonSchema,
    model_validator,
)

from nettool.core.model import Model
from nettool.core.units import parse_speed


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("text without control characters is expected")
    return text


Priority = Annotated[StrictInt, Field(ge=0, le=7)]
Dscp = Annotated[StrictInt, Field(ge=0, le=63)]
PRIORITIES = 8
Text = Annotated[StrictStr, AfterValidator(_printable)]
"""Text as it may be shown: a host's own control characters never reach a terminal or a report."""
_DSCPS = {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 63}}
_BY_CLASS_OR_ALL = WithJsonSchema(
    {"anyOf": [_DSCPS, {"type": "object", "additionalProperties": _DSCPS}]}
)


def _number_key(value: Any) -> Any:
    """A key of JSON, which is text, as the number it is."""
    return int(value) if isinstance(value, str) and value.isdecimal() and value.isascii() else value


def _speed(value: Any) -> Any:
    return parse_speed(value) if isinstance(value, str) else value


def _lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def _of_all_classes(value: Any) -> Any:
    """The DSCPs of a mapping of classes as one list."""
    if not isinstance(value, dict):
        return value
    lists = [each if isinstance(each, list) else [each] for each in value.values()]
    return [dscp for each in lists for dscp in each]


class Ptp(Model):
    """What a NIC's clock is set to; log intervals in log2 of seconds."""

    delay: Text | None = None
    domain: StrictInt | None = None
    log_announce: StrictInt | None = None
    log_delay: StrictInt | None = None
    log_sync: StrictInt | None = None
    profile: Text | None = None
    synce: StrictBool | None = None
    synce_option: StrictInt | None = None
    transport: Text | None = None
    two_step: StrictBool | None = None


class Settings(Model):
    """What all NICs of a host have in common, or one of them."""

    trust: Text | None = Field(None, description="by what packets are classified: dscp or pcp")
    mtu: Annotated[StrictInt, Field(ge=68, le=65_535)] | None = Field(
        None, description="the IP MTU, bytes"
    )
    roce_dscp: (
        Annotated[tuple[Dscp, ...], BeforeValidator(_of_all_classes), _BY_CLASS_OR_ALL] | None
    ) = Field(None, description="DSCP of RoCE by class, or all of them")
    cnp_dscp: tuple[Dscp, ...] | None = Field(
        None, description="DSCP of congestion notifications (CNP)"
    )
    dscp_priority: dict[Annotated[Dscp, BeforeValidator(_number_key)], Priority] | None = Field(
        None, description="the priority of each DSCP; only the agreed ones are compared"
    )
    pfc_priorities: tuple[Priority, ...] | None = Field(
        None, description="the priorities that PFC is enabled for"
    )
    pfc_mask: Annotated[StrictInt, Field(ge=0, le=255)] | None = Field(
        None, description="the same as a mask, bit n for priority n"
    )
    ecn_priorities: tuple[Priority, ...] | None = Field(
        None, description="the priorities that ECN is enabled for"
    )
    ptp: Ptp | None = Field(None, description="what its clock is set to")

    @model_validator(mode="after")
    def _one_form_of_pfc(self) -> Settings:
        if self.pfc_mask is not None and self.pfc_priorities is not None:
            raise ValueError("pfc_mask and pfc_priorities say the same: give one of them")
        return self

    @property
    def paused(self) -> tuple[int, ...] | None:
        """The priorities of PFC, in whichever form they were given."""
        if self.pfc_mask is None:
            return self.pfc_priorities
        return tuple(n for n in range(PRIORITIES) if self.pfc_mask >> n & 1)


class ReportedNic(Settings):
    """One NIC port as its host reports it; `switch` and `port` as LLDP shows its other end."""

    name: Text = Field(description="the NIC's name in the plan")
    speed: Annotated[StrictInt, BeforeValidator(_speed), Field(gt=0)] | None = Field(
        None, description="Mb/s, or text such as 400G"
    )
    fec: Annotated[Literal["none", "rs", "fc"], BeforeValidator(_lower)] | None = Field(
        None, description="the active FEC"
    )
    address: Text | None = Field(None, description="IPv4 with prefix length")
    address6: Text | None = Field(None, description="IPv6 with prefix length")
    gateway: Text | None = None
    switch: Text | None = Field(None, description="the switch that LLDP shows")
    port: Text | None = Field(None, description="its port that LLDP shows")
    network: Text | None = Field(None, description="of host.json; not compared")
    model: Text | None = Field(None, description="of host.json; not compared")
    rail: StrictInt | None = Field(None, description="of host.json; not compared")
    plane: StrictInt | None = Field(None, description="of host.json; not compared")


class ReportedHost(Model):
    """One GPU host."""

    name: Text = Field(description="the host's name in the plan")
    schema_version: Literal[1] = 1
    agreement: Settings = Field(Settings(), description="what all its NICs have in common")
    nics: tuple[ReportedNic, ...] = Field((), description="its NIC ports")


class ReportedHosts(Model):
    """A whole file."""

    hosts: tuple[ReportedHost, ...]
    schema_version: Literal[1] = 1


def hosts_schema() -> dict[str, Any]:
    """The JSON Schema of the file, from the models that validate it."""
    schema = ReportedHosts.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "GPU hosts as a site reports them"
    for each in (schema, *schema["$defs"].values()):
        each["patternProperties"] = {"^x-": {"description": "your own data"}}
    return schema
