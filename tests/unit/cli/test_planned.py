"""Which dialect a verb takes: the call's, else nettool.yml's, else the fabric file's."""

import shutil

import pytest

from nettool.cli.planned import planned
from nettool.core.errors import UsageError
from nettool.core.resources import shipped


@pytest.fixture
def folder(tmp_path):
    shutil.copy(shipped("inventories") / "rail-only-128" / "fabric.yaml", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("beside", "option", "nos"),
    [
        (None, None, "sonic"),
        ("plugin: nettool\n", None, "sonic"),
        ("plugin: nettool\nnos: ''\n", None, "sonic"),
        ("plugin: nettool\nnos: asternos\n", None, "asternos"),
        ("plugin: nettool\nnos: asternos\nfabric: fabric.yaml\n", None, "asternos"),
        ("plugin: nettool\nnos: asternos\nfabric: other.yaml\n", None, "sonic"),
        ("plugin: nettool\nnos: asternos\n", "sonic", "sonic"),
        (None, "asternos", "asternos"),
        ("- a list\n", None, "sonic"),
    ],
)
def test_dialect(folder, beside, option, nos):
    if beside:
        (folder / "nettool.yml").write_text(beside)
    assert planned(str(folder), option).intent.nos.name == nos


def test_a_dialect_that_is_none_is_refused(folder):
    (folder / "nettool.yml").write_text("plugin: nettool\nnos: junos\n")
    with pytest.raises(UsageError, match="nos is 'junos'; one of sonic, asternos is expected"):
        planned(str(folder))


def test_a_live_difference_takes_no_dialect(nettool, folder):
    code, _, err = nettool("diff", folder, "--live", "--nos", "asternos")
    assert (code, "--nos goes not with --live" in err) == (64, True)
