"""The derived QoS numbers as command lines, in place of the Easy RoCE preset.

Chosen by `nos.roce: manual` in the intent. The objects are the vendor's (class-map, wred,
buffer-profile, policy-map); most of their inner lines are unverified on hardware.
"""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.device.features.qos import Qos
from nettool.config.nos.dialects.asternos.grammar import Line, say
from nettool.config.nos.dialects.asternos.sections import klish_port
from nettool.core.provenance import Figure, Traced
from nettool.plan.qos.qos_plan import PortQos

_DSCP_MAP = "nettool_dscp"
_CLASS = "nettool_lossless"


def manual_lines(qos: Qos) -> Iterator[Line]:
    """Maps, classes, marking, buffers and policies of a switch, then their binding to ports."""
    plan = qos.plan
    yield say("dscp.view", name=_DSCP_MAP)
    for dscp, tc in sorted(plan.dscp_to_tc.items()):
        why = plan.map_why["dscp_to_tc"]
        yield say("dscp.entry", 1, dscp=Traced.of(dscp, why), tc=Traced.of(tc, why))
    yield say("class.view", name=_CLASS)
    lossless = " ".join(str(each.tc) for each in qos.classes if each.lossless)
    yield say("class.match", 1, tcs=Traced.of(lossless, plan.map_why["tc_to_pg"]))
    yield from _marking(qos)
    yield from _buffers(qos)
    policies = {_policy(port): port for port in qos.switch.ports.values() if port.lossless}
    for name, port in sorted(policies.items()):
        yield from _policy_lines(qos, name, port)
    for name, port in qos.switch.ports.items():
        if port.lossless:
            yield say("port.view", port=klish_port(name))
            yield say("port.policy", 1, policy=_policy(port))


def _marking(qos: Qos) -> Iterator[Line]:
    for wred in qos.switch.wreds:
        yield say("wred.view", name=wred.name)
        yield say("wred.mode", 1, kmin=wred.kmin.text, kmax=wred.kmax.text, pmax=wred.pmax.text)


def _buffers(qos: Qos) -> Iterator[Line]:
    used = {port.lossless_profile for port in qos.switch.ports.values() if port.lossless}
    for profile in qos.switch.profiles:
        if profile.name in used and profile.dynamic_th is not None:
            yield say("buffer.view", name=profile.name)
            yield say(
                "buffer.mode", 1, threshold=profile.dynamic_th.text, size=profile.size.text,
                xoff=_text(profile.xoff), xon_offset=_text(profile.xon_offset),
            )  # fmt: skip


def _policy_lines(qos: Qos, name: str, port: PortQos) -> Iterator[Line]:
    yield say("policy.view", name=name)
    yield say("policy.dscp", 1, name=_DSCP_MAP)
    yield say("policy.class", 1, name=_CLASS)
    yield say("policy.wred", 2, name=port.wred)
    yield say("policy.buffer", 2, name=port.lossless_profile)
    for each in sorted(qos.classes, key=lambda one: one.queue):
        queue = Traced.of(each.queue, each.why)
        if each.weight is None:
            yield say("policy.strict", 1, queue=queue)
        else:
            yield say("policy.weight", 1, weight=each.weight.text, queue=queue)


def _policy(port: PortQos) -> str:
    return f"nettool_{port.speed // 1000}g_{port.cable.value:g}m"


def _text(figure: Figure | None) -> str:
    return "0" if figure is None else figure.text
