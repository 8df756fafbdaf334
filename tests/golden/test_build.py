"""Every other stage of both shipped builds: a change shows which stage moved.

`NETTOOL_GOLDEN=write pytest tests/golden` writes the files anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nettool.intent.load import find_fabric
from nettool.pipeline import plan_fabric, render_build

HERE = Path(__file__).parent
FABRICS = ("rail-only-128", "rail-optimized-256")
SONIC = ("fabric.json", "plan.json", "cabling.csv", "inventory.yaml", "hosts/node01/host.json")
ASTERNOS = tuple(
    f"devices/leaf01/{name}" for name in ("asternos.cfg", "roce.json", "unwritten.json")
)
TIMED = (
    "devices/leaf01/ptp4l.conf", "devices/spine01/ptp4l.conf", "devices/spine01/synce4l.conf",
    "hosts/node01/ptp4l-nic1.conf", "hosts/node01/synce4l.conf",
)  # fmt: skip
CASES = [
    (fabric, nos, file)
    for fabric in FABRICS
    for nos, files in (("sonic", SONIC), ("asternos", ASTERNOS))
    for file in files
] + [(FABRICS[1], "sonic", file) for file in TIMED]


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """The build folder of each fabric and dialect."""
    made = {}
    for fabric in FABRICS:
        for nos in ("sonic", "asternos"):
            out = tmp_path_factory.mktemp("golden") / "build"
            render_build(plan_fabric(find_fabric(fabric), nos=nos), out)
            made[fabric, nos] = out
    return made


@pytest.mark.parametrize(("fabric", "nos", "file"), CASES)
def test_stage(builds: dict[tuple[str, str], Path], fabric: str, nos: str, file: str) -> None:
    text = (builds[fabric, nos] / file).read_text(encoding="utf-8")
    golden = HERE / fabric / file
    if os.environ.get("NETTOOL_GOLDEN") == "write":
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    kept = golden.read_text(encoding="utf-8")
    assert text == kept, f"{golden} differs; run `NETTOOL_GOLDEN=write pytest tests/golden`"
