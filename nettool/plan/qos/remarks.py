"""What the reader of a plan must know: assumptions, weak figures, the switch's own tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nettool.core.finding import Finding
from nettool.core.provenance import Figure, Provenance
from nettool.intent.intent import FabricIntent
from nettool.plan.qos.cables import DYNAMIC_MODEL
from nettool.plan.qos.ecn import base_rtt
from nettool.plan.qos.note import info
from nettool.plan.qos.qos_plan import SwitchQos
from nettool.plan.qos.switch import Task
from nettool.plan.qos.verdict import named


def remarks(task: Task, planned: SwitchQos) -> Iterator[Finding]:
    """Notes on one kind of switch."""
    yield from _weak(task, planned)
    yield from _on_box(task, planned)


def assumptions(intent: FabricIntent, switches: Mapping[str, SwitchQos]) -> tuple[str, ...]:
    """What the proof takes for granted, in words, each with its figure."""
    asked = intent.qos
    rtt = base_rtt(asked.ecn)
    mtus = ", ".join(sorted({f"{each.mtu} B" for each in intent.networks.values()}))
    lines = [
        f"port MTU {mtus}; largest lossless frame {asked.lossless_mtu} B",
        "a peer obeys a pause within the longest response of IEEE 802.3 31B.3.7; at 800G the "
        "400G value is used, as SONiC does (inferred)",
        "cables carry 5 ns/m and are not longer than the intent says",
        "hosts and switches trust DSCP, and hosts mark as the class table says",
        f"base round trip {float(rtt):g} us ({rtt.why.trust})",
        "bursts: every lossless queue may congest at once; one ingress may feed them all",
        "routing goes up and then down; no flooding of lossless traffic",
    ]
    distinct = {id(each): each for each in switches.values()}
    lines += [_headroom_line(each) for each in distinct.values()]
    return tuple(dict.fromkeys(lines))


def _headroom_line(switch: SwitchQos) -> str:
    table = f" ({switch.table})" if switch.table else ""
    return f"{switch.asic}: headroom by {switch.variant}{table}, trust {switch.trust}"


def weak_inputs(figure: Figure) -> dict[str, str]:
    """Inputs of a figure, down to the leaves, that are not firm: name to trust."""
    found: dict[str, str] = {}
    _collect(figure.why, "", found)
    return found


def _collect(why: Provenance, name: str, found: dict[str, str]) -> None:
    if not why.inputs and name and not why.trust.is_firm:
        found[name] = str(why.trust)
    for each in why.inputs:
        if each.why:
            _collect(each.why, each.name, found)


def _weak(task: Task, planned: SwitchQos) -> Iterator[Finding]:
    weak: dict[str, str] = {}
    for proof in planned.proofs:
        for side in (proof.left, proof.right):
            weak |= weak_inputs(side)
            if not side.why.inputs and not side.why.trust.is_firm:
                weak["the chip's own figures"] = str(side.why.trust)
    if not weak:
        return
    listed = "; ".join(f"{name} ({trust})" for name, trust in sorted(weak.items()))
    yield info(
        "QOS012",
        f"{named(task.switch)}: the lossless proof rests on {listed}",
        "give measured or vendor figures in the overrides file (qos.overrides)",
        *("qos", "overrides"),
    )


def _on_box(task: Task, planned: SwitchQos) -> Iterator[Finding]:
    """In the traditional buffer model the switch reads its own ini, which may not be ours."""
    chip = task.chip
    if chip.table is None or chip.asic.sonic_asic_type in DYNAMIC_MODEL:
        return
    yield info(
        "QOS013",
        f"{named(task.switch)}: headroom is from table {chip.table.name} ({chip.table.trust}); "
        "the switch's own pg_profile_lookup.ini may differ and wins for any profile that does not "
        "exist under the same name when its port comes up",
        f"compare it on the switch: profiles {', '.join(_lossless_names(planned))}",
        *("qos", "headroom_table"),
    )


def _lossless_names(planned: SwitchQos) -> list[str]:
    return [each.name for each in planned.profiles if each.name.startswith("pg_lossless_")]
