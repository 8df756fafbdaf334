"""The configuration text of a mock AsterNOS switch: views and lines, running and saved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nettool.fleet.mock.folder import Folder
    from nettool.fleet.mock.journal import Journal

STARTUP = "/etc/sonic/startup.cfg"
"""Assumed: which file `write` writes is not public."""
SINGLE = (
    "hostname",
    "description",
    "mtu",
    "speed",
    "fec",
    "ip address",
    "switchport access vlan",
    "service-policy",
    "bgp router-id",
    "maximum-paths",
)
"""Commands of which a view holds one: a later one takes an earlier one's place."""
PEER = re.compile(r"(neighbor \S+) remote-as")
"""Of a peer a view holds one of these, and forgets all of the peer without it (FRR bgp_vty.c)."""
DEFAULTS = (
    "priority-flow-control enable 3",
    "priority-flow-control enable 4",
    "bgp ebgp-requires-policy",
)
"""In force unless `no` says otherwise, which is shown (vendor's PFC page; FRR)."""
ALWAYS = ("interface ethernet ", "interface mgmt ")
"""Views that no command makes: without a line in them they are not shown."""


View = tuple[str, ...]
"""The commands that lead into a view, from the first view on; that one is empty."""


class KlishConfig:
    """Lines by view, in the order they were entered; each change is noted in the journal."""

    def __init__(self, folder: Folder, journal: Journal, followed: Callable[[bool], None]) -> None:
        self._folder, self._journal = folder, journal
        self._followed = followed
        """Called once the lines have changed; True after a start."""
        self._views: dict[View, list[str]] = {(): []}

    @property
    def views(self) -> Mapping[View, Sequence[str]]:
        """The running lines by view."""
        return self._views

    def boot(self) -> None:
        """Load the saved text; running is empty where there is none."""
        path = self._folder.host(STARTUP)
        self._views = {(): []}
        view: View = ()
        for raw in path.read_text().splitlines() if path.exists() else ():
            depth = len(raw) - len(raw.lstrip())
            self._put(view[:depth], raw.strip())
            view = (*view[:depth], raw.strip())
        self._followed(True)

    def enter(self, view: View, line: str) -> None:
        """Put a line into a view, or take out what `no` names."""
        before = self.text()
        bare = line.removeprefix("no ")
        if line == bare:
            self._remove(view, f"no {line}")
            self._put(view, line)
        else:
            self._remove(view, bare)
            if bare in DEFAULTS:
                self._put(view, line)
        if self.text() != before:
            self._journal.wrote("running", line, "klish")
            self._followed(False)

    def text(self) -> str:
        """What `show running-config` prints: views one after the other, their lines indented."""
        return "".join(f"{line}\n" for line in self._shown(()))

    def save(self) -> None:
        """Keep the running text for the next start."""
        self._folder.host(STARTUP).write_text(self.text())
        self._folder.settle(STARTUP)
        self._journal.wrote("saved", STARTUP, "klish")

    def _shown(self, view: View) -> Iterator[str]:
        for line in self._views.get(view, ()):
            inner = list(self._shown((*view, line)))
            if inner or view or not line.startswith(ALWAYS):
                yield f"{' ' * len(view)}{line}"
                yield from inner

    def _put(self, view: View, line: str) -> None:
        if view and view[-1] not in self._views.setdefault(view[:-1], []):
            self._put(view[:-1], view[-1])
        lines = self._views.setdefault(view, [])
        kind = next((k for k in SINGLE if line.startswith(f"{k} ")), None)
        if found := PEER.match(line):
            kind = found[0]
        if kind is not None:
            lines[:] = [each for each in lines if not each.startswith(f"{kind} ")]
        if line not in lines:
            lines.append(line)

    def _remove(self, view: View, line: str) -> None:
        gone = [x for x in self._views.get(view, []) if f"{x} ".startswith(f"{line} ")]
        for each in gone:
            self._views[view].remove(each)
            if found := PEER.match(each):
                self._forget(view, f"{found[1]} ")
            inner = (*view, each)
            for other in [v for v in self._views if v[: len(inner)] == inner]:
                del self._views[other]

    def _forget(self, view: View, words: str) -> None:
        """Take out what begins with these words, in a view and in those inside it."""
        for other, lines in self._views.items():
            if other[: len(view)] == view:
                lines[:] = [each for each in lines if not each.startswith(words)]
