"""What a change must not cost: lossless packets; and whether the chip was told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nettool.config.nos.dialects.sonic import asic
from nettool.fleet.deploy.order import Clock, Health, WallClock
from nettool.fleet.deploy.questions import COUNTERS, NAMES, OBJECTS, STARTED
from nettool.fleet.deploy.switch import CommandError, Switch, Tables
from nettool.fleet.verify.checks.programmed import differences
from nettool.fleet.verify.lossless_set import lossless_places
from nettool.fleet.verify.verdict import Counts, compare

KINDS = {
    "pg_drop": "packets dropped in a priority group",
    "queue_drop": "packets dropped in a lossless queue",
    "storm": "PFC storms",
}
LISTED_IF_ANY = frozenset({"storm"})


class LosslessTraffic:
    """Notes what lossless groups and queues have dropped, and says afterwards what came on top.

    A counter that went back or is not there is no verdict, which is as bad; where the change
    itself restarts the services, everything counted since is on top. Also said is what the chip
    was told otherwise than the running configuration has it. A switch polls its counters: the first
    look after the change waits `poll` seconds, until they are as new as the change.
    """

    def __init__(self, poll: float = 0.0, clock: Clock | None = None) -> None:
        self._poll, self._clock = poll, clock or WallClock()
        self._was: Mapping[str, Counts] = {}
        self._ports: frozenset[str] = frozenset()
        self._restarts = False
        self._started = ""

    def before(self, switch: Switch, running: Tables, *, restarts: bool = False) -> None:
        """Note the counters, the ports that have them, and since when."""
        self._was, self._restarts = counts(switch), restarts
        self._ports = frozenset(switch.config_db(running).get("PORT", {}))
        self._started = started(switch)

    def after(self, switch: Switch, running: Tables) -> tuple[str, ...]:
        """What was lost meanwhile, and what the chip has otherwise."""
        tables = switch.config_db(running)
        places = lossless_places(tables)
        if not places:
            return ()
        if self._poll:
            self._clock.sleep(self._poll)
            self._poll = 0.0
        since = started(switch)
        if not self._restarts and since != self._started:
            return (f"its services began again by themselves ({since}): no verdict on counters",)
        lost = tuple(self._lost(places, counts(switch)))
        return (*lost, *_told_otherwise(switch, tables))

    def _lost(self, places: frozenset[str], now: Mapping[str, Counts]) -> Iterator[str]:
        made = {each for each in places if each.partition("|")[0] not in self._ports}
        for kind, what in KINDS.items():
            before = {**dict.fromkeys(made, 0), **self._was[kind]}
            yield from what_is_lost(kind, what, places, before, now[kind], self._restarts)


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


def what_is_lost(  # a kind of counter at two times
    kind: str,
    what: str,
    places: frozenset[str],
    before: Counts,
    now: Counts,
    restarted: bool = False,
) -> Iterator[str]:
    """A sentence for each place that lost something since `before`, or of which nobody knows."""
    if_any = kind in LISTED_IF_ANY
    must = frozenset() if if_any else places
    verdict = compare(before, now, must=must, only=places, if_any=if_any, restarted=restarted)
    for place, by in verdict.grown.items():
        yield f"{place}: {by} {what} since the change began"
    for place, why in verdict.doubts.items():
        yield f"{place}: the counter of {what} {why}: no verdict"


def counts(switch: Switch) -> dict[str, Counts]:
    """The counters of loss by kind and `port|index`. Raises CommandError."""
    return {kind: dict(COUNTERS[kind].read(COUNTERS[kind].put(switch))) for kind in KINDS}


def started(switch: Switch) -> str:
    """When the switch's services began; empty where it does not tell."""
    try:
        return str(STARTED.read(STARTED.put(switch)))
    except CommandError:
        return ""


def _told_otherwise(switch: Switch, tables: Tables) -> Iterator[str]:
    objects, names = (each.read(each.put(switch)) for each in (OBJECTS, NAMES))
    try:
        chip = asic.programmed(objects, names)
    except ValueError as exc:
        raise CommandError(f"what the chip was told cannot be read: {exc}") from exc
    yield from (text for text, _, _ in differences(tables, chip))
