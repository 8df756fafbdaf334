"""Ansible action plugin `nettool_asternos`: one guarded transaction with one AsterNOS switch.

    - nettool_asternos:
        do: push                 # or diff, verify, rollback, confirm, backup
        config: build/devices/leaf01/asternos.cfg
        consent: [reload]        # its guard goes back by a reload of the saved configuration
        startup: /etc/sonic/startup.cfg   # the file that `write` writes

klish is interactive, so netmiko speaks to it in this process, with what the host's own ssh
connection was told: address, port, user, key or password, jump host, known hosts. What cannot be
carried over fails by name. Returns what `nettool_sonic` returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nettool.fleet.deploy.action import NettoolAction
from nettool.fleet.deploy.klish_task import run_klish_task
from nettool.fleet.transport.openssh import OPTIONS


class ActionModule(NettoolAction):
    """Hands the task's arguments and the connection's options to nettool."""

    def told(self, host: str, known: Mapping[str, Any]) -> dict[str, Any]:
        """The task's result for one host."""
        is_ssh = self._connection.transport == "ssh"
        options = {name: self._connection.get_option(name) for name in OPTIONS if is_ssh}
        return run_klish_task(self.asked(known), host, options, check=self._task.check_mode)
