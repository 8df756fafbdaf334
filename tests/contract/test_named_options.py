"""What messages, help, docs and templates name on the command line exists there.

`nettool VERB … --option` is held against that verb; an option that stands alone in a source file
against the verbs whose output that file can reach; in a document against all verbs.
"""

import ast
import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from nettool.cli.main import main
from nettool.cli.parser import parser_for, verb_names
from nettool.plan.calculators.calculator import CALCULATORS

ROOT = Path(__file__).parents[2]
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")
CALL = re.compile(r"(^[ \t]*|[`$(:]\s*)nettool ([a-z]+)([^`\n|;&)]*)", re.MULTILINE)
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/decisions/*.md"),
     *ROOT.glob("nettool/core/codes/*.yaml"), *ROOT.glob("inventories/*/*.yaml"),
     *ROOT.glob("playbooks/*.yml"), ROOT / ".pre-commit-hooks.yaml", ROOT / "Makefile"]
)  # fmt: skip
SOURCES = sorted(
    each for each in ROOT.glob("nettool/**/*.py") if "mock" not in each.relative_to(ROOT).parts[2:3]
)
ANSIBLE = ("--list", "--diff", "--tags", "--skip-tags")
SYSTEMD = ("--collect", "--on-active", "--property", "--timer-property", "--unit", "--value")
OTHERS = ("--print-data", "--disable-pip-version-check", "--quiet", "--dist", "--fix")
FOREIGN = frozenset((*ANSIBLE, *SYSTEMD, *OTHERS))
"""What Ansible, systemd-run, sonic-cfggen, pip, pytest and ruff call their own."""
LIVE = frozenset({"push", "diff", "verify", "rollback", "confirm"})
REACHES = {
    "nettool/cli/verbs/confirm.py": frozenset({"confirm", "push"}),
    "nettool/cli/verbs/history.py": frozenset({"history", "push"}),
    "nettool/cli/verbs/mock.py": frozenset({"mock", "push"}),
    "nettool/config/validate": frozenset({"lint"}),
    "nettool/fleet/deploy": LIVE,
    "nettool/fleet/verify": LIVE,
    "nettool/cli/live.py": LIVE,
    "nettool/plan/calculators": frozenset({"calc"}),
}
"""Whose output a folder's texts reach, where it is not that of every verb."""


@cache
def options(verb):
    """Every option of a verb; of `calc` those of every calculator."""
    parser = parser_for(verb, import_module(f"nettool.cli.verbs.{verb}"))
    own = {each for action in parser._actions for each in action.option_strings}
    if verb == "calc":
        own |= {flag.option for name in CALCULATORS for flag in CALCULATORS[name].flags}
    return frozenset(own)


def texts(path):
    """The strings of a source file, with `{}` where a value stands; a document as it is."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield text
        return
    tree = ast.parse(text)
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
             for part in node.values}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                part.value if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
        elif isinstance(node, ast.Constant) and id(node) not in inner:
            yield node.value if isinstance(node.value, str) else ""


def verbs_of(path):
    """The verbs in whose output a file's texts may stand."""
    name = path.relative_to(ROOT).as_posix()
    told = next((REACHES[each] for each in REACHES if name.startswith(each)), None)
    own = name.startswith("nettool/cli/verbs/") and path.stem in verb_names()
    return told or frozenset({path.stem} if own else verb_names())


def wrong(text, verbs):
    """What a text names that is not there."""
    for before, verb, rest in CALL.findall(text):
        if verb not in verb_names():
            yield from [f"nettool {verb}"] if before.strip(" :\t\n") else []
        else:
            yield from (f"{verb} {each}" for each in OPTION.findall(rest)
                        if each not in options(verb) | {"--help"})  # fmt: skip
    known = frozenset({"--help", "--version"}).union(*map(options, verbs), FOREIGN)
    alone = CALL.sub("", text)
    yield from (each for each in OPTION.findall(alone) if each not in known)


@pytest.mark.parametrize("path", [*SOURCES, *DOCUMENTS], ids=lambda p: str(p.relative_to(ROOT)))
def test_named_verbs_and_options_exist(path):
    found = [each for text in texts(path) for each in wrong(text, verbs_of(path))]
    assert not found


@pytest.mark.parametrize(
    ("text", "verbs", "found"),
    [
        ("run `nettool lint --platform X`", ("lint",), []),
        ("run `nettool validate --platform X`", ("lint",), ["validate --platform"]),
        ("needs --platform", ("validate",), ["--platform"]),
        ("`nettool fly`", ("lint",), ["nettool fly"]),
    ],
)
def test_what_is_not_there_is_found(text, verbs, found):
    assert list(wrong(text, verbs)) == found


@pytest.mark.parametrize(("nos", "lacks"), [("sonic", {"BUF006"}), ("asternos", set())])
def test_what_a_plan_could_not_check_names_no_option(nos, lacks, capsys):
    """Its platforms are the catalog's; AsterNOS files hold no tables that rules could check."""
    assert main(["validate", "rail-optimized-256", "--nos", nos, "--format", "json"]) == 0
    skipped = json.loads(capsys.readouterr().out)["summary"].get("not_checked", {})
    assert set(skipped) == lacks
    assert not any(OPTION.search(each) for each in skipped.values())


def test_what_lint_could_not_check_names_its_options(tmp_path, capsys):
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text("{}")
    assert main(["lint", str(tmp_path), "--format", "json"]) == 0
    skipped = json.loads(capsys.readouterr().out)["summary"]["not_checked"]
    named = {each for text in skipped.values() for each in OPTION.findall(text)}
    assert {"--platform", "--traffic"} <= named <= options("lint")
