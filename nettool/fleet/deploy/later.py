"""What comes after a push: confirm one that waits, or undo one that was kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nettool.core.errors import DeviceError
from nettool.fleet.deploy.journal import KEEP_RUNS, Journal, Remembered, Undone, remembered
from nettool.fleet.deploy.order import Order
from nettool.fleet.deploy.outcome import Outcome, Result
from nettool.fleet.deploy.recovery import EndedError
from nettool.fleet.deploy.switch import CommandError, Switch
from nettool.fleet.deploy.waiting import not_waiting


def confirm_device(switch: Switch, order: Order) -> Result:
    """Keep the change that waits for it: save, then take the guard's right to go back.

    Confirming twice is no error. Raises nothing for a switch.
    """
    try:
        outcome, message = _confirmed(switch, order)
    except CommandError as exc:
        outcome, message = Outcome.FAILED, str(exc)
    except DeviceError as exc:
        outcome, message = Outcome.UNREACHABLE, str(exc)
    return Result(order.device, outcome, message)


def _confirmed(switch: Switch, order: Order) -> tuple[Outcome, str]:
    if not switch.guard_waits():
        return not_waiting(switch) or (Outcome.UNCHANGED, "nothing waits to be confirmed")
    holder = switch.holder()
    noted = next((each for each in switch.journal() if each["run"] == holder.run), {})
    state = noted.get("state", "unknown")
    if state != "verified":
        return Outcome.REFUSED, f"the push of {holder} is not verified yet (state: {state})"
    if order.check:
        return Outcome.WOULD_CHANGE, f"would keep run {holder.run}"
    switch.save(holder.run)
    if not switch.confirm(holder.run):
        return not_waiting(switch) or (
            Outcome.UNKNOWN,
            "the guard fired before it was confirmed",
        )
    kept = {name: value for name, value in noted.items() if name != "undo"}
    journal = {**kept, "run": holder.run, "state": "saved", "operator": order.operator}
    switch.tidy_up(holder.run, journal)
    return Outcome.CHANGED, f"kept run {holder.run}"


def rollback_device(
    switch: Switch,
    order: Order,
    push: Callable[[Order], Result],
    run: str = "",
    *,
    last: bool = False,
) -> Result:
    """Bring back what the switch ran before `run` (default: its last push), by a guarded `push`.

    What was rolled back already, or went with an older push that was, stays as it is. A later push
    goes with an older one, which is said; with `last` it is refused, as is a push whose copy the
    switch no longer keeps.
    """
    try:
        wanted, later = _to_undo(switch, run, last=last)
        before, said = switch.back_to(wanted)
    except EndedError as end:
        return Result(order.device, end.outcome, str(end))
    except CommandError as exc:
        return Result(order.device, Outcome.FAILED, str(exc))
    except DeviceError as exc:
        return Result(order.device, Outcome.UNREACHABLE, str(exc))
    result = push(replace(order, intended=before, whole=True, undoes=wanted))
    if not result.outcome.is_good and result.outcome is not Outcome.REFUSED:
        return result
    along = f"what came later goes with it: run {', '.join(later)}" if later else ""
    return replace(result, message="; ".join(filter(None, (result.message, along, said))))


def _to_undo(switch: Switch, run: str, *, last: bool) -> tuple[str, list[str]]:
    """The push to undo, and those that came later and go with it.

    Raises EndedError where there is nothing to undo, or it is refused.
    """
    journal = switch.journal()
    seen = remembered(journal)
    wanted = run or next(iter(seen.pushes), "")
    if how := seen.undone.get(wanted):
        raise EndedError(Outcome.UNCHANGED, _went_back(wanted, how))
    if wanted not in seen.standing:
        raise _not_kept(switch, journal, seen, wanted)
    later = list(seen.standing[: seen.standing.index(wanted)])
    if later and last:
        why = f"run {later[0]} was here since: undo that one, or name this one (--run {wanted})"
        raise EndedError(Outcome.REFUSED, why)
    return wanted, later


def _went_back(run: str, how: Undone) -> str:
    along = "" if run == how.of else f" with run {how.of},"
    return f"run {run} was rolled back already,{along} by run {how.by}: nothing to do"


def _not_kept(switch: Switch, journal: Journal, seen: Remembered, wanted: str) -> EndedError:
    if any(each["run"] == wanted for each in journal) and switch.guard_waits():
        why = f"run {wanted} still waits there: it goes back by itself unless it is confirmed"
        return EndedError(Outcome.REFUSED, why)
    if wanted and switch.has_forgotten(wanted):
        kept = ", ".join(seen.standing) or "none"
        why = f"run {wanted} is too old: the last {KEEP_RUNS} pushes can be undone, here {kept}"
        return EndedError(Outcome.REFUSED, why)
    said = f"no push {wanted} is remembered" if wanted else "no push is remembered"
    return EndedError(Outcome.UNCHANGED, f"{said}: nothing to go back to")
