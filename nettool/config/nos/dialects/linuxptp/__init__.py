"""linuxptp and synce4l: the files of each switch and GPU host that takes part in timing.

Community SONiC has no table for PTP or SyncE, so both are said to the daemons themselves.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from nettool.config.device.device import DeviceConfig, HostConfig
from nettool.config.nos.artifact import Artifact, Explained, Tables
from nettool.config.nos.dialect import DIALECTS, Templates
from nettool.config.nos.dialects.linuxptp import ptp4l, synce4l
from nettool.config.nos.dialects.linuxptp.blocks import Block, view
from nettool.config.nos.dialects.linuxptp.options import Program, check
from nettool.core.errors import FindingsError, UsageError
from nettool.core.finding import Report
from nettool.plan.timing.timing_plan import Clock, TimingPlan

_SYNCE = "synce4l.conf"
Config = DeviceConfig | HostConfig


class Linuxptp:
    """The dialect of ptp4l (linuxptp 3.1 to 4.x) and synce4l (1.0, 1.1)."""

    name = "linuxptp"
    releases: tuple[str, ...] = ("3.1", "4.0", "4.2", "4.4")
    default_release = "3.1"

    def serves(self, config: object) -> bool:
        """Switches with a clock, and hosts of a fabric that plans time."""
        if isinstance(config, DeviceConfig):
            return config.timing is not None
        return isinstance(config, HostConfig) and config.timing.enabled

    def artifacts(self, config: Config, templates: Templates) -> tuple[Artifact, ...]:
        """The file of ptp4l of a switch or of each NIC, and synce4l.conf with SyncE.

        What equal devices share is rendered once. Raises FindingsError where a user's template
        makes a file that the daemon would refuse.
        """
        return tuple(
            Artifact(
                config.name,
                self.name,
                file.path,
                _text(file, templates),
                unverified=(synce4l.UNVERIFIED,) if file.path == _SYNCE else (),
            )
            for file in _files(config)
        )

    def explain(self, config: Config, path: str) -> Explained | None:
        """An option by `file|section|option`, e.g. `ptp4l.conf|global|priority2`."""
        said = {
            f"{file.path}|{block.name}|{key}": value
            for file in _files(config)
            if path.startswith(f"{file.path}|")
            for block in file.blocks
            for key, value in block.options
        }
        value = said.get(path)
        return Explained(config.name, path, value, value.why) if value is not None else None

    def parse(self, text: str) -> Tables:
        """The files of daemons have no tables."""
        raise UsageError(f"a daemon's file of {len(text)} characters is not CONFIG_DB")


class _File(NamedTuple):
    """A path, what its text depends on, and its sections, made only when they are asked for."""

    path: str
    plan: TimingPlan
    alike: Hashable
    blocks: Iterable[Block]


def _files(config: Config) -> Iterator[_File]:
    if isinstance(config, DeviceConfig):
        if config.timing is not None:
            yield from _of_switch(config.timing.plan, config.timing.clock)
    elif config.timing.enabled:
        yield from _of_host(config.timing, config)


def _of_switch(plan: TimingPlan, clock: Clock) -> Iterator[_File]:
    ports = tuple(
        (each.port, each.role, each.may_follow, each.synce_input, each.peer_address)
        for each in clock.ports
    )
    own = plan.own_transport.get(clock.device)
    alike = (clock.kind, clock.hops, ports, tuple(own.items()) if own else None)
    yield _File("ptp4l.conf", plan, alike, ptp4l.switch_blocks(plan, clock))
    if plan.synce:
        yield _File(_SYNCE, plan, alike, synce4l.switch_blocks(plan, clock))


def _of_host(plan: TimingPlan, config: HostConfig) -> Iterator[_File]:
    own = plan.own_transport.get(config.name, {})
    for nic in config.node.nics:
        alike = (nic.name, own.get(nic.name), ptp4l.asked_of(plan, nic))
        blocks = ptp4l.nic_blocks(plan, config.name, nic)
        yield _File(f"ptp4l-{nic.name}.conf", plan, alike, blocks)
    if plan.synce:
        names = tuple(nic.name for nic in config.node.nics)
        yield _File(_SYNCE, plan, names, synce4l.nic_blocks(plan, config.node.nics))


def _text(file: _File, templates: Templates) -> str:
    key = (Linuxptp.name, id(file.plan), file.path, file.alike)
    known = templates.memory.get(key)
    if known is None:
        known = templates.memory[key] = _rendered(file, templates)
    return str(known)


def _rendered(file: _File, templates: Templates) -> str:
    program: Program = "synce4l" if file.path == _SYNCE else "ptp4l"
    release = file.plan.synce4l if program == "synce4l" else file.plan.linuxptp
    template = f"linuxptp/{program}.conf.j2"
    text = templates.render(template, {"blocks": view(file.blocks)})
    report = Report.of(check(text, program, release, file=template))
    if report.has_errors:
        raise FindingsError(report)
    return text


DIALECTS.add(Linuxptp.name)(Linuxptp())
