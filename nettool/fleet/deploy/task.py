"""What an Ansible task asks for and what it is told: between playbooks and transactions."""

from __future__ import annotations

import getpass
import json
import re
import secrets
import socket
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from nettool.config.diff.policy import EVERY, Policy, load_policy
from nettool.core.errors import DeviceError, FindingsError, NettoolError, RefusedError, UsageError
from nettool.core.finding import Report, Severity
from nettool.fleet.deploy.arguments import consents_of, flag_of, seconds_of
from nettool.fleet.deploy.collecting import backup, looked_before, write_private
from nettool.fleet.deploy.far import POLL_SECONDS
from nettool.fleet.deploy.later import confirm_device, rollback_device
from nettool.fleet.deploy.order import Clock, Order, WallClock, stamp
from nettool.fleet.deploy.outcome import BEYOND, Outcome, Result, checked
from nettool.fleet.deploy.plain import plain_answer
from nettool.fleet.deploy.refusals import is_another_key, refuse_unverified
from nettool.fleet.deploy.waiting import hold_device
from nettool.fleet.deploy.ways import Ways
from nettool.fleet.telemetry.drift import Cause, drift_of
from nettool.fleet.verify.check import verify_one

Task = Callable[[Mapping[str, Any], Ways, Order], dict[str, Any]]
BUILD_DEPTH = 3
"""A configuration lies in a build as devices/NAME/FILE."""
_OF_A_LOOK = ("device", "outcome", "message", "way", "impact", "estimate_s")
RUN_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
ARGUMENTS = (
    *("do", "config", "run", "operator", "consent", "confirm", "guard", "settle", "contact"),
    *("answer", "chip", "release", "to", "of", "last", "baseline", "health", "policy"),
    *("look", "address", "allow_unverified", "groups", "known", "poll"),
    *("pushed", "rest", "verb"),
)


def run_task(args: Mapping[str, Any], host: str, ways: Ways, *, check: bool) -> dict[str, Any]:
    """Run one task and return what Ansible wants: changed, failed, msg, diff, `nettool`.

    It names options where a verb of nettool's asks (`verb`), else the playbooks' variables.
    """
    answer = _run_task(args, host, ways, check=check)
    return answer if str(args.get("verb", "")).lower() == "true" else plain_answer(answer)


def _run_task(args: Mapping[str, Any], host: str, ways: Ways, *, check: bool) -> dict[str, Any]:
    try:
        task, order = _task(args), _order(args, host, check=check)
        if args.get("config"):
            order = replace(order, intended=ways.intended(Path(str(args["config"]))))
        return task(args, ways, order)
    except DeviceError as exc:
        return told(Result(host, Outcome.UNREACHABLE, str(exc)))
    except RefusedError as exc:
        refused = Result(host, Outcome.REFUSED, str(exc))
        return told(checked(refused) if check else refused)
    except NettoolError as exc:
        return told(Result(host, Outcome.FAILED, str(exc)))


def new_run(clock: Clock) -> str:
    """A name for a run: time and a few random letters."""
    return f"{re.sub('[^0-9TZ]', '', stamp(clock.now()))}-{secrets.token_hex(2)}"


def operator() -> str:
    """Who runs this, for locks and journals."""
    return f"{getpass.getuser()}@{socket.gethostname()}"


def told(result: Result) -> dict[str, Any]:
    """What Ansible wants of a transaction's result.

    What would be refused is a warning: Ansible shows no difference of a task that failed. The
    playbook fails such a switch at its end.
    """
    about = result.as_json()
    outcome = result.outcome
    would_refuse = outcome is Outcome.WOULD_REFUSE
    said = f"{outcome}: {result.message}" if result.message else str(outcome)
    answer: dict[str, Any] = {
        "changed": outcome.has_changed or would_refuse or outcome is Outcome.WOULD_CHANGE,
        "failed": not (outcome.is_good or would_refuse),
        "msg": said,
        "nettool": about,
    }
    if warnings := [*([f"{result.device} {said}"] if would_refuse else []), *result.notes]:
        answer["warnings"] = warnings
    if result.changes is not None and not result.changes.is_empty:
        answer["diff"] = [{"prepared": about["diff"]}]
    return answer


def _push(args: Mapping[str, Any], ways: Ways, order: Order) -> dict[str, Any]:
    config = Path(str(args["config"])).absolute()
    allowed, unproved = flag_of(args, "allow_unverified"), ""
    if len(config.parts) > BUILD_DEPTH:
        host = {order.device: {"ansible_host": args.get("address") or ""}}
        try:
            refuse_unverified(config.parents[BUILD_DEPTH - 1], host, allowed=allowed)
        except RefusedError as exc:
            if not order.check:
                raise
            unproved = str(exc)
    return _of(ways.push(order, health=_wants_health(args)), order, unproved)


