"""Two hundred mock switches in one process: CPU to start them and memory they take."""

import resource
import time

import orjson
import pytest

from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import SwitchSpec

SWITCHES = 200
FOLDERS = 20
RATIO = 4


@pytest.mark.bench
def test_two_hundred_switches_start(tmp_path):
    ports = {
        f"Ethernet{4 * n}": {"lanes": str(n), "speed": "400000", "mtu": "9100", "fec": "rs"}
        for n in range(64)
    }
    specs = [SwitchSpec(f"leaf{n:03}", config={"PORT": ports}) for n in range(SWITCHES)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    with MockFleet(specs) as fleet:
        took = time.process_time() - start
        assert len(set(fleet.addresses.values())) == SWITCHES
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    ratio = took / _bare_folders(tmp_path, ports)
    told = f"{took:.2f} s CPU, {grown:.0f} MB, {ratio:.1f} x bare folders"
    print(f"\n{SWITCHES} mock switches: {told}")  # noqa: T201  # a measurement speaks
    assert ratio < RATIO


def _bare_folders(root, ports):
    """CPU to give as many switches twenty folders and a saved file, and nothing else."""
    start = time.process_time()
    for number in range(SWITCHES):
        for folder in range(FOLDERS):
            (root / f"{number}" / f"{folder}").mkdir(parents=True)
        (root / f"{number}" / "config_db.json").write_bytes(orjson.dumps({"PORT": ports}))
    return time.process_time() - start
