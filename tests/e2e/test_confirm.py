"""A push of several waves with a time to confirm that is shorter than the waves together."""

import copy
import shutil
import time

import pytest

from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.push import Consent, confirm, history
from nettool.fleet.mock.fault import Fault
from tests.e2e.test_push_cases import SCALE, Site
from tests.unit.fleet.deploy.test_collecting import LOSSLESS

NAMES = ("leaf01", "leaf02", "leaf03")
WAITS, BACK = Outcome.PENDING, Outcome.ROLLED_BACK

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("ssh") is None, reason="needs an OpenSSH client"),
]


@pytest.fixture
def site(tmp_path):
    target = copy.deepcopy(LOSSLESS)
    target["PORT"]["Ethernet1"]["mtu"] = "9216"
    return Site(tmp_path, copy.deepcopy(LOSSLESS), target, NAMES)


def outcomes(report):
    return [each.outcome for each in report.hosts]


def old(fleet):
    return [switch.name for switch in fleet if switch.running() == LOSSLESS]


def test_the_time_counts_from_the_end_of_the_push_on_every_switch(site):
    with site.fleet as fleet:
        report = site.push(consent=Consent(confirm=60))
        assert (outcomes(report), old(fleet)) == ([WAITS] * 3, [])
        dues = [each.beyond["due"] for each in report.hosts]
        said = [f"goes back at {due}, in 60 s, unless confirmed" for due in dues]
        assert [each.message for each in report.hosts] == said
        deadline = time.monotonic() + 30
        while len(old(fleet)) < 3 and time.monotonic() < deadline:
            time.sleep(60 * SCALE)
        assert old(fleet) == list(NAMES)
        late = confirm(site.reach())
    assert (outcomes(late), late.exit_code) == ([BACK] * 3, 5)
    assert all("was not confirmed in time and went back at 20" in e.message for e in late.hosts)
    told = [each["devices"][0].get("due") for each in history(site.folder / "runs")]
    assert told == [None, dues[0]]


def test_what_is_confirmed_is_kept(site):
    with site.fleet as fleet:
        assert outcomes(site.push(consent=Consent(confirm=3600))) == [WAITS] * 3
        assert confirm(site.reach()).exit_code == 0
        assert all(each.running() == each.saved() != LOSSLESS for each in fleet)


def test_the_time_counts_from_the_end_of_a_push_that_a_switch_stops(site):
    """Nothing is unguarded meanwhile: what is said in between is when each guard fires."""
    said = []
    with site.fleet as fleet:
        fleet["leaf02"].inject(Fault("^sudo config apply-patch", "fail", status=1))
        report = site.push(
            consent=Consent(confirm=3600), progress=lambda *words: said.append(words)
        )
        assert outcomes(report) == [WAITS, Outcome.FAILED, Outcome.NOT_STARTED]
        # its own wave and the two after it, each with a guard of 900 s and looks of 120 s
        meanwhile = next(each for host, _, each in said if host == "leaf01" and "goes back" in each)
        assert f"in {3600 + 3 * (900 + 120)} s, unless confirmed" in meanwhile
        assert report.hosts[0].message.endswith("in 3600 s, unless confirmed")
        assert fleet["leaf01"].timers() == ["nettool-guard"]
        assert confirm(site.reach(limit="leaf01")).exit_code == 0
