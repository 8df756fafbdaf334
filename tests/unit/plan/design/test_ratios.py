"""A ratio far from the one asked for is told of, with the keys that come nearer to it."""

import re

import pytest

from nettool.plan.design.design import design

CLOS3 = {"topology": "clos3", "rails": 4}
CASES = {
    "24 nodes leave leaves of 4:1 half empty": (
        {**CLOS3, "nodes": 24, "oversubscription": 4},
        ("info", "compute: leaf to spine is 0.923:1, 4:1 was asked for: 52 uplinks, 12 would do"),
    ),
    "1.85:1 for 4:1": (
        {"nodes": 48, "oversubscription": 4},
        ("info", "compute: leaf to spine is 1.85:1, 4:1 was asked for: 52 uplinks, 24 would do"),
    ),
    "5 spines get 5 of 8 uplinks": (
        {"nodes": 96, "oversubscription": 6, "spines": 5},
        ("warning", "compute: leaf to spine is 9.6:1, 6:1 was asked for: 20 uplinks, 32 would do"),
    ),
    "as asked": ({"nodes": 96, "oversubscription": 3}, None),
    "what rounding alone takes": ({"nodes": 96, "oversubscription": 1.5}, None),
    "one switch": ({"nodes": 8, "oversubscription": 4}, None),
}


@pytest.fixture
def told(intent_of, catalog):
    """The finding on the ratio of a network, None where there is none, and the design."""

    def of(**changes):
        fabric, report = design(intent_of(**changes), None, catalog)
        return next((each for each in report.findings if each.rule == "DSN018"), None), fabric

    return of


@pytest.mark.parametrize("case", CASES)
def test_a_far_ratio(told, case):
    changes, expected = CASES[case]
    found, _ = told(**changes)
    assert (found and (str(found.severity), found.message)) == expected


@pytest.mark.parametrize(
    ("changes", "hint"),
    [
        ({**CLOS3, "nodes": 24}, "`spines: 7` gives 1.71:1; or keep it, where the fabric"),
        ({"nodes": 128}, "`spines: 8` gives 4:1; or keep it, where the fabric is to grow"),
        (
            {"nodes": 96, "oversubscription": 6, "spines": 5},
            "`spines: 2` gives 6:1; or leave out the number that was given",
        ),
    ],
)
def test_the_hint_does_what_it_says(told, changes, hint):
    changes = {"oversubscription": 4, **changes}
    found, _ = told(**changes)
    assert found.hint.startswith(hint)
    ((key, number, ratio),) = re.findall(r"`(\w+): (\d+)` gives ([\d.]+):1", found.hint)
    _, fabric = told(**{**changes, key: int(number)})
    reached = next(each for each in fabric.tiers if each.name == "leaf-spine").oversubscription
    assert f"{reached:.3g}" == ratio
