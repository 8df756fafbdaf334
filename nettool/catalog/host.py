"""What stands at the other end of a leaf port: NICs and GPUs."""

from __future__ import annotations

from pydantic import Field

from nettool.catalog.entry import Entry
from nettool.catalog.fact import Fact
from nettool.core.model import Model
from nettool.core.provenance import Trust


class NicLink(Model):
    """One way a NIC's port can run: speed in Mb/s over so many lanes, with its FEC."""

    speed: int = Field(ge=1000, description="Mb/s")
    lanes: int = Field(ge=1, le=16)
    fec: str = Field(default="rs", description="rs, fc or none")
    source: str = Field(min_length=3)
    trust: Trust

    @property
    def lane_rate(self) -> int:
        """Mb/s of one lane."""
        return self.speed // self.lanes


class NicModel(Entry):
    """A network card: ports, the ways a port can run (first is the default), and its marking."""

    vendor: str
    about: str = ""
    form_factor: str = Field(description="OSFP, QSFP112, QSFP-DD, QSFP56 or QSFP28")
    ports: int = Field(default=1, ge=1, description="network ports on one card")
    links: tuple[NicLink, ...] = Field(min_length=1)
    capacity: Fact | None = Field(default=None, description="Mb/s of the whole card")
    roce_dscp: Fact = Field(description="DSCP that RoCE packets leave with by default")
    cnp_dscp: Fact = Field(description="DSCP that CNPs leave with by default")
    ptp: Fact | None = Field(default=None, description="whether it stamps PTP in hardware")
    ptp_one_step: Fact | None = Field(
        default=None, description="whether it can put the time into a sync message as it leaves"
    )
    synce: Fact | None = Field(default=None, description="whether SyncE works")
    note: str = ""

    @property
    def speed(self) -> int:
        """Default speed of a port, Mb/s."""
        return self.links[0].speed

    @property
    def lanes(self) -> int:
        """Lanes of a port at its default speed."""
        return self.links[0].lanes

    def link(self, speed: int, lanes: int | None = None) -> NicLink | None:
        """The first way a port can run at `speed` Mb/s (over `lanes` lanes), or None."""
        fitting = (x for x in self.links if x.speed == speed and lanes in (None, x.lanes))
        return next(fitting, None)


class GpuModel(Entry):
    """An accelerator: how fast it computes and how fast it talks inside its node."""

    vendor: str
    about: str = ""
    peak_bf16: Fact = Field(description="dense bf16 rate, TFLOPS")
    scale_up: Fact = Field(description="bandwidth inside the node, GB/s in each direction")
    memory: Fact | None = Field(default=None, description="memory of one GPU, GB")
    note: str = ""
