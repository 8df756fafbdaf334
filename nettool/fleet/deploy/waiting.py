"""A change that waits to be confirmed: how long its guard leaves it, and what became of it.

The time to confirm counts from the end of the push, the same for all switches. Until then each
guard has that time and all that the push may still take: no transaction outlives its own guard, so
the waves that are left take no longer than the guards of their switches. At the end every guard
that waits is set anew. Where whoever pushes dies meanwhile, each switch goes back by itself, at the
longer time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from nettool.core.errors import DeviceError
from nettool.fleet.deploy.order import Clock, Order, stamp
from nettool.fleet.deploy.outcome import Outcome, Result
from nettool.fleet.deploy.switch import CommandError, Holder, Switch

LEAST_GUARD_SECONDS = 600
UNSEEN_SECONDS = 600.0
"""What a change is taken to last on a switch that was not looked at before the push."""


def guard_seconds(estimate: float, settle: float, contact: float) -> int:
    """How long a guard leaves its transaction, whose change takes about `estimate` seconds."""
    return int(max(LEAST_GUARD_SECONDS, 120 + 2 * estimate + 2 * settle + contact))


def waves_left(
    groups: Mapping[str, Sequence[str]], hosts: Iterable[str], batch: Iterable[str]
) -> list[list[str]]:
    """The waves of a push from that of `batch` on; a switch without a wave is one by itself."""
    known, now = list(hosts), set(batch)
    named = [groups[name] for name in sorted(groups) if name.startswith("wave_")]
    waves = [[host for host in wave if host in known] for wave in named]
    placed = {host for wave in waves for host in wave}
    waves += [[host] for host in known if host not in placed]
    first = next((n for n, wave in enumerate(waves) if now.intersection(wave)), 0)
    return [wave for wave in waves[first:] if wave]


def rest_seconds(waves: Iterable[Sequence[int]], forks: int, beside: float) -> int:
    """How long waves take at most: `waves` of guards in seconds, `forks` switches at a time.

    `beside` is what a wave takes for looks at its far ends.
    """
    turns = ((math.ceil(len(wave) / max(1, forks)), max(wave)) for wave in waves if wave)
    return math.ceil(sum(turn * (seconds + beside) for turn, seconds in turns))


def waits_until(due: float, seconds: int, rest: int = 0) -> str:
    """What is said of a change that waits; `rest` of its `seconds` are for the push itself."""
    anew = f" (where the push goes through, {seconds - rest} s after its end)" if rest else ""
    return f"goes back at {stamp(due)}, in {seconds} s, unless confirmed{anew}"


def hold_device(switch: Switch, order: Order, clock: Clock) -> Result:
    """Begin to count the time to confirm of the change that waits. Raises nothing for a switch."""
    due = clock.now() + order.confirm_seconds
    try:
        outcome, message = _held(switch, order, due)
    except (DeviceError, CommandError) as exc:
        outcome, message = Outcome.UNKNOWN, f"{exc}; its guard goes back by itself"
    waits = outcome is Outcome.PENDING
    return Result(order.device, outcome, message, beyond={"due": stamp(due)} if waits else {})


def _held(switch: Switch, order: Order, due: float) -> tuple[Outcome, str]:
    if not switch.guard_waits():
        return not_waiting(switch) or (Outcome.CHANGED, "confirmed meanwhile")
    holder, seconds = switch.holder(), order.confirm_seconds
    noted = next((each for each in switch.journal() if each["run"] == holder.run), {})
    if noted.get("state") != "verified" or not noted.get("undo"):
        return Outcome.UNKNOWN, f"not set anew: the push of {holder} holds it"
    if switch.rearm(holder.run, str(noted["undo"]), seconds, _until(holder, due)):
        return Outcome.PENDING, waits_until(due, seconds)
    gone = not_waiting(switch)
    return gone or (Outcome.UNKNOWN, "its guard could not be set anew, and goes back by itself")


def not_waiting(switch: Switch) -> tuple[Outcome, str] | None:
    """What became of the last push, where it waited and its guard did not wait for ever."""
    last = next(iter(switch.journal()), None)
    if not last or last.get("state") != "verified":
        return None
    run = str(last["run"])
    said = f"run {run} was not confirmed in time and"
    match switch.undone(run):
        case "":
            return None
        case "undoing":
            return Outcome.UNKNOWN, f"{said} goes back at this moment: look again"
        case "rolled back":
            return Outcome.ROLLED_BACK, f"{said} went back{_at(switch, run)}"
        case failed:
            how = f"then {failed}{_at(switch, run)} ({switch.undo_log(run)})"
            return Outcome.ROLLBACK_FAILED, (
                f"{said} had to go back, {how}. To load the saved file, which drops all traffic, "
                f"run there: {switch.way_back(run)}"
            )


def _at(switch: Switch, run: str) -> str:
    when = switch.undone_at(run)
    return "" if when is None else f" at {stamp(when)}"


def _until(holder: Holder, due: float) -> dict[str, str]:
    return {
        "run": holder.run,
        "operator": holder.operator,
        "since": holder.since,
        "until": stamp(due),
    }
