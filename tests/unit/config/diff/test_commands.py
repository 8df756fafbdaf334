"""Changes of command text as the lines that make them, and back."""

from nettool.config.diff.asternos import (
    asternos_blocks,
    asternos_way_back,
    diff_asternos,
    kept_asternos,
    plan_lines,
    same_lines,
    unproved,
)
from nettool.config.diff.masking import masked, masked_line
from nettool.config.diff.text import as_text
from nettool.config.nos.dialects.asternos.tree import read_lines

OLD = """\
vlan 101
interface vlan 101
 ip address 10.1.0.1/24
interface ethernet 0/0
 switchport access vlan 101
router bgp 65001
 neighbor 10.0.0.1 remote-as 65002
 address-family ipv4 unicast
  maximum-paths 8
"""
NEW = """\
no priority-flow-control enable 4
vlan 101
interface vlan 101
 ip address 10.1.0.254/24
vlan 102
interface vlan 102
 ip address 10.2.0.1/24
interface ethernet 0/0
 switchport access vlan 102
interface ethernet 0/8
 switchport access vlan 102
router bgp 65001
 neighbor 10.0.0.3 remote-as 65002
 address-family ipv4 unicast
  maximum-paths 64
"""
THERE = (
    ("no priority-flow-control enable 4",),
    ("vlan 102",),
    ("interface vlan 102", "ip address 10.2.0.1/24"),
    ("interface vlan 101", "ip address 10.1.0.254/24"),
    ("interface ethernet 0/0", "switchport access vlan 102"),
    ("interface ethernet 0/8", "switchport access vlan 102"),
    (
        "router bgp 65001",
        "no neighbor 10.0.0.1 remote-as 65002",
        "neighbor 10.0.0.3 remote-as 65002",
    ),
    ("router bgp 65001", "address-family ipv4 unicast", "maximum-paths 64"),
)
BACK = (
    ("interface vlan 102", "no ip address 10.2.0.1/24"),
    ("interface vlan 101", "ip address 10.1.0.1/24"),
    ("interface ethernet 0/0", "switchport access vlan 101"),
    (
        "router bgp 65001",
        "no neighbor 10.0.0.3 remote-as 65002",
        "neighbor 10.0.0.1 remote-as 65002",
    ),
    ("router bgp 65001", "address-family ipv4 unicast", "maximum-paths 8"),
    ("interface ethernet 0/8", "no switchport access vlan 102"),
    ("no interface vlan 102",),
    ("no vlan 102",),
    ("priority-flow-control enable 4",),
)
THEIRS = """\
snmp-server host 192.0.2.9
interface ethernet 0/16
 ip address 10.9.0.0/31
 mtu 9000
wred roce_lossless_5m_medium_400g_ecn
 mode ecn gmin 1 gmax 2 gprobability 3
wred ROCE_400G
 mode ecn gmin 1 gmax 2 gprobability 3
policy-map nettool_400g_5m
 class nettool_lossless
  wred ROCE_400G
class-map nettool_lossless
 match cos 3 4
"""
"""Beside NEW: lines of an operator's, the Easy RoCE preset's, and of an earlier intent."""
LATER = """\
vlan 103
interface vlan 103
 ip address 10.2.0.1/24
interface ethernet 0/0
 switchport access vlan 103
interface ethernet 0/8
 ip address 10.9.0.0/31
router bgp 65009
 neighbor 10.0.0.1 remote-as 7
"""


def changes():
    return diff_asternos("leaf01", read_lines(OLD), read_lines(NEW))


def test_lines_in_blocks_of_their_own_and_back():
    assert asternos_blocks(changes()) == THERE
    assert asternos_way_back(changes(), read_lines(OLD)) == BACK


def test_what_is_no_longer_intended_goes_dependants_first():
    made = diff_asternos("leaf01", read_lines(NEW + THEIRS), read_lines(LATER))
    assert asternos_blocks(made) == (
        ("no router bgp 65001",),
        ("interface vlan 101", "no ip address 10.1.0.254/24"),
        ("interface vlan 102", "no ip address 10.2.0.1/24"),
        ("interface ethernet 0/16", "no ip address 10.9.0.0/31"),
        ("vlan 103",),
        ("interface vlan 103", "ip address 10.2.0.1/24"),
        ("router bgp 65009", "neighbor 10.0.0.1 remote-as 7"),
        ("interface ethernet 0/0", "switchport access vlan 103"),
        (
            "interface ethernet 0/8",
            "no switchport access vlan 102",
            "ip address 10.9.0.0/31",
        ),
        ("no policy-map nettool_400g_5m",),
        ("no wred ROCE_400G",),
        ("no class-map nettool_lossless",),
        ("no interface vlan 102",),
        ("no interface vlan 101",),
        ("no vlan 102",),
        ("no vlan 101",),
        ("priority-flow-control enable 4",),
    )
    back = asternos_way_back(made, read_lines(NEW + THEIRS))
    assert back[0] == ("no router bgp 65009",)
    assert back[-2:] == (("no interface vlan 103",), ("no vlan 103",))


