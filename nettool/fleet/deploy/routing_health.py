"""What a change must not part: the AS numbers that FRR runs, and those in CONFIG_DB."""

from __future__ import annotations

from collections.abc import Mapping

from nettool.core.order import natural
from nettool.fleet.deploy.questions import AS_NUMBERS
from nettool.fleet.deploy.switch import Switch, Tables
from nettool.fleet.verify.expected import as_numbers_of

Parted = Mapping[str, tuple[int, int]]
"""AS number in FRR and in CONFIG_DB by neighbour, the switch's own under the empty name."""


class RoutingFollows:
    """Notes where FRR and CONFIG_DB have parted, and says afterwards where they have parted since.

    Where command lines configure FRR there is no CONFIG_DB to hold it to.
    """

    def __init__(self) -> None:
        self._was: Parted = {}

    def before(self, switch: Switch, running: Tables, *, restarts: bool = False) -> None:  # noqa: ARG002  # a protocol's signature
        """Note what was parted before: no change is blamed for it."""
        self._was = _parted(switch, running)

    def after(self, switch: Switch, running: Tables) -> tuple[str, ...]:
        """Where FRR did not follow the change."""
        now = _parted(switch, running)
        return tuple(
            f"{_who(name)} runs in AS {now[name][0]}, CONFIG_DB has {now[name][1]}"
            for name in sorted(now, key=natural)
            if name not in self._was
        )


def _who(name: str) -> str:
    return f"BGP neighbour {name}" if name else "BGP"


def _parted(switch: Switch, running: Tables) -> Parted:
    if switch.config_db(running) is not running:
        return {}
    reply = AS_NUMBERS.put(switch)
    runs: Mapping[str, int] = {} if reply.status else AS_NUMBERS.read(reply)
    stands = as_numbers_of(running)
    return {
        name: (asn, stands[name])
        for name, asn in runs.items()
        if asn and stands.get(name, asn) != asn
    }
