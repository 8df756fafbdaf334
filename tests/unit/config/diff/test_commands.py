"""Changes of command text as the lines that make them, and back."""

from nettool.config.diff.asternos import asternos_blocks, diff_asternos, plan_lines, same_lines
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
    ("router bgp 65001", "address-family ipv4 unicast", "maximum-paths 8"),
    (
        "router bgp 65001",
        "no neighbor 10.0.0.3 remote-as 65002",
        "neighbor 10.0.0.1 remote-as 65002",
    ),
    ("interface ethernet 0/8", "no switchport access vlan 102"),
    ("interface ethernet 0/0", "switchport access vlan 101"),
    ("interface vlan 101", "ip address 10.1.0.1/24"),
    ("no interface vlan 102",),
    ("no vlan 102",),
    ("priority-flow-control enable 4",),
)


def changes():
    return diff_asternos("leaf01", read_lines(OLD), read_lines(NEW))


def test_lines_in_blocks_of_their_own_and_back():
    assert asternos_blocks(changes()) == THERE
    assert asternos_blocks(changes().inverse()) == BACK


def test_a_line_after_an_inner_view_is_entered_outside_of_it():
    text = "policy-map p\n class c\n  wred w\n queue-scheduler priority queue 6\n"
    made = diff_asternos("leaf01", {}, read_lines(text))
    assert asternos_blocks(made) == (
        ("policy-map p", "queue-scheduler priority queue 6"),
        ("policy-map p", "class c", "wred w"),
    )
    assert asternos_blocks(made.inverse()) == (("no policy-map p",),)
    more = diff_asternos(
        "leaf01", read_lines("policy-map p\n set x\n"), read_lines(f"{text} set x\n")
    )
    assert asternos_blocks(more.inverse()) == (
        ("policy-map p", "no queue-scheduler priority queue 6", "no class c"),
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
    found = diff_asternos("leaf01", read_lines(old), read_lines(new))
    assert len(found.changes) == 3
    assert "CANARY" not in as_text([found])
    assert "CANARY" not in str(masked(found))
