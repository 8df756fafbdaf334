"""What Cisco's AI blueprint for Nexus sets on the RoCE queue."""

from __future__ import annotations

from nettool.core.provenance import Trust
from nettool.plan.qos.preset import PRESETS, EcnQuery, Marking, marking
from nettool.plan.qos.trace import looked_up


@PRESETS.add("cisco")
def cisco(query: EcnQuery) -> Marking:  # noqa: ARG001 - one value for all speeds
    """150 KB, 3000 KB, 7 %; read through a secondary note."""
    source = "Cisco Nexus data center blueprint for AI/ML"
    return marking(150_000, 3_000_000, 7, looked_up("all speeds", source, Trust.RECALLED))
