"""An AsterNOS switch in the words of a transaction: lines by klish, guard and files by its bash.

Which file `write` writes is on no public page: a path is assumed, may be given, and is proved at
each push, since after `write` it must hold what runs. Nothing here decides.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping

from nettool.config.diff.asternos import diff_asternos, restored_asternos, same_lines
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.commands import Block
from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.fleet.deploy.journal import prune_script
from nettool.fleet.deploy.switch import (
    NOT_KNOWN_SINCE,
    READ_SECONDS,
    UNLOCK,
    CommandError,
    Switch,
    Tables,
    as_root,
    last_line,
    lines_of,
    still_ours,
)
from nettool.fleet.deploy.undo import STATE, STOP_SECONDS
from nettool.fleet.transport.klish import BashSide, KlishTransport, LineRefusedError, NoBashError
from nettool.fleet.transport.transport import Reply

STARTUP = "/etc/sonic/startup.cfg"
"""What `write` is taken to write, where nobody says otherwise."""
GUARD_GONE = 76


class KlishSwitch(Switch):
    """One switch over klish and the bash behind it."""

    def __init__(
        self, klish: KlishTransport, answer_seconds: float = READ_SECONDS, startup: str = STARTUP
    ) -> None:
        super().__init__(BashSide(klish), answer_seconds)
        self._klish, self._startup = klish, startup
        self._there: tuple[Block, ...] = ()
        self._back: tuple[Block, ...] = ()
        self._undoes = ""

    def plan(self, there: tuple[Block, ...], back: tuple[Block, ...], undoes: str = "") -> None:
        """Take the lines that `apply` enters, those of its inverse, and the run that is undone."""
        self._there, self._back, self._undoes = there, back, undoes

    def obstacle(self) -> str:
        """Why no guard can be set up here; empty where one can."""
        try:
            reply = self._run("sudo -n true", self._patience)
        except NoBashError as exc:
            return f"no guard without bash: {exc}"
        return "" if reply.status == 0 else f"no guard without sudo in bash: {last_line(reply)}"

    def running(self) -> Tables:
        """The lines of `show running-config` by view."""
        return _tables(self._running_text())

    def kept_text(self) -> tuple[str, str]:
        """Command text, as `show running-config` gives it."""
        return ".cfg", self._running_text().replace("\r", "")

    def _running_text(self) -> str:
        reply = self._klish.run("show running-config", timeout=self._patience)
        self._check("show running-config", reply)
        return reply.stdout

    def saved(self) -> Tables | None:
        """The lines of the saved file, none where there is no such file; None: not command text."""
        path = shlex.quote(self._startup)
        reply = self._run(as_root(f"cat {path} 2>/dev/null || test ! -e {path}"), self._patience)
        if reply.status or reply.stdout.lstrip().startswith("{"):
            return None
        return _tables(reply.stdout)

    def ask(self, command: str, *, in_klish: bool = False) -> Reply:
        """The answer to a read-only command, of its klish or of its bash."""
        return self._klish.run(command, timeout=self._patience) if in_klish else self.run(command)

    def config_db(self, running: Tables) -> Tables:  # noqa: ARG002  # its parent's
        """The CONFIG_DB below its lines, which AsterNOS is taken to have as SONiC does."""
        return super().running()

    def differences(self, device: str, running: Tables, wanted: Tables) -> ChangeSet:
        """What differs, whoever has written it."""
        return diff_asternos(device, running, wanted, exact=True)

    def is_same(self, one: Tables, other: Tables) -> bool:
        """Whether two texts mean the same."""
        return same_lines(one, other)

    def checkpoint(self, run: str) -> None:
        """Keep a copy of the saved file, or a mark that there is none: a copy may get lost."""
        path = shlex.quote(self._startup)
        script = (
            f"umask 077; cd {STATE} || exit 1; "
            f"if test -e {path}; then cp {path} {run}.saved.cfg; else echo none >{run}.blank; fi"
        )
        self._check("checkpoint", self._run(as_root(script), self._patience))

    def checkpoint_tables(self, run: str) -> Tables:
        """The lines that were saved before a run, and ran then; none where nothing was saved."""
        copy = f"cat {run}.saved.cfg 2>/dev/null || test -e {run}.blank"
        reply = self._run(as_root(f"cd {STATE} && {{ {copy}; }}"), self._patience)
        if reply.status:
            raise CommandError(f"what was saved before run {run} is not kept there any more")
        return _tables(reply.stdout)

    def back_to(self, run: str) -> tuple[Tables, str]:
        """The lines that ran before a run, those that other hands changed since left alone.

        A run that only saved changed nothing that runs.
        """
        kept = [each for each in self.journal() if each.get("state") == "saved"]
        way = next((each.get("way") for each in kept if each["run"] == run), None)
        before = self._after(run) if way == "" else self.checkpoint_tables(run)
        after = self._after(str(kept[0]["run"])) if kept else None
        if before is None:
            raise CommandError(f"what ran after run {run} is not kept there any more")
        if after is None:
            return _copied(before), NOT_KNOWN_SINCE
        found = restored_asternos(before, after, self.running())
        return _copied(found.tables), str(found)

    def _after(self, run: str) -> Tables | None:
        """The lines that ran once a run was done; None where they are not kept."""
        reply = self._run(f"sudo -n cat {STATE}/{run}.after.cfg", self._patience)
        return None if reply.status else _tables(reply.stdout)

    def apply(self, run: str, way: str, seconds: float) -> Reply:  # noqa: ARG002  # as its parent's
        """Enter the planned lines; status 76 where the guard has fired already."""
        return self._enter(run, self._there)

    def take_back(self, run: str) -> bool:
        """Enter the inverse lines; False where the saved file has been written meanwhile."""
        copy, path = f"{STATE}/{run}.saved.cfg", shlex.quote(self._startup)
        probe = f"cmp -s {copy} {path} || {{ test ! -e {copy} && test ! -e {path}; }}"
        if not self._back or self._run(as_root(probe), self._patience).status:
            return False
        self._enter(run, self._back)
        return True

    def way_back(self, run: str) -> str:
        """What a person runs in its bash, where nothing else helped."""
        return f"sudo cp {STATE}/{run}.saved.cfg {self._startup} && sudo config reload -y -f"

    def save(self, run: str = "") -> None:
        """`write`, and a look whether the saved file now holds what runs.

        Back before a run that found nothing saved, and running nothing, nothing stays saved.
        """
        try:
            self._klish.save(timeout=self._patience * 2)
        except LineRefusedError as exc:
            raise CommandError(str(exc)) from exc
        saved, running = self.saved(), self.running()
        if saved is None or not same_lines(saved, running):
            raise CommandError(f"after `write` {self._startup} does not hold what runs")
        if self._undoes and same_lines(running, {}):
            self._save_nothing(run)

    def _save_nothing(self, run: str) -> None:
        """Remove the saved file where none was found; one that the guard put back stays."""
        script = (
            f"cd {STATE} || exit 1; exec 8>>apply.lock; flock -n 8 || exit 75; {still_ours(run)}; "
            f"test ! -e {self._undoes}.blank || rm -f {shlex.quote(self._startup)}"
        )
        self._check("remove the saved file", self._run(as_root(script), self._patience))

    def tidy_up(self, run: str, journal: Mapping[str, object]) -> None:
        """Give the lock back, write the journal, and forget what nobody can go back to.

        What is saved is kept beside the journal: a rollback tells by it what came since.
        """
        keep = f"cat {shlex.quote(self._startup)} >{run}.after.cfg 2>/dev/null"
        copies = ("saved.cfg", "blank", "after.cfg")
        prune = prune_script(journal, self.journal(), copies)
        reply = self._write(f"{run}.json", lines_of(journal), f"{{ {keep}; {UNLOCK}; {prune}; }}")
        self._check("tidy up", reply)

    def undo_script(self, run: str, *, reload: bool) -> str:
        """End the session that enters lines, put the saved file back, reload it.

        Without `reload` only the file is put back. No `$`: systemd expands it.
        """
        copy, path = f"{run}.saved.cfg", shlex.quote(self._startup)
        restore = f"{{ cp {copy} {path}.nettool && mv {path}.nettool {path}; }}"
        back = f"config reload -y -f >{run}.undo.log 2>&1" if reload else "true"
        return "; ".join(
            (
                f"cd {STATE} || exit 1",
                f"mv {run}.armed {run}.undoing 2>/dev/null || exit 0",
                f"exec 8>>apply.lock; flock -w {STOP_SECONDS} 8",
                f"test ! -s {run}.session || pkill -KILL -s `cat {run}.session`",
                f"if test -e {copy}; then cmp -s {copy} {path} || {restore}; fi; "
                f"test ! -e {run}.blank || rm -f {path}",
                f"if {back}; then echo rolled back >{run}.outcome; "
                f"else echo rollback failed >{run}.outcome; fi",
                f"rm -f lock.json {run}.session",
                f"grep -q rolled {run}.outcome",
            )
        )

    def _enter(self, run: str, blocks: tuple[Block, ...]) -> Reply:
        """Enter blocks of lines in a session that the guard can end."""
        note = f"cd {STATE}; test -e {run}.armed || exit {GUARD_GONE}; cat >{run}.session"
        known = self._run(f"ps -o sess= -p $$ | {as_root(note)}", self._patience)
        if known.status:
            return known
        refusal = ""
        try:
            self._klish.configure_blocks(blocks, timeout=self._patience)
        except LineRefusedError as exc:
            refusal = str(exc)
        self._run(as_root(f"rm -f {STATE}/{run}.session"), self._patience)
        return Reply(1 if refusal else 0, "", refusal)


def _copied(views: Mapping[str, Iterable[str]]) -> Tables:
    return {view: {line: {} for line in lines} for view, lines in views.items()}


def _tables(text: str) -> Tables:
    return _copied(read_lines(text))
