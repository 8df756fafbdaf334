"""Whether a device must be rendered again: a digest of all that its files are made from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nettool.config.device.device import DeviceConfig, HostConfig
from nettool.config.device.features.routing import Bgp
from nettool.core.digest import Digests
from nettool.plan.design.fabric import Neighbor, Nic
from nettool.plan.qos.qos_plan import QosPlan, SwitchQos
from nettool.plan.timing.timing_plan import TimingPlan

_UNSAID: Mapping[type, frozenset[str]] = {
    Bgp: frozenset({"neighbors", "switches"}),
    QosPlan: frozenset({"switches", "assumptions", "deadlock"}),
    SwitchQos: frozenset({"key", "proofs"}),
    TimingPlan: frozenset({"clocks", "budgets", "notes", "references", "failures", "remedies"}),
}
"""What no file of a device shows: other devices' parts (a device holds its own), and proofs."""


def fingerprints(configs: Iterable[DeviceConfig | HostConfig]) -> dict[str, str]:
    """The digest of each device's intended state, provenance included, by name."""
    digests = Digests(_UNSAID, frozenset({Neighbor, Nic}))
    return {each.name: digests.of(each) for each in configs}
