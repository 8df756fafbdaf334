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


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", None])
def test_unreadable_files_are_usage_errors(tmp_path, content):
    path = tmp_path / "f.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=r"f\.yaml"):
        load_yaml(path)
