"""YAML with places: where keys stand, what is refused, and how it is said."""

import pytest

from nettool.core.errors import FindingsError, UsageError
from nettool.core.source import load_yaml, parse_yaml

_BOMB = "\n".join(
    [f"a0: &a0 [{', '.join('x' * 40)}]"]
    + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 40)}]" for n in range(1, 9)]
)


def test_places_of_keys_and_values():
    source = parse_yaml("a: 1\nb:\n  c: [x, 5m]\n", "f.yaml")
    assert source.data == {"a": 1, "b": {"c": ["x", "5m"]}}
    assert str(source.map.place(("b", "c", 1))) == "f.yaml:3:10"
    assert str(source.map.place(("b", "c"), key=True)) == "f.yaml:3:3"


def test_digits_that_mean_the_same_in_octal_are_taken():
    source = parse_yaml('a: [07, 0, 0x10, 010:30, "020", 10]\nfrom: 08:00\n', "f.yaml")
    assert source.data == {"a": [7, 0, 16, "010:30", "020", 10], "from": "08:00"}


def test_place_of_a_missing_key_is_its_parent():
    source = parse_yaml("a:\n  b: 1\n", "f.yaml")
    assert str(source.map.place(("a", "zzz"))) == "f.yaml:2:3"


@pytest.mark.parametrize(
    ("text", "rule", "line", "column", "word"),
    [
        ("a: [1, 2\nb: 3\n", "SRC001", 2, 2, "not valid YAML"),
        ("a: 1\n\tb: 2\n", "SRC001", 2, 1, "not valid YAML"),
        ("a: 1\nb: 2\na: 3\n", "SRC002", 3, 1, "first at f.yaml:1:1"),
        ("? [x]\n: 1\n", "SRC001", 1, 3, "plain word"),
        ("a:\n  nodes: 020\n", "SRC004", 2, 10, "020 is octal in YAML 1.1, the number 16"),
        ("a: !!python/object:os.system x\n", "SRC001", 1, 1, "not valid YAML"),
        ("a: &x [*x]\n", "SRC001", 1, 4, "nested deeper"),
        (_BOMB, "SRC001", 1, 124, "values"),
        ("a: " + "[" * 150 + "]" * 150, "SRC001", 1, 104, "nested deeper"),
    ],
)
def test_broken_text_is_one_located_finding(text, rule, line, column, word):
    with pytest.raises(FindingsError) as caught:
        parse_yaml(text, "f.yaml")
    finding = caught.value.report.findings[0]
    assert (finding.rule, finding.line) == (rule, line)
    assert finding.column == column
    assert word in finding.message


def test_all_duplicates_at_once():
    with pytest.raises(FindingsError) as caught:
        parse_yaml("a: 1\na: 2\nb: {c: 1, c: 2}\n", "f.yaml")
    assert [(f.line, f.column) for f in caught.value.report.findings] == [(2, 1), (3, 11)]


def test_an_empty_file_is_an_empty_mapping():
    assert parse_yaml("", "f.yaml").data == {}


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        (b"\xff\xfea\x00", (1, 1), "not UTF-8 text: UTF-16 text"),
        (b"a: 1\nb: \xe4\n", (2, 4), "not UTF-8 text: byte 0xe4"),
        (b"\x89PNG\r\n", (1, 1), "not UTF-8 text: byte 0x89"),
        (None, (1, 1), "a folder stands where a file is expected"),
    ],
)
def test_what_is_no_text_is_one_located_finding(tmp_path, content, place, message):
    path = tmp_path / "f.yaml"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(FindingsError) as caught:
        load_yaml(path, shown_as="f.yaml")
    [finding] = caught.value.report.findings
    assert (finding.rule, finding.file, finding.line, finding.column) == (
        "SRC003",
        "f.yaml",
        *place,
    )
    assert finding.message == message


def test_a_missing_file_is_a_wrong_call(tmp_path):
    with pytest.raises(UsageError, match=r"f\.yaml"):
        load_yaml(tmp_path / "f.yaml")


def test_line_ends_of_every_system_are_one(tmp_path):
    (tmp_path / "f.yaml").write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\rc: 3\n")
    assert load_yaml(tmp_path / "f.yaml").data == {"a": 1, "b": 2, "c": 3}
