"""diff --plan and --policy: sums over the fabric, and exit 7 for what is forbidden now."""

import json

import pytest

from nettool.cli.foreseen import Foreseen, updates_of
from nettool.cli.main import main
from nettool.config.nos.dialects.sonic.updater import Impact
from nettool.fleet.deploy.outcome import HostResult, Outcome
from nettool.intent.load import find_fabric
from nettool.pipeline import design_only

FABRIC = "rail-only-128"
FORBIDDEN = "timezone: UTC\nrules: [{at_least: link flap, why: jobs run}]\n"
ALLOWED = "timezone: UTC\nrules: [{forbid: [reboot]}]\n"


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A fabric that runs as rendered, but for the FEC of one port."""
    folder = tmp_path_factory.mktemp("running")
    assert main(["render", FABRIC, "-o", str(folder)]) == 0
    path = folder / "devices" / "leaf02" / "config_db.json"
    config = json.loads(path.read_text())
    config["PORT"]["Ethernet0"]["fec"] = "none"
    path.write_text(json.dumps(config))
    return folder


@pytest.fixture
def policy(tmp_path):
    def write(text):
        path = tmp_path / "policy.yaml"
        path.write_text(text)
        return str(path)

    return write


def diff(running, *words):
    return main(["diff", FABRIC, "--running", str(running), *words])


def test_the_plan_is_summed(running, capsys):
    assert diff(running, "--plan") == 0
    assert (
        "disturbed in all:\n  link flap: 1 switch, 1 link, rails 2, 1 node; "
        "0.8% of NIC bandwidth, 0.0% between switches"
    ) in capsys.readouterr().out


@pytest.mark.parametrize(("text", "code"), [(FORBIDDEN, 7), (ALLOWED, 0)])
def test_exit_code_of_a_policy(running, policy, capsys, text, code):
    assert diff(running, "--policy", policy(text)) == code
    said = capsys.readouterr().err
    rule = "leaf02: link flap is forbidden every day UTC (policy.yaml:2: jobs run)"
    assert (rule in said) is (code == 7)


@pytest.mark.parametrize(
    ("switches", "code"), [("rail_02", 7), ("leaf02", 7), ("leaf", 7), ("all", 7), ("rail_01", 0)]
)
def test_a_rule_holds_for_groups_of_the_inventory(running, policy, switches, code):
    text = f"timezone: UTC\nrules: [{{at_least: link flap, switches: [{switches}]}}]\n"
    assert diff(running, "--policy", policy(text)) == code


def test_a_group_that_no_switch_is_in_is_located(running, policy, capsys):
    text = "timezone: UTC\nrules:\n  - forbid: [reboot]\n    switches: [rial_02]\n"
    assert diff(running, "--policy", policy(text)) == 1
    said = capsys.readouterr().out
    assert "policy.yaml:4:" in said
    assert "did you mean 'rail_02'?" in said


def test_json_holds_sums_and_what_is_forbidden(running, policy, capsys):
    assert diff(running, "--policy", policy(FORBIDDEN), "--format", "json") == 7
    told = json.loads(capsys.readouterr().out)
    assert told["disturbed"][0]["rails"] == [2]
    assert told["forbidden"][0]["devices"] == ["leaf02"]
    assert told["plan"][0]["steps"][0]["impact"] == "link flap"


def test_a_wrong_policy_is_located(running, policy, capsys):
    path = policy("timezone: UTC\nrules:\n  - {at_least: flap}\n")
    assert diff(running, "--policy", path) == 1
    assert f"{path}:3:" in capsys.readouterr().out


def test_what_switches_told_is_summed_alike():
    row = {"op": "replace", "table": "PORT", "key": "Ethernet0", "field": "fec",
           "before": "none", "after": "rs"}  # fmt: skip
    hosts = (
        HostResult("leaf01", Outcome.WOULD_CHANGE, changes=(row,), way="patch"),
        HostResult("leaf02", Outcome.WOULD_CHANGE, changes=(row,), way="install"),
        HostResult("leaf03", Outcome.UNCHANGED),
    )
    fabric, _ = design_only(find_fabric(FABRIC))
    found = Foreseen(fabric, updates_of(hosts)).sums
    assert [(each.impact, each.nodes) for each in found] == [
        (Impact.QOS_RELOAD, 32),
        (Impact.LINK_FLAP, 1),
    ]
