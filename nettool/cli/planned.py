"""The plan of a fabric that a user names, in the dialect that its folder or the call asks for."""

from __future__ import annotations

from pathlib import Path

from nettool.cli.parser import NOSES
from nettool.core.errors import UsageError
from nettool.core.source import load_yaml
from nettool.intent.load import FILE_NAME, find_fabric
from nettool.pipeline import Plan, plan_fabric

INVENTORY_FILE = "nettool.yml"
"""Ansible's source beside a fabric; what it says of the dialect holds for every verb."""


def planned(fabric: str, nos: str | None = None) -> Plan:
    """Every stage of a named fabric. The dialect is `nos`, else nettool.yml's, else the intent's.

    Raises FindingsError with all findings of a failed stage.
    """
    path = find_fabric(fabric)
    return plan_fabric(path, nos=nos or _beside(path))


def _beside(path: Path) -> str | None:
    """The `nos` of the inventory source beside a fabric, where that is of this fabric."""
    source = path.parent / INVENTORY_FILE
    said = load_yaml(source).data if source.is_file() else {}
    if not isinstance(said, dict) or path.name != said.get("fabric", FILE_NAME):
        return None
    nos = said.get("nos") or None
    if nos not in (None, *NOSES):
        raise UsageError(f"{source}: nos is {nos!r}; one of {', '.join(NOSES)} is expected")
    return nos
