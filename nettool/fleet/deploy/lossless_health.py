"""What a change must not cost: lossless packets; and whether the chip was told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from nettool.config.nos.dialects.sonic import asic
from nettool.core.order import natural
from nettool.fleet.deploy.collecting import COUNTERS
from nettool.fleet.deploy.order import Health
from nettool.fleet.deploy.switch import CommandError, Switch, Tables, last_line
from nettool.fleet.verify.checks.programmed import differences
from nettool.fleet.verify.lossless_set import lossless_places

_KINDS = {
    "pg_drop": "packets dropped in a priority group",
    "queue_drop": "packets dropped in a lossless queue",
    "storm": "PFC storms",
}
_Counts = Mapping[str, Mapping[str, int]]


class LosslessTraffic:
    """Notes what lossless groups and queues have dropped, and says afterwards what came on top.

    A counter that went back is no verdict, which is as bad; where the change itself restarts the
    services, everything counted since is on top. Also said is what the chip was told otherwise
    than the running configuration has it.
    """

    def __init__(self) -> None:
        self._was: _Counts = {}
        self._restarts = False

    def before(self, switch: Switch, running: Tables, *, restarts: bool = False) -> None:  # noqa: ARG002  # a protocol's signature
        """Note the counters."""
        self._was, self._restarts = _counts(switch), restarts

    def after(self, switch: Switch, running: Tables) -> tuple[str, ...]:
        """What was lost meanwhile, and what the chip has otherwise."""
        places = lossless_places(running)
        if not places:
            return ()
        lost = tuple(self._lost(places, _counts(switch)))
        return (*lost, *_told_otherwise(switch, running))

    def _lost(self, places: frozenset[str], now: _Counts) -> Iterator[str]:
        for kind, what in _KINDS.items():
            for place in sorted(places & {*now[kind], *self._was[kind]}, key=natural):
                count, was = now[kind].get(place, 0), self._was[kind].get(place, 0)
                if self._restarts:
                    was = 0
                if count > was:
                    yield f"{place}: {count - was} {what} since the change began"
                elif count < was:
                    yield f"{place}: the counter of {what} went from {was} to {count}: no verdict"


class AllOf:
    """Several at once; a later one speaks only where the earlier ones are content."""

    def __init__(self, *healths: Health) -> None:
        self._healths = healths

    def before(self, switch: Switch, running: Tables, *, restarts: bool = False) -> None:
        """Note how things stand, for each."""
        for each in self._healths:
            each.before(switch, running, restarts=restarts)

    def after(self, switch: Switch, running: Tables) -> tuple[str, ...]:
        """What the first one that is not content says."""
        return next((said for each in self._healths if (said := each.after(switch, running))), ())


def _counts(switch: Switch) -> _Counts:
    counts = {}
    for kind in _KINDS:
        command, parse = COUNTERS[kind]
        counts[kind] = dict(_read(switch, command, parse))
    return counts


def _told_otherwise(switch: Switch, running: Tables) -> Iterator[str]:
    objects = _read(switch, asic.OBJECTS, asic.hashes)
    names = _read(switch, asic.NAMES, asic.hashes)
    try:
        chip = asic.programmed(objects, names)
    except ValueError as exc:
        raise CommandError(f"what the chip was told cannot be read: {exc}") from exc
    yield from (text for text, _, _ in differences(running, chip))


def _read(switch: Switch, command: str, parse: Callable[[str], Any]) -> Any:
    reply = switch.run(command)
    if reply.status:
        raise CommandError(f"{command}: exit status {reply.status}: {last_line(reply)}")
    try:
        return parse(reply.stdout)
    except (ValueError, KeyError) as exc:
        raise CommandError(f"{command}: nobody can read the answer ({exc})") from exc
