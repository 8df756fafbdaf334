"""How to reach a mock fleet in place of the real one: an inventory laid over a fabric's own."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nettool.core.errors import UsageError
from nettool.core.written import aside_of, sweep, write_file
from nettool.fleet.deploy.literal import literal

_UNREADABLE = re.compile(r"[$,\x00-\x1f\x7f]")
"""ssh and Ansible put variables in place of `$`, Ansible takes a comma for a list of hosts, and no
line of either goes on after a line break."""


def mock_overlay(
    where: Mapping[str, Any],
    folder: Path,
    more: Mapping[str, Mapping[str, object]] | None = None,
) -> Path:
    """Write the inventory by which Ansible reaches a mock fleet, and return its path.

    `where` is what a mock fleet says of itself once it listens (`switches` by name with address,
    port and user; `known_hosts`). Next to the inventory lie known_hosts and a key of its own.
    `more` are further variables of each switch. Pass it after the fabric's inventory: the last
    one wins. Each file is whole or as it was before. Raises UsageError where one cannot be written,
    or nobody could read its path.
    """
    check_path(folder)
    known_hosts, key, path = folder / "known_hosts", folder / "key", folder / "mock.yml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise UsageError(f"{folder}: {exc.strerror}") from exc
    write_file(known_hosts, ("\n".join(where["known_hosts"]) + "\n").encode())
    if not key.exists():
        _make_key(key)
    known = shlex.quote(f"UserKnownHostsFile={_ssh_path(known_hosts)}")
    common = f"-o {known} -o GlobalKnownHostsFile=/dev/null"
    hosts = {
        name: {
            "ansible_host": switch["address"],
            "ansible_port": switch["port"],
            "ansible_user": switch["user"],
            "ansible_ssh_private_key_file": _escaped(key),  # Ansible puts it in quotes
            "ansible_ssh_common_args": f"{common} -o IdentitiesOnly=yes -o IdentityAgent=none",
            "nettool_poll": 0,  # a mock's counters are new at once
            **(more or {}).get(name, {}),
        }
        for name, switch in where["switches"].items()
    }
    inventory = {"all": {"hosts": literal(hosts)}}
    write_file(path, (json.dumps(inventory, indent=1) + "\n").encode())
    return path


def check_path(folder: Path) -> None:
    """Raise UsageError where ssh or Ansible cannot be told of files in a folder."""
    bad = _UNREADABLE.findall(str(folder.resolve()))
    if bad:
        named = " ".join(dict.fromkeys("," if each == "," else repr(each) for each in bad))
        raise UsageError(
            f"{str(folder.resolve())!r}: ssh or Ansible would misread {named} in this path: name "
            "another folder with -o"
        )


def _escaped(path: Path) -> str:
    """A path as ssh reads it within double quotes, where a percent sign begins a token."""
    return re.sub(r'(["\\])', r"\\\1", str(path)).replace("%", "%%")


def _ssh_path(path: Path) -> str:
    """A path as the value of an option of ssh's, in quotes where it needs them."""
    text = str(path)
    return text if re.fullmatch(r"[\w./+@:=-]+", text) else f'"{_escaped(path)}"'


def _make_key(path: Path) -> None:
    """Make a key beside its place, and put it there once it is whole."""
    sweep(path)
    aside = aside_of(path, "new")
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "nettool mock"]
    done = subprocess.run(  # noqa: S603  # fixed words
        [*command, "-f", str(aside)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    public = aside.with_name(f"{aside.name}.pub")
    try:
        if done.returncode:
            raise UsageError(f"{path}: ssh-keygen made no key ({done.stderr.strip()})")
        public.replace(path.with_name(f"{path.name}.pub"))
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
        public.unlink(missing_ok=True)
