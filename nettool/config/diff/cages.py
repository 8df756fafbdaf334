"""What a switch itself says of its cages (platform.json): modes, and its own names for children.

A catalog may spell a mode otherwise, or not know an alias: what the switch says is taken.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from nettool.config.diff.breakout import breakouts
from nettool.config.nos.artifact import Tables
from nettool.core.breakout import Child, Parent, children, read_mode, same_ports


@dataclass(frozen=True, slots=True)
class Cage:
    """One cage: its first port and lanes, and the aliases of each mode it offers."""

    parent: Parent
    modes: Mapping[str, tuple[str, ...]]

    def spelling(self, mode: str) -> str | None:
        """The cage's own spelling of a mode; None where it does not offer it."""
        return (
            mode
            if mode in self.modes
            else next((m for m in self.modes if same_ports(m, mode)), None)
        )

    def children(self, mode: str) -> tuple[Child, ...]:
        """The ports of one of its modes. Raises ValueError where the mode does not fit it."""
        return children(self.parent, read_mode(mode)[0], self.modes[mode])


def read_cages(text: str) -> dict[str, Cage]:
    """The cages of a platform.json by their first port. Raises ValueError where it is none."""
    try:
        rows = json.loads(text)["interfaces"]
        return {name: _cage(name, row) for name, row in rows.items()}
    except (KeyError, TypeError, AttributeError) as exc:
        raise ValueError(f"no platform.json: {exc!r}") from exc


def adopt_cages(intended: Tables, running: Tables, cages: Mapping[str, Cage]) -> Tables:
    """`intended` with the switch's own mode spelling, lanes, index and alias of children to come.

    What the switch does not offer stays as it is: a plan refuses it.
    """
    ports, modes = dict(intended.get("PORT", {})), dict(intended.get("BREAKOUT_CFG", {}))
    for each in breakouts(running, intended):
        cage = cages.get(each.parent)
        mode = cage.spelling(each.after) if cage else None
        if cage is None or mode is None:
            continue
        modes[each.parent] = {"brkout_mode": mode}
        for child in cage.children(mode):
            if child.name in ports:
                own = {
                    "lanes": ",".join(map(str, child.lanes)),
                    "index": str(child.index),
                    "alias": child.alias,
                }
                row = ports[child.name]
                ports[child.name] = {**row, **{f: v for f, v in own.items() if f in row}}
    return {**intended, "PORT": ports, "BREAKOUT_CFG": modes}


def offered(cages: Mapping[str, Cage]) -> dict[str, tuple[str, ...]]:
    """The modes of each cage, as a plan takes them."""
    return {name: tuple(cage.modes) for name, cage in cages.items()}


def _cage(name: str, row: Mapping[str, object]) -> Cage:
    lanes, indexes = (
        tuple(int(each) for each in str(row[field]).split(",")) for field in ("lanes", "index")
    )
    modes = row["breakout_modes"]
    if not isinstance(modes, dict):
        raise TypeError(f"{name} has no breakout_modes")
    aliases = {mode: tuple(map(str, names)) for mode, names in modes.items()}
    return Cage(Parent(name, lanes, indexes), aliases)
