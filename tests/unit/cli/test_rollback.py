"""What the command line takes for the run to undo."""

import pytest

from nettool.cli.main import main


@pytest.mark.parametrize("run", ["", "  "])
def test_an_empty_run_is_not_taken_for_the_last_one(capsys, run):
    assert main(["rollback", "rail-only-128", "--run", run]) == 64
    said = "--run is empty: name one of `nettool history`, or leave it out"
    assert said in capsys.readouterr().err
