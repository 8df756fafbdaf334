"""What is simulated of a plan: one case for each kind of egress port of each kind of switch."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from nettool.core.provenance import Figure, Input
from nettool.core.units import format_speed
from nettool.intent.intent import FabricIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.placement.matrix import TrafficMatrix
from nettool.plan.qos.budget import without_xoff
from nettool.plan.qos.ecn import base_rtt
from nettool.plan.qos.ports import PortClass, SwitchClass, group_switches
from nettool.plan.qos.qos_plan import Profile, QosPlan, SwitchQos
from nettool.plan.qos.threshold import alpha_of
from nettool.plan.qos.trace import assumed, derived, given
from nettool.plan.qos.wire import PAUSE_QUANTA, QUANTUM_BYTES, response
from nettool.plan.simulate.reaction import dcqcn
from nettool.plan.simulate.setup import PS_PER_US, Feed, Setup

Kind = Literal["incast", "stopped"]
"""Senders meet at a port; or the port itself is paused, so that only PFC is left to stop them."""
_DOWN = {"leaf": "nic-leaf", "spine": "leaf-spine", "core": "spine-core"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the caller wants: senders in place of the plan's, deaf senders, an end in us."""

    senders: int | None = None
    ecn: bool = True
    time_us: float | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """One case: where it happens, what is planned there, and the setup of its run.

    `devices` are alike; `port` is the first egress port of its kind, `tier` what it faces.
    `feeds` names what sends, as told to people; `profiles` the headroom profile of each feed of
    the setup; `senders` how many meet.
    """

    kind: Kind
    devices: tuple[str, ...]
    model: str
    network: str
    port: str
    tier: str
    speed: int
    senders: Figure
    feeds: str
    profiles: tuple[Profile, ...]
    planned: tuple[Input, ...]
    setup: Setup


def scenarios(
    intent: FabricIntent, fabric: Fabric, matrix: TrafficMatrix, qos: QosPlan, asked: Asked
) -> Iterator[Scenario]:
    """Every case of a plan; a switch that carries no lossless traffic has none."""
    for switch in group_switches(fabric, rdma=bool(qos.lossless_priorities)):
        planned = qos.switches.get(switch.devices[0])
        if planned is None or planned.shared is None or planned.cell is None:
            continue
        place = _Place(intent, matrix, switch, planned, asked)
        yield from place.cases()


