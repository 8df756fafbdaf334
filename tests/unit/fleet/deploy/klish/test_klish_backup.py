"""What a backup keeps of an AsterNOS switch: command text that `diff --running` reads back."""

import pytest

from nettool.config.diff.asternos import diff_asternos
from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.fleet.deploy.collecting import backup
from nettool.fleet.deploy.klish_switch import KlishSwitch


def kept(switch, folder, *, check=False):
    return backup(KlishSwitch(switch.klish()), "leaf01", folder, check=check)


def test_a_backup_is_command_text_for_its_owner_alone(switch, tmp_path):
    assert kept(switch, tmp_path)
    (path,) = tmp_path.iterdir()
    assert path.name == "leaf01.cfg"
    assert path.stat().st_mode & 0o077 == 0
    assert "interface vlan 101\n ip address 10.1.0.1/24\n" in path.read_text()
    assert not kept(switch, tmp_path)


def test_what_was_kept_reads_back_without_a_difference(switch, new, tmp_path):
    switch.push(intended=new)
    kept(switch, tmp_path)
    again, running = (
        read_lines(text) for text in ((tmp_path / "leaf01.cfg").read_text(), switch.running())
    )
    assert again == running
    assert diff_asternos("leaf01", again, read_lines(new), exact=True).is_empty


@pytest.mark.parametrize("before", ["", "vlan 9\n"])
def test_a_check_keeps_nothing(switch, tmp_path, before):
    path = tmp_path / "leaf01.cfg"
    path.write_text(before)
    assert kept(switch, tmp_path, check=True)
    assert path.read_text() == before
