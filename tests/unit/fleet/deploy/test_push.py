"""What is refused before a switch is asked, and what an ended playbook says of each device."""

import json

import pytest

from nettool.core.errors import RefusedError, UsageError
from nettool.fleet.deploy.locking import controller_lock
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.push import diff_live, history, push, reported
from nettool.fleet.deploy.reach import Reach
from nettool.fleet.deploy.runner import Played


@pytest.fixture
def site(tmp_path):
    inventory = tmp_path / "inventory.yaml"
    inventory.write_text(json.dumps({"all": {"hosts": {"leaf01": {}, "leaf02": {}}}}))
    (tmp_path / "build" / "devices" / "leaf01").mkdir(parents=True)
    return tmp_path, inventory


def test_a_folder_that_is_no_build(site):
    folder, inventory = site
    with pytest.raises(UsageError, match="is not a folder of `nettool render`"):
        push(folder, Reach([inventory]))


def test_a_device_that_was_not_rendered(site):
    folder, inventory = site
    with pytest.raises(
        UsageError, match=r"leaf01 has neither config_db.json nor .* \(and 1 more\)"
    ):
        diff_live(folder / "build", Reach([inventory]))


def test_a_device_that_left_the_fabric(site):
    folder, inventory = site
    (folder / "build/devices/leaf01").rmdir()
    with pytest.raises(UsageError, match=r"leaf01 is in the inventory and not in the fabric .*"
                       r"with --limit 'all:!leaf01' \(and 1 more\)"):  # fmt: skip
        diff_live(folder / "build", Reach([inventory]))


def test_a_limit_that_matches_nothing(site):
    folder, inventory = site
    with pytest.raises(UsageError):
        push(folder / "build", Reach([inventory], limit="rail_99"))


def test_a_broken_inventory(tmp_path):
    broken = tmp_path / "inventory.yaml"
    broken.write_text("all: [\n")
    with pytest.raises(UsageError):
        push(tmp_path, Reach([broken]))


def test_an_ended_playbook_says_what_it_knows():
    done = {"outcome": "changed", "message": "", "way": "patch", "steps": []}
    played = Played("canceled", 254, {"leaf01": done}, "", frozenset({"leaf01", "leaf02"}))
    told = [reported(name, played) for name in ("leaf01", "leaf02", "leaf03")]
    assert [each.outcome for each in told] == [
        Outcome.CHANGED,
        Outcome.UNKNOWN,
        Outcome.NOT_STARTED,
    ]
    assert "canceled" in told[1].message
    assert "its guard goes back by itself" in told[1].message
    read = reported("leaf02", played, writes=False)
    assert read.message == "the run ended meanwhile (canceled): nothing was written"


def test_one_push_of_a_fabric_at_a_time(tmp_path):
    with (
        controller_lock(tmp_path, "small", "r1", "anna"),
        pytest.raises(RefusedError, match=r"small is being pushed by anna \(run r1\)"),
        controller_lock(tmp_path, "small", "r2", "berta"),
    ):
        pass
    with controller_lock(tmp_path, "small", "r3", "berta"):
        assert history(tmp_path) == []
