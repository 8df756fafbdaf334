"""Growth that moves cables: upper tiers whose number changes are wired anew to what exists."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding
from nettool.plan.design.lock import Lock
from nettool.plan.design.network import Network
from nettool.plan.design.notes import warning


def moved_cables(network: Network, lock: Lock) -> Iterator[Finding]:
    """Networks whose spines or cores were fewer when the lock was written (DSN016).

    Links spread evenly over the tier above, so a switch that exists gets other far ends when that
    tier grows; with the number fixed at the start, later pods and leaves move no cable.
    """
    past, now = lock.last(network.name), network.outline
    if past is None:
        return
    for tier, below, was, wanted, key in (
        ("spines of a pod", "leaves", past.spines, now.spines, "spines"),
        ("cores", "spines", past.cores, now.cores, "options.cores"),
    ):
        if was and wanted > was:
            yield warning(
                "DSN016",
                network.path,
                f"{network.name} grows from {was} to {wanted} {tier}: cables between them and the "
                f"{below} that exist move, and their addresses with them",
                f"{key}: {was} keeps them where its ports reach; plan {key} for the final size "
                "before the first cable is laid, and growth moves none",
            )
