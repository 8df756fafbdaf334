"""The files of ptp4l and synce4l: roles, order, option names by version, sharing, refusals."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nettool.config.device.device import DeviceConfig, HostConfig
from nettool.config.nos.dialect import DIALECTS
from nettool.config.nos.dialects.linuxptp.options import Program, check, table
from nettool.config.render.environment import TemplateSet
from nettool.config.render.render import render
from nettool.core.errors import FindingsError
from nettool.core.resources import shipped
from nettool.plan.qos import classes
from nettool.plan.timing import profiles

DIALECT = DIALECTS["linuxptp"]
PROFILES = ("g8275.1", "g8275.2", "ieee1588")
NIC = "ptp4l-nic1.conf"
Config = DeviceConfig | HostConfig
Timed = Callable[..., dict[str, Config]]
Blocks = dict[str, dict[str, str]]
Read = Callable[[str], Blocks]


def _text(config: Config, path: str = "ptp4l.conf") -> str:
    return next(each.text for each in render([config]) if each.path == path)


def _ports(config: Config) -> Any:
    assert isinstance(config, DeviceConfig)
    assert config.timing is not None
    return config.timing.clock.ports


def test_ports_towards_hosts_only_lead(timed: Timed, blocks_of: Read) -> None:
    leaf = timed()["leaf01"]
    blocks = blocks_of(_text(leaf))
    for port in _ports(leaf):
        only = "0" if port.may_follow else "1"
        assert blocks[port.port]["masterOnly"] == only, port
    assert {p.peer for p in _ports(leaf) if p.may_follow} == {"spine01", "spine02"}


def test_a_host_only_follows_with_one_clock_a_nic(timed: Timed, blocks_of: Read) -> None:
    host = timed()["node01"]
    made = {each.path: blocks_of(each.text) for each in DIALECT.artifacts(host, _templates())}
    assert isinstance(host, HostConfig)
    names = [nic.name for nic in host.node.nics]
    assert [*made] == [*(f"ptp4l-{name}.conf" for name in names), "synce4l.conf"]
    for name in names:
        blocks = made[f"ptp4l-{name}.conf"]
        assert set(blocks) == {"global", name}
        assert (blocks["global"]["slaveOnly"], blocks["global"]["priority2"]) == ("1", "255")
    sockets = {made[f"ptp4l-{name}.conf"]["global"]["uds_address"] for name in names}
    assert len(sockets) == len(names)


@pytest.mark.parametrize("profile", PROFILES)
def test_switch_and_host_speak_alike(timed: Timed, blocks_of: Read, profile: str) -> None:
    made = timed(profile=profile)
    leaf, host = _text(made["leaf01"]), _text(made["node01"], NIC)
    same = (
        "domainNumber", "network_transport", "delay_mechanism", "twoStepFlag",
        "logAnnounceInterval", "logSyncInterval", "logMinDelayReqInterval",
    )  # fmt: skip
    one, other = (blocks_of(text)["global"] for text in (leaf, host))
    assert {key: one[key] for key in same} == {key: other[key] for key in same}


@pytest.mark.parametrize(
    ("version", "switch", "host"),
    [
        ("3.1", "masterOnly", "slaveOnly"),
        ("4.0", "serverOnly", "clientOnly"),
        ("4.10", "serverOnly", "clientOnly"),
    ],
)
def test_option_names_follow_the_version(
    timed: Timed, blocks_of: Read, version: str, switch: str, host: str
) -> None:
    made = timed(linuxptp=version)
    names = {"masterOnly", "slaveOnly", "serverOnly", "clientOnly"}

    def said(text: str) -> set[str]:
        return {key for block in blocks_of(text).values() for key in block} & names

    assert said(_text(made["leaf01"])) == {switch}
    assert said(_text(made["node01"], NIC)) == {host}


@pytest.mark.parametrize(
    ("name", "path"),
    [("leaf01", "ptp4l.conf"), ("leaf01", "synce4l.conf"), ("node01", NIC),
     ("node01", "synce4l.conf")],
)  # fmt: skip
def test_every_option_is_explained(timed: Timed, blocks_of: Read, name: str, path: str) -> None:
    config = timed()[name]
    for section, options in blocks_of(_text(config, path)).items():
        for key, value in options.items():
            found = DIALECT.explain(config, f"{path}|{section}|{key}")
            assert found is not None, (section, key)
            assert (found.value, bool(found.why.source)) == (value, True)
    assert DIALECT.explain(config, f"{path}|global|nothing") is None
    assert DIALECT.explain(config, "nothing") is None


def test_one_link_over_another_transport_has_it_at_both_ends(timed: Timed, blocks_of: Read) -> None:
    made = timed(
        profile="ieee1588",
        links=[{"port": "node01:nic1", "transport": "L2"},
               {"port": "leaf01:Ethernet256", "transport": "L2"}],
    )  # fmt: skip
    leaf, spine = (blocks_of(_text(made[name])) for name in ("leaf01", "spine01"))
    nic = blocks_of(_text(made["node01"], NIC))
    assert nic["nic1"] == {"network_transport": "L2"}
    told = {name for name, block in leaf.items() if block.get("network_transport") == "L2"}
    assert told == {"Ethernet0", "Ethernet256"}
    assert [n for n, block in spine.items() if block.get("network_transport") == "L2"] == [
        "Ethernet0"
    ]
    assert "network_transport" not in blocks_of(_text(made["node01"], "ptp4l-nic2.conf"))["nic2"]


def test_ptp_over_udp_is_marked_as_control_traffic(timed: Timed, blocks_of: Read) -> None:
    assert profiles.DSCP == classes.PTP_DSCP
    common = blocks_of(_text(timed(profile="ieee1588")["leaf01"]))["global"]
    assert (common["dscp_event"], common["dscp_general"]) == ("56", "56")
    assert "dscp_event" not in blocks_of(_text(timed()["leaf01"]))["global"]


def test_unicast_asks_every_way_up_by_address(timed: Timed) -> None:
    made = timed(profile="g8275.2")
    text = _text(made["leaf01"])
    tables = [line.split()[1] for line in text.splitlines() if line.startswith("UDPv4 ")]
    assert len(tables) == sum(port.may_follow for port in _ports(made["leaf01"]))
    assert set(tables) == {each.peer_address for each in _ports(made["leaf01"])} - {None}
    host = made["node01"]
    assert isinstance(host, HostConfig)
    assert f"UDPv4 {host.node.nics[0].gateway}\n" in _text(host, NIC)


def test_a_transparent_tier_sets_no_clock(timed: Timed, blocks_of: Read) -> None:
    made = timed(clocks={"spine": "transparent"})
    spine, leaf = (blocks_of(_text(made[name]))["global"] for name in ("spine01", "leaf01"))
    assert (spine["clock_type"], spine["free_running"]) == ("E2E_TC", "1")
    assert (leaf["clock_type"], leaf.get("free_running")) == ("BC", None)


class TestSynce:
    """Frequency: inputs in the order of the plan, never from below, and off where it is off."""

    def test_inputs_have_their_rank_and_others_are_never_one(
        self, timed: Timed, blocks_of: Read
    ) -> None:
        for name in ("leaf01", "spine01"):
            config = timed()[name]
            blocks = blocks_of(_text(config, "synce4l.conf"))
            for port in _ports(config):
                rank = port.synce_input
                said = {"allowed_qls": "0xf"} if rank is None else {"internal_prio": str(rank)}
                assert blocks[port.port] == {"tx_heartbeat_msec": "1000", **said}

    def test_the_network_option_is_the_intents(self, timed: Timed, blocks_of: Read) -> None:
        made = timed(synce_option=2)
        for name in ("leaf01", "node01"):
            blocks = blocks_of(_text(made[name], "synce4l.conf"))
            assert blocks["<synce1>"]["network_option"] == "2"

    def test_an_older_synce4l_has_no_ranks(self, timed: Timed) -> None:
        assert "internal_prio" not in _text(timed(synce4l="1.0")["leaf01"], "synce4l.conf")

    def test_it_is_marked_unverified(self, timed: Timed) -> None:
        for config in (timed()["leaf01"], timed()["node01"]):
            made = {each.path: each for each in DIALECT.artifacts(config, _templates())}
            assert "no synce4l has read it" in made["synce4l.conf"].unverified[0]
            assert made["synce4l.conf"].text.startswith("# unverified:")

    def test_without_synce_there_is_no_file(self, timed: Timed) -> None:
        for name in ("leaf01", "node01"):
            made = DIALECT.artifacts(timed(synce=False)[name], _templates())
            assert "synce4l.conf" not in {each.path for each in made}


CHECKED = [
    ("ptp4l", "3.1", "[global]\npriority2 128\n", []),
    ("ptp4l", "3.1", "[global]\npriorty2 128\n", ["TIM101"]),
    ("ptp4l", "3.1", "[global]\nclientOnly 1\n", ["TIM101"]),
    ("ptp4l", "4.0", "[global]\nclientOnly 1\n", []),
    ("ptp4l", "4.0", "[global]\nslaveOnly 1\n", ["TIM101"]),
    ("ptp4l", "3.1", "[global]\npriority2 256\n", ["TIM102"]),
    ("ptp4l", "3.1", "[global]\nnetwork_transport UDP\n", ["TIM102"]),
    ("ptp4l", "3.1", "[eth0]\ndomainNumber 24\n", ["TIM103"]),
    ("ptp4l", "3.1", "[global]\nmasterOnly 1\n[eth0]\nmasterOnly 0\n", []),
    ("ptp4l", "3.1", "[global]\nclock_type BC\nslaveOnly 1\n[eth0]\n[eth1]\n", ["TIM104"]),
    ("ptp4l", "3.1", "[global]\nclock_type BC\nslaveOnly 0\n[eth0]\n[eth1]\n", []),
    ("ptp4l", "3.1", "[global]\nclock_type BC\n[eth0]\n", ["TIM105"]),
    ("ptp4l", "3.1", "[global]\nclock_type OC\nslaveOnly 1\n[eth0]\n", []),
    ("ptp4l", "3.1", "[unicast_master_table]\ntable_id 1\nUDPv4 192.0.2.1\n", []),
    ("ptp4l", "3.1", "[global]\nfault_reset_interval ASAP\n", []),
    ("synce4l", "1.1", "[<synce1>]\nnetwork_option 1\n[eth0]\nallowed_qls 0xf\n", []),
    ("synce4l", "1.1", "[<synce1>]\nnetwork_option 3\n", ["TIM102"]),
    ("synce4l", "1.1", "[eth0]\nnetwork_option 1\n", ["TIM103"]),
    ("synce4l", "1.1", "[eth0]\ninternal_prio 1\n", []),
    ("synce4l", "1.0", "[eth0]\ninternal_prio 1\n", ["TIM101"]),
    ("synce4l", "1.1", "[{SMA1}]\ninput_QL 0x2\ninternal_prio 0\n", []),
    ("synce4l", "1.1", "[eth0]\ninput_QL 0x2\n", ["TIM103"]),
    ("synce4l", "1.1", "[<synce1>]\ninput_mode line\n", ["TIM101"]),
]  # fmt: skip


@pytest.mark.parametrize(("program", "release", "text", "rules"), CHECKED)
def test_what_a_daemon_refuses(program: Program, release: str, text: str, rules: list[str]) -> None:
    assert [each.rule for each in check(text, program, release, file="x")] == rules


@pytest.mark.parametrize("program", ["ptp4l", "synce4l"])
def test_every_option_has_a_range_that_holds_something(program: Program) -> None:
    for name, row in table(program).options.items():
        assert (row.least is None) == (row.most is None), name
        assert row.least is None or row.most is None or row.least <= row.most, name
        assert row.renamed is None or row.renamed in table(program).options, name


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("release", DIALECT.releases)
def test_what_is_rendered_passes_the_table(timed: Timed, profile: str, release: str) -> None:
    made = timed(profile=profile, linuxptp=release)
    for config in made.values():
        for each in DIALECT.artifacts(config, _templates()):
            program: Program = "synce4l" if each.path == "synce4l.conf" else "ptp4l"
            version = "1.1" if program == "synce4l" else release
            assert list(check(each.text, program, version, file=each.path)) == []


def test_a_users_template_that_the_daemon_would_refuse_is_refused(
    timed: Timed, tmp_path: Path
) -> None:
    own = tmp_path / "linuxptp" / "ptp4l.conf.j2"
    own.parent.mkdir()
    own.write_text("[global]\npriorty2 128\n", encoding="utf-8")
    with pytest.raises(FindingsError) as caught:
        list(render([timed()["leaf01"]], templates=[tmp_path]))
    found = caught.value.report.findings
    assert [(each.rule, each.line, each.field) for each in found] == [("TIM101", 2, "priorty2")]


def test_equal_devices_share_one_text(timed: Timed) -> None:
    made, templates = timed(), _templates()
    first, second = (
        {e.path: e.text for e in DIALECT.artifacts(made[name], templates)}
        for name in ("leaf01", "leaf02")
    )
    assert all(first[path] is second[path] for path in ("ptp4l.conf", "synce4l.conf"))


def _templates() -> TemplateSet:
    return TemplateSet([shipped("templates")], None)
