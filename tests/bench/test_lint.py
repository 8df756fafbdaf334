"""Lint of a 256-port file in 0.4 s of CPU after the start, and a verb that imports quickly."""

import json
import subprocess
import sys
import time

import pytest

from nettool.config.validate.engine import lint
from nettool.config.validate.rule import RULES

PORTS = 256


def switch():
    ports = [f"Ethernet{2 * n}" for n in range(PORTS)]
    return {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf01", "type": "ToRRouter"}},
        "PORT": {
            p: {"lanes": f"{2 * n},{2 * n + 1}", "speed": "200000", "mtu": "9100", "fec": "rs"}
            for n, p in enumerate(ports)
        },
        "INTERFACE": {
            key: {}
            for n, p in enumerate(ports)
            for key in (p, f"{p}|10.0.{n // 128}.{2 * (n % 128)}/31")
        },
        "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "20"}},
        "QUEUE": {f"{p}|{q}": {"scheduler": "scheduler.0"} for p in ports for q in range(8)},
    }


@pytest.mark.bench
def test_lint_of_256_ports(tmp_path):
    file = tmp_path / "config_db.json"
    file.write_text(json.dumps(switch(), indent=2))
    assert len(RULES) > 40
    best = min(_once(file) for _ in range(5))
    print(f"\nlint of {PORTS} ports: {best * 1000:.0f} ms CPU")  # noqa: T201  # a measurement speaks
    assert best <= 0.4


@pytest.mark.bench
def test_the_verb_imports_quickly():
    code = (
        "import time; t = time.process_time(); import nettool.cli.verbs.lint; "
        "print(time.process_time() - t)"
    )
    spent = min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in range(3)
    )
    print(f"\nimport of the lint verb: {spent * 1000:.0f} ms CPU")  # noqa: T201  # a measurement speaks
    assert spent <= 0.4


def _once(file):
    start = time.process_time()
    lint([file])
    return time.process_time() - start
