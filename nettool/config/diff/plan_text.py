"""Update plans for people and programs: the way, what it disturbs, and what is refused.

Switches with the same plan are said once. Keys that are secrets are masked as in a difference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from nettool.config.diff.acceptance import PlannedChange
from nettool.config.diff.masking import shown
from nettool.config.diff.plan import UpdatePlan
from nettool.core.spans import named

_WAYS = {
    "patch": "by patch",
    "breakout": "step by step, with ports made anew",
    "install": "by config reload, which drops all traffic",
}


def plans_as_text(plans: Mapping[str, UpdatePlan]) -> str:
    """The plans of some devices, equal ones once."""
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for device, plan in plans.items():
        if plan.way:
            alike[tuple(_lines(plan))].append(device)
    return "\n".join(
        "\n".join([f"{named(devices, 'switches')}: {lines[0]}", *lines[1:]])
        for lines, devices in alike.items()
    )


def plans_as_json(plans: Mapping[str, UpdatePlan]) -> list[dict[str, object]]:
    """The JSON form: one row a device, with each change's impact and refusal."""
    return [
        {
            "device": device,
            "way": plan.way,
            "impact": str(plan.impact),
            "seconds": plan.seconds,
            "reasons": list(plan.reasons),
            "undo_reasons": list(plan.undo_reasons),
            "blocked": list(plan.blocked),
            "steps": [each.as_json() for each in plan.steps],
            "changes": [_change_json(each) for each in plan.changes],
        }
        for device, plan in plans.items()
    ]


def _lines(plan: UpdatePlan) -> Iterator[str]:
    yield f"{_WAYS[plan.way]}, about {plan.seconds:.0f} s; worst: {plan.impact}"
    yield from (f"  blocked: {each}" for each in plan.blocked)
    yield from (f"  refused: {each}" for each in plan.reasons)
    yield from (f"  way back refused: {each}" for each in plan.undo_reasons)
    for step in plan.steps[len(plan.blocked) :] if plan.way != "install" else ():
        why = f": {step.why}" if step.why else ""
        yield f"  {step.impact:<14}{step.title}{why}"


def _change_json(planned: PlannedChange) -> dict[str, object]:
    change = shown(planned.change)
    return {
        "op": str(change.kind),
        "table": change.table,
        "key": change.key,
        "field": change.field,
        "impact": str(planned.impact),
        "why": planned.why,
        "refused": planned.refused or None,
    }
