"""The klish transport against a small klish of its own, over real ssh on loopback."""

import asyncio
import sys
import threading

import asyncssh
import pytest
from netmiko.asterfusion.asterfusion import AsterfusionAsterNOSSSH

from nettool.core.errors import DeviceError
from nettool.fleet.transport.klish import KlishDriver, KlishTransport, LineRefusedError


class Klish:
    """A switch that speaks just enough: bash, sonic-cli, one configuration view, write."""

    def __init__(self):
        self.lines, self.saved, self.connections = [], False, []
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.server = self._call(self._listen())
        self.port = self.server.get_port()

    def close(self):
        self._call(self._close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    async def _close(self):
        self.server.close()
        for connection in self.connections:
            connection.abort()
            await connection.wait_closed()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _call(self, work):
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    async def _listen(self):
        self.key = asyncssh.generate_private_key("ssh-ed25519")
        return await asyncssh.listen(
            "127.0.0.1",
            0,
            server_host_keys=[self.key],
            password_auth=True,
            server_factory=lambda: _Login(self.connections),
            process_factory=self._serve,
        )

    def known_hosts(self, path):
        public = self.key.export_public_key().decode().strip()
        path.write_text(f"[127.0.0.1]:{self.port} {public}\n")
        return str(path)

    async def _serve(self, process):
        view = "bash"
        prompts = {"bash": "admin@leaf01:~$ ", "exec": "leaf01# ", "config": "leaf01(config)# "}
        process.stdout.write("Linux leaf01\n" + prompts[view])
        async for line in process.stdin:
            word = line.strip()
            answer, view = self._answer(word, view)
            process.stdout.write(answer + prompts[view])

    def _answer(self, word, view):
        views = {"sonic-cli": "exec", "configure terminal": "config", "end": "exec"}
        if word in views:
            return "", views[word]
        if word.startswith("bad"):
            return "% Error: unknown word\n", view
        if word == "write":
            self.saved = True
        elif view == "config":
            self.lines.append(word)
        return ("AsterNOS 5.0\n" if word == "show version" else ""), view


class _Login(asyncssh.SSHServer):
    def __init__(self, connections):
        self._connections = connections

    def connection_made(self, conn):
        self._connections.append(conn)

    def begin_auth(self, username):
        return True

    def password_auth_supported(self):
        return True

    def validate_password(self, username, password):
        return password == "secret"


@pytest.fixture
def klish():
    switch = Klish()
    yield switch
    switch.close()


def reaching(klish, tmp_path, **more):
    """A transport that knows the switch's host key."""
    return KlishTransport(
        "127.0.0.1",
        port=klish.port,
        username="admin",
        password="secret",
        system_host_keys=False,
        alt_host_keys=True,
        alt_key_file=klish.known_hosts(tmp_path / "known_hosts"),
        **more,
    )


@pytest.fixture
def transport(klish, tmp_path):
    transport = reaching(klish, tmp_path)
    yield transport
    transport.reconnect()


def test_lines_go_in_and_are_kept(klish, transport):
    assert "AsterNOS 5.0" in transport.run("show version").stdout
    transport.configure([f"vlan {n}" for n in range(2, 42)])
    transport.save()
    assert klish.lines == [f"vlan {n}" for n in range(2, 42)]
    assert klish.saved


def test_a_refused_line_stops_there(klish, transport):
    with pytest.raises(LineRefusedError, match="bad line"):
        transport.configure(["vlan 2", "bad line", "vlan 3"])
    assert "vlan 3" not in klish.lines
    assert transport.run("bad word").status == 1


RELAY = """\
import os, socket, sys, threading
line = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def inward():
    while data := os.read(0, 65536):
        line.sendall(data)
threading.Thread(target=inward, daemon=True).start()
while data := line.recv(65536):
    os.write(1, data)
"""


def test_a_proxy_command_leads_there(klish, tmp_path):
    relay = tmp_path / "relay.py"
    relay.write_text(RELAY)
    transport = reaching(klish, tmp_path, proxy=f"{sys.executable} {relay} %h %p")
    assert "AsterNOS 5.0" in transport.run("show version").stdout
    transport.reconnect()
    assert "AsterNOS 5.0" in transport.run("show version").stdout
    transport.reconnect()


def test_an_unknown_host_key_is_refused(klish):
    transport = KlishTransport(
        "127.0.0.1", port=klish.port, username="admin", password="secret", system_host_keys=False
    )
    with pytest.raises(DeviceError, match="not found in known_hosts"):
        transport.run("show version")


class Shipped(AsterfusionAsterNOSSSH):
    """netmiko's own driver; connecting only looks whether its mode is known by then."""

    def _open(self):
        self.knows_mode = hasattr(self, "_cli_mode")


class Ours(KlishDriver):
    """The mended driver, looked at in the same way."""

    def _open(self):
        self.knows_mode = hasattr(self, "_cli_mode")


def test_the_driver_as_shipped_still_connects_too_early():
    """Once this fails, netmiko is mended and KlishDriver can go."""
    assert Ours(host="127.0.0.1").knows_mode
    assert not Shipped(host="127.0.0.1").knows_mode
