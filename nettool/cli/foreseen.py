"""What changes would disturb in the whole fabric, and what a policy of hours says of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from nettool.cli.screen import Screen
from nettool.config.diff.acceptance import PlannedChange
from nettool.config.diff.blast import Blast, blast
from nettool.config.diff.changeset import Change, ChangeKind
from nettool.config.diff.plan import UpdatePlan
from nettool.config.diff.policy import Policy
from nettool.config.diff.steps import names
from nettool.config.nos.dialects.sonic.updater import Updater
from nettool.fleet.deploy.outcome import HostResult
from nettool.plan.design.fabric import Fabric


@dataclass(frozen=True, slots=True)
class Foreseen:
    """How switches would be written, over one fabric and, where given, under a policy."""

    fabric: Fabric
    updates: Mapping[str, UpdatePlan]
    policy: Policy | None = None

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
            if self.policy and (why := self.policy.forbids(update.impact, now, update.seconds)):
                said[why].append(device)
        return said

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
