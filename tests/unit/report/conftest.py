"""A report made as the verb makes it, in a folder of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nettool.cli.main import main


@pytest.fixture
def made(tmp_path, capsys):
    """Writes a report of a fabric; gives its exit code, its folder and what was said."""

    def make(fabric, *words, out="ticket"):
        (tmp_path / "runs").mkdir(exist_ok=True)
        where = ("-o", str(tmp_path / out), "--runs", str(tmp_path / "runs"))
        code = main(["report", str(fabric), *where, *map(str, words)])
        return code, tmp_path / out, capsys.readouterr()

    return make


@pytest.fixture
def run_kept(tmp_path):
    """Keeps the record of a push of a fabric, with its own copy of a build's files."""

    def keep(run, fabric, files=(), playbook="push", **summary):
        folder = tmp_path / "runs" / run
        for name, content in dict(files).items():
            path = folder / "build" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        folder.mkdir(parents=True, exist_ok=True)
        order = {"playbook": playbook, "name": fabric, "check": False}
        (folder / "order.json").write_text(json.dumps(order))
        told = {"changed": 4, "playbook": playbook, "check": False, **summary}
        hosts = [{"device": Path(each).parent.name, "outcome": "changed"} for each in dict(files)]
        report = {"run": run, "exit_code": 0, "devices": hosts, "summary": told}
        (folder / "report.json").write_text(json.dumps(report))

    return keep
