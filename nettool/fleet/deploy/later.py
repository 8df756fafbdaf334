"""What comes after a push: confirm one that waits, or undo one that was kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nettool.core.errors import DeviceError
from nettool.fleet.deploy.order import Order
from nettool.fleet.deploy.outcome import Outcome, Result
from nettool.fleet.deploy.switch import CommandError, Switch


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
        return Outcome.UNCHANGED, "nothing waits to be confirmed"
    holder = switch.holder()
    state = next((j["state"] for j in switch.journal() if j["run"] == holder.run), "unknown")
    if state != "verified":
        return Outcome.REFUSED, f"the push of {holder} is not verified yet (state: {state})"
    if order.check:
        return Outcome.WOULD_CHANGE, f"would keep run {holder.run}"
    switch.save(holder.run)
    if not switch.confirm(holder.run):
        return Outcome.ROLLED_BACK, "the guard fired before it was confirmed"
    journal = {"run": holder.run, "state": "saved", "operator": order.operator}
    switch.tidy_up(holder.run, journal)
    return Outcome.CHANGED, f"kept run {holder.run}"


def rollback_device(
    switch: Switch, order: Order, push: Callable[[Order], Result], run: str = ""
) -> Result:
    """Bring back what the switch ran before `run` (default: its last push), by a guarded `push`."""
    try:
        kept = [each["run"] for each in switch.journal() if each.get("state") == "saved"]
        wanted = run or next(iter(kept), "")
        if wanted not in kept:
            message = f"no push {wanted} is remembered" if wanted else "no push is remembered"
            return Result(order.device, Outcome.UNCHANGED, f"{message}: nothing to go back to")
        before = switch.checkpoint_tables(wanted)
    except CommandError as exc:
        return Result(order.device, Outcome.FAILED, str(exc))
    except DeviceError as exc:
        return Result(order.device, Outcome.UNREACHABLE, str(exc))
    return push(replace(order, intended=before, whole=True))
