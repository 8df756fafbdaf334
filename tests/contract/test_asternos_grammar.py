"""AsterNOS command lines over both shipped fabrics: each has a source, a trust, and is counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
import yaml

from nettool.config.device.device import DeviceConfig
from nettool.config.nos.artifact import Artifact
from nettool.config.nos.dialect import DIALECTS
from nettool.config.nos.dialects.asternos.grammar import grammar
from nettool.config.render.render import render
from nettool.core.provenance import Trust
from nettool.intent.load import find_fabric

FABRICS = ("rail-only-128", "rail-optimized-256")
MODES = ("easy", "manual")
RUNS = [(fabric, mode) for fabric in FABRICS for mode in MODES]
HEAD = re.compile(r"^! (\d+) of (\d+) lines are unverified on hardware", re.MULTILINE)
DIALECT = DIALECTS["asternos"]

Configured = Callable[[str, str], tuple[DeviceConfig, ...]]
Explained = Callable[[str, str], tuple[tuple[DeviceConfig, Artifact, tuple[Any, ...]], ...]]


@pytest.fixture(scope="module")
def asternos(plan_intent: Any) -> Configured:
    """A shipped fabric planned for AsterNOS, one switch a role, by fabric and RoCE mode."""

    @cache
    def configured(fabric: str, mode: str) -> tuple[DeviceConfig, ...]:
        data = yaml.safe_load(find_fabric(fabric).read_text())
        data["nos"] = {"name": "asternos", "roce": mode}
        configs = plan_intent(data).configs
        return tuple({each.identity.role: each for each in reversed(configs)}.values())

    return configured


@pytest.fixture(scope="module")
def explained(asternos: Configured) -> Explained:
    """Its files with what is explained of each of their lines."""

    @cache
    def every(fabric: str, mode: str) -> tuple[tuple[DeviceConfig, Artifact, tuple[Any, ...]], ...]:
        return tuple(
            (config, artifact, tuple(
                DIALECT.explain(config, str(number))
                for number in range(1, artifact.text.count("\n") + 1)
            ))
            for config, artifact in _written(asternos(fabric, mode))
        )  # fmt: skip

    return every


def _written(configs: tuple[DeviceConfig, ...]) -> Iterator[tuple[DeviceConfig, Artifact]]:
    by_name = {each.name: each for each in configs}
    for each in render(configs):
        if each.path == "asternos.cfg":
            yield by_name[each.device], each


def _commands(text: str) -> list[str]:
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line.startswith("! not emitted") or line[:1] not in ("", "!")]


def _patterns() -> dict[str, re.Pattern[str]]:
    return {
        name: re.compile(re.sub(r"\\\{\w+\\\}", "(.+)", re.escape(entry.line)))
        for name, entry in grammar().lines.items()
    }


def test_every_entry_has_a_source_and_a_trust() -> None:
    known = grammar()
    assert {entry.source for entry in known.lines.values()} == set(known.sources)
    assert {e.trust for e in known.lines.values()} == {Trust.PUBLISHED, Trust.UNVERIFIED}
    assert known.default_release in known.releases
    assert set(known.unsupported) <= set(known.releases)


@pytest.mark.parametrize(("fabric", "mode"), RUNS)
def test_every_line_is_of_the_grammar(asternos: Configured, fabric: str, mode: str) -> None:
    patterns = _patterns().values()
    for _, artifact in _written(asternos(fabric, mode)):
        strange = [
            line
            for line in _commands(artifact.text)
            if not line.startswith("!") and not any(p.fullmatch(line) for p in patterns)
        ]
        assert strange == []


def test_every_entry_is_used(explained: Explained) -> None:
    said = {
        found.why.formula
        for fabric, mode in RUNS
        for _, _, lines in explained(fabric, mode)
        for found in lines
        if found is not None
    }
    wanted = {f"line {name} of the grammar" for name in grammar().lines}
    assert wanted - said == set()


@pytest.mark.parametrize(("fabric", "mode"), RUNS)
def test_the_head_counts_what_is_unverified(asternos: Configured, fabric: str, mode: str) -> None:
    for _, artifact in _written(asternos(fabric, mode)):
        counted = HEAD.search(artifact.text)
        assert counted is not None
        assert int(counted[1]) == len(artifact.unverified) > 0
        assert int(counted[2]) == len(_commands(artifact.text))


@pytest.mark.parametrize(("fabric", "mode"), RUNS)
def test_explain_of_a_number_is_the_line_that_stands_there(
    explained: Explained, fabric: str, mode: str
) -> None:
    for config, artifact, lines in explained(fabric, mode):
        text = artifact.text.splitlines()
        for number, (line, found) in enumerate(zip(text, lines, strict=True), 1):
            if found is None:
                assert line.startswith("!"), (number, line)
                assert "not emitted" not in line, (number, line)
            else:
                assert found.value == line.strip(), number
                assert found.why.source
        for outside in (str(artifact.text.count("\n") + 1), "0", "-1", "\N{SUPERSCRIPT TWO}"):
            assert DIALECT.explain(config, outside) is None


@pytest.mark.parametrize(("fabric", "mode"), RUNS)
def test_an_unverified_line_stands_below_its_mark(
    explained: Explained, fabric: str, mode: str
) -> None:
    for _, artifact, lines in explained(fabric, mode):
        marked = False
        text = artifact.text.splitlines()
        for number, (line, found) in enumerate(zip(text, lines, strict=True), 1):
            if found is None:
                marked = line.startswith("! unverified on hardware: ")
            elif found.why.trust is Trust.UNVERIFIED:
                assert marked, (number, line)
