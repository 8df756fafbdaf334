"""The way back, as one shell line that runs on the switch: by the guard's timer, or by us.

The timer `nettool-guard` is started before anything is written and is the lock as well: systemd
refuses a second unit of that name. Its script does nothing unless `<run>.armed` is there. Whoever
renames that file first (the guard to `.undoing`, we to `.confirmed` where the change is kept, to
`.released` where nothing is left of it) has decided the outcome, so a guard that fires while we
finish cannot leave half of each.

No `$` in the guard's script: systemd expands it in the command of a transient unit.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

GUARD = "nettool-guard"
STATE = "/var/lib/nettool"
SAVED = "/etc/sonic/config_db.json"
RELOAD_LOCK = "/etc/sonic/reload.lock"
STOP_SECONDS = 120
DRAIN_SECONDS = 10
_DRAIN = (
    'if sonic-db-cli CONFIG_DB KEYS "BGP_NEIGHBOR|*" | grep -q .; then '
    f"config bgp shutdown all || exit 77; sleep {DRAIN_SECONDS}; fi; "
)
"""Before a reload the neighbours are told to send their traffic elsewhere."""


def checkpoint_name(run: str) -> str:
    """The name of a run's checkpoint on the switch."""
    return f"nettool-{run}"


def undo_script(
    run: str, way: str, *, reload_consented: bool, cages: Sequence[tuple[str, str]] = ()
) -> str:
    """Stop a running apply, wait for its exit, put the saved file back, go back to before.

    A patch goes back by checkpoint (and, where a reload was consented, by reload if that is
    refused); an install by reload of the saved file, which is back by then and, as no file is
    named, is not held against the models. `cages` (first port and mode) are broken out as they
    were before that. `<run>.outcome` says how it went.
    """
    log = f">>{run}.undo.log 2>&1"
    fold = "".join(
        f"config interface breakout {parent} {shlex.quote(mode)} -y -f {log}; "
        for parent, mode in cages
    )
    rollback = f"{fold}config rollback {checkpoint_name(run)} {log}"
    reload = f"config reload -y -f {log}"
    if way == "install":
        back = reload
    elif reload_consented:
        back = f"{{ {rollback} || {reload}; }}"
    else:
        back = rollback
    restore = f"cp {run}.saved.json {SAVED}.nettool && mv {SAVED}.nettool {SAVED}"
    return "; ".join(
        (
            f"cd {STATE} || exit 1",
            f"mv {run}.armed {run}.undoing 2>/dev/null || exit 0",
            "exec 8>>apply.lock",
            f"flock -n 8 || {{ kill `cat apply.pid`; flock -w {STOP_SECONDS} 8; }}",
            f"cmp -s {run}.saved.json {SAVED} || {{ {restore}; }}",
            f"if {back}; then echo rolled back >{run}.outcome; "
            f"else echo rollback failed >{run}.outcome; fi",
            "rm -f lock.json",
            f"grep -q rolled {run}.outcome",
        )
    )


def guarded_apply(run: str, way: str) -> str:
    """A line that applies a run's change so that the guard can stop it.

    `piped` is an install that holds tables without a model: of a pipe `config reload` asks no
    model, of a named file it does.

    A patch holds the reload lock meanwhile, so that no `config reload` crosses it. Exit 74: a
    reload is in progress, 75: another apply is, 76: the guard has fired already, 77: not drained.
    """
    if way in {"install", "piped"}:
        named = "/dev/stdin <" if way == "piped" else ""
        command = f"config reload -y -f {named}{STATE}/{run}.target.json"
        crossing = _DRAIN
    else:
        patch = f"config apply-patch {STATE}/{run}.patch.json"
        command = f"sh {run}.steps.sh" if way == "breakout" else patch
        crossing = f"exec 9>>{RELOAD_LOCK}; flock -n 9 || exit 74; "
    script = (
        f"cd {STATE} || exit 1; echo $$ >apply.pid; exec 8>>apply.lock; flock -n 8 || exit 75; "
        f"test -e {run}.armed || exit 76; {crossing}exec {command}"
    )
    return f"sudo -n sh -c {shlex.quote(script)}"
