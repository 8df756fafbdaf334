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

from collections.abc import Mapping
from typing import Any

from nettool.fleet.deploy.action import NettoolAction
from nettool.fleet.deploy.roce_task import VARIABLES, run_roce_task


class ActionModule(NettoolAction):
    """Hands the task's arguments and the host's variables to nettool."""

    def told(self, host: str, known: Mapping[str, Any]) -> dict[str, Any]:
        """The task's result for one host."""
        given = {name: self._templar.template(known[name]) for name in VARIABLES if name in known}
        return run_roce_task(self._task.args, host, given, check=self._task.check_mode)
