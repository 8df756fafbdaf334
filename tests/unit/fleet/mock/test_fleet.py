"""A fleet as a whole: where it listens, its control socket, as a service, out of its boxes."""

import json
import socket
import threading
import time

import pytest

from nettool.core.errors import UsageError
from nettool.fleet.mock.factory import fabric_cables, factory_specs
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.serve import fleet_from_json, serve
from nettool.fleet.mock.spec import Cable, SwitchSpec, spec_from_json
from nettool.intent.load import find_fabric
from nettool.pipeline import plan_fabric

PAIR = {
    "switches": [
        {
            "name": name,
            "config": {
                "DEVICE_METADATA": {"localhost": {"hostname": name}},
                "PORT": {"Ethernet0": {"lanes": "1", "speed": "400000", "admin_status": "up"}},
            },
        }
        for name in ("leaf01", "leaf02")
    ],
    "cables": [["leaf01:Ethernet0", "leaf02:Ethernet0"]],
}


@pytest.fixture
def pair():
    with fleet_from_json(PAIR, scale=0.001) as fleet:
        yield fleet


class Line:
    """The control socket, one request at a time."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = self.socket.makefile("rw")

    def __call__(self, **request):
        return self.raw(json.dumps(request))

    def raw(self, text):
        self.file.write(f"{text}\n")
        self.file.flush()
        return json.loads(self.file.readline())

    def close(self):
        self.file.close()
        self.socket.close()


@pytest.fixture
def control(pair):
    line = Line(pair.control)
    yield line
    line.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "10.0.0.1", "::", "2001:db8::1"])
def test_it_listens_on_loopback_only(host):
    with pytest.raises(UsageError, match="loopback only"):
        MockFleet([SwitchSpec("leaf01")], host=host)


def test_a_name_given_twice_is_refused():
    with pytest.raises(UsageError, match="leaf01"):
        MockFleet([SwitchSpec("leaf01"), SwitchSpec("leaf01")])


def test_each_switch_on_an_address_of_its_own():
    specs = [SwitchSpec(f"leaf{n}") for n in range(3)]
    with socket.socket() as probe:
        probe.bind(("127.0.1.1", 0))
        port = probe.getsockname()[1]
    with MockFleet(specs, host="127.0.1.1", port=port, addresses=True) as fleet:
        assert [host for host, _ in fleet.addresses.values()] == [f"127.0.1.{n}" for n in (1, 2, 3)]
        assert {each for _, each in fleet.addresses.values()} == {port}


def test_a_link_needs_both_ends(pair):
    assert pair.network.link_up("leaf01", "Ethernet0")
    pair["leaf02"].drift({"PORT": {"Ethernet0": {"fec": "fc"}}})
    assert not pair.network.link_up("leaf01", "Ethernet0")


def test_control_sets_faults_and_tells_state(pair, control):
    fault = {"match": "x", "do": "fail"}
    assert control(switch="leaf01", do="inject", fault=fault) == {"ok": True}
    assert control(switch="leaf01", do="drift", config={"CRM": {"Config": {"a": "b"}}})["ok"]
    state = control(switch="leaf01", do="state")
    assert state["ok"]
    assert state["writes"][0]["what"] == "drift"
    assert control(switch="leaf01", do="reboot")["ok"]
    assert "CRM" not in pair["leaf01"].running()
    assert control(switch="leaf01", do="forget")["ok"]
    assert pair["leaf01"].writes() == []
    assert control(do="plug", a="leaf01:Ethernet0", b="nic:0")["ok"]
    assert not pair.network.link_up("leaf02", "Ethernet0")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "7",
        "{}",
        '{"do": "explode", "switch": "leaf01"}',
        '{"do": "state", "switch": "leaf99"}',
        '{"do": "inject", "switch": "leaf01", "fault": {"match": "(", "do": "drop"}}',
        '{"do": "inject", "switch": "leaf01", "fault": 5}',
        '{"do": "drift", "switch": "leaf01", "config": [1]}',
        '{"do": "plug", "a": "leaf01", "b": "leaf02:Ethernet0"}',
    ],
)
def test_control_refuses_and_goes_on(control, text):
    answer = control.raw(text)
    assert answer["ok"] is False
    assert answer["error"]
    assert control(switch="leaf01", do="state")["ok"]


def test_as_a_service(tmp_path):
    ready, stop = tmp_path / "ready.json", threading.Event()
    thread = threading.Thread(target=serve, args=(fleet_from_json(PAIR), ready, stop))
    thread.start()
    deadline = time.monotonic() + 5
    while not ready.exists() and time.monotonic() < deadline:
        time.sleep(0.005)
    told = json.loads(ready.read_text())
    assert list(told["switches"]) == ["leaf01", "leaf02"]
    place = told["switches"]["leaf01"]
    socket.create_connection((place["address"], place["port"]), timeout=2).close()
    stop.set()
    thread.join(5)
    assert not thread.is_alive()
    assert not ready.exists()


def test_a_folder_of_its_own_outlives_the_fleet(tmp_path):
    specs = [SwitchSpec("leaf01", config={"CRM": {"Config": {"polling_interval": "1"}}})]
    with MockFleet(specs, folder=tmp_path) as fleet:
        key = fleet["leaf01"].where()["host_key"]
    with MockFleet([SwitchSpec("leaf01")], folder=tmp_path) as fleet:
        assert fleet["leaf01"].running() == specs[0].config
        assert fleet["leaf01"].where()["host_key"] == key


@pytest.mark.parametrize("name", ["rail-only-128", "rail-optimized-256"])
def test_out_of_the_box(name):
    fabric = plan_fabric(find_fabric(name)).fabric
    specs = list(factory_specs(fabric, "admin"))
    assert len({each.mac for each in specs}) == len(specs)
    assert [each.name for each in specs] == [each.name for each in fabric.devices]
    for spec, device in zip(specs, fabric.devices, strict=True):
        assert spec.config["DEVICE_METADATA"]["localhost"]["hostname"] == "sonic"
        assumed = {slot.name: ",".join(map(str, slot.lanes)) for slot in device.layout.slots}
        assert all(spec.ports[port].lanes != lanes for port, lanes in assumed.items())
        lanes = [x for port in spec.ports.values() for x in port.lanes.split(",")]
        assert len(lanes) == len(set(lanes))
        assert {row["admin_status"] for row in spec.config["PORT"].values()} == {"down"}
    assert len(list(fabric_cables(fabric))) == len(fabric.links)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: spec_from_json({"name": "a", "hwsqu": "x"}), "unknown field 'hwsqu'"),
        (lambda: spec_from_json({"hwsku": "x"}), "'name' is missing"),
        (lambda: Cable("leaf01", "leaf02:Ethernet0").ends(), "not of the form device:port"),
    ],
)
def test_a_wrong_description_is_refused(make, message):
    with pytest.raises(UsageError, match=message):
        make()