def test_what_nettool_never_writes_stays_and_is_known():
    running, intended = read_lines(NEW + THEIRS), read_lines(LATER)
    made = diff_asternos("leaf01", running, intended)
    assert kept_asternos(made, running, intended) == (
        ("global", "snmp-server host 192.0.2.9"),
        ("global", "wred roce_lossless_5m_medium_400g_ecn"),
        ("interface ethernet 0/16", "mtu 9000"),
        ("wred roce_lossless_5m_medium_400g_ecn", "mode ecn gmin 1 gmax 2 gprobability 3"),
    )


def test_a_preset_bound_to_a_port_is_not_unbound():
    bound = "interface ethernet 0/0\n service-policy {}\n"
    preset, own = (
        read_lines(bound.format(name))
        for name in ("roce_lossless_5m_medium_400g", "nettool_400g_5m")
    )
    assert diff_asternos("leaf01", preset, {}).is_empty
    assert asternos_blocks(diff_asternos("leaf01", own, {})) == (
        ("interface ethernet 0/0", "no service-policy nettool_400g_5m"),
    )
    assert asternos_blocks(diff_asternos("leaf01", preset, own)) == (
        ("interface ethernet 0/0", "service-policy nettool_400g_5m"),
    )


def test_bgp_that_somebody_wrote_where_no_line_can_stays():
    running = read_lines("router bgp 65001\n neighbor Ethernet256 interface remote-as external\n")
    assert diff_asternos("leaf01", running, {}, unsaid=("unnumbered",)).is_empty
    gone = diff_asternos("leaf01", running, {})
    assert asternos_blocks(gone) == (("no router bgp 65001",),)


def test_lines_that_take_away_are_unproved():
    assert unproved(changes()) == (
        "no priority-flow-control enable 4",
        "no neighbor 10.0.0.1 remote-as 65002",
    )
    only_added = diff_asternos("leaf01", {}, read_lines("vlan 101\n"))
    assert unproved(only_added) == ()


def test_a_line_after_an_inner_view_is_entered_outside_of_it():
    text = "policy-map p\n class c\n  wred w\n queue-scheduler priority queue 6\n"
    made = diff_asternos("leaf01", {}, read_lines(text))
    assert asternos_blocks(made) == (
        ("policy-map p", "queue-scheduler priority queue 6"),
        ("policy-map p", "class c", "wred w"),
    )
    assert asternos_way_back(made, {}) == (("no policy-map p",),)
    more = diff_asternos(
        "leaf01", read_lines("policy-map p\n set x\n"), read_lines(f"{text} set x\n")
    )
    assert asternos_way_back(more, read_lines("policy-map p\n set x\n")) == (
        ("policy-map p", "no class c", "no queue-scheduler priority queue 6"),
    )


def test_order_and_defaults_are_no_difference():
    other = "interface mgmt 0\npriority-flow-control enable 3\n" + OLD
    assert same_lines(read_lines(OLD), read_lines(other))
    assert not same_lines(read_lines(OLD), read_lines(NEW))


def test_an_unknown_impact_is_a_flap_and_the_way_back_a_reload():
    plan = plan_lines(changes())
    assert (plan.way, str(plan.impact)) == ("lines", "link flap")
    assert plan.undo_reasons
    assert plan_lines(diff_asternos("leaf01", {}, {})).way == ""


def test_secrets_in_lines_are_never_shown():
    line = "neighbor 10.0.0.1 password 7 CANARY-1"
    assert masked_line(line) == "neighbor 10.0.0.1 password (secret)"
    old, new = (f"router bgp 1\n {line}{n}\nsnmp community CANARY{n}\n" for n in ("a", "b"))
    found = diff_asternos("leaf01", read_lines(old), read_lines(new), exact=True)
    assert len(found.changes) == 4
    assert "CANARY" not in as_text([found])
    assert "CANARY" not in str(masked(found))


PEER = """\
router bgp 65001
 neighbor 10.0.0.1 remote-as 65002
 neighbor 10.0.0.1 password CANARY
 neighbor 10.0.0.11 remote-as 65011
 address-family ipv4 unicast
  neighbor 10.0.0.1 activate
  maximum-paths 8
"""
LONE = """\
router bgp 65001
 neighbor 10.0.0.11 remote-as 65011
 address-family ipv4 unicast
  maximum-paths 8
"""


def test_with_a_neighbour_goes_all_that_is_said_of_it():
    gone = diff_asternos("leaf01", read_lines(PEER), read_lines(LONE))
    assert len(gone.changes) == 3
    assert asternos_blocks(gone) == (("router bgp 65001", "no neighbor 10.0.0.1 remote-as 65002"),)
    assert kept_asternos(gone, read_lines(PEER), read_lines(LONE)) == ()
    assert asternos_way_back(gone, read_lines(PEER)) == (
        ("router bgp 65001", "neighbor 10.0.0.1 remote-as 65002",
         "neighbor 10.0.0.1 password CANARY"),
        ("router bgp 65001", "address-family ipv4 unicast", "neighbor 10.0.0.1 activate"),
    )  # fmt: skip


def test_a_neighbour_of_another_number_keeps_what_somebody_said_of_it():
    other = read_lines(LONE + " neighbor 10.0.0.1 remote-as 65009\n")
    made = diff_asternos("leaf01", read_lines(PEER), other)
    assert asternos_blocks(made) == (("router bgp 65001", "neighbor 10.0.0.1 remote-as 65009"),)
    assert len(kept_asternos(made, read_lines(PEER), other)) == 2
