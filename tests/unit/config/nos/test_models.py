"""Which tables SONiC has a model of: by branch, in step with everything that lists them."""

import pytest

from nettool.config.nos.dialects.sonic.release import releases
from nettool.config.nos.dialects.sonic.updater import branches
from nettool.config.nos.models import (
    first_branch,
    model_branches,
    modelled,
    modelled_on,
    unmodelled,
    written_on,
)
from nettool.config.validate.constraints import constraints
from nettool.fleet.mock.updater.rules import model_rules


def test_models_were_read_of_every_branch_that_an_updater_was():
    assert model_branches() == tuple(branches())


@pytest.mark.parametrize(
    ("table", "first", "lacks"),
    [
        ("PORT", "202205", ()),
        ("SWITCH_HASH", "202305", ()),
        ("TC_TO_DSCP_MAP", "202411", ()),
        ("SAG", "master", ()),
        ("RADIUS", "202205", ("202211",)),
    ],
)
def test_a_table_is_modelled_from_its_first_branch_on(table, first, lacks):
    names = list(model_branches())
    wanted = [name for name in names[names.index(first) :] if name not in lacks]
    assert [name for name in names if table in modelled_on(name)] == wanted


def test_a_vendors_own_table_is_modelled_nowhere():
    assert "MY_TABLE" not in modelled()
    assert "USER" not in modelled()


def test_what_validation_looks_into_is_modelled():
    assert set(constraints()) <= modelled()


def test_what_programs_use_without_a_model_has_none_on_any_branch():
    assert not unmodelled() & modelled()


@pytest.mark.parametrize(
    ("database", "branch"),
    [("version_202405_01", "202405"), ("version_4_0_3", ""), ("version_209905_01", ""), ("", "")],
)
def test_a_file_tells_its_branch_in_its_versions_row(database, branch):
    assert written_on(database) == branch


def test_a_table_tells_the_branch_it_came_with():
    assert (first_branch("SAG"), first_branch("MY_TABLE")) == ("master", "")


def test_every_release_that_is_rendered_for_has_its_models_listed():
    assert set(releases()) <= set(model_branches())


def test_the_mocks_updater_has_the_models_of_master():
    assert set(model_rules()["modelled"]) == modelled_on("master")
