"""What a mock AsterNOS refuses to take away while it is used."""

import pytest

from nettool.fleet.mock.klish_refusals import refusal

VIEWS = {
    (): ["vlan 101", "vlan 102", "interface vlan 102", "router bgp 65001", "wred spare"],
    ("interface ethernet 0/0",): ["switchport access vlan 101", "service-policy p"],
    ("interface vlan 102",): ["ip address 10.2.0.1/24"],
    ("policy-map p", "class c"): ["wred w", "priority-group-buffer b"],
    ("policy-map p",): ["class c", "set cos dscp diffserv d"],
}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("no vlan 101", "VLAN 101 has member interface ethernet 0/0"),
        ("no vlan 102", "VLAN 102 has an address"),
        ("no vlan 103", ""),
        ("no interface vlan 102", ""),
        ("no policy-map p", "policy-map p is used by interface ethernet 0/0"),
        ("no class-map c", "class-map c is used by policy-map p"),
        ("no wred w", "wred w is used by policy-map p / class c"),
        ("no wred spare", ""),
        ("no buffer-profile b", "buffer-profile b is used by policy-map p / class c"),
        ("no diffserv-map type ip-dscp d", "diffserv-map type ip-dscp d is used by policy-map p"),
        ("router bgp 65009", "BGP is already running; AS is 65001"),
        ("router bgp 65001", ""),
        ("no router bgp 65001", ""),
        ("wred w", ""),
    ],
)
def test_refusal(line, why):
    assert refusal(VIEWS, (), line) == why


def test_inside_a_view_the_same_words_take_a_use_away():
    assert refusal(VIEWS, ("policy-map p", "class c"), "no wred w") == ""
