"""Ansible action plugin `nettool_far`: reads the switches cabled to those that a wave changes.

    - nettool_far: {do: share, build: build/rail-optimized-256}    # who looks at whom
      run_once: true
      register: nettool_far
    - nettool_far: {do: before, device: "{{ item.key }}", ports: "{{ item.value }}"}
      loop: "{{ nettool_far.share[inventory_hostname] | default({}) | dict2items }}"
      delegate_to: "{{ item.key }}"
      register: nettool_before
    - nettool_far: {do: rest, looked: [...], settle: 60}           # how long the waves from here on
      run_once: true                                               # may take, for --confirm
    - nettool_far: {do: wait, seconds: 10}                         # until counters are new
    - nettool_far: {do: after, device: ..., ports: ..., before: "{{ nettool_before.results }}"}

`share` leaves out switches that the look before the push found unchanged, or with another host
key (it is registered under `looked`, a name for each dialect). `before` warns where a switch
cannot be looked at, `after` fails where it lost something since.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleAuthenticationFailure, AnsibleConnectionFailure

from nettool.core.errors import NettoolError, UsageError
from nettool.fleet.deploy.action import NettoolAction
from nettool.fleet.deploy.arguments import seconds_of
from nettool.fleet.deploy.eventlog import LAST
from nettool.fleet.deploy.far import POLL_SECONDS, look_after, look_before, shares
from nettool.fleet.deploy.klish_switch import KlishSwitch
from nettool.fleet.deploy.outcome import Outcome, Result
from nettool.fleet.deploy.switch import Switch
from nettool.fleet.deploy.task import told
from nettool.fleet.deploy.waiting import (
    UNSEEN_SECONDS,
    guard_seconds,
    rest_seconds,
    waves_left,
)
from nettool.fleet.transport.ansible import AnsibleTransport
from nettool.fleet.transport.klish import KlishTransport
from nettool.fleet.transport.openssh import OPTIONS, netmiko_options


class ActionModule(NettoolAction):
    """Hands the task's arguments and the far switch's connection to nettool."""

    def told(self, host: str, known: Mapping[str, Any]) -> dict[str, Any]:
        """The task's result for one host of the wave."""
        args = self._task.args
        steps = {
            "rest": self._rest,
            "share": self._share,
            "before": self._before,
            "wait": self._wait,
            "after": self._after,
        }
        try:
            if args.get("do") not in steps:
                raise UsageError(f"do: {args.get('do')!r} is not one of {', '.join(steps)}")
            return steps[args["do"]](args, known)
        except NettoolError as exc:
            return told(Result(host, Outcome.REFUSED, str(exc)))

    def _rest(self, args: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        hosts, batch = known["ansible_play_hosts_all"], known["ansible_play_batch"]
        settle, contact = seconds_of(args, "settle", 60), seconds_of(args, "contact", 120)
        asked = int(seconds_of(args, "guard", 0))
        beside = seconds_of(args, "seconds", POLL_SECONDS) + 2 * seconds_of(args, "answer", 60)
        waves = [
            [
                asked or guard_seconds(_estimate(args, known, host), settle, contact)
                for host in wave
                if not _outcomes(args, known, host) & LAST
            ]
            for wave in waves_left(known["groups"], hosts, batch)
        ]
        forks = int(known.get("ansible_forks") or 1)
        return {"changed": False, "failed": False, "seconds": rest_seconds(waves, forks, beside)}

    def _share(self, args: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        looks = {each: _outcomes(args, known, each) for each in known["groups"]["all"]}
        wave = [each for each in known["ansible_play_batch"] if not looks[each] & LAST]
        there = [each for each in looks if str(Outcome.UNREACHABLE) not in looks[each]]
        made = shares(Path(str(args["build"])), wave, there)
        return {"changed": False, "failed": False, "share": made}

    def _before(self, args: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        with self._switch(args, known) as switch:
            return look_before(str(args["device"]), switch, args["ports"])

    def _wait(self, args: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        if any(known["nettool_far"]["share"].values()):
            time.sleep(seconds_of(args, "seconds", POLL_SECONDS))
        return {"changed": False, "failed": False}

    def _after(self, args: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        device = str(args["device"])
        seen = [each["nettool"] for each in args["before"] if "nettool" in each]
        before = next((each.get("look") for each in seen if each["device"] == device), None)
        if before is None:
            return {"changed": False, "failed": False, "msg": "not looked at before"}
        with self._switch(args, known) as switch:
            return look_after(device, switch, args["ports"], before)

    @contextmanager
    def _switch(self, args: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[Switch]:
        """The switch that the task is delegated to, in its own dialect."""
        device, seconds = str(args["device"]), seconds_of(args, "answer", 60)
        if "os_asternos" not in known["hostvars"][device]["group_names"]:
            failures = (AnsibleConnectionFailure, AnsibleAuthenticationFailure)
            yield Switch(AnsibleTransport(self._connection, device, failures), seconds)
            return
        is_ssh = self._connection.transport == "ssh"
        options = {name: self._connection.get_option(name) for name in OPTIONS if is_ssh}
        klish = KlishTransport(name=device, **netmiko_options(options))
        try:
            yield KlishSwitch(klish, seconds)
        finally:
            klish.reconnect()


def _outcomes(args: Mapping[str, Any], known: Mapping[str, Any], host: str) -> set[str]:
    """What the look before the push said of a host; nothing where there was none."""
    return {str(each["outcome"]) for each in _looks(args, known, host)}


def _estimate(args: Mapping[str, Any], known: Mapping[str, Any], host: str) -> float:
    """How long the look before the push took a host's change to last."""
    looks = _looks(args, known, host)
    return sum(float(each.get("estimate_s") or 0) for each in looks) if looks else UNSEEN_SECONDS


def _looks(args: Mapping[str, Any], known: Mapping[str, Any], host: str) -> list[Mapping[str, Any]]:
    kept = known["hostvars"][host]
    looks = [kept.get(name) or {} for name in args.get("looked") or ()]
    return [each["nettool"] for each in looks if each.get("nettool")]
