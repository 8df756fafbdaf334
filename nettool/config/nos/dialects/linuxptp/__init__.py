"""linuxptp: one ptp4l.conf for each switch and GPU host that takes part in PTP.

Community SONiC has no table for PTP, so time is said to the daemon itself. Option names follow
the linuxptp version of the intent: 4.0 renamed slaveOnly and masterOnly.
"""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.device.device import DeviceConfig, HostConfig
from nettool.config.nos.artifact import Artifact, Explained, Tables
from nettool.config.nos.dialect import DIALECTS, Templates
from nettool.core.errors import UsageError
from nettool.core.provenance import Figure, Provenance, Traced, Trust
from nettool.plan.timing.timing_plan import Clock, TimingPlan

_FORWARDED = "01:1B:19:00:00:00"
_LINK_LOCAL = "01:80:C2:00:00:0E"
_RENAMED = (4, 0)
_HOST_PRIORITY = 255

Option = tuple[str, str]
Block = tuple[str, list[Option]]


class Linuxptp:
    """The dialect of ptp4l, linuxptp 3.1 to 4.x."""

    name = "linuxptp"
    releases: tuple[str, ...] = ("3.1", "4.0", "4.2", "4.4")
    default_release = "3.1"

    def serves(self, config: object) -> bool:
        """Switches with a clock, and hosts of a fabric that plans time."""
        if isinstance(config, DeviceConfig):
            return config.timing is not None
        return isinstance(config, HostConfig) and config.timing.enabled

    def artifacts(
        self, config: DeviceConfig | HostConfig, templates: Templates
    ) -> tuple[Artifact, ...]:
        """ptp4l.conf."""
        view = {
            "blocks": [
                {"name": name, "options": [{"name": key, "value": value} for key, value in options]}
                for name, options in _blocks(config)
            ]
        }
        text = templates.render("linuxptp/ptp4l.conf.j2", view)
        return (Artifact(config.name, self.name, "ptp4l.conf", text),)

    def explain(self, config: DeviceConfig | HostConfig, path: str) -> Explained | None:
        """An option by `ptp4l.conf|block|option`, e.g. `ptp4l.conf|global|priority2`."""
        if not path.startswith("ptp4l.conf|"):
            return None
        for name, options in _blocks(config):
            for key, value in options:
                if path == f"ptp4l.conf|{name}|{key}" and isinstance(value, Traced):
                    return Explained(config.name, path, value, value.why)
        return None

    def parse(self, text: str) -> Tables:
        """ptp4l.conf has no tables."""
        raise UsageError(f"ptp4l.conf is text of {len(text)} characters, not CONFIG_DB")


def _blocks(config: DeviceConfig | HostConfig) -> Iterator[Block]:
    if isinstance(config, DeviceConfig):
        if config.timing is not None:
            yield from _switch(config.timing.plan, config.timing.clock)
    else:
        yield from _host(config)


def _switch(plan: TimingPlan, clock: Clock) -> Iterator[Block]:
    yield (
        "global",
        [
            (
                "clock_type",
                _chosen("BC" if clock.kind == "boundary" else "E2E_TC", "intent: clocks"),
            ),
            *_common(plan),
            ("priority1", clock.priority1.text),
            ("priority2", clock.priority2.text),
        ],
    )
    word = "serverOnly" if _version(plan) >= _RENAMED else "masterOnly"
    for port in clock.ports:
        upstream = port.role != "master"
        options: list[Option] = [
            (word, _chosen("0" if upstream else "1", f"port role {port.role}"))
        ]
        if plan.profile == "g8275.1" and port.role == "passive":
            rank = _chosen("129", "standby path: behind the profile's default of 128")
            options.append(("G.8275.portDS.localPriority", rank))
        yield port.port, options


def _host(config: HostConfig) -> Iterator[Block]:
    plan = config.timing
    word = "clientOnly" if _version(plan) >= _RENAMED else "slaveOnly"
    last = _chosen(str(_HOST_PRIORITY), "a host never becomes the clock of a fabric")
    yield "global", [(word, _chosen("1", "hosts follow")), *_common(plan), ("priority2", last)]
    for nic in config.node.nics:
        yield nic.name, []


def _common(plan: TimingPlan) -> list[Option]:
    options: list[Option] = [
        ("domainNumber", plan.domain.text),
        ("twoStepFlag", _chosen("1" if plan.two_step else "0", "two-step clocks")),
        ("delay_mechanism", _chosen(plan.delay, f"profile {plan.profile}")),
        ("network_transport", _chosen(plan.transport, f"profile {plan.profile}")),
        ("logAnnounceInterval", _text(plan.log_announce)),
        ("logSyncInterval", _text(plan.log_sync)),
        ("logMinDelayReqInterval", _text(plan.log_delay)),
    ]
    if plan.profile.startswith("g8275"):
        options.append(("dataset_comparison", _chosen("G.8275.x", f"profile {plan.profile}")))
    if plan.profile == "g8275.1":
        address = _chosen(_LINK_LOCAL, "G.8275.1: the address that bridges do not forward")
        options += [("ptp_dst_mac", address), ("p2p_dst_mac", address)]
    elif plan.transport == "L2":
        options.append(("ptp_dst_mac", _chosen(_FORWARDED, "IEEE 1588 layer 2")))
    return options


def _text(figure: Figure) -> Traced:
    return figure.text


def _chosen(text: str, reason: str) -> Traced:
    return Traced.of(text, Provenance(reason, (), "linuxptp ptp4l(8) manual", Trust.COMPUTED))


def _version(plan: TimingPlan) -> tuple[int, ...]:
    return tuple(int(part) for part in plan.linuxptp.split(".") if part.isdigit())


DIALECTS.add(Linuxptp.name)(Linuxptp())
