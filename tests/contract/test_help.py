"""The help of every verb: examples that parse, every option told, defaults where there are any."""

import re
import shlex
from importlib import import_module

import pytest

from nettool.cli.parser import parser_for, verb_names
from nettool.plan.calculators.calculator import CALCULATORS

EXAMPLE = re.compile(r"^    nettool (.*)$", re.MULTILINE)


def parser(verb):
    """The parser of a verb."""
    return parser_for(verb, import_module(f"nettool.cli.verbs.{verb}"))


def examples():
    """Every example of every verb: the verb, and the words behind `nettool`."""
    for verb in verb_names():
        for line in EXAMPLE.findall(parser(verb).description or ""):
            yield verb, line.partition(" > ")[0]


@pytest.mark.parametrize(("verb", "line"), list(examples()))
def test_examples_parse(verb, line):
    named, *words = shlex.split(line)
    assert named in verb_names()
    assert parser(named).parse_args(words)


@pytest.mark.parametrize("verb", verb_names())
def test_a_verb_has_an_example(verb):
    assert verb in {each for each, _ in examples()}


@pytest.mark.parametrize("verb", verb_names())
def test_every_argument_is_told(verb):
    silent = [each.dest for each in parser(verb)._actions if not each.help]
    assert not silent


@pytest.mark.parametrize("verb", verb_names())
def test_values_have_names_in_words(verb):
    """`--runs DIR`, not `--runs RUNS`: the metavar tells the kind, or the choices do."""
    bare = [
        each.dest
        for each in parser(verb)._actions
        if each.option_strings and each.nargs != 0 and not each.metavar and not each.choices
    ]
    assert not bare


@pytest.mark.parametrize("name", list(CALCULATORS))
def test_calculators_tell_their_flags(name):
    assert all(flag.help and flag.kind.label for flag in CALCULATORS[name].flags)
