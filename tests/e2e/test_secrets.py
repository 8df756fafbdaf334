"""A secret planted in every input turns up in no output, log, artifact, argument or temp file."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from nettool.fleet.deploy.overlay import mock_overlay
from nettool.fleet.mock.factory import factory_specs
from nettool.fleet.mock.fault import Fault
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.serve import where
from nettool.pipeline import plan_fabric

ROOT = Path(__file__).parents[2]
CANARY = "CANARY-4c1f"
VAULT, ENVIRONMENT, INVENTORY = (f"{CANARY}-{each}" for each in ("vault", "env", "inventory"))
PASSWORDS = {"leaf01": VAULT, "leaf02": ENVIRONMENT, "leaf03": INVENTORY}
NOS = ("sonic", "asternos")

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None or not Path("/proc/self/cmdline").exists(),
    reason="needs ssh-keygen and /proc",
)


class Watch:
    """Looks at temp files and at the arguments of programs while something runs."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._stop, self.leaks = folder, threading.Event(), set()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_exc):
        self._stop.set()
        self._thread.join()

    def _look(self):
        while not self._stop.is_set():
            arguments = Path("/proc").glob("[0-9]*/cmdline")
            self.leaks.update(str(path) for path in [*arguments, *files(self._folder)] if has(path))
            time.sleep(0.05)


def files(folder):
    try:
        return [path for path in folder.rglob("*") if path.is_file()]
    except OSError:  # it went away meanwhile
        return []


def has(path):
    try:
        return CANARY.encode() in path.read_bytes()
    except OSError:  # the program or the file has ended
        return False


class Site:
    """A fabric, its mock switches and an inventory, with a secret in each."""

    def __init__(self, folder: Path, nos: str) -> None:
        self.folder, self.inputs = folder, folder / "inputs"
        shutil.copytree(ROOT / "inventories" / "rail-only-128", self.inputs / "fabric")
        self.fabric = self.inputs / "fabric" / "fabric.yaml"
        with self.fabric.open("a") as file:
            file.write(f"\nx-note: {CANARY}-fabric\nnos:\n  name: {nos}\n")
        self.out, self.temp = folder / "out", folder / "tmp"
        self.out.mkdir()
        self.temp.mkdir()
        plan = plan_fabric(self.fabric)
        specs = [
            replace(each, password=PASSWORDS.get(each.name))
            for each in factory_specs(plan.fabric, plan.intent.management.user, nos=nos)
        ]
        self.fleet = MockFleet(specs, scale=0.02)

    def reach(self) -> list[str]:
        """Where the switches are, and their passwords: from vault, environment, inventory."""
        overlay = mock_overlay(where(self.fleet), self.inputs / "overlay")
        tree = json.loads(overlay.read_text())
        told = ("{{ vaulted }}", "{{ lookup('env', 'SWITCH_PASSWORD') }}", INVENTORY)
        for name, password in zip(PASSWORDS, told, strict=True):
            host = tree["all"]["hosts"][name]
            del host["ansible_ssh_private_key_file"]
            host["ansible_ssh_common_args"] = host["ansible_ssh_common_args"].split(" -o Ident")[0]
            host.update(ansible_password=password, ansible_become_password=f"{CANARY}-become")
        overlay.write_text(json.dumps(tree))
        self._vault()
        return ["-i", str(overlay)]

    def _vault(self) -> None:
        variables = self.inputs / "overlay" / "group_vars" / "all.yml"
        variables.parent.mkdir()
        variables.write_text(f"vaulted: {VAULT}\n")
        self.key = self.inputs / "vault-password"
        self.key.write_text(f"{CANARY}-vault-key\n")
        command = ["ansible-vault", "encrypt", "--vault-password-file", str(self.key)]
        subprocess.run([*command, str(variables)], check=True, capture_output=True, env=PATHS)

    def run(self, *words: str):
        """One verb of the command line, as talkative as can be."""
        env = {
            **PATHS,
            "TMPDIR": str(self.temp),
            "SWITCH_PASSWORD": ENVIRONMENT,
            "SOME_TOKEN": f"{CANARY}-token",
            "ANSIBLE_VAULT_PASSWORD_FILE": str(self.key),
            "ANSIBLE_VERBOSITY": "3",
            "ANSIBLE_LOG_PATH": str(self.out / "ansible.log"),
            "PYTHONPATH": str(ROOT),
        }
        done = subprocess.run(
            [sys.executable, "-m", "nettool", *words, "-v"], cwd=self.out, env=env,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert CANARY not in done.stdout + done.stderr, words
        return done


PATHS = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"}


@pytest.mark.parametrize("nos", [NOS[0], pytest.param(NOS[1], marks=pytest.mark.slow)])
def test_a_planted_secret_is_found_nowhere(tmp_path, nos):
    site = Site(tmp_path, nos)
    with site.fleet as fleet, Watch(site.temp) as watch:
        reach = [str(site.fabric), *site.reach()]
        pushed = site.run("push", *reach, "--diff", "--consent", "reload")
        assert pushed.returncode == 0, pushed.stderr
        assert pushed.stdout.count("changed") >= len(list(fleet))
        site.run("verify", *reach)
        fleet["leaf03"].inject(Fault("", "auth", times=None))
        assert "unreachable" in site.run("push", *reach, "--check", "-l", "leaf03").stdout
    assert watch.leaks == set()
    assert [
        path for path in files(site.folder) if has(path) and site.inputs not in path.parents
    ] == []
