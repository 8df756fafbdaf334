"""The configuration text of a mock AsterNOS switch: views and lines, running and saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nettool.fleet.mock.folder import Folder
    from nettool.fleet.mock.journal import Journal

STARTUP = "/etc/sonic/startup.cfg"
"""Assumed: which file `write` writes is not public."""
SINGLE = ("hostname", "description", "mtu", "speed", "fec", "ip address")


class KlishConfig:
    """Lines by view, in the order they were entered; each change is noted in the journal."""

    def __init__(self, folder: Folder, journal: Journal) -> None:
        self._folder, self._journal = folder, journal
        self._views: dict[str, list[str]] = {"": []}

    def boot(self) -> None:
        """Load the saved text; running is empty where there is none."""
        path = self._folder.host(STARTUP)
        self._views, view = {"": []}, ""
        for line in path.read_text().splitlines() if path.exists() else ():
            if line.startswith(" "):
                self._put(view, line.strip())
            else:
                view = line
                self._put("", line)

    def enter(self, view: str, line: str) -> None:
        """Put a line into a view ("" for the first one), or take out what `no` names."""
        before = self.text()
        if line.startswith("no "):
            self._remove(view, line.removeprefix("no "))
        else:
            self._put(view, line)
        if self.text() != before:
            self._journal.wrote("running", line, "klish")

    def text(self) -> str:
        """What `show running-config` prints: views one after the other, their lines indented."""
        lines = []
        for top in self._views[""]:
            lines += [top, *(f" {line}" for line in self._views.get(top, ()))]
        return "".join(f"{line}\n" for line in lines)

    def save(self) -> None:
        """Keep the running text for the next start."""
        self._folder.host(STARTUP).write_text(self.text())
        self._folder.settle(STARTUP)
        self._journal.wrote("saved", STARTUP, "klish")

    def _put(self, view: str, line: str) -> None:
        lines = self._views.setdefault(view, [])
        kind = next((k for k in SINGLE if line.startswith(f"{k} ")), None)
        if kind is not None:
            lines[:] = [each for each in lines if not each.startswith(f"{kind} ")]
        if line not in lines:
            lines.append(line)

    def _remove(self, view: str, line: str) -> None:
        gone = [x for x in self._views.get(view, []) if f"{x} ".startswith(f"{line} ")]
        for each in gone:
            self._views[view].remove(each)
            self._views.pop(each, None)
