"""A shipped fabric with some timing, as the checks of single failures take it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.intent.intent import TimingIntent
from nettool.plan.design.fabric import Fabric
from nettool.plan.timing.budgets import plan_target
from nettool.plan.timing.facts import clock_facts
from nettool.plan.timing.links import own_links
from nettool.plan.timing.recheck import Standing
from nettool.plan.timing.tree import adjacency, attachments, grow_each, in_force

SPINES = ({"name": "gm1", "attach": ["spine01"]}, {"name": "gm2", "attach": ["spine02"]})
Stand = Callable[..., Standing]


@pytest.fixture
def standing(shipped_fabric: Any) -> Stand:
    """A shipped fabric as it stands, with some timing."""

    def stand(name: str = "rail-optimized-256", **timing: Any) -> Standing:
        fabric: Fabric = shipped_fabric(name).fabric
        asked = TimingIntent.model_validate({"grandmasters": SPINES, **timing})
        links, said = own_links(asked, fabric)
        assert not said
        attached = attachments(fabric, asked.grandmasters)
        tree = in_force(grow_each(adjacency(fabric), attached))
        facts = clock_facts(asked, fabric, load_catalog(), links)
        return Standing(
            fabric, adjacency(fabric), attached, tree, facts, asked.end_station_ns,
            plan_target(asked),
        )  # fmt: skip

    return stand
