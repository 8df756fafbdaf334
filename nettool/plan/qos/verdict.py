"""What the inequalities mean for the operator: findings with the numbers of both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from nettool.core.finding import Finding
from nettool.plan.qos.note import error, info, warning
from nettool.plan.qos.ports import SwitchClass
from nettool.plan.qos.qos_plan import Proof

_HINTS = {
    "QOS006": "see what would fit: one lossless class, shorter cables, or a shared headroom pool",
    "QOS007": "use a variant with more headroom, a shorter cable or a smaller MTU, or give the "
    "measured response of your NICs and switches as rows in the overrides file",
    "QOS008": "lower Kmin, Kmax or the base RTT under qos.ecn, or raise dynamic_th",
    "QOS010": "raise qos.watchdog.detection_ms",
    "QOS016": "beyond the jobs' own incast some groups may find no headroom; leave "
    "qos.shared_headroom off to be lossless whatever sends",
    "QOS019": "raise static_th of egress_lossless_profile in the overrides file",
    "QOS009": "a cautious bound that real incast does not reach; lower kmax to be certain",
}
_PATHS = {
    "QOS006": ("qos", "shared_headroom"),
    "QOS007": ("qos", "headroom"),
    "QOS008": ("qos", "ecn"),
    "QOS009": ("qos", "ecn"),
    "QOS010": ("qos", "watchdog"),
    "QOS016": ("qos", "shared_headroom"),
    "QOS019": ("qos", "overrides"),
}


def judged(
    proofs: Iterable[tuple[str, Proof]], switch: SwitchClass, *, own_table: bool
) -> Iterator[Finding]:
    """A finding for each claim that does not hold.

    `own_table` is true where headroom is the platform vendor's own: then a headroom below the
    longest legal response is a warning, because the vendor may know a shorter one.
    """
    for rule, proof in proofs:
        if proof.holds:
            continue
        left, right = float(proof.left), float(proof.right)
        message = (
            f"{named(switch)}, {proof.binding}: {proof.claim}: {left:,.0f} {proof.left.unit} "
            f"needed, {right:,.0f} {proof.right.unit} there ({left - right:,.0f} too little)"
        )
        tell = _teller(rule, own_table=own_table)
        yield tell(rule, message, _HINTS[rule], *_PATHS[rule])


def named(switch: SwitchClass) -> str:
    """The switches of a kind: the first by name, and how many more."""
    more = len(switch.devices) - 1
    return switch.devices[0] + (f" and {more} more" if more else "")


def _teller(rule: str, *, own_table: bool) -> Callable[..., Finding]:
    if rule == "QOS009":
        return info
    if rule in ("QOS008", "QOS016") or (rule == "QOS007" and own_table):
        return warning
    return error
