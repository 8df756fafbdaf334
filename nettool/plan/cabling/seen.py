"""What LLDP sees against the planned cables: verdicts, and the fewest moves that mend it.

A neighbour that is not seen is unknown, never wrong: hosts need not speak LLDP, and switches lose
entries (sonic-buildimage#24685). A host that names its port by MAC address is known as a device
only: the wrong device is a finding then, its move unknown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nettool.core.finding import Finding, Report, Severity
from nettool.plan.cabling.moves import Move, Plug, Repair, repairs
from nettool.plan.cabling.names import Names
from nettool.plan.design.fabric import End, Fabric

Neighbors = Mapping[str, Mapping[str, tuple[str, str]]]
"""Far device and port, as printed, by local port, by switch."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Findings (CAB030 to CAB036) with counts, and the repairs."""

    report: Report
    repairs: tuple[Repair, ...]

    def as_json(self) -> dict[str, Any]:
        """The report with `repairs`: the moves of each, what to label, and counts."""
        made = [
            {
                "kind": "cycle" if each.closed else "chain",
                "swaps": each.swaps,
                "moves": [_move_json(move) for move in each.moves],
            }
            for each in self.repairs
        ]
        return {**self.report.as_json(), "repairs": made}


@dataclass(slots=True)
class _Check:
    fabric: Fabric
    planned: dict[End, End]
    links: dict[End, End] = field(default_factory=dict)
    confirmed: set[End] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)

    def say(self, rule: str, severity: Severity, end: End, message: str, hint: str) -> None:
        self.findings.append(
            Finding(
                rule=rule,
                severity=severity,
                message=message,
                hint=hint,
                device=end.device,
                key=end.port or None,
            )
        )


def check_seen(fabric: Fabric, neighbors: Neighbors) -> Verdict:
    """Hold what switches see against the plan."""
    planned: dict[End, End] = {}
    for link in fabric.links:
        planned |= {link.a: link.b, link.b: link.a}
    check = _Check(fabric, planned)
    _gather(neighbors, check)
    mended = repairs(check.links, planned, _cages(fabric))
    swapped = _swaps(mended, check)
    for end, far in check.links.items():
        if planned.get(end) != far and end not in swapped and _tells(end, far, fabric):
            _tell_wrong(end, far, check)
    _tell_unseen(neighbors, check)
    right = sum(planned.get(end) == far for end, far in check.links.items()) // 2
    report = Report.of(
        check.findings,
        planned=len(fabric.links),
        right=right,
        wrong=len(check.links) // 2 - right,
        moves=sum(len(each.moves) for each in mended),
        swaps=sum(each.swaps for each in mended),
    )
    return Verdict(report, mended)


def move_text(move: Move) -> str:
    """One move as a person does it, with the label that the cable must carry."""
    if move.put is None:
        return f"pull {_plug(move.taken)} (other end {_plug(move.kept)}): no planned cable"
    return (
        f"{_plug(move.taken)} -> {_plug(move.put)} (other end {_plug(move.kept)} stays; "
        f"label {_plug(move.kept)} > {_plug(move.put)})"
    )


def _gather(neighbors: Neighbors, check: _Check) -> None:
    """The cables that both, or the one end that was read, agree on."""
    names = Names(check.fabric)
    claims: dict[End, End] = {}
    for switch, rows in neighbors.items():
        for word, (far_word, far_port) in rows.items():
            port = names.port(switch, [word])
            if port is not None:
                far = _far(End(switch, port), far_word, far_port, names, check)
                if far:
                    claims[End(switch, port)] = far
    takers = Counter(claims.values())
    for end, far in claims.items():
        if claims.get(far, end) != end or takers[far] > 1:
            check.say(
                "CAB035",
                Severity.WARNING,
                end,
                f"sees {_said(far)}, which others contradict",
                "old LLDP entries: wait two minutes, read all switches again",
            )
        else:
            check.links |= {end: far, far: end}


