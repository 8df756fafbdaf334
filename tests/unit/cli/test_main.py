"""The command line: exit codes, where things are printed, and never a traceback."""

import json
import re
import shlex
import subprocess
import sys

import pytest

from nettool.cli.main import main
from nettool.cli.parser import first_line, verb_names

FABRIC = "rail-only-128"


def run(capsys, *words):
    code = main([str(word) for word in words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 64, "usage: nettool VERB"),
        (("--help",), 0, "usage: nettool VERB"),
        (("--version",), 0, "nettool 0."),
        (("rendr", FABRIC), 64, "did you mean 'render'"),
        (("plan",), 64, "the following arguments are required"),
        (("plan", FABRIC, "--nos", "junos"), 64, "invalid choice"),
        (("plan", "no-such-fabric"), 64, "shipped fabrics"),
        (("calc", "headrom"), 64, "no calculator"),
        (("size", "--gpus", "8", "--nic", "fast"), 64, "--nic"),
        (("explain", FABRIC, "leaf99", "PORT|Ethernet0|mtu"), 64, "no device 'leaf99'"),
        (("explain", FABRIC, "leaf01", "PORT|Ethernet0|mtuu"), 64, "has no value at"),
        (("lint",), 64, "at least one FILE"),
        (("lint", "nowhere.json"), 64, "nowhere.json"),
        (("diff", FABRIC), 64, "required"),
        (("push", FABRIC, "--confirm", "soon"), 64, "10m"),
        (("push", FABRIC, "-i", "nowhere.yml"), 64, "no such inventory"),
    ],
)  # fmt: skip
def test_wrong_calls(capsys, words, code, said):
    got, out, err = run(capsys, *words)
    assert got == code
    assert said in out + err
    assert "Traceback" not in err


def test_every_verb_says_what_it_does(capsys):
    _, out, _ = run(capsys, "--help")
    for verb in verb_names():
        assert first_line(verb)
        assert first_line(verb) in out
        with pytest.raises(SystemExit) as ended:
            main([verb, "--help"])
        assert ended.value.code == 0


@pytest.mark.parametrize("verb", ["plan", "demand", "validate", "inventory"])
def test_results_are_json_on_stdout_alone(capsys, verb):
    words = [verb, FABRIC, "--format", "json", *(["--no-lock"] if verb == "plan" else [])]
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert isinstance(json.loads(out), dict)


def test_findings_keep_their_form_when_the_file_is_broken(capsys, tmp_path):
    path = tmp_path / "fabric.yaml"
    path.write_text("name: x\nclustr: {}\n")
    code, out, _ = run(capsys, "validate", path, "--format", "json")
    assert code == 1
    found = json.loads(out)["findings"]
    assert {(f["rule"], f["line"]) for f in found} >= {("INT001", 2)}
    assert set(found[0]) == {
        "rule", "severity", "message", "hint", "file", "line", "column", "device", "table", "key",
        "field",
    }  # fmt: skip


def test_strict_turns_warnings_into_exit_3(capsys, tmp_path):
    text = (run(capsys, "init", tmp_path)[0], (tmp_path / "fabric.yaml").read_text())[1]
    timing = "\ntiming: {grandmasters: [{name: gm1, attach: [leaf01]}]}\n"
    (tmp_path / "fabric.yaml").write_text(text + timing)
    assert run(capsys, "validate", tmp_path)[0] == 0
    assert run(capsys, "validate", tmp_path, "--strict")[0] == 3


def test_explain_names_formula_inputs_place_source_and_bound(capsys):
    path = "BUFFER_PROFILE|pg_lossless_400000_5m_profile|xoff"
    code, out, _ = run(capsys, "explain", "rail-optimized-256", "leaf01", path)
    assert code == 0
    for word in ("= 129920", "formula", "fabric.yaml:20:", "bound", "source", "reference board"):
        assert word in out


def test_explain_a_line_of_command_text(capsys, tmp_path):
    out_dir = tmp_path / "build"
    assert run(capsys, "render", "rail-optimized-256", "-o", out_dir, "--nos", "asternos")[0] == 0
    lines = (out_dir / "devices/leaf01/asternos.cfg").read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if line.startswith(" maximum-paths") or
                  "maximum-paths" in line)  # fmt: skip
    code, out, _ = run(
        capsys, "explain", "rail-optimized-256", "leaf01", number, "--nos", "asternos"
    )
    assert code == 0
    assert lines[number - 1].strip() in out
    assert "unverified" in out


