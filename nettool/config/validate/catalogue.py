"""The rule catalogue as a document: every rule with its level, why, fix and public source."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from nettool.config.validate.rule import RULES, FabricRule, Rule

SUBJECTS = {
    "ADR": "Addresses",
    "BGP": "BGP and ECMP",
    "BRK": "Breakout",
    "BUF": "Buffers and headroom",
    "FAB": "Across devices",
    "FEC": "FEC",
    "HSH": "Hashing",
    "JSN": "Reading a file",
    "LNK": "Links between devices",
    "MAP": "QoS maps, from DSCP to queue",
    "MBR": "VLAN and bundle membership",
    "MTU": "MTU",
    "PFC": "Priority flow control",
    "PRT": "Ports and lanes",
    "RCH": "Reachability",
    "REF": "References",
    "SCH": "Schedulers",
    "SEC": "Secrets",
    "TYP": "Types and names",
    "WAV": "Waivers",
    "WDG": "PFC watchdog",
    "WRD": "WRED and ECN",
}
"""What the first three letters of a rule's id stand for."""

_HEAD = """# Rules of `nettool lint` and `nettool validate`

An error is what breaks or silently drops; a warning deserves a look; info is a note.
`nettool lint --explain BUF003` prints one of these pages; a waiver names a rule and a place.
This file is written from the rules themselves (`nettool.config.validate.catalogue`).
"""


def catalogue() -> str:
    """The whole catalogue as Markdown, by subject and id; same rules, same bytes."""
    rules = [RULES[each] for each in RULES]
    parts = [_HEAD]
    for prefix, members in groupby(rules, key=lambda each: each.id[:3]):
        parts.append(f"## {SUBJECTS.get(prefix, prefix)}\n")
        parts.extend("\n".join(_page(each)) for each in members)
    return "\n".join(parts)


def _page(rule: Rule) -> Iterator[str]:
    yield f"### {rule.id}: {rule.title}\n"
    scope = "all devices together" if isinstance(rule, FabricRule) else "one file"
    needs = (
        f"; needs {', '.join(each.replace('_', ' ') for each in rule.needs)}" if rule.needs else ""
    )
    yield f"Level {rule.severity}; looks at {scope}{needs}.\n"
    yield f"- Why: {rule.why}"
    yield f"- Fix: {rule.fix}"
    yield f"- Source: {rule.source}\n"
