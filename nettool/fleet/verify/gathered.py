"""A file of reported hosts, read so that one fault hides nothing else: each with line and column.

JSON or YAML. A host or NIC that cannot be read is a finding, and the others are compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from nettool.core.errors import FindingsError
from nettool.core.finding import Finding, Severity
from nettool.core.model import problem_of
from nettool.core.source import KeyPath, Source, SourceMap, parse_yaml, read_text
from nettool.fleet.verify.reported import ReportedHost, ReportedNic, Settings
from nettool.intent.intent import without_own_keys

BAD = "HST010"
_LOCATED = 2_000_000
"""Characters of JSON up to which lines are looked for: that takes longer than reading it."""
_HINT = "`nettool schema --hosts` prints the form of the file; host.json of a build is an example"
_SHAPE = "a list of hosts, or a mapping with `hosts`, is expected"

_NO_NAME = re.compile(r"[\s|]")
"""What parts the words of a finding, or its key, is in no name."""
_KEYS = "keys and values are expected"
_EXPECTED: Mapping[str, str] = {
    "tuple_type": "a list is expected",
    "dict_type": _KEYS,
    "model_type": _KEYS,
    "int_type": "a whole number is expected",
    "bool_type": "true or false is expected",
    "string_type": "text is expected",
}
"""What is expected, by pydantic's kind of error."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The hosts of a file by name, what is wrong with the file, and where things stand in it.

    `broken` are hosts and `host|nic` that are there and could not be read.
    """

    file: str
    hosts: Mapping[str, ReportedHost] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    broken: frozenset[str] = frozenset()
    places: SourceMap | None = None
    paths: Mapping[str, KeyPath] = field(default_factory=dict)

    def place(self, host: str, nic: str = "", name: str = "") -> dict[str, Any]:
        """File, line and column of a host, of its NIC, or of a field; what is known of them."""
        base = self.paths.get(f"{host}|{nic}" if nic else host)
        if base is None or self.places is None:
            return {"file": self.file}
        own, shared = (*base, name), (*self.paths[host], "agreement", name)
        is_shared = own not in self.places.values and shared in self.places.values
        return _where(self.places, shared if is_shared else own)


def load_hosts(path: Path) -> Gathered:
    """The hosts of a file. Raises UsageError where it is missing, FindingsError where it is broken.

    A key that stands twice makes a file broken: nobody knows which one is meant.
    """
    source = parse_json_or_yaml(read_text(path), str(path))
    return read_hosts(source.data, str(path), source.map if source.map.values else None)


def read_hosts(data: Any, file: str, places: SourceMap | None = None) -> Gathered:
    """The hosts of plain data; nothing raises for its content."""
    reading = _Reading(file, places)
    reading.read(without_own_keys(data))
    return Gathered(
        file=file,
        hosts=reading.hosts,
        findings=tuple(reading.findings),
        broken=frozenset(reading.broken),
        places=places,
        paths=reading.paths,
    )


def parse_json_or_yaml(text: str, file: str) -> Source:
    """JSON where it is such (tabs and size are no matter then), else YAML."""
    if text.lstrip()[:1] not in {"{", "["}:
        return parse_yaml(text, file)
    twice: list[str] = []
    try:
        data = json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, twice))
    except (ValueError, RecursionError):
        return parse_yaml(text, file)
    if twice:
        return parse_yaml(text, file)  # which says where
    if len(text) < _LOCATED:
        with suppress(FindingsError):
            return Source(data, parse_yaml(text, file).map)
    return Source(data, SourceMap(file))


def _object(pairs: Sequence[tuple[str, Any]], twice: list[str]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        twice.append("a key")
    return made


@dataclass
class _Reading:
    """Reads one file, host by host and NIC by NIC."""

    file: str
    places: SourceMap | None
    hosts: dict[str, ReportedHost] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)
    paths: dict[str, KeyPath] = field(default_factory=dict)

    def read(self, data: Any) -> None:
        """The whole file."""
        path: KeyPath = ()
        if isinstance(data, dict) and "hosts" in data:
            for key in sorted(set(data) - {"hosts", "schema_version"}):
                self._bad((key,), f"unknown key {key!r}", is_key=True)
            data, path = data["hosts"], ("hosts",)
        elif isinstance(data, dict) and "name" in data:
            self._host(data, ())
            return
        if not isinstance(data, list) or not data:
            self._bad(path, f"{_SHAPE}, not {_short(data)}")
            return
        for number, each in enumerate(data):
            self._host(each, (*path, number))

    def _host(self, data: Any, path: KeyPath) -> None:
        name = self._name(data, path, "a host", "")
        if name is None:
            return
        nics = data.get("nics", [])
        made = self._made(ReportedHost, {**data, "nics": []}, path, name)
        if not isinstance(nics, list):
            self._bad((*path, "nics"), f"{name}: a list of NICs is expected, not {_short(nics)}")
            self.broken.add(name)
            return
        found = [self._nic(name, each, (*path, "nics", n)) for n, each in enumerate(nics)]
        if made is not None:
            own = tuple(each for each in found if each is not None)
            self.hosts[name] = made.model_copy(update={"nics": own})

    def _nic(self, host: str, data: Any, path: KeyPath) -> ReportedNic | None:
        name = self._name(data, path, "a NIC", host)
        return None if name is None else self._made(ReportedNic, data, path, f"{host}|{name}")

    def _name(self, data: Any, path: KeyPath, what: str, host: str) -> str | None:
        """The name of a host or NIC that is there for the first time; else None and a finding."""
        name = data.get("name") if isinstance(data, dict) else None
        said = f"{host}: {what}" if host else what
        if not isinstance(name, str) or not name:
            self._bad(path, f"{said} with a `name` is expected, not {_short(data)}")
            return None
        if not name.isprintable() or _NO_NAME.search(name):
            wanted = "whose name has no blank, no | and no control character"
            self._bad((*path, "name"), f"{said} {wanted} is expected, not {_short(name)}")
            return None
        full = f"{host}|{name}" if host else name
        if full in self.paths:
            self._bad((*path, "name"), f"{full} stands twice: only the first one is compared")
            return None
        self.paths[full] = path
        return name

    def _made(self, model: Any, data: Any, path: KeyPath, name: str) -> Any:
        """The value of a model; None, and findings, where its data do not fit."""
        try:
            return model.model_validate(data)
        except ValidationError as exc:
            self.broken.add(name)
            for where, said, is_key in _faults(exc, data):
                self._bad((*path, *where), f"{name}: {said}", is_key=is_key)
            return None

    def _bad(self, path: KeyPath, message: str, *, is_key: bool = False) -> None:
        place: dict[str, Any] = {"file": self.file}
        if self.places is not None:
            place = _where(self.places, path, key=is_key)
        self.findings.append(
            Finding(rule=BAD, severity=Severity.ERROR, message=message, hint=_HINT, **place)
        )


def _faults(exc: ValidationError, data: Any) -> Iterator[tuple[KeyPath, str, bool]]:
    """What a model refused: the path, in one sentence, and whether it is the key that is wrong."""
    told: dict[KeyPath, list[str]] = {}
    given: dict[KeyPath, Any] = {}
    for error in exc.errors(include_url=False):
        path, value = _existing(error["loc"], data)
        if error["type"] == "extra_forbidden":
            yield path, _unknown(path), True
        else:
            expected = _EXPECTED.get(error["type"])
            message = expected or problem_of(error)
            told.setdefault(path, []).append(message)
            given[path] = value
    for path, said in told.items():
        problem, place = " or ".join(dict.fromkeys(said)), ".".join(map(str, path))
        yield path, f"{place}: {problem}; given {_short(given[path])}" if place else problem, False


def _existing(path: KeyPath, data: Any) -> tuple[KeyPath, Any]:
    """The part of a pydantic location that the data have, as a file spells it, and its value.

    The forms of a union are none of theirs.
    """
    kept: KeyPath = ()
    for part in path:
        if not isinstance(data, dict) or part not in data:
            break
        data, kept = data[part], (*kept, str(part))
    return kept, data


def _unknown(path: KeyPath) -> str:
    known = {*ReportedHost.model_fields, *ReportedNic.model_fields, *Settings.model_fields}
    close = get_close_matches(str(path[-1]), known, n=1)
    return f"unknown key {path[-1]!r}" + (f"; did you mean {close[0]!r}?" if close else "")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _where(places: SourceMap, path: KeyPath, *, key: bool = False) -> dict[str, Any]:
    place = places.place(path, key=key)
    return {"file": place.file, "line": place.line, "column": place.column}
