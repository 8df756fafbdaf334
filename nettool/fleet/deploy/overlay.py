"""How to reach a mock fleet in place of the real one: an inventory laid over a fabric's own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def mock_overlay(
    where: Mapping[str, Any],
    folder: Path,
    more: Mapping[str, Mapping[str, object]] | None = None,
) -> Path:
    """Write the inventory by which Ansible reaches a mock fleet, and return its path.

    `where` is what a mock fleet says of itself once it listens (`switches` by name with address,
    port and user; `known_hosts`). Next to the inventory lie known_hosts and a key of its own.
    `more` are further variables of each switch. Pass it after the fabric's inventory: the last
    one wins.
    """
    folder.mkdir(parents=True, exist_ok=True)
    known_hosts, key, path = folder / "known_hosts", folder / "key", folder / "mock.yml"
    known_hosts.write_text("\n".join(where["known_hosts"]) + "\n")
    if not key.exists():
        _make_key(key)
    common = f"-o UserKnownHostsFile={known_hosts} -o GlobalKnownHostsFile=/dev/null"
    hosts = {
        name: {
            "ansible_host": switch["address"],
            "ansible_port": switch["port"],
            "ansible_user": switch["user"],
            "ansible_ssh_private_key_file": str(key),
            "ansible_ssh_common_args": f"{common} -o IdentitiesOnly=yes -o IdentityAgent=none",
            **(more or {}).get(name, {}),
        }
        for name, switch in where["switches"].items()
    }
    path.write_text(json.dumps({"all": {"hosts": hosts}}, indent=1) + "\n")
    return path


def _make_key(path: Path) -> None:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "nettool mock", "-f", str(path)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)  # noqa: S603  # fixed words
