"""The tables of impacts are whole: every row and line that nettool writes is judged on purpose."""

import json
import re
from pathlib import Path

import pytest

from nettool.config.diff.changeset import Change, ChangeKind
from nettool.config.diff.meaning import meaning_of
from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.config.nos.models import modelled
from nettool.core.codes import codes
from nettool.fleet.telemetry.impact import JobImpact, impact_table, judge

GOLDEN = Path(__file__).parents[1] / "golden"
CONFIGS = sorted(GOLDEN.rglob("config_db.json"))
LINES = sorted(GOLDEN.rglob("asternos.cfg"))


def written():
    """Every table that a golden build writes, with a row of it and its fields."""
    rows = {}
    for path in CONFIGS:
        for table, own in json.loads(path.read_text()).items():
            for key, row in own.items():
                rows.setdefault(table, (key, {}))[1].update(row)
    return rows


@pytest.mark.parametrize(("table", "row"), sorted(written().items()), ids=str)
def test_what_nettool_writes_on_sonic_is_judged(table, row):
    key, fields = row
    changes = [Change(ChangeKind.ADD, table, key, None, None, fields)]
    changes += [Change(ChangeKind.REPLACE, table, key, each, "x", "y") for each in fields]
    unknown = [e.field for e in changes if judge(e, "sonic").impact is JobImpact.UNKNOWN]
    assert unknown == []


@pytest.mark.parametrize("path", LINES, ids=lambda path: path.parent.parent.parent.name)
def test_what_nettool_writes_on_asternos_is_judged(path):
    unknown = {
        re.sub(r"\d+", "N", line)
        for view, lines in read_lines(path.read_text()).items()
        for line in lines
        if judge(Change(ChangeKind.ADD, view, line, None, None, {}), "asternos").impact
        is JobImpact.UNKNOWN
    }
    assert unknown == set()


@pytest.mark.parametrize("nos", ["sonic", "asternos"])
def test_every_entry_says_why_and_whence(nos):
    table = impact_table(nos)
    assert {each.source for each in table.entries} == set(table.sources)
    assert all(len(each.why) > 10 and "." not in each.why for each in table.entries)
    assert all(bool(each.tables) is (nos == "sonic") for each in table.entries)


def test_a_table_that_is_judged_exists():
    """In a model of some release, or among those that a switch or its operators fill."""
    meaning = meaning_of(on_switch=True)
    known = modelled() | meaning.switch_tables | meaning.operator_tables
    named = {table for each in impact_table("sonic").entries for table in each.tables}
    assert named - known == set()


def test_no_field_of_a_table_has_two_entries():
    seen = {}
    for entry in impact_table("sonic").entries:
        for place in (
            (t, f, entry.intended, entry.keys) for t in entry.tables for f in entry.fields
        ):
            assert place not in seen, place
            seen[place] = entry


def test_every_impact_has_words_and_a_code_of_its_own():
    rules = [each.rule for each in JobImpact]
    assert len(set(rules)) == len(rules)
    for each in JobImpact:
        assert codes()[each.rule].finds == f"drift that {each.means}"
