"""What is told of a klish session that went wrong: no secret, and no prose lost."""

import pytest
from netmiko.exceptions import (
    ConfigInvalidException,
    NetmikoAuthenticationException,
    NetmikoTimeoutException,
    ReadException,
    ReadTimeout,
)
from paramiko import AuthenticationException, BadHostKeyException, SSHException
from paramiko.ssh_exception import NoValidConnectionsError

from nettool.fleet.deploy.refusals import is_another_key
from nettool.fleet.transport.klish_words import cannot_connect, lost, refused

REFUSED = [
    ("vlan 5000, matched error: % Error: resource exhausted\r",
     "`vlan 5000` was refused: % Error: resource exhausted"),
    ("enable, matched error: % Error: password too short",
     "`enable` was refused: % Error: password too short"),
    ("neighbor 10.0.0.1 password CANARY, matched error: % Error: CANARY is too short",
     "`neighbor 10.0.0.1 password (secret)` was refused: % Error: (secret) is too short"),
    ("snmp-server community CANARY, matched error: % Invalid community CANA",
     "`snmp-server community (secret)` was refused: % Invalid community (secret)"),
    ("vlan 5000", "`vlan 5000` was refused"),
]  # fmt: skip


@pytest.mark.parametrize(("shown", "told"), REFUSED)
def test_the_switchs_own_line_is_told(shown, told):
    assert refused(ConfigInvalidException(f"Invalid input detected at command: {shown}")) == told


PATTERN = ReadTimeout("Pattern not detected: 'password\\\\ CANARY' in output. Set expect_string")
LOST = [
    (PATTERN, "sudo -n true", True, "its bash did not answer within 60 s to 'sudo -n true'"),
    (PATTERN, "show version", False, "its klish did not answer within 60 s to 'show version'"),
    (OSError("Socket is closed"), "write", False, "lost at 'write': Socket is closed"),
    (ReadException("output='password\\ CANARY'"), "write", False,
     "lost at 'write': the session broke (ReadException)"),
    (OSError("no answer to x password CANARY"), "x password CANARY", False,
     "lost at 'x password (secret)': no answer to x password (secret)"),
]  # fmt: skip


@pytest.mark.parametrize(("exc", "line", "in_bash", "told"), LOST)
def test_a_session_that_is_lost(exc, line, in_bash, told):
    assert lost(exc, line, 60.0, in_bash=in_bash) == told


class Key:
    """A public key, as far as paramiko's message needs it."""

    def get_base64(self):
        return "AAAA"


def wrapped(kind, inner):
    """As netmiko raises it: its own advice around what paramiko said."""
    try:
        try:
            raise inner
        except (OSError, SSHException) as exc:
            raise kind("failed. Common causes: 1. Invalid password and key file 3.") from exc
    except (NetmikoTimeoutException, NetmikoAuthenticationException) as exc:
        return exc


BAD_KEY = wrapped(NetmikoTimeoutException, BadHostKeyException("192.0.2.1", Key(), Key()))
UNREACHED = [
    (wrapped(NetmikoTimeoutException, NoValidConnectionsError({("192.0.2.1", 22): OSError()})),
     "cannot connect: Unable to connect to port 22 on 192.0.2.1"),
    (wrapped(NetmikoAuthenticationException, AuthenticationException("Authentication failed.")),
     "cannot connect: the login of admin was refused: Authentication failed."),
    (wrapped(NetmikoTimeoutException, SSHException("Server '192.0.2.1' not found in known_hosts")),
     "cannot connect: Server '192.0.2.1' not found in known_hosts"),
    (OSError("connection reset"), "cannot connect: connection reset"),
    (ReadTimeout("Pattern not detected"),
     "cannot connect: its login led to no prompt of klish (sonic-cli)"),
]  # fmt: skip


@pytest.mark.parametrize(("exc", "told"), UNREACHED)
def test_a_session_that_never_was(exc, told):
    assert cannot_connect(exc, {"host": "192.0.2.1", "username": "admin"}) == told


@pytest.mark.parametrize(
    ("options", "command"),
    [
        ({}, "`ssh-keygen -R 192.0.2.1 -f ~/.ssh/known_hosts`"),
        ({"port": 2201, "alt_key_file": "/k"}, "`ssh-keygen -R '[192.0.2.1]:2201' -f /k`"),
    ],
)
def test_another_key_says_what_to_do(options, command):
    told = cannot_connect(BAD_KEY, {"host": "192.0.2.1", **options})
    assert told.startswith("cannot connect: host key of 192.0.2.1 does not match the one in ")
    assert command in told
    assert is_another_key(told)
