"""A build folder is whole or not there."""

import pytest

from nettool.core.errors import FindingsError, UsageError
from nettool.core.finding import Report
from nettool.report.folder import write_folder

FILES = [("fabric.json", b"{}"), ("devices/leaf01/a", b"1")]


def _breaks():
    yield from FILES
    raise FindingsError(Report.of(()))


def test_a_new_folder_replaces_the_old_one_whole(tmp_path):
    out = tmp_path / "build"
    assert write_folder(out, [*FILES, ("devices/gone/b", b"2")]) == 3
    assert write_folder(out, FILES) == 2
    assert sorted(p.name for p in out.rglob("*") if p.is_file()) == ["a", "fabric.json"]
    assert [p.name for p in tmp_path.iterdir()] == ["build"]


def test_a_failure_leaves_the_old_folder_and_no_rest(tmp_path):
    out = tmp_path / "build"
    write_folder(out, FILES)
    with pytest.raises(FindingsError):
        write_folder(out, _breaks())
    assert (out / "devices/leaf01/a").read_bytes() == b"1"
    assert [p.name for p in tmp_path.iterdir()] == ["build"]


def test_a_failure_makes_no_folder(tmp_path):
    with pytest.raises(FindingsError):
        write_folder(tmp_path / "build", _breaks())
    assert list(tmp_path.iterdir()) == []


def test_folders_of_others_are_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="left alone"):
        write_folder(tmp_path, FILES)
    assert (tmp_path / "thesis.txt").exists()


def test_a_file_in_the_way(tmp_path):
    path = tmp_path / "build"
    path.write_text("x")
    with pytest.raises(UsageError, match="is a file"):
        write_folder(path, FILES)
