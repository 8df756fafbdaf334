"""GPU hosts: what each NIC must agree on with its switch port, as one host.json.

It names no vendor's command: addresses, gateway, MTU, DSCP of RoCE and CNP and their priorities,
the PFC mask, trust mode and what PTP is set to, for whatever sets up the host and for a check of
what it reports (`nettool verify --hosts`).
"""

from __future__ import annotations

from nettool.config.device.device import HostConfig
from nettool.config.nos.artifact import Artifact, Explained, Tables
from nettool.config.nos.dialect import DIALECTS, Templates
from nettool.core.errors import UsageError
from nettool.core.provenance import Provenance, Trust
from nettool.plan.design.fabric import Nic
from nettool.plan.qos.classes import CNP
from nettool.plan.timing.timing_plan import TimingPlan


class Host:
    """The dialect of GPU hosts."""

    name = "host"
    releases: tuple[str, ...] = ()
    default_release = ""

    def serves(self, config: object) -> bool:
        """Every GPU host."""
        return isinstance(config, HostConfig)

    def artifacts(self, config: HostConfig, templates: Templates) -> tuple[Artifact, ...]:
        """host.json."""
        view = {
            "name": config.name,
            "agreement": _shared(config, templates),
            "nics": [_nic(each) for each in config.node.nics],
        }
        return (
            Artifact(
                config.name, self.name, "host.json", templates.render("host/host.json.j2", view)
            ),
        )

    def explain(self, config: HostConfig, path: str) -> Explained | None:
        """A field of what all NICs agree on, by `host.json|field`."""
        field = path.removeprefix("host.json|")
        found = agreement(config).get(field) if path.startswith("host.json|") else None
        if found is None:
            return None
        if field == "ptp":
            why = Provenance("the same on switch and NIC", (), "the timing plan", Trust.COMPUTED)
        else:
            said = "the fabric's QoS classes, the same on switch and NIC"
            why = Provenance(said, (), "the QoS plan", Trust.COMPUTED)
        return Explained(config.name, path, str(found), why)

    def parse(self, text: str) -> Tables:
        """host.json has no tables."""
        raise UsageError(f"host.json of {len(text)} characters is not CONFIG_DB")


def _shared(config: HostConfig, templates: Templates) -> dict[str, object]:
    """What all hosts of one MTU agree on, made once."""
    key = ("host", config.mtu)
    found: dict[str, object] | None = templates.memory.get(key)
    if found is None:
        found = templates.memory[key] = agreement(config)
    return found


def agreement(config: HostConfig) -> dict[str, object]:
    """What every NIC of the fabric must be set to, whatever its address."""
    lossless = [each for each in config.qos.classes if each.lossless]
    marked = [each for each in config.qos.classes if each.lossless or each.name == CNP]
    cnp = [d for each in marked if each.name == CNP for d in each.dscp]
    return {
        "trust": "dscp",
        "mtu": config.mtu,
        "roce_dscp": {each.name: list(each.dscp) for each in lossless},
        "cnp_dscp": cnp,
        "dscp_priority": {str(d): each.tc for each in marked for d in each.dscp},
        "pfc_priorities": [each.tc for each in lossless],
        "ecn_priorities": [each.tc for each in config.qos.classes if each.ecn],
        **({"ptp": _ptp(config.timing)} if config.timing.enabled else {}),
    }


def _ptp(plan: TimingPlan) -> dict[str, object]:
    """What a NIC's clock must be set to; log intervals in log2 of seconds."""
    return {
        "delay": plan.delay,
        "domain": int(plan.domain),
        "log_announce": int(plan.log_announce),
        "log_delay": int(plan.log_delay),
        "log_sync": int(plan.log_sync),
        "profile": plan.profile,
        "synce": plan.synce,
        "synce_option": plan.synce_option if plan.synce else None,
        "transport": plan.transport,
        "two_step": plan.two_step,
    }


def _nic(nic: Nic) -> dict[str, object]:
    return {
        "name": nic.name,
        "network": nic.network,
        "model": nic.model,
        "rail": nic.rail,
        "plane": nic.plane,
        "speed": nic.speed,
        "address": nic.address,
        "address6": nic.address6,
        "gateway": nic.gateway,
        "switch": nic.switch,
        "port": nic.port,
    }


DIALECTS.add(Host.name)(Host())
