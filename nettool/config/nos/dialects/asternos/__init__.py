"""AsterNOS of Asterfusion CX-N switches: klish command lines, and Easy RoCE as REST bodies.

What no public page proves is marked where it stands and counted; what has no public grammar at
all is a comment. Names of ports follow the lane index, EthernetN as ethernet 0/N (inferred).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nettool.config.device.device import DeviceConfig
from nettool.config.nos.artifact import Artifact, Explained, Tables
from nettool.config.nos.dialect import DIALECTS, Templates
from nettool.config.nos.dialects.asternos import roce
from nettool.config.nos.dialects.asternos.grammar import Line, grammar
from nettool.config.nos.dialects.asternos.manual import manual_lines
from nettool.config.nos.dialects.asternos.sections import Section, sections
from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.config.nos.dialects.asternos.unwritten import unwritten_text

_MARK = "! unverified on hardware: "


class Asternos:
    """The dialect of AsterNOS, releases R0407 to R0500."""

    name = "asternos"
    releases = grammar().releases
    default_release = grammar().default_release

    def serves(self, config: object) -> bool:
        """Switches whose intent names AsterNOS."""
        return isinstance(config, DeviceConfig) and config.identity.nos == self.name

    def artifacts(self, config: DeviceConfig, templates: Templates) -> tuple[Artifact, ...]:
        """asternos.cfg, roce.json and unwritten.json of one switch."""
        release = self._release(config)
        parts = tuple(self._sections(config, release))
        unwritten = unwritten_text(config, templates.memory)
        return (
            self._lines(config, parts, templates),
            self._roce(config, release, templates),
            Artifact(config.name, self.name, "unwritten.json", unwritten),
        )

    def explain(self, config: DeviceConfig, path: str) -> Explained | None:
        """A line of asternos.cfg by its number, from 1."""
        if not path.isdecimal():
            return None
        written = [
            line for _, line in _numbered(config, self._sections(config, self._release(config)))
        ]
        number = int(path) - 1
        line = written[number] if 0 <= number < len(written) else None
        return Explained(config.name, path, line.text, line.why) if line else None

    def parse(self, text: str) -> Tables:
        """The lines of a saved configuration, by view."""
        return read_lines(text)

    def _release(self, config: DeviceConfig) -> str:
        asked = config.identity.release
        return asked if asked in self.releases else self.default_release

    def _sections(self, config: DeviceConfig, release: str) -> Iterator[Section]:
        yield from sections(config, release)
        if config.qos and _is_manual(config):
            yield Section("RoCE", tuple(manual_lines(config.qos)))

    def _lines(
        self, config: DeviceConfig, parts: tuple[Section, ...], templates: Templates
    ) -> Artifact:
        lines = [line for section in parts for line in section.lines]
        open_lines = tuple(line.text for line in lines if not line.is_verified)
        view = {
            "head": _head(config, self._release(config), len(lines), len(open_lines)),
            "sections": [_section(each) for each in parts],
        }
        text = templates.render("asternos/asternos.cfg.j2", view)
        notes = tuple(line.text for line in lines if line.text.startswith("! not emitted"))
        return Artifact(config.name, self.name, "asternos.cfg", text, None, open_lines, notes)

    def _roce(self, config: DeviceConfig, release: str, templates: Templates) -> Artifact:
        bodies = [] if _is_manual(config) else roce.requests(config)
        view = {
            "release": release,
            "source": roce.SOURCE,
            "requests": bodies,
            "objects": [] if _is_manual(config) else list(roce.objects(config)),
            "bindings": [] if _is_manual(config) else roce.bindings(config),
        }
        text = templates.render("asternos/roce.json.j2", view)
        open_ones = tuple(
            f"{each['method']} {each['path']} {each['body']}"
            for each in bodies
            if each["trust"] != "published"
        )
        return Artifact(config.name, self.name, "roce.json", text, None, open_ones)


def _is_manual(config: DeviceConfig) -> bool:
    return config.identity.roce == "manual"


def _head(config: DeviceConfig, release: str, lines: int, unverified: int) -> list[str]:
    trusts = {str(slot.lane_trust) for slot in config.ports.layout.slots}
    head = [
        f"{config.name}: AsterNOS {release}, {config.identity.model} {config.identity.sku}",
        f"{unverified} of {lines} lines are unverified on hardware; each block says so",
    ]
    if "assumed" in trusts:
        head.append("lanes, port index and breakout modes of this model are assumed, not public")
    return head


def _section(section: Section) -> Mapping[str, object]:
    return {"title": section.title, "lines": [text for text, _ in _marked(section)]}


def _marked(section: Section) -> Iterator[tuple[str, Line | None]]:
    """The lines as written; above each run of unverified ones a comment with their source."""
    last: str | None = None
    for line in section.lines:
        source = None if line.is_verified else line.why.source
        if source is not None and source != last:
            yield f"{_MARK}{source}", None
        last = source
        yield f"{' ' * line.depth}{line.text}", line


def _numbered(config: DeviceConfig, parts: Iterator[Section]) -> Iterator[tuple[str, Line | None]]:
    """Every line of asternos.cfg as the template writes it, with what it comes from."""
    head_lines = 3 if _assumed(config) else 2
    yield from (("!", None) for _ in range(head_lines))
    for section in parts:
        yield "!", None
        yield f"! {section.title}", None
        yield from _marked(section)


def _assumed(config: DeviceConfig) -> bool:
    return any(slot.lane_trust == "assumed" for slot in config.ports.layout.slots)


DIALECTS.add(Asternos.name)(Asternos())
