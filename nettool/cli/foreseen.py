"""What changes would disturb in the whole fabric, and what a policy of hours says of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nettool.cli.screen import Screen
from nettool.config.diff.acceptance import PlannedChange
from nettool.config.diff.blast import Blast, blast
from nettool.config.diff.changeset import Change, ChangeKind
from nettool.config.diff.plan import UpdatePlan
from nettool.config.diff.policy import EVERY, Policy, load_policy
from nettool.config.diff.steps import names
from nettool.config.nos.dialects.sonic.updater import Updater
from nettool.fleet.deploy.outcome import HostResult
from nettool.plan.design.fabric import Fabric

Groups = Mapping[str, Collection[str]]
"""The switches of each group of an inventory, `all` among them."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """How switches would be written, over one fabric and, where given, under a policy."""

    fabric: Fabric
    updates: Mapping[str, UpdatePlan]
    policy: Policy | None = None
    groups: Groups = field(default_factory=dict)

    @property
    def sums(self) -> tuple[Blast, ...]:
        """What is disturbed, by label."""
        return blast(self.fabric, self.updates)

    @property
    def forbidden(self) -> dict[str, list[str]]:
        """Why the policy will not have it now, with the switches it is said of."""
        said: dict[str, list[str]] = defaultdict(list)
        now = datetime.now(UTC)
        for device, update in self.updates.items():
            own = self._policy_on(device)
            if own and (why := own.forbids(update.impact, now, update.seconds)):
                said[why].append(device)
        return said

    def _policy_on(self, device: str) -> Policy | None:
        if self.policy is None:
            return None
        own = {name for name, devices in self.groups.items() if device in devices}
        return self.policy.on({device, EVERY, *own})

    def tell(self, screen: Screen) -> None:
        """Print the sums, and on stderr what is forbidden."""
        if self.updates and self.sums:
            screen.text("\n".join(["disturbed in all:", *(f"  {each}" for each in self.sums)]))
        for why, devices in self.forbidden.items():
            screen.problem(f"{names(devices)}: {why}")

    def as_json(self) -> dict[str, object]:
        """The JSON form: `disturbed` and `forbidden`."""
        rows = [{"devices": devices, "why": why} for why, devices in self.forbidden.items()]
        return {"disturbed": [each.as_json() for each in self.sums], "forbidden": rows}


def policy_of(path: Path | None, groups: Callable[[], Groups]) -> tuple[Policy | None, Groups]:
    """A policy whose rules name switches and groups that there are, and those groups.

    `groups` is asked only where there is a policy. Raises FindingsError with every fault.
    """
    if path is None:
        return None, {}
    load_policy(path)  # its own faults, before an inventory is read
    found = groups()
    return load_policy(path, {*found, *found[EVERY]}), found


def updates_of(hosts: tuple[HostResult, ...]) -> dict[str, UpdatePlan]:
    """The plans that switches were told, from a report: way, changes and what each disturbs."""
    return {
        host.device: UpdatePlan(
            "install" if host.way == "install" else "patch",
            tuple(_planned(host.changes)),
            (),
            (),
            host.estimate,
        )
        for host in hosts
        if host.changes and host.way
    }


def _planned(rows: tuple[Mapping[str, Any], ...]) -> Iterator[PlannedChange]:
    updater = Updater.of("")
    for row in rows:
        change = Change(
            ChangeKind(row["op"]),
            row["table"],
            row["key"],
            row["field"],
            row["before"],
            row["after"],
        )
        yield PlannedChange(change, *updater.disturbs(change.table, change.field))
