"""What Ansible users rely on: playbooks parse, inventories are silent, data files are sound."""

import json
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from nettool.config.diff.meaning import meaning_of
from nettool.config.nos.dialects.sonic.updater import Impact
from nettool.core.provenance import Trust
from nettool.fleet.deploy.eventlog import LEFT_OUT
from nettool.fleet.deploy.runner import environment
from nettool.fleet.deploy.task import ARGUMENTS

ROOT = Path(__file__).parents[2]
PLAYBOOKS = sorted((ROOT / "playbooks").glob("*.yml"))
STEMS = [path.stem for path in PLAYBOOKS]
FABRICS = sorted(path.parent for path in (ROOT / "inventories").glob("*/nettool.yml"))
OURS = ("nettool_sonic", "nettool_asternos")
FAR = {"do", "build", "looked", "device", "ports", "answer", "seconds", "before"}
FAR |= {"guard", "settle", "contact"}
DATA = ROOT / "nettool" / "config" / "nos" / "dialects" / "sonic" / "data"


def ansible(*words):
    return subprocess.run(
        words, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def tasks():
    """The tags of each playbook's tasks, by the playbook's name, as Ansible lists them."""
    common = ("ansible-playbook", "-i", str(FABRICS[0]), "-e", "nettool_build=x")
    assert ansible(*common, *map(str, PLAYBOOKS), "--syntax-check").returncode == 0
    listed = ansible(*common, *map(str, PLAYBOOKS), "--list-tasks")
    assert listed.returncode == 0, listed.stderr
    found = {}
    for part in listed.stdout.split("\nplaybook: ")[1:]:
        lines = re.findall(r"^ {6}\S.*\tTAGS: \[(.*)\]$", part, re.MULTILINE)
        assert len(lines) == len(re.findall(r"^ {6}\S", part, re.MULTILINE))
        found[Path(part.split("\n")[0]).stem] = [line.split(", ") for line in lines]
    return found


@pytest.mark.parametrize("playbook", PLAYBOOKS, ids=lambda path: path.stem)
def test_a_playbook_parses_and_is_run_by_its_own_tag(tasks, playbook):
    """`--tags push` runs something, and `--skip-tags push` nothing: every task has that tag."""
    assert tasks[playbook.stem]
    assert all(playbook.stem in tags for tags in tasks[playbook.stem])
    assert not {"always", "never"} & {tag for tags in tasks[playbook.stem] for tag in tags}


def test_without_the_playbooks_tags_nothing_is_left_to_run():
    common = ("ansible-playbook", "-i", str(FABRICS[0]), "-e", "nettool_build=x", "--list-tasks")
    own = ansible(*common, *map(str, PLAYBOOKS), "--skip-tags", ",".join(STEMS))
    assert own.returncode == 0
    assert own.stdout.count("\nplaybook: ") == len(PLAYBOOKS)
    assert not re.search(r"^ {6}\S", own.stdout, re.MULTILINE)


@pytest.mark.parametrize("playbook", PLAYBOOKS, ids=lambda path: path.stem)
def test_a_playbook_uses_core_and_ours_alone(playbook):
    for play in yaml.safe_load(playbook.read_text()):
        assert play["gather_facts"] is False
        used = []
        for task in play["tasks"]:
            used += [key for key in task if "." in key or key in {*OURS, "nettool_roce"}]
            assert set(task.get("nettool_sonic", {})) <= set(ARGUMENTS)
            assert set(task.get("nettool_asternos", {})) <= {*ARGUMENTS, "startup"}
            assert "no_log" not in task
        ours = ["nettool_roce"] if playbook.stem == "roce" else list(OURS)
        ours = [] if play["name"] == LEFT_OUT else ours
        assert [each for each in used if each != "ansible.builtin.assert"] == ours
        assert all(set(task.get("nettool_far", {})) <= FAR for task in play["tasks"])


MADE = {"nettool_sonic", "nettool_asternos", "nettool_roce", "nettool_far", "nettool_file"}
MADE |= {"nettool_looked", "nettool_looked_klish", "nettool_wrote", "nettool_wrote_klish"}
MADE |= {"nettool_before", "nettool_rest"}
NEEDED = re.compile(r"{{ (nettool_\w+) }}")


@pytest.mark.parametrize("playbook", PLAYBOOKS, ids=lambda path: path.stem)
def test_a_playbook_says_at_its_start_what_it_needs(playbook):
    text = playbook.read_text()
    needed = sorted(set(NEEDED.findall(text)) - MADE)
    first = yaml.safe_load(text)[0]["tasks"][0].get("ansible.builtin.assert", {})
    assert needed == re.findall(r"^(\w+) [|] default", first.get("that", ""))
    assert all(first["fail_msg"].startswith(f"{each} is not set: -e ") for each in needed)


def test_every_variable_of_the_playbooks_is_documented():
    told = (ROOT / "docs" / "playbooks.md").read_text()
    for playbook in PLAYBOOKS:
        lines = [each for each in playbook.read_text().splitlines() if "#" not in each]
        used = set(re.findall(r"\bnettool_\w+", "\n".join(lines))) - MADE
        assert {each for each in used if f"`{each}`" not in told} == set(), playbook.name
        assert f"`{playbook.name}`" in told


@pytest.mark.parametrize("fabric", FABRICS, ids=lambda path: path.name)
def test_a_fabrics_folder_is_a_silent_inventory(fabric):
    done = ansible("ansible-inventory", "-i", str(fabric), "--list")
    assert (done.returncode, done.stderr) == (0, "")
    hosts = json.loads(done.stdout)["_meta"]["hostvars"]
    assert all({"ansible_host", "ansible_user"} <= set(each) for each in hosts.values())


def test_a_limit_on_a_rail_reaches_its_leaf():
    fabric = str(ROOT / "inventories" / "rail-only-128")
    listed = ansible("ansible", "rail_03", "-i", fabric, "--list-hosts")
    assert listed.stdout.split()[-1] == "leaf03"


def test_a_broken_fabric_is_told_with_its_line(tmp_path):
    (tmp_path / "nettool.yml").write_text("plugin: nettool\n")
    (tmp_path / "fabric.yaml").write_text("name: x\nclustre: {nodes: 4}\n")
    done = ansible("ansible-inventory", "-i", str(tmp_path / "nettool.yml"), "--list")
    assert "fabric.yaml:2:1" in done.stderr
    assert "Traceback" not in done.stderr


def test_host_keys_are_checked():
    assert environment()["ANSIBLE_HOST_KEY_CHECKING"] == "True"
    assert "host_key_checking = True" in (ROOT / "ansible.cfg").read_text()


def test_the_updaters_data_is_sound():
    data = yaml.safe_load((DATA / "updater.yaml").read_text())
    for rule in data["impacts"]:
        assert set(rule) == {"tables", "field", "impact", "why", "source", "trust"}
        assert Impact(rule["impact"])
        assert Trust(rule["trust"])
        assert rule["why"]
        assert rule["source"]
    for rule in data["edits"]:
        assert rule["table"] in data["guarded"]
        assert set(rule["operations"]) <= {"add", "remove", "replace"}, rule["name"]
        for chip, (build, branch) in rule["chips"].items():
            assert re.fullmatch(r"20\d{6}", build), chip
            assert branch in data["branches"], chip
    assert "Source" in (DATA / "updater.yaml").read_text()


def test_meaning_is_sound():
    meaning = meaning_of(on_switch=True)
    assert not meaning.switch_tables & meaning.operator_tables
    assert "lanes" not in meaning.unordered
    assert all(isinstance(v, str) for row in meaning.defaults.values() for v in row.values())
    assert {"passkey", "auth_password"} <= meaning.secret_fields
