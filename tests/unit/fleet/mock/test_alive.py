"""One fleet a folder while it lives; what a killed one left behind goes with the next."""

import os
import tempfile

import pytest

from nettool.cli.main import main
from nettool.core.errors import RefusedError
from nettool.fleet.mock.alive import forget_dead, hold
from nettool.fleet.mock.serve import alone_in

LONG_AGO = 1_000_000


def test_a_second_fleet_in_a_folder_is_refused_until_the_first_has_ended(tmp_path):
    out = tmp_path / ".mock"
    said = rf"served into .* already \(process {os.getpid()}\): end it, or name another"
    with alone_in(out), pytest.raises(RefusedError, match=said), alone_in(out):
        pass
    with alone_in(out):
        (out / "mock.yml").touch()


def test_only_what_the_dead_left_behind_goes(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("mock-dead", "mock-alive", "mock-young", "other-dead"):
        (tmp_path / name).mkdir()
        hold(tmp_path / name).close()
        if not name.endswith("young"):
            os.utime(tmp_path / name / ".alive", (LONG_AGO, LONG_AGO))
    (tmp_path / "mock-not-ours").mkdir()
    with hold(tmp_path / "mock-alive"):
        os.utime(tmp_path / "mock-alive" / ".alive", (LONG_AGO, LONG_AGO))
        forget_dead("mock-")
    left = sorted(each.name for each in tmp_path.iterdir())
    assert left == ["mock-alive", "mock-not-ours", "mock-young", "other-dead"]


@pytest.mark.parametrize("scale", ["0", "-1", "nan", "inf", "11", "fast"])
def test_time_neither_stands_nor_runs_back(scale, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["mock", "serve", "rail-only-128", f"--scale={scale}"]) == 64
    assert f"--scale takes seconds above 0, at most 10, not '{scale}'" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
