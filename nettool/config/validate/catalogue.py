"""The rules as one Markdown page: `docs/rules.md` is the text of `catalogue()`."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.rule import RULES, Rule


def catalogue() -> str:
    """Every rule with its level, why, fix and public source, in order of ids."""
    rules = [RULES[name] for name in RULES]
    return "\n".join((*_index(rules), *(line for each in rules for line in _page(each))))


def _index(rules: list[Rule]) -> Iterator[str]:
    yield "# Rules of `nettool lint` and `nettool validate`"
    yield ""
    yield "An error breaks or drops in silence; a warning deserves a look; info is a note."
    yield "`nettool lint --explain RULE` prints the same."
    yield ""
    yield "| rule | level | finds |"
    yield "| --- | --- | --- |"
    for each in rules:
        yield f"| [{each.id}](#{each.id.lower()}) | {each.severity} | {each.title} |"
    yield ""


def _page(rule: Rule) -> Iterator[str]:
    yield f"## {rule.id}"
    yield ""
    yield f"**{rule.title[0].upper()}{rule.title[1:]}** ({rule.severity})"
    yield ""
    yield f"{rule.why} {rule.fix}"
    yield ""
    needs = f" Needs {', '.join(rule.needs)}." if rule.needs else ""
    yield f"Source: {rule.source}.{needs}"
    yield ""
