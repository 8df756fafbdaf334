"""Every rule has a whole page, its id is in form, and the printed catalogue is in step."""

import re
from pathlib import Path

import pytest

from nettool.config.validate.catalogue import catalogue
from nettool.config.validate.engine import explain
from nettool.config.validate.rule import RULES

PUBLIC = re.compile(
    r"RFC \d|IEEE 802|sonic-(buildimage|swss|utilities)|sonic-net/|SIGCOMM|InfiniBand|CWE-|ESLint|"
    r"reference architecture"
)
PAGE = Path(__file__).parents[2] / "docs/rules.md"


@pytest.mark.parametrize("name", list(RULES))
def test_a_rule_has_a_whole_page(name):
    rule = RULES[name]
    assert rule.id == name
    assert re.fullmatch(r"[A-Z]{3}\d{3}", name)
    assert 8 <= len(rule.title) <= 90
    assert not rule.title.endswith(".")
    for text in (rule.why, rule.fix, rule.source):
        assert len(text) >= 8
    assert PUBLIC.search(rule.source), "a public document is named"
    assert rule.why.endswith(".")
    assert rule.fix.endswith(".")


@pytest.mark.parametrize("name", list(RULES))
def test_a_rule_explains_itself(name):
    page = explain(name)
    assert all(text in page for text in (RULES[name].why, RULES[name].fix, RULES[name].source))


def test_titles_are_unique():
    titles = [RULES[name].title for name in RULES]
    assert len(set(titles)) == len(titles)


def test_the_catalogue_is_in_step():
    """To renew it: write the text of `catalogue()` into docs/rules.md."""
    assert PAGE.read_text(encoding="utf-8") == catalogue()
