"""What Ansible's ssh connection was told, as netmiko takes it; the rest is refused by name.

Host keys are checked as OpenSSH would: against the same known_hosts, and never less strictly.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nettool.core.errors import UsageError

OPTIONS = (
    *("host", "port", "remote_user", "password", "private_key_file", "private_key_passphrase"),
    *("ssh_args", "ssh_common_args", "ssh_extra_args", "host_key_checking", "timeout"),
    *("pkcs11_provider", "private_key", "ssh_executable"),
)
"""The options of Ansible's ssh connection that are looked at."""
_CANNOT = ("pkcs11_provider", "private_key")
_MEANINGLESS = frozenset(
    ("controlmaster", "controlpersist", "controlpath", "serveralivecountmax", "tcpkeepalive",
     "compression", "batchmode", "loglevel", "requesttty", "forwardagent",
     "numberofpasswordprompts", "passwordauthentication", "pubkeyauthentication",
     "kbdinteractiveauthentication",
     "kbdinteractivedevices", "gssapiauthentication", "preferredauthentications")
)  # fmt: skip
_SILENT_FLAGS = frozenset(
    ("-4", "-6", "-C", "-q", "-T", "-t", "-tt", "-v", "-vv", "-vvv", "-a", "-x")
)
_AS_OPTION = {"-i": "IdentityFile", "-J": "ProxyJump", "-p": "Port", "-l": "User"}
_LAX = frozenset(("no", "off", "accept-new"))


def netmiko_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments for a klish connection. Raises UsageError naming the first that has no place."""
    if not given.get("host"):
        raise UsageError("klish goes over Ansible's ssh connection: set ansible_connection to ssh")
    for name in _CANNOT:
        if given.get(name):
            raise UsageError(f"ansible_{name} cannot be used for klish: give a key file")
    if Path(str(given.get("ssh_executable") or "ssh")).name != "ssh":
        raise UsageError(f"ssh_executable {given['ssh_executable']!r} cannot be used for klish")
    words = [
        word
        for name in ("ssh_args", "ssh_common_args", "ssh_extra_args")
        for word in shlex.split(str(given.get(name) or ""))
    ]
    said = dict(_said(words))
    key = said.get("identityfile") or _in_quotes(given.get("private_key_file"))
    password = given.get("password")
    made: dict[str, Any] = {
        "host": str(said.get("hostname") or given["host"]),
        "port": int(given.get("port") or said.get("port") or 22),
        "username": str(given.get("remote_user") or said.get("user") or ""),
        "password": password,
        "key_file": str(Path(key).expanduser()) if key else None,
        "passphrase": given.get("private_key_passphrase") or None,
        "allow_agent": not password and _agent(said),
        "use_keys": False,
        "conn_timeout": float(said.get("connecttimeout") or given.get("timeout") or 10),
        "keepalive": int(said.get("serveraliveinterval") or 0),
        "proxy": _proxy(said),
        **_host_keys(said, checked=bool(given.get("host_key_checking", True))),
    }
    return {name: value for name, value in made.items() if value is not None}


def _said(words: list[str]) -> Iterator[tuple[str, str]]:
    """Options by their lower-case name, the first of a name last, since OpenSSH takes the first."""
    found: list[tuple[str, str]] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in _SILENT_FLAGS:
            continue
        if word in _AS_OPTION and rest:
            found.append((_AS_OPTION[word].lower(), rest.pop(0)))
            continue
        if not word.startswith("-o") or (word == "-o" and not rest):
            raise UsageError(f"ssh argument {word!r} of this connection has no place in klish's")
        text = word[2:] or rest.pop(0)
        name, _, value = text.replace("=", " ", 1).partition(" ")
        found.append((name.strip().lower(), _read(name.strip().lower(), value.strip())))
    for name, _ in found:
        if name not in _MEANINGLESS and name not in _KNOWN:
            raise UsageError(f"ssh option {name!r} of this connection has no place in klish's")
    return reversed(found)


def _read(name: str, value: str) -> str:
    """A value without its quotes; of a path, as OpenSSH reads it."""
    if name not in {"userknownhostsfile", "identityfile"}:
        return value.strip('"')
    try:
        words = shlex.split(value)
    except ValueError as exc:
        raise UsageError(f"ssh option {name} {value}: {exc}") from exc
    if len(words) > 1:
        raise UsageError(f"ssh option {name} {value}: klish's takes one file")
    return "".join(words).replace("%%", "%")


def _in_quotes(key: object) -> str:
    """A key's path as Ansible gives it to OpenSSH, which reads it within double quotes."""
    return _read("identityfile", f'"{key}"') if key else ""


_KNOWN = frozenset(
    ("hostname", "port", "user", "identityfile", "identitiesonly", "identityagent", "proxyjump",
     "proxycommand", "connecttimeout", "serveraliveinterval", "stricthostkeychecking",
     "userknownhostsfile", "globalknownhostsfile")
)  # fmt: skip


def _agent(said: Mapping[str, str]) -> bool:
    agent = said.get("identityagent", "SSH_AUTH_SOCK")
    if agent.lower() not in {"none", "ssh_auth_sock"}:
        raise UsageError(f"ssh option IdentityAgent={agent} has no place in klish's")
    return agent.lower() != "none" and said.get("identitiesonly", "no").lower() != "yes"


def _proxy(said: Mapping[str, str]) -> str | None:
    """The command whose input and output lead to the switch; None: straight there."""
    if said.get("proxyjump", "none").lower() != "none":
        *first, last = said["proxyjump"].split(",")
        through = f"-J {shlex.quote(','.join(first))} " if first else ""
        return f"ssh {through}-W [%h]:%p {shlex.quote(last)}"
    command = said.get("proxycommand", "none")
    return None if command.lower() == "none" else command


def _host_keys(said: Mapping[str, str], *, checked: bool) -> dict[str, Any]:
    strict = said.get("stricthostkeychecking", "yes" if checked else "no").lower() not in _LAX
    known = said.get("userknownhostsfile", "")
    everybody = said.get("globalknownhostsfile", "/dev/null")
    if everybody.lower() not in {"/dev/null", "none"}:
        raise UsageError(f"ssh option GlobalKnownHostsFile={everybody} has no place in klish's")
    if not known:
        return {"ssh_strict": strict, "system_host_keys": True}
    path = str(Path(known).expanduser())
    return {
        "ssh_strict": strict,
        "system_host_keys": False,
        "alt_host_keys": True,
        "alt_key_file": path,
    }
