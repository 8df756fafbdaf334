"""A mock switch under the tools engineers use: OpenSSH, scp, sftp, netmiko, Ansible."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from netmiko import ConnectHandler

from nettool.fleet.deploy.runner import environment
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import SwitchSpec

pytestmark = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("ssh", "scp", "sftp", "ssh-keygen")),
    reason="needs an OpenSSH client",
)
CONFIG = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf01", "hwsku": "mock"}},
    "PORT": {"Ethernet0": {"lanes": "1,2", "speed": "400000", "admin_status": "up"}},
}


def make_key(path):
    """A key pair without a passphrase."""
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
    subprocess.run(command, check=True)


class Site:
    """A fleet of one, the key it takes and the files OpenSSH wants."""

    def __init__(self, folder):
        self.folder, self.key, self.known = folder, folder / "key", folder / "known_hosts"
        make_key(self.key)
        public = self.key.with_suffix(".pub").read_text()
        spec = SwitchSpec("leaf01", config=CONFIG, keys=(public,), password="secret")
        self.fleet = MockFleet([spec])

    def options(self):
        """Options of every OpenSSH tool: this key, these host keys, no questions."""
        settings = (
            f"UserKnownHostsFile={self.known}",
            "GlobalKnownHostsFile=/dev/null",
            "StrictHostKeyChecking=yes",
            "BatchMode=yes",
            "IdentitiesOnly=yes",
        )
        return ["-F", "/dev/null", "-i", str(self.key), *(w for s in settings for w in ("-o", s))]

    def run(self, *command, feed=None):
        """Run a tool to its end."""
        return subprocess.run(
            command, input=feed, capture_output=True, text=True, check=False, timeout=20
        )

    def ssh(self, *words, feed=None):
        """One ssh, with a terminal asked for by `-tt`."""
        host, port = self.fleet.addresses["leaf01"]
        return self.run("ssh", *self.options(), "-p", str(port), f"admin@{host}", *words, feed=feed)

    def copy(self, tool, *words, feed=None):
        """One scp or sftp to the switch's port."""
        port = self.fleet.addresses["leaf01"][1]
        return self.run(tool, *self.options(), "-P", str(port), *words, feed=feed)

    @property
    def home(self):
        """The user's home on the switch."""
        return self.fleet["leaf01"].folder / "home/admin"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("site"))
    with site.fleet:
        yield site


@pytest.fixture(autouse=True)
def trusted(site):
    """Each test starts with the switch's own host key known and nothing in its logs."""
    site.known.write_text(site.fleet.known_hosts)
    site.fleet["leaf01"].forget()


@pytest.mark.parametrize(
    ("line", "status", "stdout"),
    [
        ("hostname", 0, "leaf01\n"),
        ("sudo sonic-cfggen -d -v PORT.Ethernet0.speed", 0, "400000\n"),
        ("cd /etc/sonic && pwd && exit 7", 7, "/etc/sonic\n"),
        ("hostname | tr a-z A-Z; false || echo rc=$?", 0, "LEAF01\nrc=1\n"),
        ("echo ~admin", 0, "/home/admin\n"),
        ("flock -n /tmp/lock sh -c 'hostname'", 0, "leaf01\n"),
        ("no-such-command", 127, ""),
    ],
)
def test_ssh_runs_a_command(site, line, status, stdout):
    done = site.ssh(line)
    assert (done.returncode, done.stdout) == (status, stdout), done.stderr


def test_a_changed_host_key_is_refused(site):
    site.fleet["leaf01"].new_host_key()
    done = site.ssh("hostname")
    assert done.returncode == 255
    assert "REMOTE HOST IDENTIFICATION HAS CHANGED" in done.stderr
    assert site.fleet["leaf01"].commands() == []


def test_an_unknown_host_key_is_refused(site):
    site.known.write_text("")
    assert "Host key verification failed" in site.ssh("hostname").stderr


def test_another_key_is_refused(site, tmp_path):
    other = tmp_path / "other"
    make_key(other)
    words = [str(other) if w == str(site.key) else w for w in site.options()]
    host, port = site.fleet.addresses["leaf01"]
    done = site.run("ssh", *words, "-p", str(port), f"admin@{host}", "hostname")
    assert (done.returncode, "Permission denied" in done.stderr) == (255, True)


