"""What a switch prints is read as values."""

import pytest

from nettool.config.nos.dialects.sonic import printed

STATUS = """\
  Interface            Lanes    Speed    MTU    FEC    Alias    Vlan    Oper    Admin    Type
-----------  ---------------  -------  -----  -----  -------  ------  ------  -------  ------
  Ethernet0  1,2,3,4             400G   9100     rs    Eth1   routed      up       up     N/A
Ethernet512            257        10G   9100    N/A   Eth65   routed    down     down     N/A
"""
LLDP = """\
Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    spine01         Ethernet8       BR
eth0         mgmt01          7               B             to the lab
--------------------------------------------------
Total entries displayed:  2
"""
PFC = """\
  Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
---------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet0       0       0       0   1,204       0       0       0       0

  Port Tx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
---------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet0       0       0       0       7       0       0       0     N/A
"""
QUEUES = """\
     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes
---------  -----  --------------  ---------------  -----------  ------------
Ethernet0    UC3           1,210          123,456           12           900
Ethernet0    MC8               0                0            0             0
"""
STORMS = """\
      QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP
-----------  -----------  -------------------------  ------------  ------------
Ethernet0:3      stormed                        2/1           0/0           0/0
"""
BGP = '{"ipv4Unicast": {"as": 1, "peers": {"192.0.2.1": {"state": "Established"}}}}'


RUNS = """{"ipv4Unicast": {"routerId": "192.0.2.9", "as": 4200000101, "vrfId": 0,
 "peers": {"192.0.2.1": {"remoteAs": 4200000001, "localAs": 4200000101}}}}"""


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (
            printed.port_states,
            STATUS,
            {"Ethernet0": ("up", "up"), "Ethernet512": ("down", "down")},
        ),
        (
            printed.lldp_neighbors,
            LLDP,
            {"Ethernet0": ("spine01", "Ethernet8"), "eth0": ("mgmt01", "7")},
        ),
        (lambda text: printed.pfc_frames(text)["rx"]["Ethernet0|3"], PFC, 1204),
        (lambda text: printed.pfc_frames(text)["tx"]["Ethernet0|3"], PFC, 7),
        (lambda text: "Ethernet0|7" in printed.pfc_frames(text)["tx"], PFC, False),
        (lambda text: printed.by_queue(text, "Drop/pkts"), QUEUES, {"Ethernet0|3": 12}),
        (printed.storms, STORMS, {"Ethernet0|3": 2}),
        (printed.bgp_states, BGP, {"192.0.2.1": "Established"}),
        (printed.bgp_states, "", {}),
        (printed.bgp_as_numbers, RUNS, {"": 4200000101, "192.0.2.1": 4200000001}),
        (printed.bgp_as_numbers, "", {}),
        (printed.port_states, "command not found", {}),
    ],
)
def test_read(parse, text, value):
    assert parse(text) == value
