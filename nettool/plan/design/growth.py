"""What a change moves: cables and addresses that the lock has and the new design has otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from nettool.core.finding import Finding
from nettool.plan.design.fabric import Device, End, Fabric, Link
from nettool.plan.design.lock import Lock, Outline
from nettool.plan.design.network import Network
from nettool.plan.design.notes import warning

_LOOK = "`plan --no-lock` shows a change without keeping it"


def what_moves(
    networks: tuple[Network, ...], locks: tuple[Lock, Lock], then: Fabric | None, now: Fabric
) -> Iterator[Finding]:
    """Cables and addresses of the last generation that do not stay, counted (DSN016).

    `locks` are that before and that of `now`. `then` is the fabric of the first; without the
    networks whose switches of today cannot be cabled as it was.
    """
    for network in networks:
        past = locks[0].last(network.name)
        if past is None or locks[1].last(network.name) is past:
            continue
        if then is None or network.name not in then.topology:
            yield _uncounted(network, past)
            continue
        moves = _Moves(network.name, then, now)
        if moves.any:
            yield _told(network, past, moves)


@dataclass
class _Moves:
    """Cables of a network that get another end, or none, and addresses that change."""

    network: str
    then: Fabric
    now: Fabric
    cables: int = 0
    moved: list[tuple[Link, End | None]] = field(default_factory=list)
    gone: list[Link] = field(default_factory=list)
    nics: list[tuple[Link, End | None]] = field(default_factory=list)
    readdressed: list[tuple[Link, str, str]] = field(default_factory=list)
    nic_addresses: int = 0

    def __post_init__(self) -> None:
        ends = {end: far for link in self.now.links for end, far in _both(link)}
        for link in self.then.links:
            switch = self.then.by_name[link.b.device]
            if switch.network == self.network:
                self._look(link, ends)
        self._look_at_nics()

    @property
    def any(self) -> bool:
        """Whether anything moves."""
        lists = (self.moved, self.gone, self.nics, self.readdressed)
        return any(lists) or self.nic_addresses > 0

    def _look(self, link: Link, ends: dict[End, End]) -> None:
        """One cable of before: it stays, moves, or is taken out."""
        of_nic = link.kind.tier == "nic-leaf"
        self.cables += not of_nic
        far = ends.get(link.a)
        if far == link.b:
            self._compare(link)
        elif of_nic:
            if link.a.device in self.now.node_by_name:
                self.nics.append((link, far))
        elif far is None and ends.get(link.b) is None:
            self.gone.append(link)
        else:
            self.moved.append((link, far))

    def _compare(self, link: Link) -> None:
        if link.a.device in self.now.by_name:
            was, now = (_address(each.by_name, link.a) for each in (self.then, self.now))
            if was != now:
                self.readdressed.append((link, was, now))

    def _look_at_nics(self) -> None:
        for node in self.then.nodes:
            after = self.now.node_by_name.get(node.name)
            if after:
                known = {each.name: each.address for each in after.nics}
                self.nic_addresses += sum(
                    each.network == self.network and known.get(each.name) != each.address
                    for each in node.nics
                )


def _both(link: Link) -> tuple[tuple[End, End], tuple[End, End]]:
    return (link.a, link.b), (link.b, link.a)


def _address(devices: dict[str, Device], end: End) -> str:
    return devices[end.device].neighbors[end.port].address or "none"


def _told(network: Network, past: Outline, moves: _Moves) -> Finding:
    said = "; ".join(_said(moves))
    if past.spines and not past.room:
        said += "; as far as this lock tells, which an older release wrote"
    return warning(
        "DSN016", network.path, f"{network.name} {_change(past, network.outline)}: {said}",
        f"{_hint(past, network)}; {_LOOK}",
    )  # fmt: skip


def _said(moves: _Moves) -> Iterator[str]:
    """What moves, with numbers and the first of each."""
    if moves.moved:
        link, far = moves.moved[0]
        yield (
            f"{len(moves.moved)} of {moves.cables} cables between switches move, with their "
            f"addresses, e.g. {_end(link.a)} from {_end(link.b)} to {_end(far)}"
        )
    if moves.gone:
        link = moves.gone[0]
        yield (
            f"{len(moves.gone)} of {moves.cables} cables between switches are taken out, e.g. "
            f"{_end(link.a)} to {_end(link.b)}"
        )
    if moves.readdressed:
        link, was, now = moves.readdressed[0]
        yield (
            f"{len(moves.readdressed)} link addresses change, e.g. {_end(link.a)} from {was} "
            f"to {now}"
        )
    if moves.nics:
        link, far = moves.nics[0]
        yield (
            f"{len(moves.nics)} NIC cables move, e.g. {_end(link.a)} from {_end(link.b)} to "
            f"{_end(far)}"
        )
    if moves.nic_addresses:
        yield f"{moves.nic_addresses} NIC addresses change"


def _end(end: End | None) -> str:
    return f"{end.device} {end.port}" if end else "no port"


_COUNTS = (
    ("spines", "spines of a pod"), ("cores", "cores"), ("pods", "pods"),
    ("lanes", "leaves of a segment"),
    ("uplinks", "uplinks of a leaf"), ("spine_uplinks", "uplinks of a spine"),
    ("segments", "segments"), ("per_segment", "nodes of a segment"), ("blocks", "parts"),
    ("nodes", "nodes"),
)  # fmt: skip


def _change(past: Outline, now: Outline) -> str:
    """Which counts differ, the first three."""
    changes = [
        f"from {getattr(past, key)} to {getattr(now, key)} {what}"
        for key, what in _COUNTS
        if getattr(past, key) != getattr(now, key)
    ]
    return f"goes {', '.join(changes[:3])}" if changes else "is filled otherwise than it was"


def _hint(past: Outline, network: Network) -> str:
    """The key that keeps cables where they are."""
    now = network.outline
    always_three = network.blocks[0].tiers == (3,)
    if past.cores and now.cores and past.cores != now.cores and always_three:
        return _fixed("options.cores", past.cores)
    if past.spines and now.spines and past.spines != now.spines:
        if always_three:
            return _fixed("options.spines_per_pod", past.spines)
        return _fixed("spines", past.spines * past.blocks)
    if past.segments > 1 and past.per_segment != now.per_segment:
        return "leave `leaves`, `oversubscription` and the leaf model as they were"
    if past.pods and now.pods and past.pods != now.pods and "pods" in network.intent.options:
        return "leave out `options.pods`: full pods then stay as they are"
    return "plan for the final size before the first cable is laid"


def _fixed(key: str, number: int) -> str:
    return (
        f"`{key}: {number}` keeps them where its ports reach; plan {key} for the final size "
        "before the first cable is laid"
    )


def _uncounted(network: Network, past: Outline) -> Finding:
    return warning(
        "DSN016", network.path,
        f"{network.name} {_change(past, network.outline)}, and its switches of today cannot be "
        "cabled as the lock has it: every cable and its addresses may move",
        f"change switches or NICs and the size in two steps; {_LOOK}",
    )  # fmt: skip
