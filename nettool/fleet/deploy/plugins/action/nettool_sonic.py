"""Ansible action plugin `nettool_sonic`: one guarded transaction with one SONiC switch.

    - nettool_sonic:
        do: push                 # or diff, verify, rollback, confirm, backup
        config: build/devices/leaf01/config_db.json
        consent: [reload]
        confirm: 600             # seconds; 0: kept at once

Runs on the controller over the host's own connection; nothing is copied to the switch. In check
mode nothing is written. Returns changed, diff (secrets masked), msg and `nettool`, the whole
result. A switch that cannot be reached fails, so that `max_fail_percentage` counts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ansible.errors import AnsibleAuthenticationFailure, AnsibleConnectionFailure

from nettool.fleet.deploy.action import NettoolAction
from nettool.fleet.deploy.task import run_task
from nettool.fleet.deploy.ways import SonicWays
from nettool.fleet.transport.ansible import AnsibleTransport


class ActionModule(NettoolAction):
    """Hands the task's arguments and connection to nettool."""

    def told(self, host: str, known: Mapping[str, Any]) -> dict[str, Any]:
        """The task's result for one host."""
        failures = (AnsibleConnectionFailure, AnsibleAuthenticationFailure)
        ways = SonicWays(AnsibleTransport(self._connection, host, failures))
        return run_task(self.asked(known), host, ways, check=self._task.check_mode)
