"""Playbooks through ansible-runner: the only file that knows it.

Scratch holds env/ alone and goes away; artifacts lie under `runs/<id>/`. The playbook is the one
that plain `ansible-playbook` runs, with the plugins of this package on Ansible's path.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ansible_runner

from nettool.core.errors import NettoolError, UsageError
from nettool.core.order import natural
from nettool.core.resources import shipped

_PLUGINS = Path(__file__).resolve().parent / "plugins"
TASKS = frozenset(("nettool_sonic", "nettool_asternos"))
Progress = Callable[[str, str, str], None]
"""Called with a device, what happened (`start` or its outcome) and a sentence."""


@dataclass(frozen=True, slots=True)
class Play:
    """One run of a playbook. `folder` takes artifacts and the event log; `variables` no secrets."""

    playbook: str
    inventory: tuple[Path, ...]
    run: str
    folder: Path
    limit: str | None = None
    check: bool = False
    variables: Mapping[str, object] = field(default_factory=dict)
    forks: int = 10


@dataclass(frozen=True, slots=True)
class Played:
    """How a playbook ended: its status, and each device's last result (`nettool` of its task).

    `started` are the devices whose task began, with or without a result.
    """

    status: str
    rc: int
    results: Mapping[str, Mapping[str, Any]]
    message: str
    started: frozenset[str] = frozenset()


def inventory_hosts(
    inventory: Sequence[Path], limit: str | None = None
) -> dict[str, dict[str, Any]]:
    """The hosts of an inventory with their variables, in natural order. Raises UsageError."""
    sources = [word for path in inventory for word in ("-i", str(path.resolve()))]
    command = [str(_binary("ansible-inventory")), "--list", *sources]
    command += ["--limit", limit] if limit else []
    done = subprocess.run(  # noqa: S603  # our own words
        command, env={**os.environ, **environment()}, capture_output=True, text=True, check=False
    )
    try:
        tree = json.loads(done.stdout)
        variables: dict[str, dict[str, Any]] = tree.pop("_meta")["hostvars"]
    except (ValueError, KeyError) as exc:
        raise UsageError(f"the inventory cannot be read: {_last(done.stderr)}") from exc
    members = {name for group in tree.values() for name in group.get("hosts", ())}
    hosts = {name: variables.get(name, {}) for name in sorted(members, key=natural)}
    if not hosts:
        wanted = f"no device matches {limit!r}" if limit else "the inventory holds no devices"
        raise UsageError(f"{wanted} in {', '.join(map(str, inventory))}")
    return hosts


def run_play(play: Play, progress: Progress | None = None) -> Played:
    """Run a playbook to its end, telling `progress` of each device as it goes."""
    log = _Log(play.folder, progress)
    with tempfile.TemporaryDirectory(prefix="nt-") as scratch, _interrupts_kept():
        ended = ansible_runner.run(
            private_data_dir=scratch,
            project_dir=str(shipped("playbooks").parent),
            playbook=str(shipped("playbooks") / f"{play.playbook}.yml"),
            inventory=[str(path.resolve()) for path in play.inventory],
            artifact_dir=str(play.folder.resolve() / "artifacts"),
            ident=play.run,
            limit=play.limit,
            forks=play.forks,
            extravars=dict(play.variables),
            cmdline="--diff --check" if play.check else "--diff",
            envvars={**environment(), "ANSIBLE_SSH_CONTROL_PATH_DIR": f"{scratch}/cp"},
            event_handler=log.take,
            status_handler=_forget_environment,
            quiet=True,
            settings={"suppress_env_files": True},
        )
        shutil.rmtree(play.folder / "artifacts" / play.run / "fact_cache", ignore_errors=True)
    return Played(ended.status, ended.rc, log.results, log.complaint, frozenset(log.started))


def environment() -> dict[str, str]:
    """Environment variables by which Ansible finds our plugins, and its own programs."""
    paths = {
        "ANSIBLE_ACTION_PLUGINS": str(_PLUGINS / "action"),
        "ANSIBLE_INVENTORY_PLUGINS": str(_PLUGINS / "inventory"),
        "ANSIBLE_INVENTORY_ENABLED": "nettool,yaml,ini,auto",
        "ANSIBLE_NOCOLOR": "1",
        # the runner would turn it off where it is not set
        "ANSIBLE_HOST_KEY_CHECKING": os.environ.get("ANSIBLE_HOST_KEY_CHECKING", "True"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    for folder in (Path.cwd(), shipped("playbooks").parent):
        if (folder / "ansible.cfg").is_file():
            return {**paths, "ANSIBLE_CONFIG": str(folder / "ansible.cfg")}
    return paths


def _forget_environment(_status: Mapping[str, Any], runner_config: Any) -> None:
    """The runner notes its whole environment, which may hold passwords, in an artifact."""
    path = Path(runner_config.artifact_dir) / "command"
    if path.is_file():
        kept = {name: each for name, each in json.loads(path.read_text()).items() if name != "env"}
        path.write_text(json.dumps(kept))


class _Log:
    """Takes the runner's events: one line each in state.jsonl, the last result of each device."""

    def __init__(self, folder: Path, progress: Progress | None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "state.jsonl"
        self._progress = progress
        self.results: dict[str, Mapping[str, Any]] = {}
        self.started: set[str] = set()
        self.complaint = ""

    def take(self, event: Mapping[str, Any]) -> bool:
        """Note one event; True keeps the runner's own copy."""
        name, data = event.get("event"), event.get("event_data", {})
        host, result = data.get("host"), data.get("res", {})
        if name == "runner_on_start" and host and data.get("task_action") in TASKS:
            if host not in self.started:  # the other dialect's task starts as well, to be skipped
                self._say(host, "start", data.get("task", ""), event)
            self.started.add(host)
        elif name in {"runner_on_ok", "runner_on_failed", "runner_on_unreachable"} and host:
            self._ended(str(name), host, result, event)
        elif name in {"error", "warning", None} or (name == "verbose" and not self.results):
            text = str(event.get("stdout", "")).strip()
            self.complaint = text if "ERROR" in text else self.complaint
        return True

    def _ended(
        self, name: str, host: str, result: Mapping[str, Any], event: Mapping[str, Any]
    ) -> None:
        told = result.get("nettool")
        if told is None and name == "runner_on_ok" and "nettool" not in result:
            if "changed" not in result or result.get("msg") == "All assertions passed":
                return
            told = {"outcome": "changed" if result.get("changed") else "unchanged"}
        if told is None:
            told = {"outcome": _outcome_of(name), "message": _last(str(result.get("msg", "")))}
        self.results[host] = told
        outcome = str(told.get("outcome") or ("failed" if result.get("failed") else "ok"))
        self._say(host, outcome, str(told.get("message") or result.get("msg", "")), event)

    def _say(self, host: str, what: str, message: str, event: Mapping[str, Any]) -> None:
        line = {"at": event.get("created"), "device": host, "event": what, "message": message}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        if self._progress is not None:
            self._progress(host, what, message)


def _outcome_of(name: str) -> str:
    return "unreachable" if name == "runner_on_unreachable" else "failed, nothing changed"


@contextmanager
def _interrupts_kept() -> Iterator[None]:
    """Give back the handlers of SIGINT and SIGTERM, which the runner takes in the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def _binary(name: str) -> Path:
    beside = Path(sys.executable).parent / name
    found = beside if beside.exists() else Path(shutil.which(name) or "")
    if not found.name:
        raise NettoolError(f"{name} is not installed beside {sys.executable}")
    return found


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"
