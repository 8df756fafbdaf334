"""Which tables SONiC has a model of: by branch, in step with everything that lists them."""

import pytest

from nettool.config.nos.dialects.sonic.updater import branches
from nettool.config.nos.models import model_branches, modelled, modelled_on
from nettool.config.validate.constraints import constraints, known_tables
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


def test_what_validation_knows_of_is_modelled_or_read_by_a_daemon():
    assert set(constraints()) <= modelled()
    assert known_tables() - modelled() >= {"WATERMARK_TABLE"}


def test_the_mocks_updater_has_the_models_of_master():
    assert set(model_rules()["modelled"]) == modelled_on("master")
