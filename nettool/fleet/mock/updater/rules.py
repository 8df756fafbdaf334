"""The mock updater's rules, read once from the fixtures beside the mock."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

_FOLDER = Path(__file__).resolve().parent.parent / "fixtures"


@cache
def updater_rules() -> dict[str, Any]:
    """What the updater refuses and how it orders changes."""
    return _load("updater.yaml")


@cache
def model_rules() -> dict[str, Any]:
    """Modelled tables, references, mandatory fields and ranges."""
    return _load("models.yaml")


def _load(name: str) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load((_FOLDER / name).read_text())
    return data
