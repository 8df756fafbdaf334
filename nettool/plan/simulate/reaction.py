"""How senders answer to marks: DCQCN with the parameters that its authors simulated.

Zhu and others, "Congestion Control for Large-Scale RDMA Deployments" (SIGCOMM 2015). The figures
are for 40G and are not scaled: a NIC's own are tuned by its vendor and not public.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from nettool.core.provenance import Figure, Provenance, Trust
from nettool.plan.qos.trace import assumed, looked_up
from nettool.plan.simulate.setup import PS_PER_US, Reaction

_AUTHORS = "bobzhuyb/ns3-rdma c414c6b9 windows/ns-3-dev/mix/config.txt (the authors' simulator)"
_PAPER = "DCQCN (SIGCOMM 2015) section 5"


def _published(value: float, unit: str, what: str) -> Figure:
    return Figure(value, unit, looked_up(what, _AUTHORS))


PARAMETERS: Mapping[str, Figure] = MappingProxyType(
    {
        "g": _published(1 / 256, "", "DCTCP_GAIN 0.00390625"),
        "CNP interval": _published(50, "us", "CNP_INTERVAL 50"),
        "alpha timer": _published(55, "us", "ALPHA_RESUME_INTERVAL 55"),
        "rate timer": _published(60, "us", "RP_TIMER 60"),
        "byte counter": Figure(
            10_000_000, "B", Provenance("10 MB", (), _PAPER, Trust.RECALLED)
        ),
        "fast recovery": _published(5, "steps", "FAST_RECOVERY_TIMES 5"),
        "additive increase": _published(40, "Mb/s", "RATE_AI 40Mb/s"),
        "hyper increase": _published(200, "Mb/s", "RATE_HAI 200Mb/s"),
        "least rate": assumed(100, "Mb/s", "a sender never falls silent"),
    }
)  # fmt: skip
"""DCQCN's parameters by name, each with its source."""


def dcqcn(rtt: Figure) -> Reaction:
    """The reaction; what was marked is known a base round trip (us) after it left the queue."""
    value = {name: float(figure) for name, figure in PARAMETERS.items()}
    return Reaction(
        gain=value["g"],
        cnp_ps=round(value["CNP interval"] * PS_PER_US),
        alpha_ps=round(value["alpha timer"] * PS_PER_US),
        timer_ps=round(value["rate timer"] * PS_PER_US),
        counter=int(value["byte counter"]),
        recoveries=int(value["fast recovery"]),
        additive=value["additive increase"],
        hyper=value["hyper increase"],
        least=value["least rate"],
        feedback_ps=round(float(rtt) * PS_PER_US),
    )
