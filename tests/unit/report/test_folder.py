"""A build folder is whole or not there."""

import os
import signal

import pytest

from nettool.core.errors import FindingsError, UsageError
from nettool.core.finding import Report
from nettool.report.folder import Written, write_folder

FILES = [("fabric.json", b"{}"), ("devices/leaf01/a", b"1")]


OTHERS = [("labels.csv", b"x"), ("devices/leaf01/b", b"2")]


def _breaks():
    yield from FILES
    raise FindingsError(Report.of(()))


def _killed(here):
    yield from OTHERS
    if os.getpid() == here:
        pytest.skip("one processor, threads, or no fork")
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_new_folder_replaces_the_old_one_whole(tmp_path):
    out = tmp_path / "build"
    assert write_folder(out, [*FILES, ("devices/gone/b", b"2")]) == Written(4)
    assert write_folder(out, FILES) == Written(3)
    assert sorted(p.name for p in out.rglob("*") if p.is_file()) == [
        "a",
        "fabric.json",
        "files.json",
    ]
    assert [p.name for p in tmp_path.iterdir()] == ["build"]


def test_a_failure_leaves_the_old_folder_and_no_rest(tmp_path):
    out = tmp_path / "build"
    write_folder(out, FILES)
    with pytest.raises(FindingsError):
        write_folder(out, _breaks())
    assert (out / "devices/leaf01/a").read_bytes() == b"1"
    assert [p.name for p in tmp_path.iterdir()] == ["build"]


@pytest.mark.parametrize("apart", [False, True])
def test_others_are_files_of_the_folder_too(apart, tmp_path):
    out = tmp_path / "build"
    assert write_folder(out, FILES, OTHERS, apart=apart) == Written(5)
    (out / "labels.csv").write_bytes(b"by hand")
    written = write_folder(out, FILES, OTHERS, apart=apart)
    assert written == Written(5, (), ("labels.csv.edited",))
    assert (out / "labels.csv").read_bytes() == b"x"


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(
    ("files", "others", "error", "message"),
    [
        (lambda: FILES, _breaks, FindingsError, "0 findings"),
        (_breaks, lambda: OTHERS, FindingsError, "0 findings"),
        (lambda: FILES, lambda: [("devices", b"x")], UsageError, r"build: .*; nothing was changed"),
    ],
)
def test_others_that_fail_leave_no_rest(files, others, error, message, apart, tmp_path):
    out = tmp_path / "build"
    write_folder(out, FILES)
    with pytest.raises(error, match=message):
        write_folder(out, files(), others(), apart=apart)
    assert sorted(p.name for p in out.iterdir()) == ["devices", "fabric.json", "files.json"]
    assert [p.name for p in tmp_path.iterdir()] == ["build"]


def test_a_killed_second_process_changes_nothing(tmp_path):
    with pytest.raises(UsageError, match=r"second process was killed .*; nothing was changed"):
        write_folder(tmp_path / "build", FILES, _killed(os.getpid()), apart=True)
    assert list(tmp_path.iterdir()) == []


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


def test_what_is_not_ours_is_kept_and_named(tmp_path):
    out = tmp_path / "build"
    write_folder(out, [*FILES, ("devices/gone/b", b"2"), ("devices/gone/c", b"3")])
    mine = {"notes.txt": b"n", "devices/leaf01/EXTRA": b"e", "devices/gone/mine": b"m"}
    for name, content in mine.items():
        (out / name).write_bytes(content)
    (out / "devices/leaf01/link").symlink_to("nowhere")
    (out / "devices/leaf01/a").write_bytes(b"by hand")
    (out / "devices/gone/b").write_bytes(b"by hand, gone")
    written = write_folder(out, FILES)
    assert written.foreign == (
        "devices/gone/mine", "devices/leaf01/EXTRA", "devices/leaf01/link", "notes.txt",
    )  # fmt: skip
    assert written.edited == ("devices/gone/b.edited", "devices/leaf01/a.edited")
    assert (out / "devices/leaf01/a").read_bytes() == b"1"
    assert (out / "devices/leaf01/a.edited").read_bytes() == b"by hand"
    assert {name: (out / name).read_bytes() for name in mine} == mine
    assert not (out / "devices/gone/c").exists()
    assert [(f.rule, f.severity) for f in written.findings(out)] == [
        ("BLD001", "info"), ("BLD002", "warning"),
    ]  # fmt: skip


def test_a_second_edit_takes_no_place_of_the_first(tmp_path):
    out = tmp_path / "build"
    write_folder(out, FILES)
    for edit in (b"first", b"second"):
        (out / "devices/leaf01/a").write_bytes(edit)
        write_folder(out, FILES)
    assert (out / "devices/leaf01/a.edited").read_bytes() == b"first"
    assert (out / "devices/leaf01/a.edited-2").read_bytes() == b"second"


def test_a_build_without_a_listing_keeps_what_the_new_one_has_not(tmp_path):
    out = tmp_path / "build"
    write_folder(out, [*FILES, ("devices/gone/b", b"2")])
    (out / "files.json").unlink()
    (out / "devices/leaf01/a").write_bytes(b"older")
    assert write_folder(out, FILES) == Written(3, ("devices/gone/b",))


@pytest.mark.parametrize("listing", [b"", b"[]", b'{"files": []}', b'{"files": 3}', b"\xff"])
def test_a_damaged_listing_is_none(listing, tmp_path):
    out = tmp_path / "build"
    write_folder(out, FILES)
    (out / "files.json").write_bytes(listing)
    assert write_folder(out, FILES) == Written(3)


def test_a_folder_in_the_way_of_a_file_changes_nothing(tmp_path):
    out = tmp_path / "build"
    write_folder(out, FILES)
    (out / "labels.csv").mkdir()
    (out / "labels.csv/mine").write_bytes(b"m")
    with pytest.raises(UsageError, match="nothing was changed"):
        write_folder(out, [*FILES, ("labels.csv", b"x")])
    assert (out / "labels.csv/mine").exists()
