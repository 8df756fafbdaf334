"""Link kinds of a network: speed, FEC, length and media, with both ends checked."""

from __future__ import annotations

from nettool.catalog.catalog import Catalog
from nettool.core.finding import Finding
from nettool.core.source import KeyPath
from nettool.core.units import format_speed
from nettool.plan.design.drafts import BlockDrafts
from nettool.plan.design.fabric import LinkKind
from nettool.plan.design.media import Media, PortKind, can_meet, choose_media
from nettool.plan.design.network import Network
from nettool.plan.design.notes import error, origin, warning
from nettool.plan.design.ports import port_kind


class LinkKinds:
    """Makes the link kinds of one network; findings for ends that do not match."""

    def __init__(self, network: Network, catalog: Catalog, findings: list[Finding]) -> None:
        self._network = network
        self._catalog = catalog
        self._findings = findings
        self._ends: dict[LinkKind, tuple[PortKind, PortKind]] = {}
        self._own: dict[tuple[LinkKind, float], LinkKind] = {}

    def of_nics(self) -> tuple[LinkKind, ...]:
        """The kind of each kind of NIC; ports of one kind are alike on every leaf."""
        leaf = self._network.hardware.leaf
        made = []
        for kind, down in zip(self._network.hardware.kinds, leaf.cages.down, strict=True):
            use = down.uses[0]
            layout = leaf.model.layout(leaf.sku, {use.cage: use.mode})
            slot = next(each for each in layout.slots if each.cage == use.cage)
            nic = PortKind(kind.model.form_factor, kind.link.lanes)
            if slot.fec != kind.link.fec:
                self._fec(kind.path, kind.model.name, kind.link.fec, slot.fec)
            port = port_kind(leaf, slot)
            made.append(self._kind("nic-leaf", "nic", kind.link.speed, kind.link.fec, nic, port))
        return tuple(made)

    def of_switches(self, blocks: tuple[BlockDrafts, ...]) -> tuple[LinkKind, LinkKind]:
        """The kinds of leaf-spine and spine-core links (the same one where there are none)."""
        hardware = self._network.hardware
        drafts = next((each for each in blocks if each.clos.tiers > 1), None)
        if drafts is None:
            nothing = LinkKind("leaf-spine", 0, "none", 0.0, "", "", origin(*self._network.path))
            return nothing, nothing
        a, b = drafts.leaves[0][0].ports.up[0], drafts.spines[0][0].ports.down[0]
        lower = self._kind("leaf-spine", "leaf_spine", a.speed, a.fec,
                           port_kind(hardware.leaf, a), port_kind(hardware.spine, b))  # fmt: skip
        if a.fec != b.fec:
            self._fec((*self._network.path, "leaf"), hardware.leaf.model.name, a.fec, b.fec)
        if drafts.clos.tiers == 2:
            return lower, lower
        c, d = drafts.spines[0][0].ports.up[0], drafts.cores[0].ports.down[0]
        upper = self._kind("spine-core", "spine_core", c.speed, c.fec,
                           port_kind(hardware.spine, c), port_kind(hardware.core, d))  # fmt: skip
        return lower, upper

    def of_length(self, usual: LinkKind, length: float, path: KeyPath) -> LinkKind:
        """The kind of a cable that differs from its tier's only by its length; `path` gives it."""
        if (usual, length) not in self._own:
            speed, fec, (a, b) = usual.speed, usual.fec, self._ends[usual]
            self._own[usual, length] = self._made(usual.tier, length, path, speed, fec, (a, b))
        return self._own[usual, length]

    def _kind(
        self, tier: str, key: str, speed: int, fec: str, a: PortKind, b: PortKind
    ) -> LinkKind:
        path = (*self._network.path, "cables", key)
        length = float(getattr(self._network.intent.cables, key))
        return self._made(tier, length, path, speed, fec, (a, b))

    def _made(
        self, tier: str, length: float, path: KeyPath, speed: int, fec: str,
        ends: tuple[PortKind, PortKind],
    ) -> LinkKind:  # fmt: skip
        a, b = ends
        media = choose_media(self._catalog, speed, length, a, b)
        if media is None:
            self._no_media(path, tier, speed, length, a, b)
            media = Media("smf", "", "")
        other = media.optic_b if media.optic_b != media.optic_a else ""
        kind = LinkKind(tier, speed, fec, length, media.medium, media.optic_a, origin(*path), other)
        self._ends[kind] = ends
        return kind

    def _no_media(
        self, path: KeyPath, tier: str, speed: int, length: float, a: PortKind, b: PortKind
    ) -> None:
        what = f"{tier} links at {format_speed(speed)}"
        if can_meet(self._catalog, speed, a, b):
            self._findings.append(
                warning(
                    "DSN009", path,
                    f"{what}: no cable or optic of the catalog reaches {length:g} m",
                    "shorten the cable, or add the optic to your own catalog folder",
                )
            )  # fmt: skip
            return
        self._findings.append(
            error(
                "DSN005", path,
                f"{what}: {a.form_factor} with {a.lanes} lanes of {speed // a.lanes // 1000}G does "
                f"not link to {b.form_factor} with {b.lanes} lanes of "
                f"{speed // b.lanes // 1000}G",
                "choose a NIC speed or switch whose lanes match, or add a gearbox optic to your "
                "own catalog folder",
            )
        )  # fmt: skip

    def _fec(self, path: KeyPath, name: str, mine: str, theirs: str) -> None:
        self._findings.append(
            error(
                "DSN005", path,
                f"{name} runs FEC {mine}, the port it meets {theirs}",
                "choose speeds and lanes for which both ends have the same FEC",
            )
        )  # fmt: skip
