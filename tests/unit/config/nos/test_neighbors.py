"""LLDP neighbours are read from what each system prints, and from JSON."""

import pytest

from nettool.config.nos.neighbors import read_neighbors

SONIC = """\
Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    spine01         Ethernet8       BR
--------------------------------------------------
Total entries displayed:  1
"""
ASTERNOS = """\
Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort   RemoteDevice   RemotePort   Capability   RemotePortDescr
0/0         spine01        Ethernet8    BR           up
"""
CTL = """{"lldp": {"interface": [{"Ethernet0": {"via": "LLDP",
 "chassis": {"spine01": {}}, "port": {"id": {"type": "ifname", "value": "Ethernet8"}}}}]}}"""
SEEN = {"Ethernet0": ("spine01", "Ethernet8")}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (SONIC, SEEN),
        (ASTERNOS, SEEN),
        (CTL, SEEN),
        ('{"Ethernet0": ["spine01", "Ethernet8"]}', SEEN),
        ('{"Ethernet0": {"device": "spine01", "port-id": "Ethernet8"}}', SEEN),
        ('[{"local_port": "Ethernet0", "device": "spine01", "port": "Ethernet8"}]', SEEN),
        ("LocalPort    RemoteDevice    RemotePortID\n", {}),
    ],
)
def test_read(text, value):
    assert read_neighbors(text) == value


@pytest.mark.parametrize("text", ["", "command not found", '{"Ethernet0": 5}', "{"])
def test_what_is_no_table_is_refused(text):
    with pytest.raises(ValueError, match=r"LLDP table|neighbours in JSON|Expecting"):
        read_neighbors(text)
