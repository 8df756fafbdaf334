"""The SSH side of a mock switch: listener, login, files. Loopback only."""

from __future__ import annotations

import asyncio
import ipaddress
from functools import partial
from typing import TYPE_CHECKING

import asyncssh

from nettool.core.errors import UsageError
from nettool.fleet.mock.session import serve_session

if TYPE_CHECKING:
    from nettool.fleet.mock.switch import MockSwitch

HOST_KEY = "/etc/ssh/ssh_host_ed25519_key"


class Door:
    """The listener of one switch, which faults can close and open again on the same port."""

    def __init__(self, switch: MockSwitch, host: str, port: int) -> None:
        if not ipaddress.ip_address(host).is_loopback:
            raise UsageError(f"a mock switch listens on loopback only, not on {host}")
        self.switch, self.host, self.port = switch, host, port
        self.key = _host_key(switch)
        self._acceptor: asyncssh.SSHAcceptor | None = None

    async def open(self, options: asyncssh.SSHServerConnectionOptions) -> None:
        """Listen; `options` is what all switches of a fleet share."""
        self._options = options
        await self.listen(True)

    async def listen(self, on: bool) -> None:
        """Open or close the listener; open sessions stay as they are."""
        if on and self._acceptor is None:
            self._acceptor = await asyncssh.listen(
                self.host,
                self.port,
                options=self._options,
                server_host_keys=[self.key],
                server_factory=partial(_Login, self.switch),
                process_factory=partial(serve_session, self.switch),
                sftp_factory=partial(_Files, self.switch),
                reuse_address=True,
                backlog=128,
            )
            self.port = self._acceptor.get_port()
        elif not on and self._acceptor is not None:
            acceptor, self._acceptor = self._acceptor, None
            await _accept_no_more(acceptor)
            acceptor.close()

    def new_key(self) -> None:
        """Change the host key, as a reinstalled or a wrong box has another one."""
        self.key = asyncssh.generate_private_key("ssh-ed25519")

    @property
    def public_key(self) -> str:
        """The host key as `type base64`."""
        return " ".join(self.key.export_public_key().decode().split()[:2])

    @property
    def known_hosts(self) -> str:
        """The line for known_hosts."""
        place = self.host if self.port == 22 else f"[{self.host}]:{self.port}"
        return f"{place} {self.public_key}"


async def _accept_no_more(acceptor: asyncssh.SSHAcceptor) -> None:
    """Let what was just accepted become a connection: asyncio loses its socket otherwise."""
    for listening in acceptor.sockets:
        asyncio.get_running_loop().remove_reader(listening.fileno())
    for _ in range(2):
        await asyncio.sleep(0)


def shared_options() -> asyncssh.SSHServerConnectionOptions:
    """Options that every switch of a fleet shares: making them once is what makes 200 quick."""
    return asyncssh.SSHServerConnectionOptions(
        server_host_keys=[asyncssh.generate_private_key("ssh-ed25519")],  # each door has its own
        allow_scp=True,
        encoding="utf-8",
        errors="surrogateescape",
        login_timeout=120,
        max_line_length=1 << 20,
        keepalive_interval=0,
        gss_host=None,
        agent_forwarding=False,
        compression_algs=["none"],
        server_version="OpenSSH_9.2p1",
    )


class _Login(asyncssh.SSHServer):
    """Lets in the switch's user by key or password."""

    def __init__(self, switch: MockSwitch) -> None:
        self._switch = switch
        self._connection: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        self._switch.connections.add(conn)
        if self._switch.faults.standing("refuse"):
            conn.abort()
        elif self._switch.spec.banner:
            conn.send_auth_banner(self._switch.spec.banner)

    def connection_lost(self, _exc: Exception | None) -> None:
        if self._connection is not None:
            self._switch.connections.discard(self._connection)

    def begin_auth(self, _username: str) -> bool:
        return True

    def password_auth_supported(self) -> bool:
        return self._switch.spec.password is not None

    def validate_password(self, username: str, password: str) -> bool:
        spec = self._switch.spec
        return username == spec.user and password == spec.password and not self._locked()

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        spec = self._switch.spec
        if username != spec.user or self._locked():
            return False
        if not spec.keys:
            return spec.password is None
        body = key.export_public_key().decode().split()[1]
        return any(body in line.split() for line in spec.keys)

    def _locked(self) -> bool:
        return self._switch.faults.standing("auth") is not None


class _Files(asyncssh.SFTPServer):
    """Files over SFTP and scp, inside the switch's folder."""

    def __init__(self, switch: MockSwitch, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        super().__init__(chan, chroot=str(switch.folder.root).encode())
        self._switch = switch
        self._home = switch.folder.outward(str(switch.folder.home)).encode()

    def map_path(self, path: bytes) -> bytes:
        """Relative paths start at the user's home."""
        return super().map_path(path if path.startswith(b"/") else self._home + b"/" + path)

    def exit(self) -> None:
        """End with a status: without one OpenSSH's scp and sftp report failure."""
        self._switch.note_files("sftp")
        self.channel.exit(0)


def _host_key(switch: MockSwitch) -> asyncssh.SSHKey:
    path = switch.folder.host(HOST_KEY)
    if path.exists():
        return asyncssh.read_private_key(str(path))
    key = asyncssh.generate_private_key("ssh-ed25519")
    path.write_bytes(key.export_private_key())
    path.chmod(0o600)
    return key
