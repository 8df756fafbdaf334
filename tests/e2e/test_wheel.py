"""The wheel works where there is no checkout: init, render and lint in an empty folder."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FABRIC = "rail-only-128"


def _run(*words, cwd):
    clean = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    return subprocess.run(words, cwd=cwd, env=clean, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A bin folder with the wheel installed, sharing this environment's dependencies."""
    folder = tmp_path_factory.mktemp("wheel")
    made = _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder),
                str(ROOT), cwd=folder)  # fmt: skip
    assert made.returncode == 0, made.stderr
    wheel = next(folder.glob("*.whl"))
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    site = next((folder / "venv").glob("lib/python*/site-packages"))
    put = _run(sys.executable, "-m", "pip", "install", "--no-deps", "--quiet", "--target",
               str(site), str(wheel), cwd=folder)  # fmt: skip
    assert put.returncode == 0, put.stderr
    ours = next(p for p in sys.path if p.endswith("site-packages"))
    (site / "dependencies.pth").write_text(f"import sys; sys.path.append({ours!r})\n")
    return folder / "venv" / "bin" / "python"


def test_init_render_and_lint_from_the_wheel(installed, tmp_path):
    where = _run(installed, "-c", "import nettool; print(nettool.__file__)", cwd=tmp_path)
    assert "venv" in where.stdout, where.stderr
    for words in (
        ("init", "site"),
        ("render", "site", "-o", "build"),
        ("lint", "build/devices/leaf01/config_db.json"),
        ("plan", FABRIC, "--no-lock"),
    ):
        done = _run(installed, "-m", "nettool", *words, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "build" / "devices" / "leaf01" / "config_db.json").is_file()
