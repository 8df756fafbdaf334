"""What a difference of AsterNOS lines does not show is told beside it, in text and JSON."""

import json
import shutil

import pytest

from nettool.core.resources import shipped

NOS = ("--nos", "asternos")
NAME = "rail-only-128"


@pytest.fixture
def other(tmp_path):
    """Another version of the fabric: its syslog server is another one, which no line can say."""
    text = (shipped("inventories") / NAME / "fabric.yaml").read_text()
    assert "192.168.100.3" in text
    path = tmp_path / "fabric.yaml"
    path.write_text(text.replace("192.168.100.3", "192.168.100.9"))
    return path


@pytest.fixture
def running(nettool, tmp_path):
    """The rendered lines of the fabric, as a folder of what switches run."""
    assert nettool("render", NAME, "-o", tmp_path / "build", *NOS)[0] == 0
    return tmp_path / "build" / "devices"


def test_two_intents_that_differ_in_no_line_differ_all_the_same(nettool, other):
    code, out, _ = nettool("diff", other, "--against", NAME, "--exit-code", *NOS)
    assert (code, out.splitlines()[0]) == (2, "no difference in lines on 4 switches")
    assert "of these 2 are not as intended before: SYSLOG_SERVER|192.168.100.3 there -> none" in out
    code, out, _ = nettool("diff", NAME, "--against", NAME, "--exit-code", *NOS)
    assert (code, "cannot be written on AsterNOS by lines" in out) == (0, True)


def test_json_has_them_by_switch(nettool, other):
    _, out, _ = nettool("diff", other, "--against", NAME, "--format", "json", *NOS)
    told = json.loads(out)["unwritten"]["leaf01"]
    assert told["tables"]["PORT"] > 100
    assert [each["path"] for each in told["changed"]] == [
        "SYSLOG_SERVER|192.168.100.3",
        "SYSLOG_SERVER|192.168.100.9",
    ]


def test_beside_what_runs_lines_of_others_are_counted(nettool, running):
    shutil.copytree(running, running.with_name("seen"))
    path = running.with_name("seen") / "leaf01" / "asternos.cfg"
    path.write_text(f"{path.read_text()}ntp server 192.0.2.1\nvlan 999\n")
    words = ("diff", NAME, "--running", path.parents[1], *NOS)
    _, out, _ = nettool(*words)
    assert "leaf01: 1 change\n  global\n    - vlan 999\n" in out
    assert "leaf01: not nettool's, stays as it is: 1 line (ntp server 192.0.2.1)" in out
    told = json.loads(nettool(*words, "--format", "json")[1])
    assert told["kept_lines"] == {"leaf01": 1, "leaf02": 0, "leaf03": 0, "leaf04": 0}
    assert told["unwritten"]["leaf02"]["count"] > 300


def test_a_switch_of_sonic_has_nothing_beyond(nettool):
    code, out, _ = nettool("diff", NAME, "--against", NAME)
    assert (code, out) == (0, "no difference on 4 switches\n")
    told = json.loads(nettool("diff", NAME, "--against", NAME, "--format", "json")[1])
    assert not {"unwritten", "kept_lines"} & set(told)


def test_tables_without_a_model_are_left_alone_by_name(nettool, tmp_path):
    assert nettool("render", NAME, "-o", tmp_path / "build")[0] == 0
    seen = tmp_path / "build" / "devices"
    path = seen / "leaf01" / "config_db.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "MY_TABLE": {"a": {"f": "1"}}}))
    code, out, _ = nettool("diff", NAME, "--running", seen, "--exit-code", "--plan")
    assert (code, out) == (
        0,
        "no difference on 4 switches\n"
        "leaf01: left alone: MY_TABLE (1 row), SONiC has no model of it\n",
    )
    told = json.loads(nettool("diff", NAME, "--running", seen, "--format", "json")[1])
    assert told["left_alone"] == {"leaf01": {"MY_TABLE": 1}}


def test_every_file_that_is_no_config_db_is_named(nettool, tmp_path):
    nettool("render", NAME, "-o", tmp_path / "b")
    for name, text in (("leaf02", "[]"), ("leaf03", "")):
        (tmp_path / "b/devices" / name / "config_db.json").write_text(text)
    code, out, _ = nettool("diff", NAME, "--running", tmp_path / "b")
    assert code == 1
    for name in ("leaf02/config_db.json", "leaf03/config_db.json"):
        assert name in out
