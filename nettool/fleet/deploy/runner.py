"""Playbooks through ansible-runner: the only file that knows it.

Its files go to scratch and away, since they may hold what is secret; what is told is logged under
`runs/<id>/`: each device's line in state.jsonl, Ansible's own words in ansible.log. The playbook
is the one that plain `ansible-playbook` runs, with the plugins of this package on Ansible's path.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ansible_runner.interface import init_runner

from nettool.core.errors import NettoolError, UsageError
from nettool.core.order import natural
from nettool.core.resources import shipped
from nettool.fleet.deploy.eventlog import EventLog, Progress, last_words
from nettool.fleet.deploy.interrupts import Stop, end_children, survived
from nettool.fleet.deploy.literal import literal

_PLUGINS = Path(__file__).resolve().parent / "plugins"
SOCKET_FOLDER = 60
"""Longest path in which ssh's sockets still have room for their own names."""
_LISTEN_SECONDS = 1
"""How long the runner hears its playbook before it looks whether it shall stop."""


@dataclass(frozen=True, slots=True)
class Play:
    """One run of a playbook. `folder` takes artifacts and the event log; `variables` no secrets."""

    playbook: str
    inventory: tuple[Path, ...]
    run: str
    folder: Path
    limit: str | None = None
    """A pattern of Ansible's; `only` these hosts, however many, where they are named."""
    only: tuple[str, ...] | None = None
    check: bool = False
    variables: Mapping[str, object] = field(default_factory=dict)
    forks: int = 10
    look: bool = True
    """Whether every switch is looked at before one is written to."""

    def with_variables(self, **more: object) -> Play:
        """The same with more variables."""
        return replace(self, variables={**self.variables, **more})


@dataclass(frozen=True, slots=True)
class Played:
    """How a playbook ended: its status, and each device's last result (`nettool` of its task).

    `started` are the devices whose task began, with or without a result; `looked` is what was said
    of devices that were only looked at so far. `stopped` is the signal that ended it, `unlogged`
    why its log has gaps.
    """

    status: str
    rc: int
    results: Mapping[str, Mapping[str, Any]]
    message: str
    started: frozenset[str] = frozenset()
    stopped: str = ""
    unlogged: str = ""
    looked: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def inventory_hosts(
    inventory: Sequence[Path], limit: str | None = None
) -> dict[str, dict[str, Any]]:
    """The hosts of an inventory with their variables, in natural order. Raises UsageError."""
    if limit is not None and not limit.strip():
        raise UsageError("--limit is empty, which Ansible takes for all: leave it out for all")
    tree = _listed(inventory, limit)
    variables: dict[str, dict[str, Any]] = tree.pop("_meta")["hostvars"]
    members = {name for group in tree.values() for name in group.get("hosts", ())}
    hosts = {name: variables.get(name, {}) for name in sorted(members, key=natural)}
    if not hosts:
        wanted = f"no device matches {limit!r}" if limit else "the inventory holds no devices"
        raise UsageError(f"{wanted} in {', '.join(map(str, inventory))}")
    return hosts


def inventory_groups(inventory: Sequence[Path]) -> dict[str, frozenset[str]]:
    """The hosts of an inventory by each of its groups, in them or below them. Raises UsageError."""
    tree = _listed(inventory)
    del tree["_meta"]

    def below(name: str) -> frozenset[str]:
        group = tree.get(name, {})
        inner = (below(child) for child in group.get("children", ()))
        return frozenset(group.get("hosts", ())).union(*inner)

    return {name: below(name) for name in tree}


def _listed(inventory: Sequence[Path], limit: str | None = None) -> dict[str, Any]:
    """What `ansible-inventory --list` says. Raises UsageError."""
    sources = [word for path in inventory for word in ("-i", str(path.resolve()))]
    command = [str(_binary("ansible-inventory")), "--list", *sources]
    command += ["--limit", limit] if limit else []
    # it lists variables, secrets among them: nothing may stand beside them, or log them
    quiet = {"ANSIBLE_VERBOSITY": "0", "ANSIBLE_LOG_PATH": os.devnull}
    env = {**os.environ, **environment(), **quiet}
    done = subprocess.run(  # noqa: S603  # our own words
        command, env=env, capture_output=True, text=True, check=False
    )
    try:
        tree: dict[str, Any] = json.loads(done.stdout)
        if "hostvars" in tree["_meta"]:
            return tree
    except (ValueError, KeyError, TypeError):
        pass
    raise UsageError(f"the inventory cannot be read: {last_words(done.stderr)}")


