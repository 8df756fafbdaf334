"""What validating a whole fabric costs beside rendering it, and how that grows.

At 5,120 switches (131,072 GPUs) the rules take about as long as planning and rendering.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from nettool.config.render.render import render
from nettool.config.validate.engine import validate_tables
from nettool.config.validate.planned import planned_links

pytestmark = pytest.mark.bench


def _spent(plan_intent: Callable[[Any], Any], fabric: dict[str, Any]) -> tuple[int, float, float]:
    """Switches, and CPU seconds of rendering them from the intent, and of every rule."""
    start = process_time()
    planned = plan_intent(fabric)
    tables = {each.device: each.tables for each in render(planned.configs) if each.tables}
    rendered = process_time() - start
    start = process_time()
    report = validate_tables(tables, planned_links(planned.fabric))
    assert not report.has_errors
    return len(tables), rendered, process_time() - start


def test_rules_take_at_most_twice_the_rendering_and_grow_in_line(
    plan_intent: Callable[[Any], Any],
    large: Callable[..., dict[str, Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    few, _, small = _spent(plan_intent, large(1_024, "clos3", uplink="400G"))
    many, rendered, great = _spent(plan_intent, large(4_096, "clos3", uplink="400G"))
    with capsys.disabled():
        shown = (
            f"{great / many * 1e3:.1f} ms a switch of {many}, {great / rendered:.1f} x rendering"
        )
        print(f"\n{shown}")  # noqa: T201 - a measurement speaks
    assert great <= 2 * rendered
    assert great / many <= 1.6 * small / few
