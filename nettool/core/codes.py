"""What the codes of findings mean that no rule explains: inputs, plan, build, cabling, verify.

A code that a user can see is either a rule (`config/validate/rules`) or a row in `codes/*.yaml`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

_FOLDER = Path(__file__).with_name("codes")


@dataclass(frozen=True, slots=True)
class Code:
    """One code: the levels it comes with, what it finds, why that matters, and what to do."""

    id: str
    level: str
    finds: str
    why: str
    fix: str


@cache
def codes() -> dict[str, Code]:
    """Every such code by its id, in order."""
    found: dict[str, Code] = {}
    for path in sorted(_FOLDER.glob("*.yaml")):
        rows = yaml.safe_load(path.read_text(encoding="utf-8"))
        for name, row in rows.items():
            if name in found:
                raise ValueError(f"code {name} stands twice: in {path.name} and before")
            found[name] = Code(name, **row)
    return dict(sorted(found.items()))
