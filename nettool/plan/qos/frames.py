"""Whether the largest lossless frame passes the ports that carry it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nettool.core.finding import Finding
from nettool.plan.qos.note import warning
from nettool.plan.qos.switch import Task

_AROUND_IP = 22
"""Ethernet header, VLAN tag and FCS, which a port takes beyond its MTU (sonic-swss portsorch)."""


def check_frames(tasks: Iterable[Task]) -> Iterator[Finding]:
    """Networks whose ports drop lossless frames as large as the proof assumes (QOS022)."""
    for name, task in {task.switch.network: task for task in tasks if _is_lossless(task)}.items():
        frame, mtu = task.intent.qos.lossless_mtu, task.intent.networks[name].mtu
        if frame <= mtu + _AROUND_IP:
            continue
        yield warning(
            "QOS022",
            f"{name}: a port MTU of {mtu:,} B takes frames of {mtu + _AROUND_IP:,} B, and lossless "
            f"frames are planned with up to {frame:,} B: larger ones are dropped",
            f"give `mtu: {frame - _AROUND_IP}` or more (9216 is the default), or "
            f"`qos.lossless_mtu: {mtu + _AROUND_IP}` and a RoCE MTU below {mtu:,} B on the NICs",
            *("networks", name, "mtu"),
        )


def _is_lossless(task: Task) -> bool:
    return any(port.lossless for port in task.switch.counts)
