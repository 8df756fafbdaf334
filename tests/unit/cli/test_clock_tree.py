"""What `nettool plan` shows of time."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from nettool.cli.clock_tree import show_timing
from nettool.cli.screen import Screen
from nettool.intent.load import find_fabric


@pytest.fixture
def shown(plan_intent: Any, capsys: pytest.CaptureFixture[str]) -> Any:
    """The text for the shipped fabric with other timing."""

    def show(**timing: Any) -> str:
        data = yaml.safe_load(find_fabric("rail-optimized-256").read_text())
        data["timing"] = {**data["timing"], **timing}
        show_timing(plan_intent(data).timing, Screen())
        return capsys.readouterr().out

    return show


def test_the_tree_hangs_from_the_active_grandmaster(shown: Any) -> None:
    text = shown()
    assert text.startswith("timing: g8275.1, domain 24, L2, announce 2^-3 s, sync 2^-4 s, SyncE")
    tree = text[text.index("clock tree:") : text.index("budget")].splitlines()
    assert [line.split(":")[0] for line in tree[1:6]] == [
        "  gm1",
        "    spine01",
        "      leaf01",
        "        spine02",
        "      leaf02, leaf03, leaf04",
    ]
    assert "class C (assumed)" in tree[2]
    assert "frequency from gm2" in tree[4]


@pytest.mark.parametrize(
    ("timing", "said"),
    [
        ({}, "gm1          PRTC-B  40  recalled  128/126       PRTC  spine01:Ethernet512"),
        ({}, "two NICs, across leaves  leaf01 - leaf02       1      40             30"),
        ({}, "switch spine01       1        0     5  spine02 to gm2, leaf01 to spine02"),
        ({"target_ns": 20}, "class D in every switch"),
        ({"synce": False}, "sync 2^-4 s, no SyncE"),
        ({}, "AsterNOS: no public line configures PTP or SyncE"),
    ],
)
def test_numbers_a_person_needs(shown: Any, timing: dict[str, Any], said: str) -> None:
    assert said in shown(**timing)


def test_a_met_target_needs_no_remedy(shown: Any) -> None:
    assert "bring the target nearer" not in shown()


def test_time_that_is_off_says_so(shown: Any) -> None:
    assert shown(enabled=False) == "timing: off (no `timing` in fabric.yaml)\n"
