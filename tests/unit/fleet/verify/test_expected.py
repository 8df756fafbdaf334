"""What verify expects of a switch's lines: sessions and AS numbers."""

from nettool.fleet.verify.expected import expected_of_lines

DEVICE = {"qos": None, "interfaces": {"links": {}}, "ports": {"ports": {}}}


def test_as_numbers_of_lines():
    lines = {
        "router bgp 65001": {
            "neighbor 192.0.2.1 remote-as 65002": {},
            "bgp router-id 192.0.2.9": {},
            "neighbor 192.0.2.3 remote-as external": {},
        },
        "interface ethernet 0": {"mtu 9216": {}},
    }  # fmt: skip
    found = expected_of_lines(lines, DEVICE)
    assert found.as_numbers == {"": 65001, "192.0.2.1": 65002}
    assert sorted(found.sessions) == ["192.0.2.1", "192.0.2.3"]
