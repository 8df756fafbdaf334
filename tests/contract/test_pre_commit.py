"""The hook for pre-commit: it names a verb as it is called, and takes CONFIG_DB files alone."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from nettool.cli.main import main
from nettool.cli.parser import verb_names

ROOT = Path(__file__).parents[2]
GOOD = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf01"}}}
BAD = {"PORT": {"Ethernet0": {"lanes": "1", "speed": "400000", "fec": "rsx"}}}


@pytest.fixture(scope="module")
def hook():
    """The one hook that is defined."""
    (only,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    return only


def test_the_entry_is_a_verb(hook):
    program, verb = hook["entry"].split()
    assert (program, hook["language"]) == ("nettool", "python")
    assert verb in verb_names()


@pytest.mark.parametrize(
    ("path", "taken"),
    [
        ("config_db.json", True),
        ("devices/leaf01/config_db.json", True),
        ("sw/config_db.leaf02.json", True),
        ("config_db0.json", True),
        ("config_db.yaml", False),
        ("my_config_db.json", False),
        ("config_db/readme.json", False),
        ("golden_config_db.json.j2", False),
        ("fabric.json", False),
    ],
)
def test_files_that_are_taken(hook, path, taken):
    assert bool(re.search(hook["files"], path)) == taken


def test_all_files_are_one_call(hook):
    """Cables and addresses are checked across files, so they come together."""
    assert hook["require_serial"] is True


@pytest.mark.parametrize(("tables", "code"), [(GOOD, 0), (BAD, 1)])
def test_the_entry_refuses_what_is_wrong(hook, tmp_path, tables, code):
    path = tmp_path / "config_db.json"
    path.write_text(json.dumps(tables))
    assert main([*hook["entry"].split()[1:], str(path)]) == code


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pre-commit") is None, reason="pre-commit is not installed")
@pytest.mark.parametrize(("tables", "code"), [(GOOD, 0), (BAD, 1)])
def test_pre_commit_runs_it(hook, tmp_path, tables, code):
    """`pre-commit try-repo` builds the hook's own environment: it needs a package index."""
    clone, user = tmp_path / "nettool", tmp_path / "user"
    user.mkdir()
    (user / "config_db.json").write_text(json.dumps(tables))
    for words, folder in (
        (("git", "clone", "-q", str(ROOT), str(clone)), tmp_path),
        (("git", "init", "-q"), user),
        (("git", "add", "config_db.json"), user),
    ):
        subprocess.run(words, cwd=folder, check=True)
    words = ("pre-commit", "try-repo", str(clone), hook["id"], "--all-files")
    done = subprocess.run(words, cwd=user, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("Passed" if code == 0 else "TYP001") in done.stdout
