"""The lock is written whole, and what stands in its way is told."""

import pytest

from nettool.core.errors import FindingsError
from nettool.intent.load import find_fabric
from nettool.pipeline import plan_fabric
from nettool.report.lock_file import keep_lock, read_lock


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


def test_a_folder_in_place_of_the_lock_is_no_missing_lock(tmp_path):
    (tmp_path / "fabric.lock.yaml").mkdir()
    with pytest.raises(FindingsError):
        read_lock(tmp_path / "fabric.yaml")