@pytest.mark.parametrize(
    ("do", "said"), [("auth", "Permission denied"), ("refuse", "Connection refused")]
)
def test_a_switch_that_lets_nobody_in(site, do, said):
    switch = site.fleet["leaf01"]
    switch.inject(Fault(".", do, times=None, back=None))
    try:
        done = site.ssh("hostname")
    finally:
        switch.heal()
    assert (done.returncode, said in done.stderr) == (255, True), done.stderr
    assert site.ssh("hostname").stdout == "leaf01\n"


def test_an_interactive_shell(site):
    done = site.ssh("-tt", feed="hostname\nsudo -s\nshow version | head -1\nexit\nexit\n")
    assert done.returncode == 0, done.stderr
    assert "admin@leaf01:~$ " in done.stdout
    assert "root@leaf01:/home/admin# " in done.stdout
    assert [each.text for each in site.fleet["leaf01"].commands() if each.origin == "shell"] == [
        "hostname",
        "show version | head -1",
    ]


def test_a_file_on_standard_input(site):
    text = "".join(f"line {n}\n" for n in range(20_000))
    assert site.ssh("cat > big.txt", feed=text).returncode == 0
    assert (site.home / "big.txt").read_text() == text
    assert site.ssh("cat big.txt").stdout == text


@pytest.mark.parametrize("mode", [(), ("-O",)], ids=["sftp", "old protocol"])
def test_scp_both_ways_ends_with_status_0(site, tmp_path, mode):
    here, back = tmp_path / "here", tmp_path / "back"
    here.write_bytes(os.urandom(70_000))
    remote = f"admin@{site.fleet.addresses['leaf01'][0]}:there"
    sent = site.copy("scp", "-q", *mode, str(here), remote)
    assert sent.returncode == 0, sent.stderr
    assert site.copy("scp", "-q", *mode, remote, str(back)).returncode == 0
    assert back.read_bytes() == here.read_bytes()


def test_sftp_ends_with_status_0_inside_the_switch(site, tmp_path):
    (tmp_path / "f").write_text("x")
    batch = f"put {tmp_path}/f /etc/sonic/by-sftp\nls /etc/sonic\n"
    done = site.copy(
        "sftp", "-q", "-b", "-", f"admin@{site.fleet.addresses['leaf01'][0]}", feed=batch
    )
    assert done.returncode == 0, done.stderr
    assert "/etc/sonic/config_db.json" in done.stdout
    assert [each.what for each in site.fleet["leaf01"].writes()] == ["/etc/sonic/by-sftp"]


def test_netmiko_linux(site):
    host, port = site.fleet.addresses["leaf01"]
    with ConnectHandler(
        device_type="linux", host=host, port=port, username="admin", password="secret"
    ) as switch:
        assert "leaf01" in switch.send_command("hostname")
        assert "rc=3" in switch.send_command("sh -c 'exit 3'; echo rc=$?")
        shown = switch.send_command("show runningconfiguration ports")
    assert json.loads(shown) == CONFIG["PORT"]


@pytest.mark.parametrize("pipelining", ["True", "False"])
def test_ansible_ad_hoc(site, tmp_path, pipelining):
    host, port = site.fleet.addresses["leaf01"]
    hosts = tmp_path / "hosts"
    hosts.write_text(f"leaf01 ansible_host={host} ansible_port={port} ansible_user=admin\n")
    own = {
        "ANSIBLE_SSH_ARGS": " ".join(site.options()),
        "ANSIBLE_PIPELINING": pipelining,
        "ANSIBLE_PYTHON_INTERPRETER": str(Path(sys.executable).resolve()),
        "ANSIBLE_LOCAL_TEMP": str(tmp_path / "local"),
    }
    for module, words, shown in (("raw", "hostname", "leaf01"), ("command", "pwd", "/home/admin")):
        done = subprocess.run(
            ["ansible", "leaf01", "-i", str(hosts), "-m", module, "-a", words],
            env={**environment(), **own},
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert shown in done.stdout
        assert "WARNING" not in done.stderr
