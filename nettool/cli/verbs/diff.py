"""Differences by meaning: running against intended, live or from a folder, or two fabrics.

    nettool diff rail-optimized-256 --live --plan --exit-code
    nettool diff rail-optimized-256 --running backup --policy policy.yaml
    nettool diff rail-optimized-256 --against rail-optimized-256-before

With -v each line of a difference is shown, however alike they are.
Order, types and defaults are no difference, nor are rows that the switch or its operators own.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from nettool.cli.beyond import Beyond, beyond_intent, beyond_running, unwritten_of
from nettool.cli.foreseen import Foreseen, Groups, policy_of, updates_of
from nettool.cli.live import add_live_flags, add_policy, prepared, show_differences, show_notes
from nettool.cli.parser import add_nos
from nettool.cli.planned import planned
from nettool.cli.screen import Screen
from nettool.config.diff.adopt import diff_running
from nettool.config.diff.asternos import diff_asternos
from nettool.config.diff.changeset import ChangeSet
from nettool.config.diff.plan import UpdatePlan, plan_update
from nettool.config.diff.plan_text import plans_as_json, plans_as_text
from nettool.config.diff.tables import diff_tables
from nettool.config.diff.text import as_json, as_text
from nettool.config.diff.unwritten import Unwritten
from nettool.config.nos.artifact import Artifact, Tables
from nettool.config.nos.dialects.asternos.tree import read_lines
from nettool.config.nos.dialects.sonic.tables import parse_config_db
from nettool.core.errors import FindingsError, RefusedError, UsageError
from nettool.core.finding import Finding, Report
from nettool.core.source import read_text
from nettool.fleet.deploy.inventory import groups, inventory
from nettool.fleet.deploy.outcome import HostResult
from nettool.fleet.deploy.push import diff_live
from nettool.pipeline import Plan, artifacts

SONIC, ASTERNOS = FILES = ("config_db.json", "asternos.cfg")
Compare = Callable[[str, Tables, Tables], ChangeSet]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC and what to hold it against."""
    add_live_flags(parser)
    add_nos(parser)
    against = parser.add_mutually_exclusive_group(required=True)
    against.add_argument(
        "--running",
        type=Path,
        metavar="DIR",
        help="folder of what they run, as playbooks/backup.yml keeps it: NAME.json or "
        "NAME/config_db.json for SONiC (CONFIG_DB), NAME.cfg or NAME/asternos.cfg for AsterNOS "
        "(the text of `show running-config`)",
    )
    against.add_argument("--live", action="store_true", help="ask the switches")
    against.add_argument("--against", metavar="FABRIC", help="another version of the fabric")
    parser.add_argument("--exit-code", action="store_true", help="exit 2 where they differ")
    parser.add_argument(
        "--plan", action="store_true", help="also how a push would write it, and what it disturbs"
    )
    add_policy(parser)


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print the differences, equal ones on many switches once."""
    if arguments.live:
        if arguments.nos:
            raise UsageError("--nos goes not with --live: what a switch runs stands in nettool.yml")
        return _live(arguments, screen)
    for flag in ("limit", "inventory", "build"):
        if getattr(arguments, flag):
            raise UsageError(f"--{flag} goes with --live: without it no switch is asked")
    plan = planned(arguments.fabric, arguments.nos)
    made = tuple(artifacts(plan))
    intended, now = _intended(made), unwritten_of(made)
    if arguments.against:
        others = tuple(artifacts(planned(arguments.against, arguments.nos)))
        before = _intended(others)
    else:
        before = _all_running(arguments.running, intended)
    compare = diff_tables if arguments.against else _as_pushed
    sets = _between(before, intended, compare, now)
    if arguments.against:
        beyond = beyond_intent(unwritten_of(others), now)
    else:
        beyond = beyond_running(sets, before, intended, now)
    policy, named = policy_of(arguments.policy, lambda: _groups(plan))
    updates = _updates(sets, before, plan) if arguments.plan or policy else {}
    foreseen = Foreseen(plan.fabric, updates, policy, named)
    code = _show(sets, foreseen, beyond, arguments, screen)
    return code or plan.report.exit_code(strict=arguments.strict)


def _intended(made: Iterable[Artifact]) -> dict[str, Artifact]:
    """The intended configuration of every switch of a fabric."""
    return {each.device: each for each in made if each.path in FILES}


def _groups(plan: Plan) -> Groups:
    """What a policy may name: the groups of the fabric's own inventory."""
    own = inventory(plan.fabric, plan.intent, plan.catalog, nos=plan.intent.nos.name)
    return groups(own)


def _updates(
    sets: list[ChangeSet], before: dict[str, Artifact], plan: Plan
) -> dict[str, UpdatePlan]:
    """How each switch with CONFIG_DB would be written, by its chip and the fabric's release."""
    chips = {each.name: plan.catalog.asic(each.asic).gcu_family for each in plan.fabric.devices}
    return {
        each.device: plan_update(
            each,
            (before[each.device].tables if each.device in before else None) or {},
            chip=chips.get(each.device) or "",
            version=plan.intent.nos.release or "",
        )
        for each in sets
        if not each.is_empty and (each.device not in before or before[each.device].path == SONIC)
    }


