"""What an Ansible task asks for and what it is told: between playbooks and transactions."""

from __future__ import annotations

import getpass
import json
import re
import secrets
import socket
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nettool.core.errors import DeviceError, NettoolError, UsageError
from nettool.core.finding import Report, Severity
from nettool.fleet.deploy.collecting import backup, observe, write_private
from nettool.fleet.deploy.health import LinksAndSessions
from nettool.fleet.deploy.later import confirm_device, rollback_device
from nettool.fleet.deploy.order import Clock, Health, NoHealth, Order, WallClock, stamp
from nettool.fleet.deploy.outcome import Outcome, Result
from nettool.fleet.deploy.switch import Switch
from nettool.fleet.deploy.transaction import push_device
from nettool.fleet.transport.transport import Transport
from nettool.fleet.verify.check import verify_one
from nettool.fleet.verify.observed import Observed, Seen, observed_of

Task = Callable[[Mapping[str, Any], Transport, Order], dict[str, Any]]
RUN_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
ARGUMENTS = (
    *("do", "config", "run", "operator", "consent", "confirm", "guard", "settle", "contact"),
    *("answer", "chip", "release", "to", "of", "baseline", "health"),
)


def run_task(
    args: Mapping[str, Any], host: str, transport: Transport, *, check: bool
) -> dict[str, Any]:
    """Run one task and return what Ansible wants: changed, failed, msg, diff, `nettool`."""
    try:
        task, order = _task(args), _order(args, host, check=check)
        return task(args, transport, order)
    except DeviceError as exc:
        return _told(Result(host, Outcome.UNREACHABLE, str(exc)))
    except NettoolError as exc:
        return _told(Result(host, Outcome.FAILED, str(exc)))


def new_run(clock: Clock) -> str:
    """A name for a run: time and a few random letters."""
    return f"{re.sub('[^0-9TZ]', '', stamp(clock.now()))}-{secrets.token_hex(2)}"


def operator() -> str:
    """Who runs this, for locks and journals."""
    return f"{getpass.getuser()}@{socket.gethostname()}"


def _push(args: Mapping[str, Any], transport: Transport, order: Order) -> dict[str, Any]:
    return _told(push_device(transport, order, health=_health(args)))


def _diff(_args: Mapping[str, Any], transport: Transport, order: Order) -> dict[str, Any]:
    told = _told(push_device(transport, replace(order, check=True)))
    return {**told, "changed": False}


def _verify(args: Mapping[str, Any], transport: Transport, order: Order) -> dict[str, Any]:
    observed = observe(order.device, Switch(transport, order.answer_seconds))
    seen = Seen(
        order.device, order.intended, observed, _cabling(order), _baseline(args, order.device)
    )
    report = Report.of(verify_one(seen))
    if args.get("to"):
        folder = Path(str(args["to"]))
        write_private(folder / f"{order.device}.json", json.dumps(observed.as_json()))
    errors = [each.message for each in report.findings if each.severity is Severity.ERROR]
    return {
        "changed": False,
        "failed": report.has_errors,
        "msg": f"{len(errors)} errors: {'; '.join(errors[:3])}" if errors else "as intended",
        "nettool": {"device": order.device, "findings": report.as_json()["findings"]},
    }


def _backup(args: Mapping[str, Any], transport: Transport, order: Order) -> dict[str, Any]:
    folder = Path(str(args["to"]))
    return {
        "changed": backup(
            Switch(transport, order.answer_seconds), order.device, folder, check=order.check
        )
    }


def _rollback(args: Mapping[str, Any], transport: Transport, order: Order) -> dict[str, Any]:
    run = str(args.get("of") or "")
    return _told(rollback_device(transport, order, run, health=_health(args)))


def _confirm(_args: Mapping[str, Any], transport: Transport, order: Order) -> dict[str, Any]:
    return _told(confirm_device(transport, order))


_TASKS: Mapping[str, Task] = {
    "push": _push,
    "diff": _diff,
    "verify": _verify,
    "backup": _backup,
    "rollback": _rollback,
    "confirm": _confirm,
}
_NEEDS = {"push": "config", "diff": "config", "verify": "config", "backup": "to"}


def _task(args: Mapping[str, Any]) -> Task:
    unknown = sorted(set(args) - set(ARGUMENTS))
    if unknown:
        raise UsageError(
            f"unknown argument {unknown[0]!r}: known are {', '.join(sorted(ARGUMENTS))}"
        )
    name = str(args.get("do", "push"))
    if name not in _TASKS:
        raise UsageError(f"do: {name!r} is not one of {', '.join(_TASKS)}")
    if (needed := _NEEDS.get(name)) and not args.get(needed):
        raise UsageError(f"do: {name} needs the argument {needed!r}")
    return _TASKS[name]


def _order(args: Mapping[str, Any], host: str, *, check: bool) -> Order:
    run = str(args.get("run") or new_run(WallClock()))
    if not RUN_NAME.fullmatch(run):
        raise UsageError(f"run {run!r}: letters, digits, _ and - only, at most 64")
    consent = args.get("consent") or ()
    return Order(
        device=host,
        run=run,
        operator=str(args.get("operator") or operator()),
        intended=_intended(args.get("config")),
        check=check,
        consent=frozenset(consent.split(",") if isinstance(consent, str) else map(str, consent)),
        confirm_seconds=int(args.get("confirm") or 0),
        guard_seconds=int(args.get("guard") or 0),
        settle_seconds=float(args.get("settle") or 60),
        contact_seconds=float(args.get("contact") or 120),
        answer_seconds=float(args.get("answer") or 60),
        chip=str(args.get("chip") or ""),
        release=str(args.get("release") or ""),
    )


def _intended(path: object) -> dict[str, dict[str, dict[str, Any]]]:
    if not path:
        return {}
    try:
        data: dict[str, dict[str, dict[str, Any]]] = json.loads(Path(str(path)).read_text())
    except OSError as exc:
        raise UsageError(f"{path}: {exc.strerror}") from exc
    except ValueError as exc:
        raise UsageError(f"{path}: not JSON ({exc})") from exc
    return data


def _health(args: Mapping[str, Any]) -> Health:
    off = str(args.get("health", True)).lower() in {"false", "no", "off", "0"}
    return NoHealth() if off else LinksAndSessions()


def _cabling(order: Order) -> dict[str, tuple[str, str]]:
    """The planned far ends, which the configuration itself names."""
    rows = order.intended.get("DEVICE_NEIGHBOR", {}).items()
    return {port: (str(row.get("name", "")), str(row.get("port", ""))) for port, row in rows}


def _baseline(args: Mapping[str, Any], device: str) -> Observed | None:
    path = Path(str(args["baseline"])) / f"{device}.json" if args.get("baseline") else None
    return observed_of(json.loads(path.read_text())) if path and path.is_file() else None


def _told(result: Result) -> dict[str, Any]:
    told = result.as_json()
    outcome = result.outcome
    summary = f"{outcome}: {result.message}" if result.message else str(outcome)
    answer: dict[str, Any] = {
        "changed": outcome.has_changed or outcome is Outcome.WOULD_CHANGE,
        "failed": not outcome.is_good,
        "msg": summary,
        "nettool": told,
    }
    if result.changes is not None and not result.changes.is_empty:
        answer["diff"] = [{"prepared": told["diff"]}]
    return answer
