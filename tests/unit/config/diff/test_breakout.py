"""Breakouts in a plan: told from spellings, ordered, refused both ways, too many for the time."""

import copy

import pytest

from nettool.config.diff.breakout import breakouts
from nettool.config.diff.cages import adopt_cages, offered, read_cages
from nettool.config.diff.plan import plan_update
from nettool.config.diff.steps import BY_CHECKPOINT
from nettool.config.diff.tables import diff_tables
from tests.unit.fleet.deploy.test_breakout import HALVES, OLD, WHOLE, halved

CHIP = "marvell-teralynx"


def plan(running, intended, **given):
    changes = diff_tables("leaf01", running, intended)
    return plan_update(changes, running, **{"chip": CHIP, **given})


def test_the_steps_in_order_with_label_and_way_back():
    found = plan(OLD, halved())
    assert (found.way, found.reasons, found.undo_reasons) == ("breakout", (), ())
    assert [(each.do, str(each.impact)) for each in found.steps] == [
        ("patch", "session reset"),
        ("down", "link flap"),
        ("patch", "none"),
        ("breakout", "link flap"),
        ("wait", "none"),
        ("patch", "none"),
        ("check", "none"),
        ("up", "none"),
        ("patch", "session reset"),
    ]
    assert found.steps[3].undo == f"break it out to {WHOLE} again, then {BY_CHECKPOINT}"
    assert found.steps[6].names == ("Ethernet0|3", "Ethernet4|3")


def test_what_rides_along_keeps_its_label():
    other = halved()
    other["PORT"]["Ethernet8"]["fec"] = "none"
    rebuild = next(each for each in plan(OLD, other).steps if each.title.startswith("rebuild"))
    assert (str(rebuild.impact), rebuild.why) == ("link flap", "the port trains again")


def test_folding_is_a_breakout_as_well():
    found = plan(halved(), OLD)
    assert found.way == "breakout"
    assert f"to {WHOLE}" in next(each.title for each in found.steps if each.do == "breakout")


def test_another_spelling_is_no_breakout():
    other = copy.deepcopy(OLD)
    other["BREAKOUT_CFG"]["Ethernet0"] = {"brkout_mode": "1x800G[400G]"}
    assert breakouts(OLD, other) == ()


def test_a_first_configuration_is_no_breakout():
    factory = {table: rows for table, rows in OLD.items() if table != "BREAKOUT_CFG"}
    assert breakouts(factory, halved()) == ()


def named_by_an_acl():
    return {**copy.deepcopy(OLD), "ACL_TABLE": {"A": {"ports": ["Ethernet0"], "type": "L3"}}}


def watched():
    rows = {"GLOBAL": {"POLL_INTERVAL": "200"}, "Ethernet0": {"action": "drop"}}
    return {**copy.deepcopy(OLD), "PFC_WD": rows}


REFUSED = {
    "a row of others names the port": (
        named_by_an_acl, {}, "ACL_TABLE|A ports names Ethernet0: take it out there first",
    ),
    "the updater does not know the chip": (
        watched, {"chip": ""}, "PFC_WD|Ethernet0 cannot be removed live on an unknown chip",
    ),
    "the mode is not offered": (
        lambda: OLD,
        {"modes": {"Ethernet0": (WHOLE,)}},
        f"Ethernet0 offers {WHOLE}, not 2x400G[200G,100G]",
    ),
    "the way back is not offered": (
        lambda: OLD,
        {"modes": {"Ethernet0": ("2x400G[200G,100G]",)}},
        f"Ethernet0 offers 2x400G[200G,100G], not {WHOLE}",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("running", "given", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_will_not_do_is_an_install_with_its_reason(running, given, reason):
    before = running()
    extra = {t: before[t] for t in ("ACL_TABLE",) if t in before}
    found = plan(before, {**halved(), **extra}, **given)
    assert found.way == "install"
    assert reason in found.reasons


def test_cages_that_offer_the_same_are_one_reason():
    names = [f"Ethernet{8 * n}" for n in range(64)]
    rows = {name: {"lanes": ",".join(map(str, range(8))), "speed": "1"} for name in names}
    running = {"PORT": rows, "BREAKOUT_CFG": {n: {"brkout_mode": WHOLE} for n in names}}
    intended = {**running, "BREAKOUT_CFG": {n: {"brkout_mode": "1x400G"} for n in names}}
    assert plan(running, intended, modes={}).reasons == (
        "Ethernet0, Ethernet8 … Ethernet504 (64) offer no breakout, not 1x800G",
        "Ethernet0, Ethernet8 … Ethernet504 (64) offer no breakout, not 1x400G",
    )


def test_too_many_for_the_time_are_an_install():
    lanes = {f"Ethernet{8 * n}": ",".join(str(8 * n + k) for k in range(1, 9)) for n in range(20)}
    port = {"speed": "800000", "admin_status": "down"}
    running = {
        "PORT": {name: {**port, "lanes": own} for name, own in lanes.items()},
        "BREAKOUT_CFG": {name: {"brkout_mode": WHOLE} for name in lanes},
    }
    intended = {
        "PORT": {
            f"Ethernet{8 * n + 4 * half}": {
                "speed": "400000", "admin_status": "down",
                "lanes": ",".join(lanes[f"Ethernet{8 * n}"].split(",")[4 * half : 4 * half + 4]),
            }
            for n in range(20)
            for half in (0, 1)
        },
        "BREAKOUT_CFG": {name: {"brkout_mode": HALVES} for name in lanes},
    }  # fmt: skip
    found = plan(running, intended)
    assert found.way == "install"
    assert "the updater would need about 1" in found.reasons[0]


PLATFORM = """{"interfaces": {"Ethernet0": {"index": "1,1,1,1,1,1,1,1", "lanes": "1,2,3,4,5,6,7,8",
 "breakout_modes": {"1x800G": ["E1"], "2x400G[200G]": ["E1a", "E1b"]}}}}"""


def test_the_switchs_own_mode_and_names_are_taken():
    cages = read_cages(PLATFORM)
    taken = adopt_cages(halved(), OLD, cages)
    assert taken["BREAKOUT_CFG"]["Ethernet0"] == {"brkout_mode": HALVES}
    assert [taken["PORT"][p]["alias"] for p in ("Ethernet0", "Ethernet4")] == ["E1a", "E1b"]
    assert taken["PORT"]["Ethernet4"]["lanes"] == "5,6,7,8"
    assert offered(cages) == {"Ethernet0": (WHOLE, HALVES)}


@pytest.mark.parametrize("text", ["[]", "{}", "nothing", '{"interfaces": {"Ethernet0": {}}}'])
def test_no_platform_file(text):
    with pytest.raises(ValueError, match=r"platform.json|Expecting value"):
        read_cages(text)
