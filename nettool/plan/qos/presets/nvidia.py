"""What Cumulus Linux sets with `nv set qos roce`."""

from __future__ import annotations

from nettool.core.provenance import Trust
from nettool.plan.qos.preset import PRESETS, EcnQuery, Marking, marking
from nettool.plan.qos.trace import looked_up


@PRESETS.add("nvidia")
def nvidia(query: EcnQuery) -> Marking:  # noqa: ARG001 - one value for all speeds
    """150 KB, 1500 KB, 100 %; the manual prints both thresholds run together, hence inferred."""
    source = "NVIDIA Cumulus Linux manual, RoCE"
    return marking(150_000, 1_500_000, 100, looked_up("all speeds", source, Trust.INFERRED))
