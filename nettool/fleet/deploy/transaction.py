"""One guarded transaction with one switch: afterwards it runs the old or the new configuration.

    read, diff, plan        nothing is written; an empty diff ends here
    guard                   a timer on the switch: lock and dead man in one, whoever holds it writes
    read again              refused where somebody changed it since
    checkpoint, arm         from here on the guard goes back by itself
    apply                   by patch, or by install where the updater would refuse (consented)
    verify                  over a new connection: configuration first, then links and sessions
    save, confirm           still guarded, so no crash leaves running and saved apart
    unlock, prune

Saving comes before the guard is confirmed away: the guard puts the saved file back too, so a
controller that dies in between leaves the old configuration on both sides, not one on each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from nettool.config.diff.adopt import adopt
from nettool.config.diff.breakout import breakouts
from nettool.config.diff.cages import adopt_cages, offered
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.foreign import left_alone
from nettool.config.diff.patch import to_patch
from nettool.config.diff.plan import Modes, UpdatePlan, plan_update
from nettool.config.diff.tables import applied
from nettool.config.diff.text import as_patch
from nettool.core.errors import DeviceError
from nettool.core.finding import Finding
from nettool.fleet.deploy.order import Clock, Health, NoHealth, Order, WallClock, stamp
from nettool.fleet.deploy.outcome import Outcome, Result, Step, with_left_alone
from nettool.fleet.deploy.recovery import EndedError, Recovery
from nettool.fleet.deploy.refusals import by_hand, reload_wanted
from nettool.fleet.deploy.stepwise import script
from nettool.fleet.deploy.switch import CommandError, Switch, Tables, fingerprint, last_line
from nettool.fleet.deploy.undo import undo_script
from nettool.fleet.deploy.waiting import guard_seconds, waits_until
from nettool.fleet.transport.transport import Reply, Transport

RELOAD = "reload"
POLL_SECONDS = 2.0
TRIES = 3
_NOT_NOW = {74: "a config reload is in progress on it", 75: "another apply is in progress on it"}


def push_device(
    transport: Transport, order: Order, *, clock: Clock | None = None, health: Health | None = None
) -> Result:
    """Bring one switch to what `order` wants, or leave it as it was. Never raises for a switch."""
    switch = Switch(transport, order.answer_seconds)
    work = Transaction(switch, order, clock or WallClock(), health or NoHealth())
    return with_left_alone(carry_out(work), left_alone(work.before, work.intended))


def carry_out(work: Transaction) -> Result:
    """Run a transaction to its end and tell of it."""
    try:
        outcome, message = work.run()
    except EndedError as end:
        outcome, message = end.outcome, str(end)
    return work.result(outcome, message)


@dataclass
class Transaction:
    """One transaction with one switch, step by step."""

    switch: Switch
    order: Order
    clock: Clock
    health: Health
    steps: list[Step] = field(default_factory=list)
    findings: tuple[Finding, ...] = ()
    intended: Tables = field(default_factory=dict)
    before: Tables = field(default_factory=dict)
    changes: ChangeSet = field(default_factory=lambda: ChangeSet("", ()))
    plan: UpdatePlan = field(default_factory=lambda: plan_update(ChangeSet("", ()), {}))
    due: str = ""

    def run(self) -> tuple[Outcome, str]:
        """The whole of it. Raises EndedError where it stops early."""
        try:
            unsaved = self._read()
            if self.changes.is_empty and not unsaved:
                return Outcome.UNCHANGED, ""
            if self.order.check or self.order.look:
                return self._foreseen()
            if any(self._refusals()):
                return Outcome.REFUSED, self._why_not()
            self._lock()
        except DeviceError as exc:
            return Outcome.UNREACHABLE, f"{exc}; nothing was written"
        except CommandError as exc:
            return Outcome.FAILED, str(exc)
        self._prepare()
        self._apply()
        return self._finish()

    def result(self, outcome: Outcome, message: str) -> Result:
        """What is told about it."""
        return Result(
            device=self.order.device,
            outcome=outcome,
            message=message,
            way=self.plan.way,
            changes=self.changes,
            steps=tuple(self.steps),
            findings=self.findings,
            impact=str(self.plan.impact) if self.plan.way else "",
            estimate=self.plan.seconds,
            plan=tuple(step.as_json() for step in self.plan.steps),
            patch=tuple(as_patch(self.changes, self.before) if self.plan.way == "patch" else ()),
            beyond={"due": self.due} if outcome is Outcome.PENDING else {},
        )

    def _read(self) -> bool:
        """Read, diff, plan; whether the saved file means something else than the intent."""
        if not self.order.intended:
            raise EndedError(Outcome.FAILED, "the build holds no tables for it: nothing was done")
        self.before = self.switch.running()
        adopted = adopt(self.order.device, self.order.intended, self.before)
        self.findings = adopted.findings
        if not adopted.is_usable:
            errors = [each.message for each in adopted.findings if each.severity == "error"]
            raise EndedError(Outcome.FAILED, "; ".join(errors[:3]))
        modes = self._adopt_cages(adopted.tables)
        self.changes = self._differences(self.before)
        version = "" if self.changes.is_empty else self.switch.version() or self.order.release
        self.plan = plan_update(
            self.changes, self.before, chip=self.order.chip, version=version, modes=modes
        )
        self._done("read", f"{len(self.changes.changes)} changes")
        if self.changes.is_empty and self.switch.guard_waits():
            raise EndedError(Outcome.REFUSED, self._held())
        saved = self.switch.saved()
        return saved is None or not self._differences(saved).is_empty

    def _adopt_cages(
        self, wanted: Mapping[str, Mapping[str, Mapping[str, object]]]
    ) -> Modes | None:
        """Take the switch's own word for cages that are to be broken out; the modes they offer."""
        modes = None
        if breakouts(self.before, wanted):
            platform = self.before.get("DEVICE_METADATA", {}).get("localhost", {}).get("platform")
            cages = self.switch.cages(str(platform))
            wanted, modes = adopt_cages(wanted, self.before, cages), offered(cages)
        self.intended = {t: {k: dict(r) for k, r in rows.items()} for t, rows in wanted.items()}
        return modes

    def _forbidden(self) -> str:
        """Why the policy will not have it at this hour."""
        policy, now = self.order.policy, datetime.fromtimestamp(self.clock.now(), UTC)
        if policy is None or not self.plan.way:
            return ""
        return policy.forbids(self.plan.impact, now, self.plan.seconds)

    def _foreseen(self) -> tuple[Outcome, str]:
        """What a push would come to as things stand."""
        why = self._why_not()
        return Outcome.REFUSED if why else Outcome.WOULD_CHANGE, why

    def _why_not(self) -> str:
        """All that stands against a push now, somebody's guard included."""
        return "; ".join(filter(None, (*self._refusals(), self._locked())))

    def _refusals(self) -> tuple[str, ...]:
        """What stands against it that no switch is asked for; empty sentences say nothing."""
        lacking = "" if RELOAD in self.order.consent else reload_wanted(self.plan)
        return by_hand(self.plan), self._forbidden(), lacking

    def _locked(self) -> str:
        return self._held() if self.switch.guard_waits() else ""

    def _lock(self) -> None:
        order, needs = self.order, self.plan.seconds
        asked = order.guard_seconds
        seconds = asked or guard_seconds(needs, order.settle_seconds, order.contact_seconds)
        due = self.clock.now() + seconds
        if not self.switch.lock(self.order.run, self._undo_script(), seconds, self._holder(due)):
            raise EndedError(Outcome.REFUSED, self._held())
        self._recovery = Recovery(
            self.switch, self.order, self.clock, self.before, self._undo_script(), due
        )
        self._done("guard", f"fires in {seconds} s")

    def _holder(self, due: float) -> dict[str, str]:
        return {
            "run": self.order.run,
            "operator": self.order.operator,
            "since": stamp(self.clock.now()),
            "until": stamp(due),
        }

    def _prepare(self) -> None:
        """All that comes before the first write; what fails here changes nothing."""
        try:
            if fingerprint(self.switch.running()) != fingerprint(self.before):
                self._recovery.release()
                raise EndedError(
                    Outcome.REFUSED, "somebody changed it since it was read: push again"
                )
            self.switch.checkpoint(self.order.run)
            self._done("checkpoint")
            self._bring()
            restarts = self.plan.way == "install"
            self.health.before(self.switch, self.before, restarts=restarts)
            self.switch.arm(self.order.run, self._journal("armed"))
            self._done("arm")
        except CommandError as exc:
            self._recovery.release()
            raise EndedError(Outcome.FAILED, str(exc)) from exc
        except DeviceError as exc:
            self._recovery.abandon(exc)

    def _bring(self) -> None:
        if not self.plan.way:
            return
        if self.plan.way == "breakout":
            self.switch.bring_script(self.order.run, script(self.order.run, self.plan.sequence))
            return
        document: object = to_patch(self.changes, self.before)
        if self.plan.way == "install":
            whole = self.order.whole
            document = self.intended if whole else applied(self.changes, self.before)
        self.switch.bring(self.order.run, self.plan.way, document)

    def _apply(self) -> None:
        if not self.plan.way:
            return
        seconds = 60 + 2 * self.plan.seconds
        try:
            reply = self.switch.apply(self.order.run, self.plan.command, seconds)
        except DeviceError as exc:
            self._done("apply", f"connection lost: {exc}")
            self._recovery.regain(exc, "apply")
            self._recovery.await_apply(seconds)
            return
        if reply.status:
            self._give_up(reply)
        self._done("apply")

    def _give_up(self, reply: Reply) -> None:
        if reply.status in _NOT_NOW:
            self._recovery.release()
            raise EndedError(Outcome.REFUSED, f"{_NOT_NOW[reply.status]}: nothing was changed")
        self._done("apply", f"exit status {reply.status}")
        self._recovery.go_back(f"the switch did not apply it: {last_line(reply)}")

    def _finish(self) -> tuple[Outcome, str]:
        """Verify, save, confirm; a lost connection is taken up again."""
        for attempt in range(TRIES):
            try:
                return self._verified()
            except DeviceError as exc:
                if attempt == TRIES - 1:
                    self._recovery.abandon(exc)
                self._recovery.regain(exc, "verify")
        raise AssertionError("the last attempt ends above")

    def _verified(self) -> tuple[Outcome, str]:
        try:
            self._verify()
            if self.order.confirm_seconds:
                return self._left_waiting()
            self.switch.save(self.order.run)
        except CommandError as exc:
            self._recovery.go_back(str(exc))
        self._done("save")
        if not self.switch.confirm(self.order.run):
            self._recovery.was_undone("the guard fired before the change was confirmed")
        self._done("confirm")
        return Outcome.CHANGED, self._tidy_up()

    def _left_waiting(self) -> tuple[Outcome, str]:
        """From now on the guard goes back at the time that was asked for, the push once over."""
        run, script = self.order.run, self._undo_script()
        seconds = self.order.confirm_seconds + self.order.rest_seconds
        due = self.clock.now() + seconds
        if not self.switch.rearm(run, script, seconds, self._holder(due)):
            self._recovery.go_back("its guard could not be set to the time to confirm in")
        self.switch.note(run, {**self._journal("verified"), "undo": script})
        self._done("wait", f"the guard fires in {seconds} s")
        self.due = stamp(due)
        return Outcome.PENDING, waits_until(due, seconds, self.order.rest_seconds)

    def _tidy_up(self) -> str:
        """Give the lock back; what goes wrong here is told, and changes nothing."""
        try:
            self.switch.tidy_up(self.order.run, self._journal("saved"))
        except (DeviceError, CommandError) as exc:
            return f"changed and saved; its lock may stay until {stamp(self._recovery.due)}: {exc}"
        return ""

    def _verify(self) -> None:
        self.switch.reconnect()
        if self._recovery.has_undone():
            self._recovery.was_undone("the guard fired")
        deadline = self.clock.now() + self.order.settle_seconds
        while problems := self._problems():
            if self.clock.now() >= deadline:
                self._done("verify", problems[0])
                self._recovery.go_back("; ".join(problems[:3]))
            self.clock.sleep(POLL_SECONDS)
        self._done("verify")

    def _problems(self) -> tuple[str, ...]:
        running = self.switch.running()
        left = self._differences(running).changes
        if left and fingerprint(running) == fingerprint(self.before):
            self._recovery.go_back("the switch still runs the old configuration")
        if left:
            return tuple(
                f"{each.table}|{each.key} {each.field or 'row'} is not as intended" for each in left
            )
        return self.health.after(self.switch, running)

    def _differences(self, tables: Tables) -> ChangeSet:
        return self.switch.differences(self.order.device, tables, self.intended)

    def _undo_script(self) -> str:
        consented = RELOAD in self.order.consent
        modes = self.before.get("BREAKOUT_CFG", {})
        cages = [
            (step.names[0], modes[step.names[0]]["brkout_mode"])
            for step in self.plan.sequence
            if step.do == "breakout"
        ]
        return undo_script(self.order.run, self.plan.way, reload_consented=consented, cages=cages)

    def _held(self) -> str:
        return f"a push of {self.switch.holder()} holds it"

    def _journal(self, state: str) -> dict[str, object]:
        return {
            "run": self.order.run,
            "state": state,
            "operator": self.order.operator,
            "at": stamp(self.clock.now()),
            "way": self.plan.way,
            "was": fingerprint(self.before),
            **({"undoes": self.order.undoes} if self.order.undoes else {}),
        }

    def _done(self, name: str, detail: str = "ok") -> None:
        self.steps.append(Step(name, detail))
