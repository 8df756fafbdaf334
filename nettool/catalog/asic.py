"""What a switch chip can do, as far as public documents say."""

from __future__ import annotations

import re

from pydantic import Field

from nettool.catalog.entry import Entry
from nettool.catalog.fact import Fact
from nettool.core.model import Model
from nettool.core.provenance import Trust


class HeadroomRow(Model):
    """One row of a pg_profile_lookup.ini: bytes, Mb/s and metres."""

    speed: int = Field(gt=0)
    cable: int = Field(gt=0)
    size: int = Field(ge=0)
    xon: int = Field(ge=0)
    xoff: int = Field(gt=0)
    threshold: int
    xon_offset: int | None = Field(default=None, ge=0)


class HeadroomTable(Entry):
    """The rows of one pg_profile_lookup.ini: a public one, or one taken from a switch."""

    about: str
    source: str
    trust: Trust
    rows: tuple[HeadroomRow, ...]

    def row(self, speed: int, cable: float) -> HeadroomRow | None:
        """The row for `speed` Mb/s with the nearest cable not shorter than `cable` metres."""
        fitting = [each for each in self.rows if each.speed == speed and each.cable >= cable]
        return min(fitting, key=lambda each: each.cable, default=None)


def table_name(switch: str) -> str:
    """The name under which a catalog holds the table taken from a switch model or SKU."""
    return re.sub(r"[^a-z0-9._-]+", "_", switch.lower())


class SharedPool(Model):
    """A buffer pool as a reference configuration has it."""

    name: str
    type: str = Field(description="ingress, egress or both")
    mode: str = Field(description="static or dynamic")
    size: Fact
    xoff: Fact | None = None


class HeadroomTerms(Model):
    """What the SONiC headroom formula needs of a chip (cell in B, the rest in B or ns)."""

    cell: Fact
    pipeline_latency: Fact | None = None
    mac_phy_delay: Fact | None = None
    peer_response: Fact | None = Field(
        default=None, description="a fixed response in bytes; the pause quanta table where absent"
    )
    tile_per_gbps: Fact | None = Field(default=None, description="bytes per Gbit/s, 0 where absent")
    rounds_worst_factor: bool = Field(
        default=True, description="whether the inflation factor is rounded up (newer rule)"
    )
    extra: Fact | None = None


class Asic(Entry):
    """One chip family member: buffer, cells, headroom, and what SONiC calls it."""

    vendor: str
    aliases: tuple[str, ...] = ()
    sonic_asic_type: str = Field(description="asic_type of SONiC: marvell-teralynx, broadcom, …")
    gcu_family: str | None = Field(
        default=None, description="its name in the updater's validator list, where it has one"
    )
    capacity: Fact | None = None
    buffer: Fact | None = Field(default=None, description="whole packet buffer in bytes")
    cell: Fact | None = Field(default=None, description="buffer cell in bytes")
    pool_size_includes_xoff: Fact | None = None
    latency: Fact | None = Field(default=None, description="cut-through latency, ns")
    headroom_variant: str = Field(description="sonic, table, bcm, qbb, quanta or simple by default")
    headroom_tables: tuple[str, ...] = Field(default=(), description="names, the first is used")
    headroom_terms: HeadroomTerms | None = None
    pools: tuple[SharedPool, ...] = ()
    lossless_queues_max: int = 2
    note: str = ""
