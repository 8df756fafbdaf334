"""Where a finding is, in words: the same in every report."""

from __future__ import annotations

from nettool.core.finding import Finding


def place(finding: Finding) -> str:
    """Device and row, e.g. `leaf01 PORT|Ethernet0|mtu`; empty where a finding names neither."""
    row = "|".join(filter(None, (finding.table, finding.key, finding.field)))
    return " ".join(filter(None, (finding.device, row)))
