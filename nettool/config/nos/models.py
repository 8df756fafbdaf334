"""Which tables of CONFIG_DB SONiC has a YANG model of, by branch (its dialect's `models.yaml`).

The one list of them: lint, diff and the updater's rules all ask here. The updater of a switch
refuses every patch that names a table without a model.
Source: sonic-utilities generic_config_updater/gu_common.py, patch_sorter.py.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from nettool.core.source import load_yaml

_DATA = Path(__file__).parent / "dialects" / "sonic" / "data" / "models.yaml"


@cache
def modelled_on(branch: str) -> frozenset[str]:
    """The tables that a branch (202205 to master) has a model of."""
    names = list(model_branches())
    until = names[: names.index(branch) + 1]
    there = {table for name in until for table in _first(name)}
    return frozenset(there - set(_models()["lacks"].get(branch, ())))


@cache
def modelled() -> frozenset[str]:
    """The tables that any branch has a model of."""
    return frozenset(table for name in model_branches() for table in _first(name))


def unmodelled() -> frozenset[str]:
    """The tables that SONiC's own programs use though no branch has a model of them."""
    return frozenset(_models()["unmodelled"])


def first_branch(table: str) -> str:
    """The oldest branch with a model of a table; empty where none has one."""
    return next((name for name in model_branches() if table in _first(name)), "")


def written_on(database: str) -> str:
    """The branch of a file's VERSIONS|DATABASE version (`version_202405_01`); empty if none."""
    found = re.fullmatch(r"version_(\d{6})_\d+", database)
    return found[1] if found and found[1] in model_branches() else ""


def reload_refuses(branch: str) -> bool:
    """Whether `config reload FILE` of a branch refuses a file with a table without a model."""
    names = model_branches()
    return names.index(branch) >= names.index(_models()["reload_refuses_from"])


def model_branches() -> tuple[str, ...]:
    """The branches whose models were read, oldest first."""
    return tuple(_models()["branches"])


def _first(branch: str) -> list[str]:
    return str(_models()["branches"][branch]["first"]).split()


@cache
def _models() -> dict[str, Any]:
    data: dict[str, Any] = load_yaml(_DATA).data
    return data
