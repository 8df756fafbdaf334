"""Every rule has a whole page, sees only what it says it reads, and stands in the catalogue."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from nettool.config.validate.catalogue import SUBJECTS, catalogue
from nettool.config.validate.engine import explain
from nettool.config.validate.platform import Platform
from nettool.config.validate.rule import RULES, Context, DeviceRule
from nettool.core.errors import UsageError

CATALOGUE = Path(__file__).parents[2] / "docs" / "rules.md"


@pytest.mark.parametrize("rule_id", list(RULES))
def test_a_page_is_whole(rule_id: str) -> None:
    rule = RULES[rule_id]

    assert re.fullmatch(r"[A-Z]{3}\d{3}", rule.id)
    assert rule.id[:3] in SUBJECTS
    assert len(rule.why) > 20
    assert rule.why.endswith(".")
    assert rule.fix.endswith(".")
    assert len(rule.source) > 5


@pytest.mark.parametrize("rule_id", list(RULES))
def test_a_page_is_printed_whole(rule_id: str) -> None:
    rule = RULES[rule_id]

    page = explain(rule_id.lower())

    assert all(part in page for part in (rule.id, rule.title, rule.why, rule.fix, rule.source))


@pytest.mark.parametrize("rule_id", list(RULES))
def test_what_a_rule_needs_exists(rule_id: str) -> None:
    known = Context(platform=Platform("any"))

    for need in RULES[rule_id].needs:
        whole, _, fact = need.partition(".")
        assert hasattr(known, whole)
        assert not fact or hasattr(known.platform, fact)


def test_a_rule_names_the_tables_it_reads() -> None:
    unnamed = [
        rule.id
        for rule in (RULES[each] for each in RULES)
        if isinstance(rule, DeviceRule) and any(not each.isupper() for each in rule.reads)
    ]

    assert unnamed == []


def test_an_unknown_rule_is_refused_with_near_names() -> None:
    with pytest.raises(UsageError, match="there is no rule 'PRT999'; known are PRT001"):
        explain("PRT999")


def test_the_catalogue_in_the_documents_is_that_of_the_rules() -> None:
    if os.environ.get("NETTOOL_WRITE_DOCS"):
        CATALOGUE.write_text(catalogue(), encoding="utf-8")

    assert CATALOGUE.read_text(encoding="utf-8") == catalogue()
