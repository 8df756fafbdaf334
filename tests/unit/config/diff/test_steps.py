"""The steps of a plan: in the order of effects, alike together, with label and way back."""

import pytest
import yaml

from nettool.config.diff.plan import plan_update
from nettool.config.diff.tables import diff_tables
from nettool.config.nos.dialects.sonic.updater import place
from nettool.fleet.mock.updater import rules

PORTS = [f"Ethernet{4 * n}" for n in range(4)]
BARE = {"PORT": {p: {"mtu": "9100", "admin_status": "up"} for p in PORTS}}
QOS = {
    **BARE,
    "SCHEDULER": {"roce": {"type": "DWRR"}},
    "WRED_PROFILE": {"R": {"ecn": "ecn_all"}},
    "QUEUE": {f"{p}|3": {"scheduler": "roce", "wred_profile": "R"} for p in PORTS},
}


def titles(running, intended):
    changes = diff_tables("leaf01", running, intended)
    return [each.title for each in plan_update(changes, running, chip="spc4").steps]


def test_what_others_refer_to_comes_first_and_goes_last():
    there = titles(BARE, QOS)
    assert [each.split("|")[0] for each in there] == [
        "add SCHEDULER",
        "add WRED_PROFILE",
        "add QUEUE",
    ]
    back = titles(QOS, BARE)
    assert [each.split("|")[0] for each in back] == [
        "remove QUEUE",
        "remove WRED_PROFILE",
        "remove SCHEDULER",
    ]


def test_alike_changes_are_one_step():
    mtu = {"PORT": {p: {"mtu": "9216", "admin_status": "up"} for p in PORTS}}
    assert titles(BARE, mtu) == ["change mtu of PORT|Ethernet0, Ethernet4 … Ethernet12 (4)"]


def test_removals_come_after_everything_else():
    running = {**QOS, "NTP_SERVER": {"192.0.2.1": {}}}
    intended = {**QOS, "PORT": {p: {"mtu": "9216", "admin_status": "up"} for p in PORTS},
                "NTP_SERVER": {"192.0.2.2": {"iburst": "on"}}}  # fmt: skip
    assert [each.split(" ")[0] for each in titles(running, intended)] == ["change", "add", "remove"]


def test_a_secret_key_is_in_no_title():
    running = {**BARE, "SNMP_COMMUNITY": {"CANARY-s": {"TYPE": "RO"}}}
    assert "CANARY" not in str(titles(running, BARE))


@pytest.mark.parametrize(
    ("table", "to"),
    sorted({(each["table"], each["to"]) for each in rules.model_rules()["references"]}),
)
def test_the_order_agrees_with_the_mocks_references(table, to):
    assert place(to) < place(table)


def test_the_seconds_add_up():
    changes = diff_tables("leaf01", BARE, QOS)
    plan = plan_update(changes, BARE, chip="spc4")
    assert sum(each.seconds for each in plan.steps) == pytest.approx(plan.seconds)
    assert yaml.safe_dump([each.as_json() for each in plan.steps])
