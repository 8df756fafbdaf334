"""Spines that stand nearly empty are told of, with the key that would do with fewer."""

import re

import pytest

from nettool.plan.design.design import design

STORAGE = {"topology": "clos", "rails": 2}
CASES = {
    "13 uplinks at 4:1 take 13 spines": (
        {"oversubscription": 4},
        "compute: 13 spines for 2 leaves of 13 uplinks, each with 2 of its 64 ports in use; the "
        "ports of 2 would do",
    ),
    "26 at 1.5:1": (
        {"oversubscription": 1.5, "nodes": 200},
        "compute: 13 spines for 6 leaves of 26 uplinks, each with 12 of its 64 ports in use; the "
        "ports of 3 would do",
    ),
    "an even share": ({"oversubscription": 3}, None),
    "a number that was given": ({"oversubscription": 4, "spines": 13}, None),
    "one switch": ({"nodes": 8}, None),
    "three tiers": ({"topology": "clos3", "oversubscription": 4}, None),
}


@pytest.fixture
def told(intent_of, catalog):
    """The finding on spare spines of a small storage network, None where there is none."""

    def of(**changes):
        _, report = design(intent_of(**{"nodes": 96, **STORAGE, **changes}), None, catalog)
        return next((each for each in report.findings if each.rule == "DSN017"), None)

    return of


@pytest.mark.parametrize("case", CASES)
def test_spare_spines(told, case):
    changes, message = CASES[case]
    found = told(**changes)
    assert (found and found.message) == message


def test_the_hint_does_what_it_says(told, fabric_of):
    """Each key of the hint, put into the fabric, has the numbers that it promises."""
    hint = told(oversubscription=4).hint
    assert hint.startswith(
        "`spines: 2` gives a leaf 12 uplinks, 4.25:1; or `oversubscription: 3.7` gives 2 spines "
        "and a leaf 14 uplinks, 3.57:1; or `spines: 13` to keep them"
    )
    for key, value in re.findall(r"`(\w+): ([\d.]+)`", hint)[:2]:
        changes = {"oversubscription": 4, key: float(value) if "." in value else int(value)}
        assert told(**changes) is None
        fabric = fabric_of(nodes=96, **{**STORAGE, **changes})
        assert sum(each.role == "spine" for each in fabric.devices) == 2


def test_parts_are_counted_together(told):
    found = told(topology="rail-clos", nodes=300, oversubscription=4)
    assert "each of 2 parts has 13 spines" in found.message
    assert "`spines: 26` to keep them" in found.hint
    assert "`spines: 4` gives" in found.hint
