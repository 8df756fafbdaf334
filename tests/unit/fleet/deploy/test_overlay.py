"""The way to a mock fleet: each file whole or as it was before, and the key kept."""

import json
import shutil

import pytest

from nettool.core.errors import UsageError
from nettool.core.written import aside_of
from nettool.fleet.deploy.overlay import mock_overlay

WHERE = {
    "switches": {"leaf01": {"address": "127.0.1.1", "port": 2201, "user": "admin"}},
    "known_hosts": ["[127.0.1.1]:2201 ssh-ed25519 AAAA"],
}

pytestmark = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")


def test_files_are_whole_and_the_key_stays(tmp_path):
    path = mock_overlay(WHERE, tmp_path / "overlay")
    key = (tmp_path / "overlay" / "key").read_text()
    assert mock_overlay(WHERE, tmp_path / "overlay") == path
    names = sorted(each.name for each in path.parent.iterdir())
    assert names == ["key", "key.pub", "known_hosts", "mock.yml"]
    assert (path.parent / "key").read_text() == key
    assert (path.parent / "key").stat().st_mode & 0o077 == 0
    assert json.loads(path.read_text())["all"]["hosts"]["leaf01"]["ansible_port"] == 2201


@pytest.mark.parametrize("name", ["known_hosts", "mock.yml"])
def test_a_full_disk_keeps_what_was_there(tmp_path, name):
    path = mock_overlay(WHERE, tmp_path)
    before = (tmp_path / name).read_text()
    aside_of(tmp_path / name, "new").symlink_to("/dev/full")
    with pytest.raises(UsageError, match=f"{name}: No space left on device; nothing was written"):
        mock_overlay({**WHERE, "switches": {}, "known_hosts": []}, tmp_path)
    assert (tmp_path / name).read_text() == before
    assert path.is_file()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match="file/overlay: Not a directory"):
        mock_overlay(WHERE, tmp_path / "file" / "overlay")
