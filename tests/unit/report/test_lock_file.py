"""The lock is written whole, and what stands in its way is told."""

import pytest

from nettool.core.errors import FindingsError
from nettool.intent.load import find_fabric
from nettool.pipeline import plan_fabric
from nettool.report.lock_file import keep_lock, read_lock, unkept


@pytest.fixture(scope="module")
def fabric():
    return plan_fabric(find_fabric("rail-only-128")).fabric


def test_a_lock_that_cannot_be_written_is_a_warning(fabric, tmp_path):
    written, said = keep_lock(tmp_path / "missing" / "fabric.yaml", fabric)
    [finding] = said.findings
    assert written is None
    assert (finding.rule, finding.severity) == ("LCK001", "warning")
    assert "the lock was not written (No such file or directory)" in finding.message


def test_a_lock_is_written_once(fabric, tmp_path):
    path = tmp_path / "fabric.yaml"
    assert read_lock(path) is None
    written, said = keep_lock(path, fabric)
    assert (written, said.findings) == (tmp_path / "fabric.lock.yaml", ())
    assert keep_lock(path, fabric)[0] is None
    assert [each.name for each in tmp_path.iterdir()] == ["fabric.lock.yaml"]


def test_a_missing_or_older_lock_is_told(fabric, tmp_path):
    path = tmp_path / "fabric.yaml"
    [missing] = unkept(path, fabric).findings
    assert (missing.rule, missing.severity) == ("LCK002", "info")
    assert missing.message.startswith("there is no lock: a later change of the fabric may move")
    keep_lock(path, fabric)
    assert not unkept(path, fabric).findings
    lock = tmp_path / "fabric.lock.yaml"
    lock.write_text(lock.read_text().replace("nodes: 32", "nodes: 31"))
    [older] = unkept(path, fabric).findings
    assert older.message.startswith("the lock is older than this design")


def test_a_folder_in_place_of_the_lock_is_no_missing_lock(tmp_path):
    (tmp_path / "fabric.lock.yaml").mkdir()
    with pytest.raises(FindingsError):
        read_lock(tmp_path / "fabric.yaml")
