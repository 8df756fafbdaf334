"""A build while it is made: the files of its switches and hosts, and what was noticed meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

from nettool.config.nos.artifact import Artifact, Tables
from nettool.config.validate.declared import Links
from nettool.config.validate.planned import planned_links
from nettool.core.finding import Report
from nettool.plan.design.fabric import Fabric
from nettool.report.documents import document
from nettool.report.folder import MANIFEST
from nettool.report.kept import File, Rebuild

Prove = Callable[[dict[str, Tables], Links], Report]
"""Every rule on rendered tables and the cables between them. Raises FindingsError on errors."""


class Rendered(Protocol):
    """The rendered files of some devices (None: of all), with each switch's state or without."""

    def __call__(self, only: Iterable[str] | None, *, states: bool) -> Iterator[Artifact]:
        """The files as they are made."""
        ...


class Building:
    """The files of the devices of one build; `rebuild` says which of an older one are the same."""

    def __init__(
        self, fabric: Fabric, rendered: Rendered, prove: Prove, rebuild: Rebuild | None
    ) -> None:
        self.unverified = 0
        self.report = Report()
        self._fabric, self._rendered, self._prove = fabric, rendered, prove
        self._rebuild = rebuild
        self._tables: dict[str, Tables] = {}

    @property
    def kept(self) -> int:
        """How many devices have the files of the build before."""
        return len(self._rebuild.kept) if self._rebuild else 0

    def files(self) -> Iterator[tuple[str, bytes | Path]]:
        """Path and content of every file; the last step proves the whole, or raises."""
        unverified: dict[str, list[str]] = {}
        for each in self._devices():
            self.unverified += len(each.unverified)
            if each.unverified:
                unverified.setdefault(each.device, []).extend(each.unverified)
            yield each.name, each.content
        yield "unverified.json", document({"schema_version": 1, "devices": unverified})
        self.report = self._prove(self._tables, self._links)
        if self._rebuild:
            yield MANIFEST, self._rebuild.now.text()

    def _devices(self) -> Iterator[File]:
        """The files of every device: rendered, or taken over."""
        switches, again = self._fabric.by_name, self._rebuild
        only = self._again if again else None
        for each in self._rendered(only, states=again is not None):
            folder = "devices" if each.device in switches else "hosts"
            if each.tables is not None:
                self._tables[each.device] = each.tables
            name = f"{folder}/{each.device}/{each.path}"
            file = File(each.device, name, each.text.encode(), each.unverified)
            if again is None or again.made(file):
                yield file
        if again:
            yield from again.taken_over()

    @cached_property
    def _again(self) -> set[str]:
        """What changed, and the switches at the other ends of its cables: rules look at both."""
        known, changed = self._fabric.by_name, self._rebuild.changed if self._rebuild else ()
        faced = (each for name in changed if name in known for _, each in known[name].used)
        return {*changed, *(each.device for each in faced if each.role != "node")}

    @property
    def _links(self) -> Links:
        """The cables between switches that were rendered."""
        links = planned_links(self._fabric)
        if self._rebuild is None:
            return links
        both = (x for x in links.links if x.a.device in self._again and x.b.device in self._again)
        return replace(links, links=tuple(both))