def run_play(play: Play, progress: Progress | None = None, stop: Stop | None = None) -> Played:
    """Run a playbook until its end, or until `stop` is asked, telling `progress` of each device.

    What the runner and Ansible write goes to a private folder that is gone afterwards. Where that
    has no room, the run has failed, and what was told until then is kept.
    """
    log, asked = EventLog(play.folder, progress), stop or Stop()
    status, rc = "failed", 1
    try:
        with _scratch() as (scratch, sockets):
            runner = init_runner(**_how(play, scratch, sockets), **log.taken(asked))
            runner.config.env = _Unwritten(runner.config.env)
            status, rc = runner.run()
    except OSError as exc:
        log.complaint = f"{exc.filename or tempfile.gettempdir()}: {exc.strerror}"
    return Played(
        status=status,
        rc=rc,
        results=log.results,
        message=log.complaint,
        started=frozenset(log.started),
        stopped=asked.by,
        unlogged=log.unwritten,
        looked=log.looked,
    )


def environment() -> dict[str, str]:
    """Environment variables by which Ansible finds our plugins, and its own programs."""
    paths = {
        "ANSIBLE_ACTION_PLUGINS": str(_PLUGINS / "action"),
        "ANSIBLE_INVENTORY_PLUGINS": str(_PLUGINS / "inventory"),
        "ANSIBLE_INVENTORY_ENABLED": "nettool,yaml,ini,auto",
        "ANSIBLE_NOCOLOR": "1",
        "LC_ALL": "C.UTF-8",  # Ansible runs in no other encoding, whatever the caller's is
        # the runner would turn it off where it is not set
        "ANSIBLE_HOST_KEY_CHECKING": os.environ.get("ANSIBLE_HOST_KEY_CHECKING", "True"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    }
    for folder in (Path.cwd(), shipped("playbooks").parent):
        if (folder / "ansible.cfg").is_file():
            return {**paths, "ANSIBLE_CONFIG": str(folder / "ansible.cfg")}
    return paths


def _how(play: Play, scratch: str, sockets: str) -> dict[str, Any]:
    """What the runner is told of a play."""
    own = {"ANSIBLE_SSH_CONTROL_PATH_DIR": sockets, "ANSIBLE_LOCAL_TEMP": f"{scratch}/ansible"}
    return {
        "private_data_dir": scratch,
        "project_dir": str(shipped("playbooks").parent),
        "playbook": str(shipped("playbooks") / f"{play.playbook}.yml"),
        "inventory": [str(path.resolve()) for path in play.inventory],
        "ident": play.run,
        "limit": _limit(play, scratch),
        "forks": play.forks,
        "extravars": literal(play.variables),
        "cmdline": " ".join(_flags(play)),
        "envvars": {**environment(), **own},
        "status_handler": _forget_environment,
        "quiet": True,
        "settings": {"pexpect_timeout": _LISTEN_SECONDS, "suppress_output_file": True},
    }


def _limit(play: Play, scratch: str) -> str | None:
    """The pattern, or a file of names; Ansible splits the path of one at blanks and commas."""
    if play.only is None:
        return play.limit
    names = Path(scratch) / "limit"
    names.write_text("\n".join(play.only) + "\n")
    return f"@{names}"


def _flags(play: Play) -> Iterator[str]:
    yield "--diff"
    if play.check:
        yield "--check"
    if not play.look:
        yield "--skip-tags look"


@contextmanager
def _scratch() -> Iterator[tuple[str, str]]:
    """A private folder, and one for ssh's sockets; whoever still works in them is ended first."""
    with (
        tempfile.TemporaryDirectory(prefix="nt-", ignore_cleanup_errors=True) as scratch,
        _sockets(scratch) as sockets,
        survived(scratch, sockets),
    ):
        try:
            yield scratch, sockets
        finally:
            end_children(scratch)


class _Unwritten(dict[str, str]):
    """An environment, which may hold passwords, that json takes for empty: the runner writes it.

    Ansible gets it whole: inventories look variables up in it.
    """

    def __bool__(self) -> bool:
        return False


def _forget_environment(_status: Mapping[str, Any], runner_config: Any) -> None:
    """The runner notes its command, and its environment if it could: nobody needs that."""
    (Path(runner_config.artifact_dir) / "command").unlink(missing_ok=True)


@contextmanager
def _sockets(scratch: str) -> Iterator[str]:
    """A private folder for ssh's sockets, whose paths have room for about 100 characters."""
    if len(scratch) <= SOCKET_FOLDER:
        yield f"{scratch}/cp"
        return
    with tempfile.TemporaryDirectory(prefix="nt-", dir="/tmp") as short:  # a short name
        yield short


def _binary(name: str) -> Path:
    beside = Path(sys.executable).parent / name
    found = beside if beside.exists() else Path(shutil.which(name) or "")
    if not found.name:
        raise NettoolError(f"{name} is not installed beside {sys.executable}")
    return found
