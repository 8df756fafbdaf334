"""What the action plugins share: check and diff mode, and the host that a task is for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from ansible.plugins.action import ActionBase

from nettool.config.diff.policy import EVERY


class NettoolAction(ActionBase):  # type: ignore[misc]  # Ansible has no types
    """Gives Ansible what `told` answers. Nothing is copied to the switch."""

    TRANSFERS_FILES = False
    _supports_check_mode = True
    _supports_diff = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> Any:
        """Run the task and give Ansible its result."""
        result = super().run(tmp, task_vars)
        known = task_vars or {}
        result.update(self.told(str(known.get("inventory_hostname", "")), known))
        return result

    def asked(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """The task's arguments, and where a policy names switches, what there is to name."""
        args = dict(self._task.args)
        if args.get("policy"):
            groups = known.get("groups", {})
            args.setdefault("groups", list(known.get("group_names", ())))
            args.setdefault("known", sorted({*groups, *groups.get(EVERY, ())}))
        return args

    @abstractmethod
    def told(self, host: str, known: Mapping[str, Any]) -> dict[str, Any]:
        """The task's result for one host, whose variables are `known`."""