def test_init_never_overwrites(capsys, tmp_path):
    assert run(capsys, "init", tmp_path)[0] == 0
    code, _, err = run(capsys, "init", tmp_path)
    assert code == 64
    assert "nothing was written" in err


def test_lint_takes_a_folder_of_switches(capsys, tmp_path):
    good = '{"VLAN": {"Vlan100": {"vlanid": "100"}}}'
    for name in ("leaf01", "leaf02"):
        (tmp_path / "devices" / name).mkdir(parents=True)
        (tmp_path / "devices" / name / "config_db.json").write_text(good)
    assert main(["lint", str(tmp_path)]) == 0
    assert main(["lint", str(tmp_path / "devices")]) == 0
    capsys.readouterr()
    (tmp_path / "empty").mkdir()
    assert main(["lint", str(tmp_path / "empty")]) == 64
    assert "holds no config_db.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("PORT", "keys of PORT: Ethernet0, Ethernet4"),
        ("PORT|Ethernet0|spede", "fields of PORT|Ethernet0: speed"),
        ("WRED_PROFIL", "tables: WRED_PROFILE"),
    ],
)
def test_explain_names_what_stands_near(capsys, path, said):
    assert main(["explain", "rail-optimized-256", "leaf01", path]) == 64
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("shell", "code", "said"),
    [
        ("{nettool} plan rail-only-128 > /dev/full", 64, "could not be written: No space left"),
        ("{nettool} --help > /dev/full", 64, "could not be written: No space left"),
        ("{nettool} plan rail-only-128 >&-", 0, ""),
        ("{nettool} plan rail-only-128 >&- 2>&-", 0, ""),
        ("set -o pipefail; {nettool} lint /dev/null | true", 1, ""),
        ("set -o pipefail; {nettool} plan rail-only-128 --format json 2>&1 | head -c 1", 0, ""),
        ("set -o pipefail; {nettool} plan nosuch 2>&1 | true", 64, ""),
        ("PYTHONIOENCODING=ascii {nettool} plan rail-only-128 > /dev/null", 0, ""),
    ],
)
def test_a_stream_that_takes_nothing_is_no_bug(shell, code, said):
    nettool = shlex.join([sys.executable, "-m", "nettool"])
    ran = subprocess.run(
        ["bash", "-c", shell.format(nettool=nettool)], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, "internal error" in ran.stderr) == (code, False)
    assert said in ran.stderr


def test_plan_shows_a_hash_seed_a_tier_and_says_that_no_dialect_pins_paths(capsys):
    code, out, _ = run(capsys, "plan", "clos3-1024", "--no-lock")
    lines = out.splitlines()
    at = next(number for number, each in enumerate(lines) if each.startswith("hash of"))
    rows = [each.split()[:3] for each in lines[at + 2 : at + 5]]
    assert code == 0
    assert rows == [
        ["leaf", "ToRRouter", "0"], ["spine", "LeafRouter", "10"], ["core", "SpineRouter", "25"],
    ]  # fmt: skip
    assert lines[at + 5].startswith("one-to-one pinning of NIC to uplink is computed (pinned, %)")


def test_a_very_small_number_does_not_read_as_nothing(capsys):
    _, out, _ = run(capsys, "calc", "ecmp", "--flows", "32", "--links", "32")
    assert re.search(r"^p_no_collision +1\.8e-13  probability$", out, re.MULTILINE)


def test_places_that_are_one_are_named_once(capsys, tmp_path):
    _, _, err = run(capsys, "plan", tmp_path)
    assert err.count(str(tmp_path / "fabric.yaml")) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("render", "rail-only-128", "-o", "/"), "/ is the root of the file system"),
        (("mock", "serve", "rail-only-128", "-o", "/dev/null"), "/dev/null: File exists"),
    ],
)
def test_a_place_that_cannot_be_written_to_is_no_bug(capsys, words, said):
    assert main(list(words)) == 64
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("form", ["json", "sarif", "junit"])
def test_a_folder_whose_name_is_no_text_is_told_in_every_form(capsys, tmp_path, form):
    folder = tmp_path / "site\udcff"
    folder.mkdir()
    (folder / "fabric.yaml").write_text("name: x\nclustre: 1\n")
    code, out, err = run(capsys, "validate", folder, "--format", form)
    assert (code, err) == (1, "")
    assert "INT001" in out
