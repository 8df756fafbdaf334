"""A mock switch's commands: files, checkpoints, restarts, timers; reads leave no trace."""

import json

import pytest

from nettool.fleet.mock.fault import Fault

DRIFT = {"PORT": {"Ethernet0": {"mtu": "1500"}}}
GUARD = "sudo systemd-run --unit=guard --on-active=30 "


def mtu(config):
    return config["PORT"]["Ethernet0"]["mtu"]


@pytest.mark.parametrize(
    "line",
    [
        "show version",
        "show runningconfiguration all",
        "show interfaces status",
        "show interfaces counters",
        "show lldp table",
        "show ip bgp summary",
        "show pfc counters",
        "show priority-group watermark headroom",
        "sudo sonic-cfggen -d --print-data",
        "sonic-db-cli CONFIG_DB KEYS 'PORT|*'",
        "sonic-db-cli CONFIG_DB HGETALL 'PORT|Ethernet0'",
        "vtysh -c 'show bgp summary json'",
        "sudo config list-checkpoints",
        "systemctl is-active guard.timer",
        "systemctl list-timers",
        "cat /etc/sonic/config_db.json | head -3",
    ],
)
def test_reading_leaves_the_write_log_empty(box, line):
    _, out, _ = box.run(line)
    assert out
    assert box.handle.writes() == []
    assert next(each.text for each in box.handle.commands()) == line


@pytest.mark.parametrize(
    ("line", "feed"),
    [
        ("sudo config replace /dev/stdin", "[]"),
        ("sudo config replace /dev/stdin", '{"PORT": 5}'),
        ("sudo config load -y /dev/stdin", "[]"),
        ("sudo config load -y /dev/stdin", '{"PORT": "x"}'),
        ("sudo config reload -y /dev/stdin", '{"PORT": [1]}'),
        ("sudo config reload -y /etc/sonic/no-such-file", ""),
        ("sudo config delete-checkpoint", ""),
        ("sudo config rollback no-such-checkpoint", ""),
        ("sonic-cfggen -j /no/such/file --print-data", ""),
        ("sonic-cfggen --twist", ""),
        ("sonic-db-cli CONFIG_DB hset", ""),
        ("sonic-db-cli CONFIG_DB hset 'PORT|Ethernet0' mtu", ""),
        ("systemctl status", ""),
        ("sleep", ""),
        ("sudo config save", ""),
        ("sudo config reload", ""),
        ("sudo systemd-run --unit=x --on-active=soon true", ""),
        ("sudo systemd-run --unit=x --on-active=5", ""),
    ],
)
def test_bad_input_fails_and_changes_nothing(box, line, feed):
    before = box.handle.running()
    status, _, err = box.run(line, feed)
    assert status not in {0, None, -1}
    assert err
    assert str(box.handle.folder) not in err
    assert (box.handle.running(), box.handle.writes()) == (before, [])


def test_checkpoint_and_rollback(box):
    assert box.run("sudo config checkpoint before")[0] == 0
    box.handle.drift(DRIFT)
    assert box.run("sudo config rollback before")[0] == 0
    assert mtu(box.handle.running()) == "9100"
    assert json.loads(box.run("sudo config list-checkpoints")[1]) == ["before"]
    assert box.run("sudo config delete-checkpoint before")[0] == 0
    assert box.handle.checkpoints() == []


def test_a_rollback_can_itself_be_refused(box):
    box.run("sudo config checkpoint before")
    box.handle.drift({"BUFFER_POOL": {"pool": {"size": "2000000"}}})
    status, _, err = box.run("sudo config rollback before")
    assert (status, "BUFFER_POOL" in err) == (2, True)
    assert box.handle.running()["BUFFER_POOL"]["pool"]["size"] == "2000000"


def test_save_then_reload(box):
    box.handle.drift(DRIFT)
    assert box.run("sudo config save -y")[0] == 0
    assert mtu(box.handle.saved()) == "1500"
    box.handle.drift({"PORT": {"Ethernet0": {"mtu": "4096"}}})
    assert box.run("sudo config reload -y -f")[0] == 0
    assert mtu(box.handle.running()) == "1500"
    kinds = [each.kind for each in box.handle.events()]
    assert kinds == ["services stopped", "services started"]


def test_a_load_merges_and_a_reload_replaces(box):
    text = json.dumps({"CRM": {"Config": {"polling_interval": "60"}}})
    assert box.run("sudo config load -y /dev/stdin", text)[0] == 0
    assert "PORT" in box.handle.running()
    (box.handle.folder / "etc/sonic/new.json").write_text(text)
    assert box.run("sudo config reload -y /etc/sonic/new.json")[0] == 0
    assert "PORT" not in box.handle.running()


def test_a_reload_waits_for_nobody(box):
    line = "flock /etc/sonic/reload.lock sh -c 'sudo config reload -y'"
    status, _, err = box.run(line)
    assert (status, "Failed to acquire lock" in err) == (1, True)


def test_a_full_disk_leaves_an_empty_file(box):
    box.handle.inject(Fault("config save", "full"))
    assert box.run("sudo config save -y")[0] == 1
    assert box.handle.saved() is None


def test_a_restart_keeps_the_saved_file_and_loses_running(box):
    box.handle.drift(DRIFT)
    box.run(f"{GUARD}true")
    box.run("echo lease > /run/lease")
    box.handle.reboot()
    assert mtu(box.handle.running()) == mtu(box.handle.saved()) == "9100"
    assert box.handle.timers() == []
    assert not (box.handle.folder / "run/lease").exists()


def test_a_timer_fires(box):
    box.run("sudo config checkpoint before")
    box.handle.drift(DRIFT)
    assert box.run(f"{GUARD}config rollback before")[0] == 0
    assert box.handle.timers() == ["guard"]
    box.wait(lambda: not box.handle.timers())
    assert mtu(box.handle.running()) == "9100"


def test_a_timer_fires_a_script(box):
    box.run(f"{GUARD}sh -c 'config save -y && echo done > /etc/sonic/done'")
    box.wait((box.handle.folder / "etc/sonic/done").exists)


def test_a_unit_name_is_taken_once(box):
    long = GUARD.replace("30", "1h")
    assert box.run(f"{long}true")[0] == 0
    status, _, err = box.run(f"{long}true")
    assert (status, "guard.timer was already loaded" in err) == (1, True)
    assert box.run("systemctl is-active guard.timer")[:2] == (0, "active\n")
    assert box.run("sudo systemctl stop guard.timer")[0] == 0
    assert box.run("systemctl is-active guard.timer")[:2] == (3, "inactive\n")
    assert box.run(f"{long}true")[0] == 0


def test_a_stopped_timer_never_fires(box):
    box.run(f"{GUARD}config save -y")
    box.run("sudo systemctl stop guard.timer")
    box.run("sleep 60")
    assert [each.kind for each in box.handle.writes()] == ["timer", "timer"]