def _of(result: Result, order: Order, unproved: str = "") -> dict[str, Any]:
    """What is told of a push; a look is no change, and is short where all is well.

    It goes to every worker of Ansible's. A switch with another host key is left out of what
    follows, and does not hold the others back.
    """
    if order.check:
        return told(checked(result, unproved))
    answer = told(result)
    if not order.look:
        return answer
    answer = {**answer, "changed": False}
    if result.outcome is Outcome.UNREACHABLE and is_another_key(result.message):
        left_out = {"failed": False, "warnings": [f"{order.device} is left out: {result.message}"]}
        return {**answer, **left_out, "nettool": {**answer["nettool"], "looked": True}}
    if result.outcome.is_good:
        is_last = result.outcome is Outcome.UNCHANGED
        names = (*_OF_A_LOOK, *(("notes", *BEYOND) if is_last else ()))
        short = {name: answer["nettool"][name] for name in names if name in answer["nettool"]}
        said = ("msg", "warnings") if is_last else ("msg",)
        kept = {name: answer[name] for name in said if name in answer}
        answer = {"changed": False, "failed": False, **kept, "nettool": {**short, "looked": True}}
    return answer


def _diff(_args: Mapping[str, Any], ways: Ways, order: Order) -> dict[str, Any]:
    result = ways.push(replace(order, check=True))
    if result.outcome is Outcome.REFUSED and result.changes and not result.changes.is_empty:
        result = replace(result, outcome=Outcome.WOULD_CHANGE)
    return {**told(result), "changed": False}


def _verify(args: Mapping[str, Any], ways: Ways, order: Order) -> dict[str, Any]:
    before, missing = looked_before(str(args.get("baseline") or ""), order.device)
    seen = replace(ways.look(order), baseline=before, no_baseline=missing)
    report = Report.of(verify_one(seen))
    if args.get("to"):
        folder = Path(str(args["to"]))
        write_private(folder / f"{order.device}.json", json.dumps(seen.observed.as_json()))
    errors = [each.message for each in report.findings if each.severity is Severity.ERROR]
    return {
        "changed": False,
        "failed": report.has_errors,
        "msg": f"{len(errors)} errors: {'; '.join(errors[:3])}" if errors else "as intended",
        "nettool": {
            "device": order.device,
            "looked_at": True,
            "findings": report.as_json()["findings"],
        },
    }


def _drift(args: Mapping[str, Any], ways: Ways, order: Order) -> dict[str, Any]:
    """What runs other than intended; it fails where that is an error, as verify does."""
    pushed = str(args.get("pushed") or "")
    found = drift_of(ways.compare(order, Path(pushed) if pushed else None))
    drifts = [each for each in found.drifts if each.cause is not Cause.INTENT]
    errors = [each for each in drifts if each.severity is Severity.ERROR]
    worst = (f"{e.change.table}|{e.change.key} {e.judgement.impact.means}" for e in errors[:3])
    said = [f"drifted: {len(drifts)}, of level error: {len(errors)}", *worst]
    return {
        "changed": False,
        "failed": bool(errors),
        "msg": "; ".join(said),
        "nettool": {"looked_at": True, **found.as_json()},
    }


def _backup(args: Mapping[str, Any], ways: Ways, order: Order) -> dict[str, Any]:
    folder = Path(str(args["to"]))
    return {"changed": backup(ways.switch(order), order.device, folder, check=order.check)}


def _rollback(args: Mapping[str, Any], ways: Ways, order: Order) -> dict[str, Any]:
    push = partial(ways.push, health=_wants_health(args))
    last, of = flag_of(args, "last"), str(args.get("of") or "")
    return _of(rollback_device(ways.switch(order), order, push, of, last=last), order)


def _confirm(_args: Mapping[str, Any], ways: Ways, order: Order) -> dict[str, Any]:
    return told(confirm_device(ways.switch(order), order))


def _hold(_args: Mapping[str, Any], ways: Ways, order: Order) -> dict[str, Any]:
    return {**told(hold_device(ways.switch(order), order, WallClock())), "changed": False}


_TASKS: Mapping[str, Task] = {
    "push": _push,
    "diff": _diff,
    "verify": _verify,
    "drift": _drift,
    "backup": _backup,
    "rollback": _rollback,
    "confirm": _confirm,
    "hold": _hold,
}
_NEEDS = {"push": "config", "diff": "config", "verify": "config", "drift": "config", "backup": "to"}


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
    return Order(
        device=host,
        run=run,
        operator=str(args.get("operator") or operator()),
        intended={},
        check=check,
        look=flag_of(args, "look"),
        consent=consents_of(args),
        confirm_seconds=int(seconds_of(args, "confirm", 0)),
        rest_seconds=int(seconds_of(args, "rest", 0)),
        guard_seconds=int(seconds_of(args, "guard", 0)),
        settle_seconds=seconds_of(args, "settle", 60),
        contact_seconds=seconds_of(args, "contact", 120),
        answer_seconds=seconds_of(args, "answer", 60),
        poll_seconds=seconds_of(args, "poll", POLL_SECONDS),
        chip=str(args.get("chip") or ""),
        policy=_policy(args, host),
        release=str(args.get("release") or ""),
    )


def _policy(args: Mapping[str, Any], host: str) -> Policy | None:
    """What of the policy holds for this switch, by its name and its groups."""
    if not args.get("policy"):
        return None
    try:
        policy = load_policy(Path(str(args["policy"])), args.get("known"))
    except FindingsError as exc:
        said = (f"{each.file}:{each.line}: {each.message}" for each in exc.report.findings)
        raise UsageError("; ".join(said)) from exc
    return policy.on({host, EVERY, *args.get("groups", ())})


def _wants_health(args: Mapping[str, Any]) -> bool:
    return flag_of(args, "health", default=True)
