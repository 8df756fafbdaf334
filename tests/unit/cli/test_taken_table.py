"""A pg_profile_lookup.ini taken from a switch: plans are made with it and held against it."""

from __future__ import annotations

import json
import shutil

import pytest

from nettool.catalog.catalog import catalog_beside
from nettool.config.validate.known_platforms import KnownPlatforms
from nettool.core.resources import shipped

PROFILE = "BUFFER_PROFILE|pg_lossless_400000_5m_profile|xoff"
INI = """\
# PG lossless profiles.
# speed cable size xon xoff threshold xon_offset
  400000 5m 1518 0 131072 1 13824
  800000 40m 1518 0 285312 1 13824
"""


@pytest.fixture
def folder(tmp_path):
    shutil.copy(shipped("inventories") / "rail-optimized-256" / "fabric.yaml", tmp_path)
    (tmp_path / "pg_profile_lookup.ini").write_text(INI)
    return tmp_path


@pytest.fixture
def taken(nettool, folder):
    """The fabric's folder, whose own catalog has the table under a name."""

    def under(name):
        given = ("-o", folder / "catalog", "--asic", "teralynx10", "--name", name)
        code, out, _ = nettool("catalog", "import", folder / "pg_profile_lookup.ini", *given)
        assert (code, "wrote " in out, "/headroom/" in out) == (0, True, True)
        return folder

    return under


def _told(nettool, folder):
    _, out, _ = nettool("validate", folder, "--format", "json")
    found = json.loads(out)["findings"]
    return {each["rule"]: each for each in found if each["rule"] in ("QOS013", "QOS020")}


def test_without_it_the_hint_says_how_to_give_it(nettool, folder):
    told = _told(nettool, folder)
    assert "QOS020" not in told
    assert (
        "`nettool catalog import pg_profile_lookup.ini -o FABRIC/catalog"
        in (told["QOS013"]["hint"])
    )


@pytest.mark.parametrize(
    ("name", "left"), [("CX864E-N", []), ("CX864E-N_64X400G_32X800G", ["QOS013"])]
)
def test_it_is_planned_with(nettool, taken, name, left):
    """Of a model it is every switch's; of one SKU the spines, which have another, lack one."""
    folder = taken(name)
    assert list(_told(nettool, folder)) == left
    _, out, _ = nettool("explain", folder, "leaf01", PROFILE, "--format", "json")
    assert json.loads(out)["value"] == "131072"


def test_a_plan_with_another_table_is_held_against_it(nettool, taken):
    folder = taken("CX864E-N")
    fabric = folder / "fabric.yaml"
    fabric.write_text(fabric.read_text().replace("qos:\n", "qos:\n  headroom_table: teralynx10\n"))
    told = _told(nettool, folder)
    assert "QOS013" not in told
    assert "table cx864e-n (given) has xoff 131,072 B" in told["QOS020"]["message"]
    assert "catalog import" not in told["QOS020"]["hint"]


def test_rules_take_it_for_the_switchs_own(taken):
    folder = taken("CX864E-N")
    platform = KnownPlatforms(catalog_beside(folder / "fabric.yaml")).named("CX864E-N")
    assert platform.lookup[400_000, 5].xoff == 131_072
    assert "lookup" not in platform.weak


@pytest.mark.parametrize("text", ["# speed cable\n400000 5m\n", "# nothing\n", ""])
def test_a_table_that_cannot_be_read_writes_nothing(nettool, folder, text):
    (folder / "pg_profile_lookup.ini").write_text(text)
    given = ("-o", folder / "catalog", "--asic", "teralynx10", "--name", "x")
    code, out, _ = nettool("catalog", "import", folder / "pg_profile_lookup.ini", *given)
    assert (code, "wrote" in out, (folder / "catalog").exists()) == (1, False, False)
    assert "IMP002" not in out
