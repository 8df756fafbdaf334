"""A verdict needs a look: what was not looked at is named and never verified."""

import json

import pytest

from nettool.core.finding import Report, Severity
from nettool.core.written import aside_of
from nettool.fleet.deploy.outcome import Outcome, Result
from nettool.fleet.deploy.runner import Played
from nettool.fleet.deploy.task import told
from nettool.fleet.deploy.verifying import Hosts, exit_code, judged, kept, met
from nettool.fleet.verify.gathered import read_hosts
from nettool.fleet.verify.observed import Observed
from nettool.fleet.verify.planned_nics import PlannedNic
from nettool.fleet.verify.ticket import as_junit, as_markdown

HOSTS = ("leaf01", "leaf02")
SEEN = {"device": "leaf01", "looked_at": True, "findings": []}
LOOK = {"rule": "VER005", "severity": "warning", "message": "slow", "hint": None}
WARNED = {**SEEN, "findings": [LOOK]}
WRONG = {**SEEN, "findings": [{**LOOK, "severity": "error"}]}
DEAD = told(Result("leaf01", Outcome.UNREACHABLE, "connection refused"))["nettool"]
FAILED = told(Result("leaf01", Outcome.FAILED, "no such file"))["nettool"]
BARE = {"outcome": "failed, nothing changed", "message": "module crashed"}
CASES = [
    # what each switch's task told, exit code, how many were looked at
    ((SEEN, SEEN), 0, 2),
    ((WARNED, SEEN), 0, 2),
    ((WRONG, SEEN), 1, 2),
    ((DEAD, DEAD), 4, 0),
    ((DEAD, SEEN), 4, 1),
    ((WRONG, DEAD), 4, 1),
    ((FAILED, SEEN), 4, 1),
    ((BARE, SEEN), 4, 1),
    (({"findings": []}, SEEN), 4, 1),
    (({}, SEEN), 4, 1),
    ((None, None), 4, 0),
    ((None, SEEN), 4, 1),
]


def ended(results, hosts=HOSTS):
    pairs = zip(hosts, results, strict=True)
    return Played("failed", 2, {host: each for host, each in pairs if each is not None}, "")


@pytest.mark.parametrize(("results", "code", "looked_at"), CASES)
def test_only_what_was_looked_at_is_verified(results, code, looked_at):
    report = judged(HOSTS, ended(results))
    assert exit_code(report) == code
    assert report.summary == {"devices": 2, "looked_at": looked_at}
    unseen = [each for each in report.findings if each.rule == "VER000"]
    assert len(unseen) == 2 - looked_at
    assert all(f"{each.device} was not looked at: " in each.message for each in unseen)


def test_a_limit_to_the_dead_switch_alone():
    report = judged(["leaf01"], ended([DEAD], ["leaf01"]))
    assert exit_code(report) == 4
    assert [(each.device, each.severity) for each in report.findings] == [
        ("leaf01", Severity.ERROR)
    ]
    said = "leaf01 was not looked at: unreachable: connection refused"
    assert report.findings[0].message == said
    assert said in as_markdown(report, ["leaf01"])
    assert "0 of 1 looked at" in as_markdown(report, ["leaf01"])
    assert 'failures="1"' in as_junit(report, ["leaf01"])


def test_a_report_that_cannot_be_kept_is_told_all_the_same(tmp_path):
    report = judged(HOSTS, ended([WRONG, SEEN]))
    told = kept(tmp_path / "nowhere", report, list(HOSTS))
    assert told.findings == report.findings
    assert told.summary["not_kept"].endswith("nowhere: No such file or directory")
    assert kept(tmp_path, report, list(HOSTS)) == report
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names == ["verify.json", "verify.md", "verify.xml"]


@pytest.mark.parametrize("name", ["verify.md", "verify.xml", "verify.json"])
def test_a_full_disk_keeps_the_report_that_was_there(name, tmp_path):
    kept(tmp_path, judged(HOSTS, ended([SEEN, SEEN])), list(HOSTS))
    before = (tmp_path / name).read_bytes()
    aside_of(tmp_path / name, "new").symlink_to("/dev/full")
    told = kept(tmp_path, judged(HOSTS, ended([WRONG, SEEN])), list(HOSTS))
    assert told.summary["not_kept"].endswith("No space left on device")
    assert (tmp_path / name).read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 3


def test_warnings_count_under_strict_only():
    report = judged(HOSTS, ended([WARNED, SEEN]))
    assert exit_code(report, strict=True) == 3
    assert Report.of(report.findings).exit_code() == 0


MTU = {"mtu": 9216}
NICS = [
    PlannedNic(f"node0{n}", "nic1", "leaf01", f"Ethernet{n}", MTU, {}, pauses=False) for n in (1, 2)
]
NODES = Hosts(NICS, read_hosts([{"name": "node01", "nics": [{"name": "nic1", **MTU}]}], "h.json"))


@pytest.mark.parametrize("was_seen", [True, False])
def test_hosts_are_held_against_what_was_seen_of_their_switches(tmp_path, was_seen):
    if was_seen:
        seen = Observed("leaf01", {"PORT": {"Ethernet1": {"mtu": "1500"}}}, None)
        (tmp_path / "leaf01.json").write_text(json.dumps(seen.as_json()))
    report = met(NODES, HOSTS, tmp_path)
    rules = [(each.device, each.rule) for each in report.findings]
    assert rules == [*([("node01", "HST009")] if was_seen else []), ("node02", "HST000")]
    assert report.summary == {"hosts": 2, "hosts_reported": 1}


def test_the_ticket_names_the_hosts_as_well(tmp_path):
    report = judged(HOSTS, ended([SEEN, SEEN])) + met(NODES, HOSTS, tmp_path)
    kept(tmp_path, report, list(HOSTS), ["node01", "node02"])
    text = (tmp_path / "verify.md").read_text()
    assert text.startswith("# 2 switches and 2 hosts not verified\n")
    assert "| node01 | ok | 0 | 0 |\n| node02 | **failed** | 1 | 0 |\n" in text
    assert 'tests="4" failures="1"' in (tmp_path / "verify.xml").read_text()
    assert exit_code(report) == 1
