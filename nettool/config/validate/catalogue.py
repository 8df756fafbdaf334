"""The rules as one Markdown page: `docs/rules.md` is the text of `catalogue()`."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.rule import RULES, Rule
from nettool.core.codes import codes

_DECLARED = """\
## What can be told beside the files

`--traffic FILE` tells what hosts send, `--links FILE` how devices are cabled; several files, or
`--links`, are checked as one fabric. Without `--links`, cables are those of DEVICE_NEIGHBOR.

```yaml
# links.yaml: a list of cables, or a mapping with links, tiers and rails
links:
- {a: "leaf01:Ethernet0", b: "spine01:Ethernet8", length_m: 30, medium: smf}
- {a: "leaf01:Ethernet4", b: "node02:nic1", b_speed: 200000, b_mtu: 9000}
tiers: {leaf01: leaf, spine01: spine}
rails: {leaf01: 1}          # the number of the NICs that this leaf serves
```

A cable plan as CSV (`cabling.csv` of a build, or any with the columns a_device, a_port, b_device
and b_port; speed, length_m, medium, a_optic and b_optic are read where they are there) serves as
well. It is taken to name every cable of its devices.
"""


def catalogue() -> str:
    """Every rule with its level, why, fix and public source, then every other code."""
    rules = [RULES[name] for name in RULES]
    pages = (line for each in rules for line in _page(each))
    return "\n".join((*_index(rules), *pages, *_others()))


def _index(rules: list[Rule]) -> Iterator[str]:
    yield "# Rules of `nettool lint` and `nettool validate`"
    yield ""
    yield "An error breaks or drops in silence; a warning deserves a look; info is a note."
    yield "`nettool lint --explain CODE` prints the same. Codes that inputs, plan, build, cabling,"
    yield "verify and drift give are [at the end](#codes-of-the-other-stages)."
    yield ""
    yield "| rule | level | finds |"
    yield "| --- | --- | --- |"
    for each in rules:
        yield f"| [{each.id}](#{each.id.lower()}) | {each.severity} | {each.title} |"
    yield ""
    yield _DECLARED


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


def _others() -> Iterator[str]:
    yield "## Codes of the other stages"
    yield ""
    yield "| code | level | finds | why, and what to do |"
    yield "| --- | --- | --- | --- |"
    for each in codes().values():
        yield f"| {each.id} | {each.level} | {each.finds} | {each.why} {each.fix} |"
    yield ""
