"""A file of reported hosts: JSON or YAML, each fault at its line, and one hides no other."""

import json

import jsonschema
import pytest

from nettool.cli.main import main
from nettool.core.errors import FindingsError, UsageError
from nettool.fleet.verify.gathered import load_hosts
from nettool.fleet.verify.reported import hosts_schema

FAULTY = """\
hosts:
  - name: node01
    agreement: {trust: dscp, mtu: "9216", roce_dscp: {roce: [26, 99]}, pfc_priorties: [3]}
    nics:
      - {name: nic1, speed: 400G, address: 10.1.0.2/24}
      - {name: nic1, speed: 400000}
      - {name: nic2, speed: fast, pfc_mask: 8, pfc_priorities: [3]}
      - 7
  - name: node01
  - {nics: []}
  - {name: node03, nics: none, x-rack: 4}
  - {name: node04, agreement: {dscp_priority: {26: 9}}, nics: [{name: nic1, mtu: true}]}
  - {name: node05, nics: [{name: nic1, spead: 1G}, {name: nic2}]}
colour: red
"""
TOLD = [
    (3, 35, "node01: agreement.mtu: a whole number is expected; given '9216'"),
    (
        3,
        54,
        "node01: agreement.roce_dscp: Input should be less than or equal to 63; "
        "given {'roce': [26, 99]}",
    ),
    (3, 72, "node01: unknown key 'pfc_priorties'; did you mean 'pfc_priorities'?"),
    (6, 16, "node01|nic1 stands twice: only the first one is compared"),
    (7, 29, "node01|nic2: speed: a speed such as 400G is expected, not 'fast'; given 'fast'"),
    (8, 9, "node01: a NIC with a `name` is expected, not 7"),
    (9, 11, "node01 stands twice: only the first one is compared"),
    (10, 5, "a host with a `name` is expected, not {'nics': []}"),
    (11, 26, "node03: a list of NICs is expected, not 'none'"),
    (
        12,
        52,
        "node04: agreement.dscp_priority.26: Input should be less than or equal to 7; given 9",
    ),
    (12, 82, "node04|nic1: mtu: a whole number is expected; given True"),
    (13, 40, "node05|nic1: unknown key 'spead'; did you mean 'speed'?"),
    (14, 1, "unknown key 'colour'"),
]


@pytest.fixture
def written(tmp_path):
    """Writes a file; its path."""

    def write(text, name="hosts.yaml"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_every_fault_is_told_at_its_line(written):
    found = sorted(load_hosts(written(FAULTY)).findings, key=lambda each: each.order)
    assert [(each.line, each.column, each.message) for each in found] == TOLD
    assert {each.rule for each in found} == {"HST010"}


def test_what_is_sound_is_compared_all_the_same(written):
    gathered = load_hosts(written(FAULTY))
    assert list(gathered.hosts) == ["node05"]
    assert [each.name for each in gathered.hosts["node05"].nics] == ["nic2"]
    hosts = {"node01", "node03", "node04"}
    assert gathered.broken == {*hosts, "node01|nic2", "node04|nic1", "node05|nic1"}


SHAPES = [
    ("", "a list of hosts, or a mapping with `hosts`, is expected, not {}"),
    ("[]", "a list of hosts, or a mapping with `hosts`, is expected, not []"),
    ("hosts: 3", "a list of hosts, or a mapping with `hosts`, is expected, not 3"),
    ("just words", "a list of hosts, or a mapping with `hosts`, is expected, not 'just words'"),
    ("- 7", "a host with a `name` is expected, not 7"),
    (
        '[{"name": "a|b"}]',
        "a host whose name has no blank, no | and no control character is expected, not 'a|b'",
    ),
    (
        '{"name": "n", "nics": [{"name": "a b"}]}',
        "n: a NIC whose name has no blank, no | and no control character is expected, not 'a b'",
    ),
    (
        r'{"name": "n", "nics": [{"name": "a", "port": "\u001b[2J"}]}',
        r"n|a: port: text without control characters is expected; given '\x1b[2J'",
    ),
    ("- {name: 7}", "a host with a `name` is expected, not {'name': 7}"),
    (
        "{name: n, nics: [{name: a, pfc_mask: 8, pfc_priorities: [3]}]}",
        "n|a: pfc_mask and pfc_priorities say the same: give one of them",
    ),
    (
        "{name: n, nics: [{name: a, address: 7}]}",
        "n|a: address: text is expected; given 7",
    ),
    (
        "{name: n, schema_version: 2}",
        "n: schema_version: Input should be 1; given 2",
    ),
]


@pytest.mark.parametrize(("text", "message"), SHAPES)
def test_a_wrong_form_is_one_sentence(written, text, message):
    (found,) = load_hosts(written(text)).findings
    assert found.message == message
    assert found.hint.startswith("`nettool schema --hosts` prints the form")


FORMS = [
    '{"hosts": [{"name": "node01", "nics": [{"name": "nic1"}]}]}',
    '[{"name": "node01", "nics": [{"name": "nic1"}]}]',
    '{"name": "node01", "nics": [{"name": "nic1"}]}',
    '{\n\t"name": "node01",\n\t"nics": [{"name": "nic1"}]\n}',
    "- name: node01\n  nics: [{name: nic1}]\n",
]


@pytest.mark.parametrize("text", FORMS)
def test_forms_that_a_site_may_write(written, text):
    gathered = load_hosts(written(text))
    assert gathered.findings == ()
    assert [each.name for each in gathered.hosts["node01"].nics] == ["nic1"]


def test_a_place_is_that_of_the_nic_or_of_what_its_host_says_of_all(written):
    text = "- name: a\n  agreement:\n    mtu: 1500\n  nics:\n    - name: x\n      speed: 1G\n"
    gathered = load_hosts(written(text))
    places = [gathered.place("a", "x", name) for name in ("speed", "mtu", "trust")]
    assert [(each["line"], each["column"]) for each in places] == [(6, 14), (3, 10), (5, 7)]
    assert gathered.place("b") == {"file": gathered.file}


TWICE = ['{"name": "a", "nics": [], "name": "b"}', "name: a\nnics: []\nname: b\n"]


@pytest.mark.parametrize("text", TWICE)
def test_a_key_that_stands_twice_breaks_the_file(written, text):
    with pytest.raises(FindingsError) as told:
        load_hosts(written(text))
    (found,) = told.value.report.findings
    assert (found.rule, "key 'name' stands twice" in found.message) == ("SRC002", True)


def test_a_file_that_cannot_be_read_raises_usage(tmp_path):
    with pytest.raises(UsageError, match="No such file"):
        load_hosts(tmp_path / "none")


def test_the_schema_is_that_of_the_reader(capsys, shipped_fabric):
    assert main(["schema", "--hosts"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema == json.loads(json.dumps(hosts_schema()))
    jsonschema.Draft202012Validator.check_schema(schema)
    good = {"hosts": [{"name": "a", "x-rack": 4, "nics": [{"name": "n", "roce_dscp": [26]}]}]}
    jsonschema.validate(good, schema)
    for bad in ({"hosts": [{"nics": []}]}, {"hosts": [{"name": "a", "nics": [{"nmae": "n"}]}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)
