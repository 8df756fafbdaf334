"""A file is whole or not there, and nothing is left beside it."""

import os
import subprocess
import sys

import pytest

from nettool.core.errors import UsageError
from nettool.core.written import aside_of, remove_folder, sweep, write_file


@pytest.fixture(scope="module")
def gone():
    """The number of a process that has ended."""
    return int(subprocess.check_output([sys.executable, "-c", "import os; print(os.getpid())"]))


def test_a_new_file_takes_the_place_of_the_old(tmp_path):
    path = tmp_path / "a.csv"
    write_file(path, b"old")
    path.chmod(0o640)
    write_file(path, b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o640)
    assert list(tmp_path.iterdir()) == [path]


def test_a_private_file_is_its_owners_alone_whatever_the_old_one_was(tmp_path):
    path = tmp_path / "leaf01.json"
    path.write_bytes(b"old")
    path.chmod(0o644)
    for content in (b"secret", b"more"):
        write_file(path, content, private=True)
        assert (path.read_bytes(), path.stat().st_mode & 0o777) == (content, 0o600)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_file(tmp_path / "link", b"x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"x"


@pytest.mark.parametrize("target", ["folder", "missing/a", "file/a"])
def test_what_cannot_be_written_leaves_nothing(target, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"f")
    with pytest.raises(UsageError, match="nothing was written"):
        write_file(tmp_path / target, b"x")
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["file", "folder"]


def test_a_full_disk_keeps_the_old_file(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")
    aside_of(path, "new").symlink_to("/dev/full")
    with pytest.raises(UsageError, match="No space left on device; nothing was written"):
        write_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("count", [0, 3, 250])
def test_a_folder_goes_with_all_in_it_and_nothing_else(tmp_path, count):
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/file").write_bytes(b"k")
    for number in range(count):
        inner = tmp_path / f"build/devices/leaf{number}/own"
        inner.mkdir(parents=True)
        (inner / "a").write_bytes(b"a")
    (tmp_path / "build").mkdir(exist_ok=True)
    (tmp_path / "build/file").write_bytes(b"f")
    (tmp_path / "build/link").symlink_to(tmp_path / "kept")
    remove_folder(tmp_path / "build")
    remove_folder(tmp_path / "build")
    assert [each.name for each in tmp_path.rglob("*")] == ["kept", "file"]


def test_what_the_dead_left_is_swept_and_the_living_keep_theirs(tmp_path, gone):
    out = tmp_path / "build"
    out.mkdir()
    (tmp_path / f".build.new-{gone}").mkdir()
    (tmp_path / f".build.new-{gone}/file").write_bytes(b"x")
    (tmp_path / f".build.old-{gone}").write_bytes(b"x")
    kept = [f".build.new-{os.getpid()}", ".build.new-x", f".builds.new-{gone}", ".build.new-"]
    for name in kept:
        (tmp_path / name).write_bytes(b"x")
    sweep(out)
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["build", *kept])


def test_the_old_folder_is_put_back_where_the_new_one_never_came(tmp_path, gone):
    (tmp_path / f".build.old-{gone}").mkdir()
    (tmp_path / f".build.old-{gone}/fabric.json").write_bytes(b"{}")
    sweep(tmp_path / "build")
    assert (tmp_path / "build/fabric.json").exists()
