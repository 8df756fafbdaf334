"""The states a switch goes through while cages are broken out, each a whole configuration."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from nettool.config.diff.meaning import spelled
from nettool.config.nos.artifact import Tables

_OWN = frozenset({"PORT", "BREAKOUT_CFG"})
_BARE = ("lanes", "speed", "index", "alias", "subport")
_Db = dict[str, dict[str, dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Breakout:
    """One cage that changes its mode: its ports now and then, in natural order."""

    parent: str
    before: str
    after: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class States:
    """`up` has the ports on and their sessions down; `lossless` are the groups to be checked."""

    running: Tables
    drained: Tables
    shut: Tables
    unbound: Tables
    broken_out: Tables
    rebuilt: Tables
    up: Tables
    target: Tables
    lossless: tuple[str, ...]


def old_ports(cages: Iterable[Breakout]) -> tuple[str, ...]:
    """The ports that go."""
    return tuple(port for cage in cages for port in cage.old)


def new_ports(cages: Iterable[Breakout]) -> tuple[str, ...]:
    """The ports that come."""
    return tuple(port for cage in cages for port in cage.new)


def states_of(running: Tables, target: Tables, cages: tuple[Breakout, ...]) -> States:
    """Every state between `running` and `target`, in order."""
    old, new = old_ports(cages), new_ports(cages)
    drained = _silent(running, _sessions(running, old))
    shut = _with_status(drained, old, "down")
    unbound = _unbound(shut, old)
    broken_out = _broken_out(unbound, target, cages)
    resting = _sessions(running, old) | _sessions(target, new)
    up = _silent(target, resting)
    down = {port for port in new if target["PORT"].get(port, {}).get("admin_status") == "up"}
    rebuilt = _with_status(up, down, "down")
    lossless = tuple(
        key
        for key, row in target.get("BUFFER_PG", {}).items()
        if key.partition("|")[0] in new and "lossless" in spelled(row.get("profile", ""))
    )
    return States(running, drained, shut, unbound, broken_out, rebuilt, up, target, lossless)


def _sessions(tables: Tables, ports: tuple[str, ...]) -> set[str]:
    """BGP neighbours whose local address lies on one of these ports."""
    addresses = {
        key.split("|")[1].partition("/")[0]
        for key in tables.get("INTERFACE", {})
        if "|" in key and key.split("|")[0] in ports
    }
    rows = tables.get("BGP_NEIGHBOR", {}).items()
    return {key for key, row in rows if spelled(row.get("local_addr", "")) in addresses}


def _silent(tables: Tables, sessions: set[str]) -> _Db:
    new = _copied(tables)
    for key in sessions & set(new.get("BGP_NEIGHBOR", {})):
        new["BGP_NEIGHBOR"][key]["admin_status"] = "down"
    return new


def _with_status(tables: Tables, ports: Collection[str], status: str) -> _Db:
    new = _copied(tables)
    for port in ports:
        new["PORT"][port]["admin_status"] = status
    return new


def _unbound(tables: Tables, ports: tuple[str, ...]) -> _Db:
    """Without any row or field that is named after one of the ports."""
    gone = set(ports)
    kept: _Db = {}
    for table, rows in _copied(tables).items():
        if table in _OWN:
            kept[table] = rows
            continue
        own = {key: row for key, row in rows.items() if not gone & set(key.split("|"))}
        if table == "CABLE_LENGTH":
            own = {
                key: {name: value for name, value in row.items() if name not in gone}
                for key, row in own.items()
            }
        if own:
            kept[table] = own
    return kept


def _broken_out(unbound: Tables, target: Tables, cages: tuple[Breakout, ...]) -> _Db:
    """As the switch leaves it: children with lanes and speed, and nothing more."""
    new = _copied(unbound)
    for cage in cages:
        for port in cage.old:
            del new["PORT"][port]
        for port in cage.new:
            row = target["PORT"][port]
            new["PORT"][port] = {name: row[name] for name in _BARE if name in row}
        new["BREAKOUT_CFG"][cage.parent] = {"brkout_mode": cage.after}
    return new


def folded(target: Tables, running: Tables, cages: tuple[Breakout, ...]) -> _Db:
    """What a switch with `target` runs once its cages are broken out to their old modes again."""
    new = _unbound(target, new_ports(cages))
    for cage in cages:
        for port in cage.new:
            new["PORT"].pop(port, None)
        for port in cage.old:
            row = running["PORT"][port]
            new["PORT"][port] = {name: row[name] for name in _BARE if name in row}
        new["BREAKOUT_CFG"][cage.parent] = {"brkout_mode": cage.before}
    return new


def _copied(tables: Tables) -> _Db:
    return {t: {k: dict(row) for k, row in rows.items()} for t, rows in tables.items()}
