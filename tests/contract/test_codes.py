"""Every code that a finding can have is explained, and nothing else is."""

import re
from pathlib import Path

import pytest

from nettool.cli.main import main
from nettool.config.validate.rule import RULES
from nettool.core.codes import codes

SOURCE = Path(__file__).parents[2] / "nettool"
CODE = re.compile(r"""["']([A-Z]{3}\d{3})["']""")
LEVELS = {"error", "warning", "info"}


def _used():
    """Every code in the source, with a file that has it."""
    return {
        code: path.relative_to(SOURCE)
        for path in sorted(SOURCE.rglob("*.py"))
        for code in CODE.findall(path.read_text(encoding="utf-8"))
    }


def test_the_source_has_codes():
    assert len(_used()) > 200


@pytest.mark.parametrize(("code", "path"), sorted(_used().items()), ids=str)
def test_a_code_of_the_source_is_explained(code, path, capsys):
    assert main(["lint", "--explain", code.lower()]) == 0, f"{path} gives {code}"
    assert capsys.readouterr().out.startswith(f"{code}  ")


def test_no_code_is_explained_twice_or_for_nothing():
    assert not set(codes()) & set(RULES)
    assert set(codes()) <= set(_used())


@pytest.mark.parametrize("code", codes().values(), ids=lambda each: each.id)
def test_a_code_has_a_whole_page(code):
    assert set(code.level.split(" or ")) <= LEVELS
    assert 8 <= len(code.finds) <= 90
    assert not code.finds.endswith(".")
    for text in (code.why, code.fix):
        assert len(text) > 8
        assert text.endswith(".")


def test_an_unknown_code_names_its_neighbours(capsys):
    assert main(["lint", "--explain", "QOS999"]) == 64
    assert "QOS001, QOS002" in capsys.readouterr().err
    assert main(["lint", "--explain", "nothing"]) == 64
    assert "PLC…, " in capsys.readouterr().err
