"""A starter is written whole or not at all, and never over what is there."""

import shlex

import pytest

from nettool.cli.main import main
from nettool.core.written import aside_of

NAMES = ["fabric.yaml", "nettool.yml"]


def test_a_starter_is_a_fabric_and_its_inventory(tmp_path, capsys):
    assert main(["init", str(tmp_path / "new")]) == 0
    assert sorted(each.name for each in (tmp_path / "new").iterdir()) == NAMES
    assert "next: nettool plan" in capsys.readouterr().out


def test_the_next_step_can_be_pasted_whatever_the_folder_is_called(tmp_path, capsys):
    assert main(["init", str(tmp_path / "my site's")]) == 0
    command = capsys.readouterr().out.splitlines()[-1].removeprefix("next: ")
    assert shlex.split(command) == ["nettool", "plan", str(tmp_path / "my site's")]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_there_stays(name, tmp_path, capsys):
    (tmp_path / name).write_text("mine")
    assert main(["init", str(tmp_path)]) == 64
    assert "exists; nothing was written" in capsys.readouterr().err
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [(name, "mine")]


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_leaves_nothing_and_init_can_be_called_again(name, tmp_path, capsys):
    aside_of(tmp_path / name, "new").symlink_to("/dev/full")
    assert main(["init", str(tmp_path)]) == 64
    assert "No space left on device" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert main(["init", str(tmp_path)]) == 0
