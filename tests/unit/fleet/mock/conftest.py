"""One mock switch without ssh: lines go in where a session hands them over."""

import asyncio
import copy
import json
import time

import pytest

from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.shell import run_line
from nettool.fleet.mock.spec import SwitchSpec
from nettool.fleet.mock.strike import SessionLostError

CONFIG = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf01", "hwsku": "mock"}},
    "PORT": {
        f"Ethernet{4 * n}": {
            "lanes": str(n + 1),
            "speed": "400000",
            "mtu": "9100",
            "fec": "rs",
            "admin_status": "up",
        }
        for n in range(3)
    },
    "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "10"}},
    "QUEUE": {"Ethernet0|3": {"scheduler": "scheduler.0"}},
    "BUFFER_POOL": {"pool": {"mode": "dynamic", "size": "1000000", "type": "ingress"}},
    "BUFFER_PROFILE": {"p": {"pool": "pool", "size": "0", "dynamic_th": "0", "xoff": "1000"}},
    "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}},
    "CRM": {"Config": {"polling_interval": "300"}},
}


class Tape:
    """A console that keeps what is written to it."""

    def __init__(self, feed=""):
        self.feed, self.stdout, self.stderr, self.cut = [feed], "", "", False

    async def chunk(self):
        return self.feed.pop() if self.feed else ""

    def out(self, text):
        self.stdout += text
        return not self.cut

    def err(self, text):
        self.stderr += text
        return not self.cut

    def abort(self):
        self.cut = True


class Box:
    """A fleet of one and its console."""

    def __init__(self, fleet, name="leaf01"):
        self.fleet, self.handle = fleet, fleet[name]
        self.switch = fleet.network.switches[name]

    def run(self, line, feed="", within=5.0):
        """Run a line to its end; status None where the session was lost, -1 where it hangs."""
        tape = Tape(feed)

        async def go():
            try:
                work = self.switch.start(run_line(self.switch, line, tape))
                return await asyncio.wait_for(work, within)
            except TimeoutError:
                return -1
            except (SessionLostError, asyncio.CancelledError):
                return None

        status = self.fleet.call(go())
        return status, tape.stdout, tape.stderr

    def patch(self, *operations, path="/dev/stdin"):
        """Apply operations written (op, path, value)."""
        rows = [dict(zip(("op", "path", "value"), each, strict=False)) for each in operations]
        return self.run(f"sudo config apply-patch {path}", json.dumps(rows))

    def wait(self, condition):
        """Wait until a condition holds; fails after two seconds."""
        deadline = time.monotonic() + 2
        while not condition():
            assert time.monotonic() < deadline, "never came true"
            time.sleep(0.002)


def make(scale=0.001, **fields):
    """A fleet of one switch, not started."""
    config = copy.deepcopy(fields.pop("config", CONFIG))
    return MockFleet([SwitchSpec("leaf01", config=config, **fields)], scale=scale)


@pytest.fixture
def box():
    with make() as fleet:
        yield Box(fleet)


@pytest.fixture
def start():
    """Start a switch of other making; stopped at the end."""
    fleets = []

    def begin(**fields):
        fleets.append(make(**fields))
        return Box(fleets[-1].start())

    yield begin
    for fleet in fleets:
        fleet.stop()
