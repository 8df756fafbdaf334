"""The way to a mock fleet: each file whole or as it was before, and the key kept."""

import json
import shlex
import shutil
import subprocess

import pytest

from nettool.core.errors import UsageError
from nettool.core.written import aside_of
from nettool.fleet.deploy.overlay import check_path, mock_overlay
from nettool.fleet.deploy.runner import inventory_hosts
from nettool.fleet.transport.openssh import netmiko_options

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


ODD = ["wei rd", "it's", 'a "b"', "100%h", "{{ y }} {% if %}", "ü#;&*[x]", "back\\slash", "~x=y"]


def told(path):
    """What the inventory says of leaf01, as Ansible hands it to ssh and nettool to klish."""
    host = json.loads(path.read_text())["all"]["hosts"]["leaf01"]
    names = ("ansible_ssh_private_key_file", "ansible_ssh_common_args")
    key, common = (
        each["__ansible_unsafe"] if isinstance(each, dict) else each
        for each in (host[name] for name in names)
    )
    return key, common


@pytest.mark.parametrize("name", ODD)
def test_ssh_and_klish_find_the_files_of_any_path(tmp_path, name):
    folder = tmp_path / name
    key, common = told(mock_overlay(WHERE, folder))
    words = [*shlex.split(common), "-o", f'IdentityFile="{key}"']
    printed = subprocess.check_output(["ssh", "-G", *words, "leaf01"], text=True)
    said = dict(line.split(" ", 1) for line in printed.splitlines() if " " in line)
    assert said["userknownhostsfile"] == str(folder / "known_hosts")
    assert said["identityfile"].replace("%%", "%") == str(folder / "key")
    made = netmiko_options({"host": "h", "private_key_file": key, "ssh_common_args": common})
    assert (made["key_file"], made["alt_key_file"]) == (
        str(folder / "key"),
        str(folder / "known_hosts"),
    )


@pytest.mark.slow
def test_ansible_takes_no_path_for_a_template(tmp_path):
    folder = tmp_path / "".join(ODD)
    path = mock_overlay(WHERE, folder)
    hosts = inventory_hosts([path])
    key, common = told(path)
    assert hosts["leaf01"]["ansible_ssh_private_key_file"] == {"__ansible_unsafe": key}
    assert hosts["leaf01"]["ansible_ssh_common_args"] == {"__ansible_unsafe": common}


BAD = {"$": "'$'", ",": ",", "\n": r"'\\n'"}


@pytest.mark.parametrize(("letter", "named"), BAD.items())
def test_a_path_that_ssh_or_ansible_would_misread_is_refused(tmp_path, letter, named):
    said = f"ssh or Ansible would misread {named.replace('$', '[$]')} in this path: name another"
    with pytest.raises(UsageError, match=said):
        check_path(tmp_path / f"a{letter}b")
    with pytest.raises(UsageError, match=said):
        mock_overlay(WHERE, tmp_path / f"a{letter}b")
    assert list(tmp_path.iterdir()) == []
