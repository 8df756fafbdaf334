"""What SONiC's own template writes for every speed."""

from __future__ import annotations

from nettool.plan.qos.preset import PRESETS, EcnQuery, Marking, marking
from nettool.plan.qos.trace import looked_up


@PRESETS.add("sonic")
def sonic(query: EcnQuery) -> Marking:  # noqa: ARG001 - one value for all speeds
    """AZURE_LOSSLESS: 1 MiB, 2 MiB, 5 %."""
    source = "sonic-buildimage 086b03bd files/build_templates/qos_config.j2"
    return marking(1_048_576, 2_097_152, 5, looked_up("AZURE_LOSSLESS, all speeds", source))