def _far(end: End, word: str, port_word: str, names: Names, check: _Check) -> End | None:
    device = names.device(word)
    planned = check.planned.get(end)
    if device is None:
        check.say(
            "CAB034",
            Severity.WARNING,
            end,
            f"sees {word}:{port_word}, which is not in the plan"
            + (f"; planned is {_said(planned)}" if planned else ""),
            names.close(word),
        )
        return None
    port = names.port(device, [port_word])
    if port is not None:
        return End(device, port)
    if planned is None or planned.device != device:
        wanted = _said(planned) if planned else "free"
        check.say(
            "CAB032",
            Severity.ERROR,
            end,
            f"planned {wanted}, LLDP sees {device} (its port {port_word!r} is no planned name)",
            "find the cable at the host; its move is unknown",
        )
    check.confirmed.add(end)
    return None


def _cages(fabric: Fabric) -> list[tuple[Plug, Plug]]:
    """Cables with several legs: the ends in the cage (b), and the far ends of its legs."""
    legs: dict[int, list[tuple[End, End]]] = {}
    for link in fabric.links:
        if link.cable:
            legs.setdefault(link.cable, []).append((link.b, link.a))
    return [
        (tuple(b for b, _ in pairs), tuple(a for _, a in pairs))
        for pairs in legs.values()
        if len(pairs) > 1
    ]


def _swaps(mended: tuple[Repair, ...], check: _Check) -> set[End]:
    """Tell each swapped pair once; the ends it explains."""
    explained: set[End] = set()
    for repair in mended:
        if not repair.closed or len(repair.moves) != 2:
            continue
        one, two = repair.moves
        check.say(
            "CAB030",
            Severity.ERROR,
            one.taken[0],
            f"{_plug(one.taken)} and {_plug(two.taken)} are swapped: planned "
            f"{_plug(two.kept)} and {_plug(one.kept)}, LLDP sees them the other way round"
            f"{_rails(one.kept[0], one.taken[0], check.fabric)}"
            f"{_rails(one.taken[0], one.kept[0], check.fabric)}",
            f"swap the two plugs: {move_text(one)}",
        )
        for each in repair.moves:
            explained.update(each.kept, each.taken)
    return explained


def _tell_wrong(end: End, far: End, check: _Check) -> None:
    planned = check.planned.get(end)
    off = _rails(far, end, check.fabric)
    if planned is None:
        rule, wanted = "CAB033", "planned free"
    else:
        rule, wanted = "CAB031" if off else "CAB032", f"planned {_said(planned)}"
    check.say(
        rule,
        Severity.ERROR,
        end,
        f"{wanted}, LLDP sees {_said(far)}{off}",
        "the list of moves tells which plug goes where",
    )


def _rails(nic_end: End, port_end: End, fabric: Fabric) -> str:
    """A note where a NIC is on a leaf of another rail."""
    node, switch = fabric.node_by_name.get(nic_end.device), fabric.by_name.get(port_end.device)
    nic = next((each for each in node.nics if each.name == nic_end.port), None) if node else None
    if nic is None or switch is None or not switch.rails or nic.rail in switch.rails:
        return ""
    rails = ", ".join(map(str, switch.rails))
    return f" (off its rail: NIC of rail {nic.rail} on a leaf of rail {rails})"


def _tells(end: End, far: End, fabric: Fabric) -> bool:
    """A cable is told at one end: at the switch, or the first of two."""
    return end.device in fabric.by_name and (
        far.device not in fabric.by_name or (end.device, end.port) < (far.device, far.port)
    )


def _tell_unseen(neighbors: Neighbors, check: _Check) -> None:
    for device in check.fabric.devices:
        ports = [End(device.name, port) for port in device.neighbors]
        quiet = [e for e in ports if e not in check.links and e not in check.confirmed]
        if quiet and device.name in neighbors:
            check.say(
                "CAB036",
                Severity.INFO,
                End(device.name, ""),
                f"{len(quiet)} of {len(ports)} planned neighbours are not seen, first "
                f"{quiet[0].port}: unknown, not wrong",
                "LLDP on the hosts makes them known",
            )


def _move_json(move: Move) -> dict[str, Any]:
    put = None if move.put is None else [_said(end) for end in move.put]
    labels = None
    if move.put is not None:
        ends = _plug(move.kept), _plug(move.put)
        labels = [f"{ends[0]} > {ends[1]}", f"{ends[1]} > {ends[0]}"]
    return {
        "take": [_said(end) for end in move.taken],
        "put": put,
        "other_end": [_said(end) for end in move.kept],
        "labels": labels,
    }


def _plug(plug: Plug) -> str:
    return " + ".join(map(_said, plug))


def _said(end: End) -> str:
    return f"{end.device}:{end.port}"
