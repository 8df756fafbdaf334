"""`nettool catalog`: what is known, and a platform of SONiC made known and planned with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

PLATFORM = Path(__file__).parents[1] / "catalog/platforms/scattered"
FABRIC = """\
name: own
cluster: {nodes: 2, gpus_per_node: 1}
networks:
  compute:
    topology: rail-only
    nic: {model: connectx-8-800g, per_node: 1}
    leaf: {model: box}
    subnets: {pool: 10.1.0.0/24}
    routing: {protocol: none}
"""


def test_an_imported_platform_is_planned_with_beside_its_fabric(nettool, tmp_path):
    own = tmp_path / "catalog"
    given = ("--asic", "th5", "--name", "box", "--vendor", "acme")
    code, out, _ = nettool("catalog", "import", PLATFORM, "-o", own, *given)
    assert code == 0
    assert f"wrote {own / 'switches/box.yaml'}" in out
    assert "\nswitches  box\n" in nettool("catalog", "list", "switches", "--catalog", own)[1]
    (tmp_path / "fabric.yaml").write_text(FABRIC)
    code, out, _ = nettool("plan", tmp_path, "--no-lock", "--format", "json")
    assert code == 0
    assert [(each["name"], each["model"]) for each in json.loads(out)["devices"]] == [
        ("leaf01", "box"),
    ]  # fmt: skip
    code, out, _ = nettool("inventory", tmp_path)
    assert (code, "leaf01" in out) == (0, True)


def test_size_with_an_own_catalog(nettool, tmp_path):
    nettool("catalog", "import", PLATFORM, "-o", tmp_path, "--asic", "th5", "--name", "box")
    asked = ("size", "--gpus", 2, "--gpus-per-node", 1, "--nic", "800G", "--switch", "box")
    code, out, _ = nettool(*asked, "--catalog", tmp_path, "--format", "json")
    assert (code, json.loads(out)["leaf"]) == (0, 1)
    assert nettool(*asked)[0] == 64


def test_names_of_a_kind(nettool):
    code, out, _ = nettool("catalog", "list", "switches", "gpus", "--format", "json")
    names = json.loads(out)["names"]
    assert code == 0
    assert names.keys() == {"switches", "gpus"}
    assert "CX864E-N" in names["switches"]


def test_files_that_make_no_switch_write_nothing(nettool, tmp_path):
    (tmp_path / "platform.json").write_text("{}")
    code, out, _ = nettool(
        "catalog", "import", tmp_path, "-o", tmp_path / "own", "--asic", "th5", "--format", "json"
    )
    said = json.loads(out)
    assert (code, said["files"]) == (1, [])
    assert {each["rule"] for each in said["findings"]} == {"IMP002"}
    assert not (tmp_path / "own").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("list", "switch"), "no kind 'switch' in the catalog: kinds are switches, asics"),
        (("list", "--catalog", "nowhere"), "nowhere: no such folder of catalog files"),
        (("import",), "catalog import needs PATH"),
        (("import", PLATFORM), "catalog import needs -o DIR"),
        (("import", PLATFORM, "-o", "x"), "catalog import needs --asic CHIP"),
        (("import", PLATFORM, "-o", "x", "--asic", "th9"), "unknown ASIC 'th9'"),
        (("import", "nowhere", "-o", "x", "--asic", "th5"), "nowhere: no such file or folder"),
        (("import", PLATFORM, "-o", "x", "--asic", "th5", "--lane-rate", "?"), "--lane-rate"),
        (("import", PLATFORM, "-o", "/dev/null", "--asic", "th5"), "/dev/null: "),
    ],
)
def test_wrong_calls(nettool, words, said):
    code, out, err = nettool("catalog", *words)
    assert (code, said in out + err) == (64, True), out + err


TABLE = "# speed cable size xon xoff threshold\n{speed} 5m {size} 0 {xoff} 0\n"


def test_a_table_of_another_name_is_taken_and_said_to_replace(nettool, tmp_path):
    file, own = tmp_path / "leaf01_pg_profile_lookup.ini", tmp_path / "own"
    file.write_text(TABLE.format(speed=400000, size=1518, xoff=129920))
    given = ("-o", own, "--asic", "teralynx10", "--name", "CX864E-N")
    code, out, _ = nettool("catalog", "import", file, *given)
    written = own / "headroom/cx864e-n.yaml"
    assert (code, out.splitlines()[-1]) == (0, f"wrote {written}")
    code, out, _ = nettool("catalog", "import", file, *given)
    assert (code, out.splitlines()[-1]) == (0, f"replaced {written}")


@pytest.mark.parametrize(
    ("name", "xoff", "chip", "code", "said"),
    [
        ("pg_profile_lookup.ini", -5, "teralynx10", 1, "xoff -5: too small"),
        ("pg.ini", 9000, "teralynx10", 64, "its name does not tell what it is"),
        ("pg_profile_lookup.ini", 9000, "th5", 64, "CX864E-N is known with teralynx10"),
    ],
)
def test_a_table_that_cannot_be_the_switches_own_is_refused(
    nettool, tmp_path, name, xoff, chip, code, said
):
    file, own = tmp_path / name, tmp_path / "own"
    file.write_text(TABLE.format(speed=400000, size=1518, xoff=xoff))
    told, out, err = nettool("catalog", "import", file, "-o", own, "--asic", chip,
                             "--name", "CX864E-N")  # fmt: skip
    assert (told, said in out + err) == (code, True)
    assert not own.exists()
