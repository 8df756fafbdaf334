"""The klish of a mock AsterNOS switch under our own transport and under netmiko."""

import base64
import time

import paramiko
import pytest

from nettool.core.errors import DeviceError
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import SwitchSpec
from nettool.fleet.transport.klish import KlishTransport, LineRefusedError

LINES = ["interface ethernet 0/0", "mtu 9216", "mtu 9100", "exit", "vlan 10"]
TEXT = "interface ethernet 0/0\n mtu 9100\nvlan 10\n"


@pytest.fixture(scope="module")
def fleet():
    config = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf01"}}}
    with MockFleet([SwitchSpec("leaf01", "asternos", config, password="secret")]) as fleet:
        yield fleet


@pytest.fixture
def switch(fleet):
    """The switch as it left the box."""
    switch = fleet["leaf01"]
    (switch.folder / "etc/sonic/startup.cfg").unlink(missing_ok=True)
    switch.heal()
    switch.reboot()
    switch.forget()
    return switch


@pytest.fixture
def transport(fleet, switch, tmp_path):
    known = tmp_path / "known_hosts"
    known.write_text(fleet.known_hosts)
    host, port = switch.address
    transport = KlishTransport(
        host,
        port=port,
        username="admin",
        password="secret",
        system_host_keys=False,
        alt_host_keys=True,
        alt_key_file=str(known),
    )
    yield transport
    transport.reconnect()


class Typist:
    """A terminal on the switch, typed at by hand."""

    def __init__(self, switch):
        self.client = paramiko.SSHClient()
        self.client.set_missing_host_key_policy(paramiko.WarningPolicy())
        host, port = switch.address
        self.client.get_host_keys().add(f"[{host}]:{port}", *key_of(switch))
        self.client.connect(host, port, "admin", "secret", look_for_keys=False, allow_agent=False)
        self.channel = self.client.invoke_shell()

    def until(self, wanted):
        """What is shown up to `wanted`."""
        seen, deadline = "", time.monotonic() + 5
        while wanted not in seen and time.monotonic() < deadline:
            if self.channel.recv_ready():
                seen += self.channel.recv(65536).decode()
            else:
                time.sleep(0.005)
        assert wanted in seen, seen
        return seen

    def type(self, line, wanted):
        """Type a line and wait for what it shows."""
        self.channel.send(f"{line}\n")
        return self.until(wanted)


def key_of(switch):
    kind, body = switch.where()["host_key"].split()
    return kind, paramiko.PKey.from_type_string(kind, base64.b64decode(body))


@pytest.fixture
def typist(switch):
    typist = Typist(switch)
    typist.until("admin@leaf01:~$ ")
    yield typist
    typist.client.close()


def test_lines_are_entered_shown_and_saved(switch, transport):
    transport.configure(LINES)
    assert TEXT in transport.run("show running-config").stdout.replace("\r\n", "\n")
    assert [each.kind for each in switch.writes()] == ["running"] * 3
    transport.save()
    assert (switch.folder / "etc/sonic/startup.cfg").read_text() == TEXT


@pytest.mark.parametrize("saved", [True, False])
def test_a_restart_keeps_what_was_written(switch, transport, saved):
    transport.configure(LINES)
    if saved:
        transport.save()
    switch.reboot()
    transport.reconnect()
    assert ("mtu 9100" in transport.run("show running-config").stdout) is saved


def test_reading_writes_nothing(switch, transport):
    transport.run("show running-config")
    transport.run("show version")
    assert switch.writes() == []


def test_no_takes_a_line_and_its_view_out(transport):
    transport.configure([*LINES, "exit", "no interface ethernet 0/0"])
    assert "ethernet" not in transport.run("show running-config").stdout.split("\n", 1)[-1]


