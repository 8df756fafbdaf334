"""PFC watchdog times: long enough for every legal pause, coherent with polling and port count."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.core.finding import Finding
from nettool.core.provenance import Figure, Input
from nettool.intent.intent import WatchdogIntent
from nettool.plan.qos.note import error
from nettool.plan.qos.overrides import Overrides
from nettool.plan.qos.qos_plan import Watchdog
from nettool.plan.qos.trace import derived, given

_SOURCE = "sonic-utilities 691b1bbc pfcwd/main.py start_default"
_STEP_MS = 200
_PORTS_A_STEP = 32
LIMITS = {"detection": (100, 5000), "restoration": (100, 60_000), "poll": (100, 1000)}
"""Legal ranges in milliseconds (sonic-yang-models, PFC_WD)."""


def default_times(rows: int) -> Watchdog:
    """Times for a switch with `rows` PORT rows: 200 ms for each started 32, poll at most 1 s."""
    wanted = _STEP_MS * max(1, (rows - 1) // _PORTS_A_STEP + 1)
    return Watchdog(
        _time("detection", wanted, rows),
        _time("restoration", wanted, rows),
        _time("poll", wanted, rows),
        "drop",
    )


def plan_watchdog(asked: WatchdogIntent, rows: int, overrides: Overrides) -> Watchdog | None:
    """Times as given in overrides or intent, else by port count; None where switched off."""
    if not asked.enabled:
        return None
    usual = default_times(rows)
    detection = overrides.watchdog("detection") or _asked(asked.detection_ms, "detection_ms")
    restoration = overrides.watchdog("restoration") or _asked(
        asked.restoration_ms, "restoration_ms"
    )
    poll = overrides.watchdog("poll") or _poll_under(usual.poll, detection, restoration)
    return Watchdog(
        detection or usual.detection,
        restoration or _not_below(usual.restoration, detection),
        poll,
        asked.action,
    )


def longest_pause(shared: Figure, slowest: int, hops: int) -> Figure:
    """The longest legal pause in ms: each of `hops` buffers ahead drains at the slowest port."""
    value = float(shared) * 8 / (slowest * 1000) * hops
    why = derived(
        "B x 8 / slowest rate x hops: a paused port waits until every shared buffer ahead drains",
        shared.as_input("B"),
        Input("slowest rate", slowest, "Mb/s"),
        Input("hops", hops),
    )
    return Figure(value, "ms", why)


def incoherent(watchdog: Watchdog) -> Iterator[Finding]:
    """Each combination that acts out of order or that SONiC refuses."""
    detection, restoration, poll = watchdog.detection, watchdog.restoration, watchdog.poll
    pairs = (
        (detection, poll, "detection", "poll", "detection_ms"),
        (restoration, poll, "restoration", "poll", "restoration_ms"),
        (restoration, detection, "restoration", "detection", "restoration_ms"),
    )
    for larger, smaller, name, other, key in pairs:
        if float(larger) < float(smaller):
            yield error(
                "QOS010",
                f"{name} is {float(larger):g} ms, below the {other} of {float(smaller):g} ms",
                f"raise {name} to {float(smaller):g} ms or more, or leave both to the default",
                *("qos", "watchdog", key),
            )
    for name, (least, most) in LIMITS.items():
        value = float(getattr(watchdog, name))
        if not least <= value <= most:
            yield error(
                "QOS010",
                f"{name} {value:g} ms is outside {least}..{most} ms, which is all SONiC takes",
                "choose a value within the range",
                *("qos", "watchdog"),
            )


def _time(name: str, wanted: int, rows: int) -> Figure:
    least, most = LIMITS[name]
    cap = f", at most {most}" if name == "poll" else ""
    why = derived(
        f"200 ms x max(1, (ports - 1) div 32 + 1){cap}",
        Input("ports", rows),
        source=_SOURCE,
        bound=f"{least} <= {name} <= {most} ms",
    )
    return Figure(min(wanted, most), "ms", why)


def _asked(value: int | None, key: str) -> Figure | None:
    return None if value is None else given(value, "ms", "qos", "watchdog", key)


def _not_below(usual: Figure, detection: Figure | None) -> Figure:
    """The usual restoration time, or the given detection time where that is longer."""
    if detection is None or float(detection) <= float(usual):
        return usual
    why = derived("max(usual restoration, detection)", detection.as_input("detection"))
    return Figure(detection.value, "ms", why)


def _poll_under(usual: Figure, *times: Figure | None) -> Figure:
    """The usual poll interval, or the shortest given time where that is below it."""
    shortest = min((each for each in times if each), key=float, default=usual)
    if float(shortest) >= float(usual):
        return usual
    why = derived("min(detection, restoration): neither may be below the poll interval",
                  shortest.as_input("shortest time"))  # fmt: skip
    return Figure(shortest.value, "ms", why)