@dataclass(frozen=True, slots=True)
class _Place:
    """One kind of switch with everything that bears on its cases."""

    intent: FabricIntent
    matrix: TrafficMatrix
    switch: SwitchClass
    qos: SwitchQos
    asked: Asked

    def cases(self) -> Iterator[Scenario]:
        """The cases of each kind of egress port."""
        for egress in self.switch.counts:
            faced = self._feeding(egress) if egress.lossless else []
            if faced:
                yield self._case("incast", egress, faced)
                yield self._case("stopped", egress, faced)

    def _feeding(self, egress: PortClass) -> list[PortClass]:
        """A port of each kind in turn, the fastest first; traffic goes up and then down."""
        down = _DOWN[self.switch.role]
        left = {
            each: count - (each is egress)
            for each, count in self.switch.counts.items()
            if each.lossless and down in (egress.tier, each.tier)
        }
        order = sorted(left, key=lambda each: (-each.speed, -each.length, each.tier))
        turns = range(max(left.values(), default=0))
        return [each for turn in turns for each in order if left[each] > turn]

    def _case(self, kind: Kind, egress: PortClass, faced: list[PortClass]) -> Scenario:
        senders = self._senders(egress)
        count = int(float(senders))
        if kind == "stopped":
            count = max(count, len(set(map(id, faced))))
        used = faced[:count]
        shares = [count // len(used) + (n < count % len(used)) for n in range(len(used))]
        profiles = tuple(self._profile(each) for each in used)
        name = self.switch.first_port(egress)
        feeds = tuple(
            self._feed(port, profile, each)
            for port, profile, each in zip(used, profiles, shares, strict=True)
        )
        return Scenario(
            kind, self.switch.devices, self.switch.model, self.switch.network, name, egress.tier,
            egress.speed, senders, _named(used), profiles,
            (*self._planned(egress, profiles), *_responses(used)),
            self._setup(kind, egress, feeds, profiles[0]),
        )  # fmt: skip

    def _senders(self, egress: PortClass) -> Figure:
        """Given, else the jobs' incast, else the flows that hashing puts on one link, if more."""
        if self.asked.senders is not None:
            return given(self.asked.senders, "senders", "--incast", file="command line")
        jobs = self.matrix.incast.get(self.switch.network) or assumed(
            1, "senders", "no job says who sends"
        )
        links = [
            each.worst_link
            for each in self.matrix.loads
            if each.network == self.switch.network and each.tier == egress.tier and each.worst_link
        ]
        worst = max(links, key=float, default=None)
        if worst is None or math.ceil(float(worst)) <= float(jobs):
            return jobs
        why = derived(
            "max(incast of the jobs, flows on the fullest link, rounded up)",
            jobs.as_input("incast of the jobs"),
            worst.as_input("flows on the fullest link"),
        )
        return Figure(math.ceil(float(worst)), "senders", why)

    def _profile(self, port: PortClass) -> Profile:
        name = self.qos.ports[self.switch.first_port(port)].lossless_profile
        return next(each for each in self.qos.profiles if each.name == name)

    def _feed(self, port: PortClass, profile: Profile, senders: int) -> Feed:
        xoff, offset = int(profile.xoff or 0), profile.xon_offset
        return Feed(
            speed=port.speed,
            cable=port.length,
            xoff=xoff,
            response=int(_response(port.speed)),
            xon=int(profile.xon or 0),
            xon_offset=2 * self.switch.mtu if offset is None else int(offset),
            own=int(without_xoff(float(profile.size), xoff)),
            senders=senders,
        )

    def _setup(
        self, kind: Kind, egress: PortClass, feeds: tuple[Feed, ...], profile: Profile
    ) -> Setup:
        wred = self._wred(egress)
        asked, ecn = self.asked, self.asked.ecn and kind == "incast"
        return Setup(
            feeds=feeds,
            speed=egress.speed,
            shared=int(self.qos.shared or 0),
            alpha=alpha_of(int(profile.dynamic_th)) if profile.dynamic_th else None,
            fixed=int(profile.static_th) if profile.static_th else None,
            headroom=int(self.qos.headroom) if self.qos.headroom else None,
            cell=int(self.qos.cell or 1),
            frame=self.intent.qos.lossless_mtu,
            mtu=self.switch.mtu,
            kmin=int(wred["Kmin"]),
            kmax=int(wred["Kmax"]),
            pmax=float(wred["Pmax"]) / 100,
            reaction=dcqcn(base_rtt(self.intent.qos.ecn)) if ecn else None,
            drains=kind == "incast",
            end_ps=None if asked.time_us is None else round(asked.time_us * PS_PER_US),
        )

    def _wred(self, egress: PortClass) -> Mapping[str, Figure]:
        found = next(each for each in self.qos.wreds if each.speed == egress.speed)
        return {"Kmin": found.kmin, "Kmax": found.kmax, "Pmax": found.pmax}

    def _planned(self, egress: PortClass, profiles: Iterable[Profile]) -> Iterator[Input]:
        """The planned figures that the outcome follows from."""
        parts = {"shared buffer": self.qos.shared, "cell": self.qos.cell, **self._wred(egress)}
        yield from (figure.as_input(name) for name, figure in parts.items() if figure)
        for each in {each.name: each for each in profiles}.values():
            limit = each.static_th or each.dynamic_th
            told = {"xoff": each.xoff, "xon": each.xon, "xon_offset": each.xon_offset,
                    "static_th" if each.static_th else "dynamic_th": limit}  # fmt: skip
            yield from (f.as_input(f"{name} of {each.name}") for name, f in told.items() if f)


def _response(speed: int) -> Figure:
    """What a peer may still send after a pause; the most that is known where none is published."""
    most = max(PAUSE_QUANTA.values()) * QUANTUM_BYTES
    return response(speed) or assumed(most, "B", "none is published: the largest of other speeds")


def _responses(ports: Iterable[PortClass]) -> Iterator[Input]:
    for speed in sorted({each.speed for each in ports}):
        yield _response(speed).as_input(f"response at {format_speed(speed)}")


def _named(ports: Iterable[PortClass]) -> str:
    """Ports as people count them: `1 x 800G 40 m, 1 x 400G 5 m`."""
    counts: dict[tuple[int, float], int] = {}
    for each in ports:
        key = (each.speed, each.length)
        counts[key] = counts.get(key, 0) + 1
    return ", ".join(
        f"{count} x {format_speed(speed)} {length:g} m" for (speed, length), count in counts.items()
    )