def test_a_refused_line_stops_there(switch, transport):
    switch.inject(Fault("^vlan 10", "fail", stderr="VLAN 10 is reserved"))
    with pytest.raises(
        LineRefusedError, match="`vlan 10` was refused: % Error: VLAN 10 is reserved"
    ):
        transport.configure(["vlan 10", "vlan 11"])
    assert not any("vlan 11" in each.text for each in switch.commands())


def test_a_session_cut_in_the_middle(switch, transport):
    switch.inject(Fault("^vlan 11", "drop"))
    with pytest.raises(DeviceError, match="its klish did not answer within 1 s to"):
        transport.configure(["vlan 10", "vlan 11", "vlan 12"], timeout=1.0)
    assert transport.run("show running-config").stdout.count("vlan") == 1


def test_a_bash_that_does_not_answer_is_named(switch, transport):
    switch.inject(Fault("{ true; }", "hang", on="line"))
    said = "^127.0.0.1: its bash did not answer within 1 s to 'true'$"
    with pytest.raises(DeviceError, match=said):
        transport.bash("true", timeout=1.0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"password": "wrong"}, "the login of admin was refused: "),
        ({"port": 1}, "Unable to connect to port 1 on 127.0.0.1$"),
        ({"known": True}, r"host key of 127.0.0.1 does not match .*ssh-keygen -R '\[127.0.0.1\]:"),
    ],
    ids=["password", "port", "key"],
)
def test_why_there_is_no_session(fleet, switch, tmp_path, given, said):
    host, port = switch.address
    known, other = tmp_path / "known_hosts", paramiko.ECDSAKey.generate()
    key = f"[{host}]:{port} {other.get_name()} {other.get_base64()}\n"
    known.write_text(key if given.get("known") else fleet.known_hosts)
    options = {"username": "admin", "password": "secret", "port": port} | {
        k: v for k, v in given.items() if k != "known"
    }
    transport = KlishTransport(
        host, system_host_keys=False, alt_host_keys=True, alt_key_file=str(known), **options
    )
    with pytest.raises(DeviceError, match=f"^127.0.0.1: cannot connect: {said}"):
        transport.run("show version")


def test_prompts_by_view(typist):
    assert typist.type("sonic-cli", "leaf01# ")
    for line, prompt in (
        ("configure terminal", "leaf01(config)# "),
        ("interface ethernet 0/0", "leaf01(config-if-0/0)# "),
        ("exit", "leaf01(config)# "),
        ("interface vlan 10", "leaf01(config-vlanif-10)# "),
        ("end", "leaf01# "),
        ("system bash", "admin@leaf01:~$ "),
        ("exit", "leaf01# "),
        ("exit", "admin@leaf01:~$ "),
    ):
        typist.type(line, prompt)


def test_a_word_it_does_not_know(typist):
    typist.type("sonic-cli", "# ")
    typist.type("vlan 10", "% Error")


def test_long_output_is_paged_until_told_not_to(typist):
    typist.type("sonic-cli", "# ")
    typist.type("configure terminal", "(config)# ")
    for number in range(2, 42):
        typist.type(f"vlan {number}", f"(config-vlan-{number})# ")
    typist.type("end", "leaf01# ")
    assert "vlan 26" not in typist.type("show running-config", "--More--")
    assert "vlan 41" in typist.type("", "leaf01# ")
    typist.type("terminal raw-output", "leaf01# ")
    assert "--More--" not in typist.type("show running-config", "leaf01# ")


@pytest.mark.parametrize(("answer", "saved"), [("y", True), ("n", False)])
def test_write_asks_first(switch, typist, answer, saved):
    typist.type("sonic-cli", "leaf01# ")
    typist.type("write", "[y/N]")
    typist.type(answer, "leaf01# ")
    assert bool(switch.writes()) is saved


def test_community_sonic_has_no_klish():
    with MockFleet([SwitchSpec("leaf01", password="secret")]) as fleet:
        typist = Typist(fleet["leaf01"])
        typist.type("sonic-cli", "not found")
        typist.client.close()
