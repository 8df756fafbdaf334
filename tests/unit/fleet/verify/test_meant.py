"""A wrong name is told the one it was meant for, however many there are."""

import pytest

from nettool.fleet.verify import meant
from nettool.fleet.verify.meant import Meant

NAMES = ("node01", "node02", "node12", "gpu7")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("Node02", "node02"),
        ("node12.cluster.example", "node12"),
        ("node-1", "node01"),
        ("gpu07", "gpu7"),
        ("nodee12", "node12"),
        ("storage", None),
        ("", None),
    ],
)
def test_the_name_that_is_meant(word, name):
    assert Meant(NAMES).by(word) == name


def test_of_very_many_only_other_spellings_are_found():
    many = Meant([f"node{n:05}" for n in range(meant._COMPARED + 1)])
    assert many.by("nodee00001") is None
    assert many.by("node-1") == "node00001"
