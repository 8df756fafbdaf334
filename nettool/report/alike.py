"""What is alike among findings is said once: the first in full, then where else and how often."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from nettool.core.finding import Finding, Report, Severity
from nettool.core.order import cell_order, natural

_FEW = 3
"""So many further places are named; the rest is a count."""
_QUOTED = re.compile(r"'[^']*'")
_ENDS = re.compile(r"^\S+:\S+ to \S+:\S+: ")
"""The two ends of a cable, which a sheet's row differs in from the next."""
_NAME = re.compile(r"(?<![\w.])[A-Za-z][A-Za-z-]*\d[\w/-]*")
"""The name of a port or device, by its number; `400G` is a value."""
_SUBJECT = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F]{1,4}:[0-9a-fA-F:]+)(?![\w.:])"
    rf"|{_NAME.pattern}(?:\|[\d-]+)?"
)
"""An address, or the name of a port or device, with the queue or priority group of a port."""
_COUNT = re.compile(r"(?<=: )\d[\d,]*(?= )")
"""What a counter of a place came to."""


class Alike(NamedTuple):
    """A finding to be shown, and in words what else it stands for (empty: itself alone)."""

    finding: Finding
    others: str = ""


def grouped(report: Report, *, every: bool = False, crowds: bool = False) -> Iterator[Alike]:
    """Findings, infos first and errors last; `every` gives each on its own.

    Alike are findings that say the same of several places: the rows of a table, the cells of a
    sheet's column, the switches of a fabric. With `crowds` infos of one rule at one place are too,
    whatever each says.
    """
    for severity in reversed(Severity):
        found = [each for each in report.findings if each.severity is severity]
        if every:
            yield from map(Alike, found)
            continue
        for group in _groups(found, crowded=_crowded(found) if crowds else frozenset()):
            yield Alike(group[0], _others(group) if len(group) > 1 else "")


def _crowded(findings: Iterable[Finding]) -> frozenset[object]:
    """Places of which one rule has several infos to say."""
    seen: set[object] = set()
    twice: set[object] = set()
    for each in findings:
        if each.severity is Severity.INFO:
            (twice if _place(each) in seen else seen).add(_place(each))
    return frozenset(twice)


def _groups(findings: Iterable[Finding], crowded: frozenset[object]) -> Iterable[list[Finding]]:
    groups: dict[object, list[Finding]] = {}
    for each in findings:
        place = _place(each)
        groups.setdefault(place if place in crowded else _meaning(each), []).append(each)
    return groups.values()


def _place(finding: Finding) -> tuple[object, ...]:
    place = (finding.file, finding.line, finding.device, finding.table, finding.key, finding.field)
    return (finding.rule, *place)


def _meaning(finding: Finding) -> tuple[object, ...]:
    """What alike findings share: all but the row, the cell or the switch that they are of.

    In an error of a user's file the names of ports and devices may differ too, in a sheet all
    that is quoted; a cable that is joined otherwise is a difference of its own. What is said of
    a switch itself may differ in names, addresses and what was counted.
    """
    message = _of_itself(finding)
    if _is_live(finding):
        return (finding.rule, _COUNT.sub("#", _SUBJECT.sub("#", message)), finding.hint or "")
    if finding.table or not finding.file:
        said = tuple(_nameless(text or "", finding.key) for text in (message, finding.hint))
        return (finding.rule, *said, finding.table, finding.field)
    cell = _cell(finding)
    message = _QUOTED.sub("''", _ENDS.sub("", finding.message)) if cell else finding.message
    place = (finding.file, cell[0], cell[2]) if cell else (finding.file if finding.line else None,)
    said = (message, finding.hint or "")
    if finding.severity is Severity.ERROR:
        said = (_NAME.sub("#", said[0]), _NAME.sub("#", said[1]))
    return (finding.rule, *said, *place)


def _nameless(text: str, key: str | None) -> str:
    """A text without its own row's name: `Ethernet0|3` and the port in it."""
    for name in (key, *key.split("|")) if key else ():
        if _NAME.fullmatch(name) or "|" in name:
            text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", "#", text)
    return text


def _is_live(finding: Finding) -> bool:
    """Whether it is of a switch that was looked at: of no file, and no row of a table."""
    return bool(finding.device) and not (finding.file or finding.table or finding.key)


def _of_itself(finding: Finding) -> str:
    """The message without the switch's own name before it."""
    return finding.message.removeprefix(f"{finding.device}: ")


def _subject(text: str) -> str | None:
    """The first name or address in a text."""
    found = _SUBJECT.search(text)
    return found[0] if found else None


def _others(group: list[Finding]) -> str:
    first, *rest = group
    if not _is_live(first) and all(_place(each) == _place(first) for each in rest):
        return f"and {len(rest)} more of {first.rule} here"
    devices = {each.device for each in group if each.device}
    many = len(devices) > _FEW + 1
    others = devices - {first.device} if many else {_name(each, first) for each in rest}
    names = sorted(others - {_name(first, first)}, key=natural)
    named = ", ".join([*names[:_FEW], *["…"] * (len(names) > _FEW)])
    where = f" on {len(devices)} devices" if many else ""
    return f"and {len(rest)} more alike{where}: {named}"


def _name(finding: Finding, first: Finding) -> str:
    """Where a finding stands, told by what is other than in the first of its group."""
    file = finding.file if finding.file != first.file else None
    line = f"line {finding.line}" if finding.line and not finding.key else None
    device = finding.device if finding.device != first.device else None
    key = _subject(_of_itself(finding)) if _is_live(finding) else finding.key
    words = (file, device, line, key if not device or _cell(finding) else None)
    return " ".join(filter(None, words)) or "the same place"


def _cell(finding: Finding) -> tuple[object, ...] | None:
    return cell_order(finding.key) if finding.key and finding.table is None else None
