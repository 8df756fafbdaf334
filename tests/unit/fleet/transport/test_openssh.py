"""What Ansible's ssh connection was told, as netmiko takes it."""

import pytest

from nettool.core.errors import UsageError
from nettool.fleet.transport.openssh import netmiko_options

PLAIN = {"host": "192.0.2.1", "remote_user": "admin", "host_key_checking": True, "timeout": 10}
SHIPPED = "-o ControlMaster=auto -o ControlPersist=60s -o ServerAliveInterval=5 -o ConnectTimeout=7"


def made(**given):
    return netmiko_options({**PLAIN, **given})


def test_nothing_more_than_a_host():
    assert made() == {
        "host": "192.0.2.1",
        "port": 22,
        "username": "admin",
        "allow_agent": True,
        "use_keys": False,
        "conn_timeout": 10.0,
        "keepalive": 0,
        "ssh_strict": True,
        "system_host_keys": True,
    }


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"port": 2222}, {"port": 2222}),
        ({"ssh_args": SHIPPED}, {"keepalive": 5, "conn_timeout": 7.0}),
        ({"private_key_file": "/k", "private_key_passphrase": "p"},
         {"key_file": "/k", "passphrase": "p"}),
        ({"ssh_common_args": "-i /k"}, {"key_file": "/k"}),
        ({"password": "p"}, {"password": "p", "allow_agent": False}),
        ({"ssh_common_args": "-o IdentitiesOnly=yes"}, {"allow_agent": False}),
        ({"ssh_extra_args": "-oIdentityAgent=none"}, {"allow_agent": False}),
        ({"host_key_checking": False}, {"ssh_strict": False, "system_host_keys": True}),
        ({"ssh_args": "-o StrictHostKeyChecking=accept-new"}, {"ssh_strict": False}),
        ({"ssh_args": "-o 'UserKnownHostsFile /k'"},
         {"alt_key_file": "/k", "alt_host_keys": True, "system_host_keys": False}),
        ({"ssh_args": """-o 'UserKnownHostsFile="/a \\"b\\" %%h \\\\/k"'"""},
         {"alt_key_file": '/a "b" %h \\/k'}),
        ({"private_key_file": '/a \\"b\\" %%h \'\\\\/k'}, {"key_file": '/a "b" %h \'\\/k'}),
        ({"ssh_common_args": "-J jump@192.0.2.9:22"},
         {"proxy": "ssh -W [%h]:%p jump@192.0.2.9:22"}),
        ({"ssh_common_args": "-o ProxyJump=a,b"}, {"proxy": "ssh -J a -W [%h]:%p b"}),
        ({"ssh_common_args": "-o ProxyCommand='nc %h %p'"}, {"proxy": "nc %h %p"}),
        ({"ssh_args": "-o Port=23 -o User=eve -p 24", "remote_user": None},
         {"port": 23, "username": "eve"}),
    ],
)  # fmt: skip
def test_an_option_in_its_place(given, wanted):
    assert {name: made(**given).get(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ssh_args": "-o Ciphers=aes128-ctr"}, "'ciphers'"),
        ({"ssh_common_args": "-F other"}, "'-F'"),
        ({"host": None}, "set ansible_connection to ssh"),
        ({"pkcs11_provider": "/lib/x.so"}, "pkcs11_provider"),
        ({"private_key": "-----BEGIN"}, "private_key"),
        ({"ssh_executable": "/opt/mosh"}, "/opt/mosh"),
        ({"ssh_args": "-o UserKnownHostsFile='a b'"}, "userknownhostsfile a b: klish's takes"),
        ({"ssh_args": "-o GlobalKnownHostsFile=/etc/k"}, "GlobalKnownHostsFile=/etc/k"),
        ({"ssh_args": "-o IdentityAgent=/run/agent"}, "IdentityAgent=/run/agent"),
        ({"ssh_args": "-o"}, "'-o'"),
    ],
)
def test_what_has_no_place_is_refused_by_name(given, said):
    with pytest.raises(UsageError, match=said):
        made(**given)
