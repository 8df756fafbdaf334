"""Command text against command text: additions, removals, and commands that overwrite."""

import pytest

from nettool.config.diff.lines import Rules, diff_lines
from nettool.config.nos.dialects.asternos.tree import read_lines

RUNNING = """\
! a comment
interface vlan 101
 ip address 10.1.0.1/24
 description old
router bgp 65001
 neighbor 10.0.0.1 remote-as 65002
 address-family ipv4 unicast
  maximum-paths 8
hostname leaf01
"""


def written(_view, line):
    """What the tests take for nettool's own lines."""
    stems = ("ip address", "neighbor", "maximum-paths", "router", "interface vlan", "vlan")
    return next((n for n, stem in enumerate(stems) if line.startswith(f"{stem} ")), None)


RULES = Rules(("ip address", "maximum-paths"), rank=written)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", []),
        (" description old\n", "", []),
        (" neighbor 10.0.0.1 remote-as 65002\n", "",
         [("remove", "router bgp 65001", "neighbor 10.0.0.1 remote-as 65002")]),
        ("10.1.0.1/24", "10.1.0.254/24", [("replace", "interface vlan 101", "ip address")]),
        ("maximum-paths 8", "maximum-paths 64",
         [("replace", "router bgp 65001 / address-family ipv4 unicast", "maximum-paths")]),
        ("remote-as 65002\n", "remote-as 65002\n neighbor 10.0.0.3 remote-as 65002\n",
         [("add", "router bgp 65001", "neighbor 10.0.0.3 remote-as 65002")]),
        ("hostname leaf01\n", "", []),
    ],
)  # fmt: skip
def test_changes(old, new, said):
    intended = read_lines(RUNNING.replace(old, new))
    changes = diff_lines("leaf01", read_lines(RUNNING), intended, RULES).changes
    assert [(str(c.kind), c.table, c.key) for c in changes] == said


def test_a_view_that_is_not_ours_is_left_alone():
    running = read_lines(RUNNING + "route-map theirs\n set metric 5\n")
    assert diff_lines("leaf01", running, read_lines(RUNNING), RULES).is_empty


def test_comments_and_blank_lines_say_nothing():
    text = RUNNING.replace("! a comment\n", "!\n! other\n\n")
    assert diff_lines("leaf01", read_lines(RUNNING), read_lines(text), RULES).is_empty


PFC = "priority-flow-control enable {}\n"
DEFAULTS = (PFC.format(3).strip(), PFC.format(4).strip())


@pytest.mark.parametrize(
    ("running", "intended", "said"),
    [
        ("", PFC.format(3), []),
        (PFC.format(3), "", []),
        ("", "no " + PFC.format(4), [("add", "global", "no priority-flow-control enable 4")]),
        ("no " + PFC.format(4), "no " + PFC.format(4), []),
        ("no " + PFC.format(4), PFC.format(4),
         [("remove", "global", "no priority-flow-control enable 4")]),
        (PFC.format(4), "no " + PFC.format(4),
         [("add", "global", "no priority-flow-control enable 4")]),
        (PFC.format(5), "no " + PFC.format(5),
         [("remove", "global", "priority-flow-control enable 5")]),
        ("", "no " + PFC.format(5), []),
        ("interface ethernet 0/0\n mtu 9100\n", "interface ethernet 0/0\n", []),
    ],
)  # fmt: skip
def test_what_is_in_force_without_being_said(running, intended, said):
    changes = diff_lines(
        "leaf01", read_lines(running), read_lines(intended),
        Rules(defaults=DEFAULTS, standing=("interface ethernet",)),
    ).changes  # fmt: skip
    assert [(str(c.kind), c.table, c.key) for c in changes] == said


def test_exactly_this_and_nothing_else():
    more = RUNNING + "vlan 999\ninterface vlan 999\n ip address 10.9.9.9/24\n"
    more += "interface ethernet 0/8\n mtu 9100\n"
    changes = diff_lines(
        "leaf01", read_lines(more), read_lines(RUNNING),
        Rules(standing=("interface ethernet",)), exact=True,
    ).changes  # fmt: skip
    assert [(str(c.kind), c.table, c.key) for c in changes] == [
        ("remove", "interface vlan 999", "ip address 10.9.9.9/24"),
        ("remove", "interface ethernet 0/8", "mtu 9100"),
        ("remove", "global", "interface vlan 999"),
        ("remove", "global", "vlan 999"),
    ]


def test_of_a_view_that_stands_alone_the_other_goes_first():
    intended = read_lines(RUNNING.replace("router bgp 65001", "router bgp 65009"))
    changes = diff_lines("leaf01", read_lines(RUNNING), intended, Rules(single=("router bgp",)))
    said = [(str(c.kind), c.table, c.key) for c in changes.changes]
    assert said[:2] == [("remove", "global", "router bgp 65001"),
                        ("add", "global", "router bgp 65009")]  # fmt: skip
