"""What a user reads of an update plan: the way, refusals with chip and branch, and effects."""

from nettool.config.diff.plan import plan_update
from nettool.config.diff.plan_text import plans_as_json, plans_as_text
from nettool.config.diff.tables import diff_tables

QUEUE = {"QUEUE": {"Ethernet0|3": {"scheduler": "a"}, "Ethernet4|3": {"scheduler": "a"}}}
QUEUE_AFTER = {"QUEUE": {"Ethernet0|3": {"scheduler": "b"}, "Ethernet4|3": {"scheduler": "b"}}}
WATCHDOG = {"PFC_WD": {"Ethernet0": {"action": "drop"}}}
WATCHDOG_AFTER = {"PFC_WD": {"Ethernet0": {"action": "forward"}}}


def plans(before, after, names=("leaf01",), **updater):
    changes = diff_tables("", before, after)
    return {name: plan_update(changes, before, **updater) for name in names}


def test_equal_plans_are_said_once_with_what_they_disturb():
    text = plans_as_text(plans(QUEUE, QUEUE_AFTER, ("leaf01", "leaf02")))
    first, *rest = text.splitlines()
    assert first.startswith("leaf01, leaf02: by patch, about ")
    assert first.endswith("worst: link flap")
    assert all(line.startswith("  link flap ") for line in rest)
    assert "the updater takes the port down and up" in rest[0]


def test_a_refusal_names_chip_and_branch():
    found = plans(WATCHDOG, WATCHDOG_AFTER, chip="marvell-teralynx", version="202505")
    assert plans_as_text(found) == (
        "leaf01: by config reload, which drops all traffic, about 240 s; worst: QoS reload\n"
        "  refused: PFC_WD|Ethernet0 action cannot be replaced live on marvell-teralynx with 202505"
    )


def test_the_json_form_holds_each_change():
    (row,) = plans_as_json(plans(WATCHDOG, WATCHDOG_AFTER, chip="spc4", version="202505"))
    assert (row["device"], row["way"], row["impact"]) == ("leaf01", "patch", "none")
    (change,) = row["changes"]
    assert (change["table"], change["field"], change["refused"]) == ("PFC_WD", "action", None)


def test_a_secret_key_is_masked():
    before, after = {"SNMP_COMMUNITY": {"very-secret": {"TYPE": "RO"}}}, {}
    assert "very-secret" not in str(plans_as_json(plans(before, after)))
