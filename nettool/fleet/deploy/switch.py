"""A SONiC switch in the words of a transaction: what is read, guarded, written and kept on it.

Everything goes through one `Transport`; nothing here decides. Files of a run lie under
/var/lib/nettool, readable by root alone, since a patch can hold secrets.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nettool.config.diff.along import goes_along, goes_along_text
from nettool.config.diff.cages import Cage, read_cages
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.meaning import meaning_of
from nettool.config.diff.tables import diff_tables
from nettool.core.errors import NettoolError
from nettool.fleet.deploy.journal import FORGOTTEN, entries, prune_script
from nettool.fleet.deploy.undo import GUARD, SAVED, STATE, checkpoint_name, guarded_apply
from nettool.fleet.transport.transport import Reply, Transport

UNLOCK = f"systemctl stop {GUARD}.timer; rm -f {STATE}/lock.json"
VERSION = "/etc/sonic/sonic_version.yml"
_BUILD = re.compile(r"^build_version: *['\"]?([^'\"\n]+)", re.MULTILINE)
_UNITS = f"{GUARD}.timer {GUARD}.service"
READ_SECONDS = 60.0
NOT_KNOWN_SINCE = "what other hands changed since is not known, and goes along"

Tables = dict[str, dict[str, dict[str, Any]]]


class CommandError(NettoolError):
    """A command on the switch failed or answered what nobody can read."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds the guard of a switch."""

    run: str
    operator: str
    since: str
    until: str

    def __str__(self) -> str:
        return f"{self.operator} (run {self.run}, since {self.since}, at most until {self.until})"


NOBODY_KNOWN = Holder("not known", "another push", "not known", "not known")


