"""Which run a rollback undoes, and on which switches: one run, never whatever came last on each."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from nettool.core.errors import UsageError
from nettool.core.resources import shipped
from nettool.fleet.deploy.record import Record, records


@dataclass(frozen=True, slots=True)
class Undo:
    """The run to undo, the switches it may have changed, and what is worth saying of it."""

    run: str
    devices: tuple[str, ...]
    message: str = ""


def undo_of(runs: Path, name: str, of: str = "") -> Undo:
    """The push `of` of the fabric `name`, else its last one.

    A push that found every switch as it should be is passed over: the one before it made them so.
    Raises UsageError where no such push is recorded in `runs`.
    """
    pushes = list(records(runs, "push", name))
    if of:
        return _undo(_named(pushes, of, runs))
    last = next((each for each in pushes if not each.did_nothing), None)
    if last is None:
        said = f"no push of {name} that changed a switch is recorded in {runs}"
        raise UsageError(f"{said}: {_by_the_switches()}")
    if last.may_have_changed:
        return _undo(last)
    before = next((each.run for each in pushes if each.may_have_changed), "")
    other = f" (the one before it that did: --run {before})" if before else ""
    return Undo(last.run, (), f"run {last.run} changed no switch: nothing to undo{other}")


def recorded_push(runs: Path, source: Path, of: str = "") -> Record | None:
    """The push that a confirm or rollback is about, known by the fabric's file alone.

    That is `of`, else the last one that did something; its inventory is kept. None where no push
    of this file is. A record that names no file is known by the fabric's name, its folder's too.
    Raises UsageError where `of` is not among them.
    """
    pushes = [each for each in records(runs, "push", "") if _is_of(each, source.resolve())]
    if of:
        return _named(pushes, of, runs)
    return next((each for each in pushes if not each.did_nothing), next(iter(pushes), None))


def _is_of(push: Record, source: Path) -> bool:
    known = push.order.get("source")
    is_own = push.order.get("name") == source.parent.name if known is None else known == str(source)
    return is_own and push.inventory.is_file()


def _named(pushes: list[Record], of: str, runs: Path) -> Record:
    found = next((each for each in pushes if each.run == of), None)
    if found is None:
        known = ", ".join(each.run for each in pushes[:3]) or "none"
        said = f"no push {of!r} is recorded in {runs}: the last ones are {known}"
        raise UsageError(f"{said}; {_by_the_switches(of)}")
    return found


def _by_the_switches(of: str = "") -> str:
    """What undoes a push that was made elsewhere: each switch keeps its own record of it."""
    playbook = shlex.quote(str(shipped("playbooks") / "rollback.yml"))
    named = f" -e {shlex.quote(f'nettool_of={of}')}" if of else ""
    return (
        "undo it in the folder it was made in, or by what each switch remembers: "
        f"ansible-playbook -i INVENTORY {playbook}{named} --check --diff, then without --check"
    )


def _undo(record: Record) -> Undo:
    devices = record.may_have_changed
    said = "" if devices else f"run {record.run} changed no switch: nothing to undo"
    return Undo(record.run, devices, said)
