"""A task for the Easy RoCE profiles of a switch: from inventory variables to REST."""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nettool.core.errors import NettoolError, RefusedError, UsageError
from nettool.core.provenance import Trust
from nettool.fleet.deploy.arguments import flag_of
from nettool.fleet.deploy.easy_roce import push_profiles, wanted_ports, wanted_profiles
from nettool.fleet.deploy.outcome import Outcome, Result
from nettool.fleet.deploy.task import told
from nettool.fleet.transport.rest import PORT, Access, RestTransport

VARIABLES = (
    "ansible_host",
    "nettool_rest_port",
    "nettool_rest_authorization",
    "nettool_rest_ca",
    "nettool_rest_name",
    "nettool_rest_insecure",
)
_ARGUMENTS = frozenset({"config", "allow_unverified"})


def run_roce_task(
    args: Mapping[str, Any], host: str, variables: Mapping[str, Any], *, check: bool
) -> dict[str, Any]:
    """Run the task and return what Ansible wants: changed, failed, msg, diff, `nettool`."""
    try:
        access = _access(host, variables)
        document = _document(args)
        _refuse_unverified(document, access, allowed=flag_of(args, "allow_unverified"))
        rest = RestTransport(access)
        wanted, ports = wanted_profiles(document), wanted_ports(document)
        return told(push_profiles(rest, host, wanted, check=check, ports=ports))
    except RefusedError as exc:
        return told(Result(host, Outcome.REFUSED, str(exc)))
    except NettoolError as exc:
        return told(Result(host, Outcome.FAILED, str(exc)))


def _access(host: str, variables: Mapping[str, Any]) -> Access:
    try:
        port = int(variables.get("nettool_rest_port", PORT))
    except (TypeError, ValueError) as exc:
        raise UsageError(
            f"nettool_rest_port is a number, not {variables['nettool_rest_port']!r}"
        ) from exc
    return Access(
        host=str(variables.get("ansible_host") or host),
        port=port,
        authorization=str(variables.get("nettool_rest_authorization") or ""),
        ca=str(variables.get("nettool_rest_ca") or ""),
        name=str(variables.get("nettool_rest_name") or ""),
        insecure=flag_of(variables, "nettool_rest_insecure"),
    )


def _document(args: Mapping[str, Any]) -> Mapping[str, Any]:
    if unknown := sorted(set(args) - _ARGUMENTS):
        raise UsageError(
            f"unknown argument {unknown[0]!r}: known are {', '.join(sorted(_ARGUMENTS))}"
        )
    path = Path(str(args.get("config") or ""))
    try:
        data = json.loads(path.read_text())
    except OSError as exc:
        raise UsageError(f"{path}: {exc.strerror}") from exc
    except ValueError as exc:
        raise UsageError(f"{path}: not JSON ({exc})") from exc
    if not isinstance(data, dict) or "requests" not in data:
        raise UsageError(f"{path} is no roce.json of `nettool render`")
    return data


def _refuse_unverified(document: Mapping[str, Any], access: Access, *, allowed: bool) -> None:
    names = [
        each["body"]["name"]
        for each in document["requests"]
        if each.get("trust") == str(Trust.UNVERIFIED)
    ]
    if names and not allowed and not _is_loopback(access.host):
        raise RefusedError(
            f"no public page shows the form of {', '.join(names)}: look at it, then "
            "allow_unverified: true"
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
