"""BGP in the form that bgpcfgd reads: BGP_NEIGHBOR keyed by address, BGP_DEVICE_GLOBAL."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.device.device import DeviceConfig
from nettool.config.device.features.routing import Bgp
from nettool.config.nos.dialects.sonic.release import View, defaults
from nettool.core.order import natural
from nettool.core.provenance import Traced
from nettool.plan.design.fabric import Neighbor


def bgp(config: DeviceConfig) -> View:
    """A session a numbered link; bgpcfgd brings one up once local_addr is configured."""
    view: View = {"BGP_NEIGHBOR": {}, "BGP_DEVICE_GLOBAL": {}}
    if config.routing is None or config.routing.manager != "bgpcfgd":
        return view
    rows = dict(_sessions(config, config.routing))
    view["BGP_NEIGHBOR"] = {key: rows[key] for key in sorted(rows, key=natural)}
    view["BGP_DEVICE_GLOBAL"] = {"STATE": defaults().row("BGP_DEVICE_GLOBAL")}
    return view


def _sessions(config: DeviceConfig, speaker: Bgp) -> Iterator[tuple[str, dict[str, object]]]:
    why = config.interfaces.why
    common = defaults().row("BGP_NEIGHBOR")
    for _, faced in speaker.sessions:
        asn = peer_asn(speaker, faced)
        for mine, theirs in ends(faced):
            row: dict[str, object] = {
                **common,
                "asn": asn,
                "local_addr": Traced.of(mine, why),
                "name": faced.device,
            }
            yield Traced.of(theirs, why), row


def ends(faced: Neighbor) -> list[tuple[str, str]]:
    """The address of this end and of the other, for each family that the link is numbered in."""
    four, six = (faced.address, faced.peer_address), (faced.address6, faced.peer_address6)
    return [(mine, theirs) for mine, theirs in (four, six) if mine and theirs]


def peer_asn(speaker: Bgp, faced: Neighbor) -> Traced:
    """The AS number of the other end of a link."""
    return Traced.of(faced.peer_asn, speaker.why_asn(faced))
