"""Ansible action plugin `nettool_roce`: the Easy RoCE profiles of one AsterNOS switch, by REST.

    - nettool_roce:
        config: build/devices/leaf01/roce.json
        allow_unverified: false   # profiles whose form no public page shows

The switch is reached by these inventory variables: ansible_host, nettool_rest_port (443),
nettool_rest_authorization (the whole header value; from a vault or the environment),
nettool_rest_ca (a file of trusted certificates), nettool_rest_name (what the certificate is made
out to), nettool_rest_insecure (true takes any certificate; switch by switch, on purpose). Check
mode writes nothing. Returns what `nettool_sonic` returns.
"""

from __future__ import annotations

from typing import Any

from ansible.plugins.action import ActionBase

from nettool.fleet.deploy.roce_task import VARIABLES, run_roce_task


class ActionModule(ActionBase):  # type: ignore[misc]  # Ansible has no types
    """Hands the task's arguments and the host's variables to nettool."""

    TRANSFERS_FILES = False
    _supports_check_mode = True
    _supports_diff = True

    def run(self, tmp: str | None = None, task_vars: dict[str, Any] | None = None) -> Any:
        """Run the task and give Ansible its result."""
        result = super().run(tmp, task_vars)
        known = task_vars or {}
        given = {name: self._templar.template(known[name]) for name in VARIABLES if name in known}
        host = known.get("inventory_hostname", "")
        result.update(run_roce_task(self._task.args, host, given, check=self._task.check_mode))
        return result