def _as_pushed(name: str, running: Tables, intended: Tables) -> ChangeSet:
    """What a push would change: the switch's own lanes and MAC, and its operators' tables, stay."""
    return diff_running(name, running, intended)[0]


def _between(
    before: dict[str, Artifact],
    after: dict[str, Artifact],
    compare: Compare,
    now: Mapping[str, Unwritten],
) -> list[ChangeSet]:
    names = sorted({*before, *after})
    unsaid = {name: now[name].unsaid if name in now else () for name in names}
    return [_diff(n, before.get(n), after.get(n), compare, unsaid[n]) for n in names]


def _diff(
    name: str,
    before: Artifact | None,
    after: Artifact | None,
    compare: Compare,
    unsaid: Collection[str],
) -> ChangeSet:
    known = after or before
    if known is not None and known.path == ASTERNOS:
        old, new = (read_lines(each.text) if each else {} for each in (before, after))
        return diff_asternos(name, old, new, unsaid=unsaid)
    return compare(name, (before and before.tables) or {}, (after and after.tables) or {})


def _all_running(folder: Path, intended: Mapping[str, Artifact]) -> dict[str, Artifact]:
    """What a folder holds of each switch. Raises FindingsError with what is wrong in every file."""
    read: dict[str, Artifact] = {}
    wrong: list[Finding] = []
    for name, each in intended.items():
        try:
            read[name] = _running(folder, name, each)
        except FindingsError as exc:
            wrong += exc.report.findings
    if wrong:
        raise FindingsError(Report.of(wrong))
    return read


def _running(folder: Path, name: str, intended: Artifact) -> Artifact:
    """What a folder holds of one switch, read as the intended file's dialect reads it."""
    candidates = (
        folder / f"{name}{Path(intended.path).suffix}",
        folder / name / intended.path,
        folder / "devices" / name / intended.path,
    )
    for candidate in candidates:
        if candidate.is_file():
            text = read_text(candidate)
            tables = parse_config_db(text, str(candidate)) if intended.path == SONIC else None
            return replace(intended, text=text, tables=tables)
    raise UsageError(f"{folder} has neither {' nor '.join(map(str, candidates))}")


def _show(
    sets: list[ChangeSet],
    foreseen: Foreseen,
    beyond: Beyond,
    arguments: argparse.Namespace,
    screen: Screen,
) -> int:
    changed = [each for each in sets if not each.is_empty]
    if screen.is_json:
        wanted = arguments.plan or arguments.policy
        planned = {"plan": plans_as_json(foreseen.updates), **foreseen.as_json()} if wanted else {}
        screen.json({"schema_version": 1, **as_json(sets), **planned, **beyond.as_json()})
    else:
        none = "no difference in lines" if beyond.unwritten else "no difference"
        told = as_text(changed, every=bool(screen.verbose))
        screen.text(told if changed else f"{none} on {len(sets)} switches")
        show_notes(beyond.notes, screen)
        if foreseen.updates:
            screen.text(plans_as_text(foreseen.updates))
            foreseen.tell(screen)
    if foreseen.forbidden:
        return RefusedError.exit_code
    return 2 if (changed or beyond.differs) and arguments.exit_code else 0


def _live(arguments: argparse.Namespace, screen: Screen) -> int:
    with prepared(arguments, screen, quiet=True) as live:
        policy, named = policy_of(arguments.policy, live.reach.groups)
        report = diff_live(live.build, live.reach)
    different = [host for host in report.hosts if host.changes]
    wanted = arguments.plan or policy
    updates = updates_of(report.hosts) if wanted else {}
    foreseen = Foreseen(live.plan.fabric, updates, policy, named)
    if screen.is_json:
        screen.json({**report.as_json(), **(foreseen.as_json() if wanted else {})})
    else:
        show_differences(report, screen, plan=arguments.plan)
        looked_at = sum(host.outcome.is_good for host in report.hosts)
        said = f"{len(different)} of {len(report.hosts)} switches differ"
        screen.text(said + f"; {looked_at} of {len(report.hosts)} were looked at")
        show_notes({host.device: host.notes for host in report.hosts}, screen)
        foreseen.tell(screen)
    if report.exit_code or not foreseen.forbidden:
        differs = different or any(map(_differs_beyond, report.hosts))
        return report.exit_code or (2 if differs and arguments.exit_code else 0)
    return RefusedError.exit_code


def _differs_beyond(host: HostResult) -> bool:
    """Whether its values that no line can write are others than the last push intended."""
    told = host.beyond.get("unwritten")
    return isinstance(told, Mapping) and bool(told.get("changed"))
