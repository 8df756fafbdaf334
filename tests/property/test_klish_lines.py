"""Whatever two AsterNOS texts hold, the lines that are entered lead there, and back."""

from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nettool.config.diff.asternos import (
    asternos_blocks,
    asternos_way_back,
    diff_asternos,
    kept_asternos,
    same_lines,
)
from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.config.render.render import render
from nettool.fleet.mock.folder import Folder
from nettool.fleet.mock.journal import Journal
from nettool.fleet.mock.klish_config import KlishConfig
from nettool.fleet.mock.klish_refusals import refusal
from nettool.intent.load import find_fabric

OPENS = (
    "interface", "router", "vlan", "policy-map", "class", "wred", "buffer-profile", "diffserv-map",
)  # fmt: skip
PEER = "neighbor 10.0.0.1 remote-as {}"
FAMILY = "address-family ipv4 unicast"
PFC = "priority-flow-control enable {}"
FEW = st.integers(1, 3)


def some(*lines):
    """Some of these lines, in any order."""
    return st.lists(st.sampled_from(lines), unique=True)


def one_of(stem, *values):
    """One line of a kind of which a view holds one, or none."""
    return st.lists(st.sampled_from([f"{stem} {value}" for value in values]), max_size=1)


def flat(*lists):
    return st.tuples(*lists).map(lambda found: [line for each in found for line in each])


OWN, PRESET = "nettool_400g_5m", "roce_lossless_5m_medium_400g"
POLICY = (
    "class-map nettool_lossless", " match cos 3", "wred ROCE_400G", " mode ecn gmin 1 gmax 2",
    f"policy-map {OWN}", " class nettool_lossless", "  wred ROCE_400G",
)  # fmt: skip
GATEWAY = flat(one_of("ip address", "10.1.0.1/24", "10.1.0.2/24"), some("arp timeout 60"))
ROUTER = flat(
    st.sampled_from([[], [PEER.format(1)], [PEER.format(1), "neighbor 10.0.0.1 timers 1 3"]]),
    one_of("neighbor 10.0.0.3 remote-as", 1, 2),
    st.sampled_from([[], ["bgp ebgp-requires-policy"], ["no bgp ebgp-requires-policy"]]),
)
ROUTES = flat(one_of("maximum-paths", 8, 64), some("network 10.1.0.0/24", "network 10.2.0.0/24"))
QUEUES = st.tuples(
    *(st.sampled_from(["", PFC.format(n), f"no {PFC.format(n)}"]) for n in (3, 4, 5))
)


@st.composite
def texts(draw):
    """The text of a switch."""
    lines = [line for line in draw(QUEUES) if line and line != f"no {PFC.format(5)}"]
    vlans, policies = sorted(draw(st.sets(FEW))), draw(st.sampled_from([[PRESET], [PRESET, OWN]]))
    lines += [f"vlan {n}" for n in vlans] + list(POLICY if OWN in policies else ())
    lines += [f"snmp-server host 192.0.2.{n}" for n in draw(st.sets(FEW))]
    for name in draw(st.sets(st.sampled_from(vlans))) if vlans else ():
        lines += [f"interface vlan {name}", *(f" {line}" for line in draw(GATEWAY))]
    port = flat(
        one_of("switchport access vlan", *vlans) if vlans else st.just([]),
        one_of("service-policy", *policies),
        some("mtu 9000"),
    )
    for name in draw(st.sets(FEW)):
        lines += [f"interface ethernet 0/{name}", *(f" {line}" for line in draw(port))]
    if draw(st.booleans()):
        lines += [
            f"router bgp {draw(st.sampled_from([65001, 65009]))}",
            *(f" {line}" for line in draw(ROUTER)),
        ]
        if routes := draw(ROUTES):
            lines += [f" {FAMILY}", *(f"  {line}" for line in routes)]
    return "".join(f"{line}\n" for line in lines)


class Switch:
    """A mock switch's text, and its views as an operator goes through them."""

    def __init__(self, folder: Path, text: str) -> None:
        (folder / "etc/sonic").mkdir(parents=True, exist_ok=True)
        (folder / "etc/sonic/startup.cfg").write_text(text)
        self.config = KlishConfig(Folder(folder, "admin"), Journal(), lambda _restarted: None)
        self.config.boot()

    def enter(self, blocks):
        for block in blocks:
            view = ()
            for line in block:
                assert refusal(self.config.views, view, line) == "", block
                self.config.enter(view, line)
                opens = line == FAMILY or (len(view) < 2 and line.startswith(OPENS))
                view = (*view, line) if opens else view

    def lines(self):
        return read_lines(self.config.text())


def with_lines(tables, lines):
    """A text with more lines in its views; of bare removals nothing is left."""
    off = {line for line in tables.get("global", ()) if line == f"no {PFC.format(5)}"}
    views = {view: {x: {} for x in found if x not in off} for view, found in tables.items()}
    for view, line in lines:
        views.setdefault(view, {})[line] = {}
    return views


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("switch")


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(old=texts(), new=texts(), whole=st.booleans())
def test_there_and_back(folder, old, new, whole):
    switch = Switch(folder, old)
    before, wanted = switch.lines(), read_lines(new)
    changes = diff_asternos("leaf01", before, wanted, exact=whole)
    switch.enter(asternos_blocks(changes))
    assert diff_asternos("leaf01", switch.lines(), wanted, exact=whole).is_empty
    stays = [] if whole else kept_asternos(changes, before, wanted)
    assert same_lines(switch.lines(), with_lines(wanted, stays))
    switch.enter(asternos_way_back(changes, before))
    assert same_lines(switch.lines(), before)


@pytest.mark.parametrize("fabric", ["rail-only-128", "rail-optimized-256"])
def test_from_a_blank_switch_to_both_ways_of_roce_and_back(tmp_path, plan_intent, fabric):
    """The numbers by lines, then by the preset, then by lines again, then nothing is intended."""
    data = yaml.safe_load(find_fabric(fabric).read_text())
    texts = {"nothing": {}}
    for mode in ("easy", "manual"):
        data["nos"] = {"name": "asternos", "roce": mode}
        made = render(plan_intent(data).configs[:1])
        texts[mode] = read_lines(next(e.text for e in made if e.path == "asternos.cfg"))
    switch = Switch(tmp_path, "")
    for mode in ("manual", "easy", "manual", "nothing"):
        before = switch.lines()
        changes = diff_asternos("leaf01", before, texts[mode])
        switch.enter(asternos_blocks(changes))
        assert same_lines(switch.lines(), texts[mode])
        switch.enter(asternos_way_back(changes, before))
        assert same_lines(switch.lines(), before)
        switch.enter(asternos_blocks(changes))