class Switch:
    """One switch over one transport. Raises DeviceError where it cannot be reached."""

    def __init__(self, transport: Transport, answer_seconds: float = READ_SECONDS) -> None:
        self._transport, self._patience = transport, answer_seconds

    def reconnect(self) -> None:
        """Drop the connection: the next command proves that the switch can be reached."""
        self._transport.reconnect()

    def running(self) -> Tables:
        """The running CONFIG_DB."""
        return self._tables("sudo -n sonic-cfggen -d --print-data")

    def kept_text(self) -> tuple[str, str]:
        """What it runs as a backup keeps it, after the ending of that file's name."""
        return ".json", json.dumps(self.running(), indent=4, sort_keys=True) + "\n"

    def differences(self, device: str, running: Tables, wanted: Tables) -> ChangeSet:
        """What differs on it, its own and its operators' rows left alone."""
        return diff_tables(device, running, wanted, owned=meaning_of(on_switch=True))

    def is_same(self, one: Tables, other: Tables) -> bool:
        """Whether two configurations of it are one."""
        return fingerprint(one) == fingerprint(other)

    def saved(self) -> Tables | None:
        """The saved file, or None where it is missing or does not parse."""
        reply = self._run(f"sudo -n cat {SAVED}", self._patience)
        try:
            data: Tables = json.loads(reply.stdout)
        except ValueError:
            return None
        return data if reply.status == 0 and isinstance(data, dict) else None

    def lock(self, run: str, undo: str, seconds: int, holder: Mapping[str, str]) -> bool:
        """Start the guard, which is the lock; False where another one is armed."""
        unit = f"--unit={GUARD} --collect --on-active={seconds}"
        script = (
            f"umask 077; mkdir -p {STATE} || exit 1; "
            f"systemd-run {unit} sh -c {shlex.quote(undo)} || "
            f"{{ systemctl is-active {_UNITS} | grep -q '^activ' && exit 75; exit 1; }}; "
            f"cat >{STATE}/lock.json; rm -f {STATE}/{run}.armed"
        )
        reply = self._run(as_root(script), self._patience, json.dumps(holder))
        if reply.status == 75:
            return False
        self._check("start the guard", reply)
        return True

    def rearm(self, run: str, undo: str, seconds: int, holder: Mapping[str, str]) -> bool:
        """Let the guard fire in `seconds` from now instead; False where it has fired already.

        In one line that a lost connection does not cut, and that goes back at once where no timer
        starts. systemd may fire a timer a minute late unless it is told to be exact.
        """
        unit = f"--unit={GUARD} --collect --on-active={seconds} --timer-property=AccuracySec=1s"
        script = (
            f"trap '' HUP; umask 077; test -e {STATE}/{run}.armed || exit 75; "
            f"systemctl is-active -q {GUARD}.service && exit 75; cat >{STATE}/lock.json; "
            f"systemctl stop {GUARD}.timer; systemd-run {unit} sh -c {shlex.quote(undo)} || "
            f"{{ sh -c {shlex.quote(undo)}; exit 75; }}"
        )
        return self._run(as_root(script), self._patience, json.dumps(holder)).status == 0

    def guard_waits(self) -> bool:
        """Whether a guard is armed or at work."""
        reply = self._run(f"systemctl is-active {_UNITS}", self._patience)
        return bool({"active", "activating", "deactivating"} & set(reply.stdout.split()))

    def holder(self) -> Holder:
        """Who holds the guard, as far as they have said so."""
        reply = self._run(f"sudo -n cat {STATE}/lock.json", self._patience)
        try:
            data = json.loads(reply.stdout)
            return Holder(data["run"], data["operator"], data["since"], data["until"])
        except (ValueError, KeyError, TypeError):
            return NOBODY_KNOWN

    def unlock(self) -> None:
        """Stop the guard and give the lock back."""
        self._run(as_root(UNLOCK), self._patience)

    def tidy_up(self, run: str, journal: Mapping[str, object]) -> None:
        """Give the lock back, note what was saved, and forget what nobody can go back to."""
        forget = 'config delete-checkpoint "nettool-$r" >/dev/null 2>&1'
        prune = (
            f"rm -f {run}.patch.json {run}.target.json {run}.step*; cp {SAVED} {run}.after.json; "
            f"{prune_script(journal, self.journal(), ('saved.json', 'after.json'), forget)}"
        )
        reply = self._write(f"{run}.json", lines_of(journal), f"{{ {UNLOCK}; {prune}; }}")
        self._check("tidy up", reply)

    def checkpoint(self, run: str) -> None:
        """Keep the running configuration, and a copy of the saved file."""
        name = shlex.quote(checkpoint_name(run))
        script = f"umask 077; config checkpoint {name} && cp {SAVED} {STATE}/{run}.saved.json"
        self._check("checkpoint", self._run(as_root(script), self._patience))

    def checkpoint_tables(self, run: str) -> Tables:
        """What a run's checkpoint holds."""
        return self._tables(f"sudo -n cat /etc/sonic/checkpoints/{checkpoint_name(run)}.cp.json")

    def arm(self, run: str, journal: Mapping[str, object]) -> None:
        """From now on the guard goes back when it fires."""
        self._check("arm", self._write(f"{run}.json", lines_of(journal), f"touch {run}.armed"))

    def version(self) -> str:
        """The image's own version (202405.1-abc, 20240510.12); empty where it does not say."""
        reply = self._run(f"cat {VERSION}", self._patience)
        found = _BUILD.search(reply.stdout) if reply.status == 0 else None
        return found[1] if found else ""

    def cages(self, platform: str) -> dict[str, Cage]:
        """What the switch's platform.json says of its cages; empty where it has none."""
        path = shlex.quote(f"/usr/share/sonic/device/{platform}/platform.json")
        reply = self._run(f"cat {path}", self._patience)
        try:
            return read_cages(reply.stdout) if reply.status == 0 else {}
        except ValueError as exc:
            raise CommandError(f"{path}: {exc}") from exc

    def back_to(self, run: str) -> tuple[Tables, str]:
        """What a rollback of a run leads to, and what goes along that other hands made since."""
        before = self.checkpoint_tables(run)
        newest = next((each for each in self.journal() if each.get("state") == "saved"), {})
        try:
            after = self._tables(f"sudo -n cat {STATE}/{newest.get('run', run)}.after.json")
        except CommandError:
            return before, NOT_KNOWN_SINCE
        running = self.running()
        since, back = (self.differences("", *p) for p in ((after, running), (running, before)))
        return before, goes_along_text(goes_along(since, back))

    def bring_script(self, run: str, script: str) -> None:
        """Put the steps on the switch."""
        self._check(f"write {run}.steps.sh", self._write(f"{run}.steps.sh", script))

    def bring(self, run: str, way: str, document: object) -> None:
        """Put the patch or the whole target on the switch."""
        name = "target" if way == "install" else "patch"
        reply = self._write(f"{run}.{name}.json", json.dumps(document, indent=1))
        self._check(f"write {run}.{name}.json", reply)

    def apply(self, run: str, way: str, seconds: float) -> Reply:
        """Apply what was brought. Raises DeviceError where the connection is lost meanwhile."""
        return self._run(guarded_apply(run, way), seconds)

    def is_applying(self) -> bool:
        """Whether an apply still runs."""
        probe = f"cd {STATE} && flock -n apply.lock true"
        return self._run(as_root(probe), self._patience).status != 0

    def undo(self, script: str, seconds: float) -> None:
        """Go back now; `undone` says how it went."""
        self._run(as_root(script), seconds)

    def take_back(self, run: str) -> bool:  # noqa: ARG002  # not every switch has such a way
        """Go back without the guard's script; False where there is no gentler way."""
        return False

    def way_back(self, run: str) -> str:
        """What a person runs there to load the saved file, where nothing else helped."""
        return f"sudo cp {STATE}/{run}.saved.json {SAVED} && sudo config reload -y -f"

    def undone(self, run: str) -> str:
        """`rolled back`, `rollback failed`, `undoing` (at work), or empty (nothing undone)."""
        probe = f"cd {STATE} && cat {run}.outcome 2>/dev/null || ls {run}.undoing 2>/dev/null"
        text = self._run(as_root(probe), self._patience).stdout.strip()
        return "undoing" if text.endswith(".undoing") else text

    def undone_at(self, run: str) -> float | None:
        """When it was undone, in seconds since the epoch; None where nobody can say."""
        probe = f"stat -c %Y {STATE}/{run}.outcome"
        text = self._run(as_root(probe), self._patience).stdout.strip()
        return float(text) if text.isdecimal() else None

    def undo_log(self, run: str) -> str:
        """The last line the rollback printed."""
        probe = f"tail -n 1 {STATE}/{run}.undo.log 2>/dev/null"
        return self._run(as_root(probe), self._patience).stdout.strip()

    def confirm(self, run: str) -> bool:
        """Take the guard's right to go back; False where it has used it already."""
        script = (
            f"cd {STATE} && mv {run}.armed {run}.confirmed 2>/dev/null || test -e {run}.confirmed"
        )
        return self._run(as_root(script), self._patience).status == 0

    def disarm(self, run: str) -> bool:
        """Take it where nothing is kept: nothing was changed, or all of it taken back."""
        script = f"cd {STATE} && mv {run}.armed {run}.released"
        return self._run(as_root(script), self._patience).status == 0

    def save(self, run: str = "") -> None:
        """Save the running configuration: written beside the file, checked, then renamed.

        With a run, only while its guard has not fired; one that fires meanwhile waits for the end,
        so that it never saves what is half undone.
        """
        beside = f"{SAVED}.nettool"
        alone = (
            f"cd {STATE} || exit 1; exec 8>>apply.lock; flock -n 8 && echo $$ >apply.pid && "
            f"{still_ours(run)}; "
        )
        script = (
            f"{alone if run else ''}config save -y {beside} >/dev/null && "
            f"python3 -c 'import json,sys; json.load(open(sys.argv[1]))' {beside} && "
            f"mv {beside} {SAVED}"
        )
        self._check("save", self._run(as_root(script), self._patience * 2))

    def note(self, run: str, journal: Mapping[str, object]) -> None:
        """Write the run's journal on the switch."""
        self._check("journal", self._write(f"{run}.json", lines_of(journal)))

    def journal(self) -> tuple[dict[str, Any], ...]:
        """The journals of the runs the switch still remembers, newest first."""
        mine = "ls -t | grep -E '^[A-Za-z0-9_-]+[.]json$' | grep -v '^lock'"
        kept = "echo; ls *.confirmed 2>/dev/null"
        probe = f"cd {STATE} 2>/dev/null || exit 0; cat $({mine}) </dev/null; {kept}"
        return entries(self._run(as_root(probe), self._patience).stdout)

    def has_forgotten(self, run: str) -> bool:
        """Whether it knew a run once and does not any more."""
        probe = f"grep -qxF -- {shlex.quote(run)} {STATE}/{FORGOTTEN}"
        return self._run(as_root(probe), self._patience).status == 0

    def run(self, command: str, seconds: float | None = None) -> Reply:
        """Any read-only command, for health checks."""
        return self._run(command, seconds or self._patience)

    def ask(self, command: str, *, in_klish: bool = False) -> Reply:  # noqa: ARG002  # no klish here
        """The answer to a read-only command of its shell."""
        return self.run(command)

    def config_db(self, running: Tables) -> Tables:
        """The CONFIG_DB that runs where `running` was read: here, that itself."""
        return running

    def _write(self, name: str, text: str, then: str = "true") -> Reply:
        """Write a file of ours by rename, then do something else in the same folder."""
        script = f"umask 077; cd {STATE} && cat >{name}.new && mv {name}.new {name} && {then}"
        return self._run(as_root(script), self._patience, text)

    def _tables(self, command: str) -> Tables:
        reply = self._run(command, self._patience)
        self._check(command, reply)
        try:
            data: Tables = json.loads(reply.stdout)
        except ValueError as exc:
            raise CommandError(f"{command}: the answer is not JSON ({exc})") from exc
        if not isinstance(data, dict) or not data:
            raise CommandError(f"{command}: the answer holds no tables")
        return data

    def _run(self, command: str, seconds: float, stdin: str | None = None) -> Reply:
        return self._transport.run(command, stdin=stdin, timeout=seconds)

    def _check(self, what: str, reply: Reply) -> None:
        if reply.status:
            raise CommandError(f"{what}: exit status {reply.status}: {last_line(reply)}")


def still_ours(run: str) -> str:
    """A test in the shell that the guard has not fired, and cannot where the run is kept."""
    told = "{ echo the guard has fired >&2; exit 76; }"
    return f"test -e {run}.armed || test -e {run}.confirmed || {told}"


def fingerprint(tables: Mapping[str, object]) -> str:
    """A hash of a configuration that does not depend on the order of its rows."""
    return hashlib.sha256(json.dumps(tables, sort_keys=True).encode()).hexdigest()


def last_line(reply: Reply) -> str:
    """What a failed command said last: a bare `Aborted!` of click's is no reason, it ends one."""
    lines = [each.strip() for each in (reply.stderr or reply.stdout).splitlines() if each.strip()]
    reasons = [each for each in lines if each != "Aborted!"] or lines
    return reasons[-1][:400] if reasons else "no message"


def lines_of(journal: Mapping[str, object]) -> str:
    """A journal as it is kept on the switch."""
    return json.dumps(journal, indent=1)


def as_root(script: str) -> str:
    """A script as root, without a password."""
    return f"sudo -n sh -c {shlex.quote(script)}"
