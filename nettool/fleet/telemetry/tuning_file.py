"""Suggestions as the overrides file that `qos.overrides` of a fabric takes, and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from nettool.core.document import Ledger
from nettool.core.provenance import Figure
from nettool.fleet.telemetry.measured import Sight
from nettool.fleet.telemetry.moved import Moved
from nettool.fleet.telemetry.simulated import Shift
from nettool.fleet.telemetry.tune import Tuning
from nettool.fleet.telemetry.tuning_search import Suggestion
from nettool.plan.qos.limits import Limit
from nettool.plan.simulate.outcome import Outcome

SUGGESTED = "# Suggested by `nettool tune` from "
"""How such a file begins."""
_HEAD = """\
{file}.
# What stood in the overrides before stands here too. Name this file under qos.overrides in
# fabric.yaml: `nettool plan` shows its effect, `nettool diff` the change. Nothing is pushed.
"""
_MOST = 2**63 - 1
"""The largest number that JSON readers take for a whole one; sums of counters may be larger."""
_FIGURES = ("dropped", "queue_peak", "first_mark", "first_pause", "marks", "pauses", "headroom",
            "goodput")  # fmt: skip


def overrides_text(tuning: Tuning, before: Mapping[str, Any], file: str) -> str:
    """The YAML of an overrides file: what the operator gave `before`, and every suggestion."""
    lines = [
        SUGGESTED + _HEAD.format(file=file),
        *(f"# {s.setting}: {_number(s.present)} -> {_number(s.suggested)}\n"
          for s in tuning.suggestions),
        *(f"# {setting}: stays {_number(figure)}, would follow the others otherwise\n"
          for setting, figure in tuning.kept.items()),
    ]  # fmt: skip
    data = _copied(before)
    for setting, value in tuning.values.items():
        row = data.setdefault(setting.section, {}).setdefault(setting.name, {})
        row[setting.key] = value
        if setting.key == "dynamic_th":
            row.pop("static_th", None)
    body = yaml.safe_dump(data, sort_keys=False, default_flow_style=False, width=100)
    return "".join(lines) + body


def tuning_json(tuning: Tuning, ledger: Ledger) -> dict[str, Any]:
    """All of it; provenance goes to the ledger."""
    measured = tuning.measured
    return {
        "suggestions": [_suggestion(each, ledger) for each in tuning.suggestions],
        "kept": {str(s): ledger.plain(figure) for s, figure in tuning.kept.items()},
        "overrides": _tree(tuning),
        "proof": [_moved(each, ledger) for each in tuning.moved],
        "simulation": [_shift(each, ledger) for each in tuning.shifts],
        "measured": {
            "intervals": measured.intervals,
            "seconds": measured.seconds,
            "pauses": measured.pauses,
            "held_up": measured.held_up,
        },
        "unused": [
            {"device": each.device, "start": each.start, "end": each.end, "why": each.doubt}
            for each in tuning.watched.intervals
            if each.doubt
        ],
    }


def _copied(tree: Mapping[str, Any]) -> dict[str, Any]:
    return {k: _copied(v) if isinstance(v, Mapping) else v for k, v in tree.items()}


def _tree(tuning: Tuning) -> dict[str, dict[str, dict[str, int]]]:
    tree: dict[str, dict[str, dict[str, int]]] = {}
    for setting, value in tuning.values.items():
        tree.setdefault(setting.section, {}).setdefault(setting.name, {})[setting.key] = value
    return tree


def _suggestion(each: Suggestion, ledger: Ledger) -> dict[str, Any]:
    return {
        "setting": str(each.setting),
        "rule": each.rule,
        "ports": each.ports,
        "devices": list(each.devices),
        "present": ledger.plain(each.present),
        "suggested": ledger.plain(each.suggested),
        "reason": each.wish.reason,
        "seen": [_sight(sight) for sight in each.wish.sights],
        "lower": _limit(each.bounds.lower, ledger),
        "upper": _limit(each.bounds.upper, ledger),
        "certain": _limit(each.bounds.certain, ledger) if each.bounds.certain else None,
        "proof": [_moved(one, ledger) for one in each.moved],
    }


def _limit(limit: Limit, ledger: Ledger) -> dict[str, Any]:
    return {**ledger.plain(limit.value), "limit": limit.why}


def _sight(sight: Sight) -> dict[str, Any]:
    return {
        "device": sight.device,
        "place": sight.place,
        "start": sight.start,
        "end": sight.end,
        "bytes": sight.bytes,
        "marks": min(sight.marks, _MOST),
        "shared": sight.shared,
    }


def _moved(each: Moved, ledger: Ledger) -> dict[str, Any]:
    sides = {
        name: {
            "left": ledger.plain(proof.left),
            "right": ledger.plain(proof.right),
            "holds": proof.holds,
        }
        for name, proof in (("before", each.before), ("after", each.after))
    }
    return {"devices": list(each.devices), "claim": each.before.claim, **sides}


def _shift(each: Shift, ledger: Ledger) -> dict[str, Any]:
    case = each.before.scenario
    return {
        "devices": list(each.devices),
        "case": case.kind,
        "port": case.port,
        "from": case.feeds,
        "before": _outcome(each.before, ledger),
        "after": _outcome(each.after, ledger),
    }


def _outcome(outcome: Outcome, ledger: Ledger) -> dict[str, Any]:
    return {name: ledger.plain(getattr(outcome, name)) for name in _FIGURES}


def _number(figure: Figure) -> str:
    return f"{figure.value:,} {figure.unit}".strip()
