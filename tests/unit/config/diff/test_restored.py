"""Where a rollback of lines leads where other hands changed something since the push."""

import pytest

from nettool.config.diff.asternos import restored_asternos, same_lines
from nettool.config.nos.dialects.asternos.tree import read_lines

BEFORE = "vlan 101\ninterface vlan 101\n ip address 10.1.0.1/24\n"
AFTER = "vlan 101\ninterface vlan 101\n ip address 10.1.0.9/24\nvlan 102\ninterface vlan 102\n"
AFTER += " ip address 10.2.0.1/24\n"
STAYS, GOES = "changed by other hands since, stays so", "changed by other hands since, goes along"


@pytest.mark.parametrize(
    ("now", "back", "said"),
    [
        pytest.param(AFTER, BEFORE, "", id="nobody was there"),
        pytest.param(BEFORE, BEFORE, "", id="gone back already"),
        pytest.param(
            f"{AFTER}ntp server 192.0.2.1\n",
            f"{BEFORE}ntp server 192.0.2.1\n",
            f"{STAYS}: 1 line (ntp server 192.0.2.1)",
            id="a line of another matter",
        ),
        pytest.param(
            AFTER.replace("vlan 102\n", "vlan 102\n mtu 9000\n", 2).replace("\n mtu", "\n mtu", 1),
            BEFORE,
            f"{GOES}: 2 lines (vlan 102 / mtu 9000; interface vlan 102 / mtu 9000)",
            id="in a view that goes",
        ),
        pytest.param(
            AFTER.replace("10.1.0.9/24", "10.1.0.7/24"),
            BEFORE,
            f"{GOES}: 1 line (interface vlan 101 / ip address 10.1.0.7/24)",
            id="another value in place of ours",
        ),
        pytest.param(
            f"{AFTER}interface ethernet 0/4\n description x password hunter2\n",
            f"{BEFORE}interface ethernet 0/4\n description x password hunter2\n",
            f"{STAYS}: 1 line (interface ethernet 0/4 / description x password (secret))",
            id="in a view that is always there, secrets masked",
        ),
        pytest.param(
            AFTER.replace("vlan 101\ninterface vlan 101\n ip address 10.1.0.9/24\n", ""),
            "",
            f"{STAYS}: 2 lines (vlan 101; interface vlan 101)",
            id="taken away",
        ),
    ],
)
def test_back(now, back, said):
    found = restored_asternos(read_lines(BEFORE), read_lines(AFTER), read_lines(now))
    assert same_lines(found.tables, read_lines(back))
    assert str(found) == said


def test_a_line_that_the_push_did_not_touch_keeps_its_new_value():
    same = "interface vlan 101\n ip address {}/24\n"
    old, new = (read_lines(same.format(each)) for each in ("10.1.0.1", "10.1.0.5"))
    found = restored_asternos(old, old, new)
    assert same_lines(found.tables, new)
    assert len(found.stays) == 2


def test_what_is_said_of_a_neighbour_that_goes_goes_along():
    router, peer = "router bgp 1\n bgp router-id 10.0.0.1\n", " neighbor 10.0.0.3 remote-as 2\n"
    password = " neighbor 10.0.0.3 password CANARY\n"
    before, after = read_lines(router), read_lines(router + peer)
    found = restored_asternos(before, after, read_lines(router + peer + password))
    assert same_lines(found.tables, before)
    assert str(found) == (f"{GOES}: 1 line (router bgp 1 / neighbor 10.0.0.3 password (secret))")
    kept = restored_asternos(after, after, read_lines(router + peer + password))
    assert same_lines(kept.tables, read_lines(router + peer + password))


def test_of_many_lines_some_are_named():
    many = "".join(f"ntp server 192.0.2.{n}\n" for n in range(9))
    found = restored_asternos({}, {}, read_lines(many))
    assert "9 lines" in str(found)
    assert "and 6 more" in str(found)
