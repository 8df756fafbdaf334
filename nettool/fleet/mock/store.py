"""The configuration a mock switch holds: running, saved, checkpoints, each change noted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from nettool.fleet.mock.folder import Folder
    from nettool.fleet.mock.frr import Frr
    from nettool.fleet.mock.journal import Journal
    from nettool.fleet.mock.spec import ConfigDb

SAVED = "/etc/sonic/config_db.json"
CHECKPOINTS = "/etc/sonic/checkpoints"


class ConfigStore:
    """Running CONFIG_DB in memory; saved file and checkpoints in the switch's folder."""

    def __init__(self, folder: Folder, journal: Journal, frr: Frr) -> None:
        self._folder = folder
        self._frr = frr
        self._journal = journal
        self._running: ConfigDb = {}
        self._below: ConfigDb = {}
        self._covered: dict[tuple[str, str], dict[str, Any] | None] = {}

    @property
    def running(self) -> ConfigDb:
        """The running CONFIG_DB; change it through `put` only."""
        return self._running

    @property
    def saved(self) -> ConfigDb | None:
        """The saved file as data, or None where it is missing or does not parse."""
        try:
            data: ConfigDb = json.loads(self._folder.host(SAVED).read_text())
        except (OSError, ValueError):
            return None
        return data

    def boot(self) -> None:
        """Load the saved file as a start does: what does not parse leaves running empty."""
        self._running = self.saved or {}
        self._frr.start(self._running)

    def put(self, new: ConfigDb, what: str, by: str) -> None:
        """Make `new` the running configuration and note the flaps and resets that come with it."""
        old, self._running = self._running, new
        self._journal.wrote("running", what, by)
        _note_impact(self._journal, old, new)
        self._frr.follow(old, new)

    def follow(self, rows: ConfigDb, *, fresh: bool) -> None:
        """Hold the rows that command lines stand for, in place of those held so far.

        `fresh`: nothing is held so far, since running was loaded anew. What somebody else has
        changed of a row stays so until its line changes.
        """
        if fresh:
            self._below, self._covered = {}, {}
        was = self._running
        old, self._below = _flat(self._below), rows
        new = _flat(rows)
        for place in [place for place in old if new.get(place) != old[place]]:
            self._place(place, self._covered.pop(place))
        for place, row in new.items():
            if old.get(place) != row:
                table, key = place
                self._covered[place] = self._running.get(table, {}).get(key)
                self._place(place, {**(self._covered[place] or {}), **row})
        self._frr.follow(was, self._running)

    def save(self, path: str, by: str) -> None:
        """Write running to a file the way `config save` does: sorted, indented by four."""
        target = self._folder.host(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(self._running, indent=4, sort_keys=True))
        self._note_file(path, by)

    def truncate(self, path: str, by: str) -> None:
        """Leave an empty file behind, as a full disk does to `config save`."""
        self._folder.host(path).write_text("")
        self._note_file(path, by)

    def checkpoint(self, name: str, by: str) -> None:
        """Write a checkpoint of running."""
        self._checkpoint(name).write_text(json.dumps(self._running))
        self._folder.settle(f"{CHECKPOINTS}/{name}.cp.json")
        self._journal.wrote("checkpoint", name, by)

    def checkpoint_config(self, name: str) -> ConfigDb | None:
        """What a checkpoint holds, or None where there is none of that name."""
        path = self._checkpoint(name)
        if not path.is_file():
            return None
        data: ConfigDb = json.loads(path.read_text())
        return data

    def drop_checkpoint(self, name: str, by: str) -> bool:
        """Delete a checkpoint; False where there is none of that name."""
        path = self._checkpoint(name)
        if not path.is_file():
            return False
        path.unlink()
        self._folder.settle(f"{CHECKPOINTS}/{name}.cp.json")
        self._journal.wrote("checkpoint", f"-{name}", by)
        return True

    def checkpoints(self) -> list[str]:
        """The names of the checkpoints."""
        found = self._folder.host(CHECKPOINTS).glob("*.cp.json")
        return sorted(path.name.removesuffix(".cp.json") for path in found)

    def _place(self, place: tuple[str, str], row: dict[str, Any] | None) -> None:
        table, key = place
        rows = dict(self._running.get(table, {}))
        rows.pop(key, None)
        if row is not None:
            rows[key] = row
        self._running = {**self._running, table: rows}
        if not rows:
            del self._running[table]

    def _note_file(self, path: str, by: str) -> None:
        self._folder.settle(path)
        self._journal.wrote("saved" if path == SAVED else "file", path, by)

    def _checkpoint(self, name: str) -> Path:
        return self._folder.host(CHECKPOINTS) / f"{name}.cp.json"


def _flat(config: ConfigDb) -> dict[tuple[str, str], dict[str, Any]]:
    return {(table, key): row for table, rows in config.items() for key, row in rows.items()}


def _note_impact(journal: Journal, old: ConfigDb, new: ConfigDb) -> None:
    before, after = old.get("PORT", {}), new.get("PORT", {})
    for port in sorted(set(before) | set(after)):
        was, now = _is_up(before.get(port)), _is_up(after.get(port))
        if was != now:
            journal.event("port up" if now else "port down", port)
    sessions, kept = old.get("BGP_NEIGHBOR", {}), new.get("BGP_NEIGHBOR", {})
    for key in sorted(sessions):
        if key not in kept:
            journal.event("session down", key)


def _is_up(row: dict[str, Any] | None) -> bool:
    return row is not None and row.get("admin_status", "down") == "up"
