"""Push the fabric: waves of guarded transactions through Ansible, with a way back.

    nettool push rail-optimized-256 --check --diff
    nettool push rail-optimized-256 --limit rail_03 --confirm 10m
    nettool push rail-optimized-256 --consent reload --policy policy.yaml

First every switch is looked at, reading only: where one cannot be reached or would refuse, nothing
is written to any, and the answer says how to push the others alone. One with another host key than
the known one is left out, and stops nobody else. With --strict nothing is asked
while the plan has warnings (exit 3).
"""

from __future__ import annotations

import argparse
import re

from nettool.cli.foreseen import Foreseen, policy_of, updates_of
from nettool.cli.live import (
    add_live_flags,
    add_policy,
    prepared,
    show_differences,
    show_push,
    tell_what_moves,
)
from nettool.cli.screen import Screen
from nettool.core.errors import RefusedError, UsageError
from nettool.fleet.deploy.push import Consent, push

_DURATION = re.compile(r"([1-9]\d{0,4})(s|m|h)?")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC and what the operator consents to."""
    add_live_flags(parser)
    parser.add_argument(
        "--check",
        "-d",
        "--dry-run",
        action="store_true",
        help="show what would change only (exit 7 where the push would be refused, with the "
        "reasons: no consent, a held lock, --policy)",
    )
    parser.add_argument(
        "--diff", action="store_true", help="show each switch's difference (with -v line by line)"
    )
    parser.add_argument(
        "--confirm", type=_duration, default=0, metavar="10m",
        help="every switch goes back this long after the end of the push unless `nettool confirm` "
        "comes first (where the push is stopped or dies, each by its own guard, which has this "
        "and the time that the waves may still take: at least 10 minutes each)",
    )  # fmt: skip
    parser.add_argument(
        "--consent", action="append", default=[], choices=("reload",),
        help="reload: services may restart, which drops traffic: for a first install, for what "
        "SONiC's updater refuses, forwards or back, and for every push to AsterNOS",
    )  # fmt: skip
    parser.add_argument(
        "--allow-unverified", action="store_true",
        help="push lines that nobody has proved on hardware; mock switches take them anyhow",
    )  # fmt: skip
    parser.add_argument(
        "--resume", action="store_true",
        help="go on with the last push of this build on the switches that are left; refused where "
        "the build is another one now (exit 7)",
    )  # fmt: skip
    parser.add_argument(
        "--no-look", action="store_true",
        help="look at each switch at its turn only: what it refuses is known once the waves before "
        "it were written",
    )  # fmt: skip
    add_policy(parser)


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Render, validate, push; the exit code is the worst switch's."""
    consent = Consent(
        reload="reload" in arguments.consent,
        unverified=arguments.allow_unverified,
        confirm=arguments.confirm,
        policy=arguments.policy,
    )
    with prepared(arguments, screen, strict=arguments.strict) as live:
        tell_what_moves(live.plan, screen)
        policy, named = policy_of(arguments.policy, live.reach.groups)
        report = push(
            live.build, live.reach, consent=consent, check=arguments.check,
            resume=arguments.resume, look=not arguments.no_look,
        )  # fmt: skip
    if arguments.diff and not screen.is_json:
        show_differences(report, screen)
    show_push(report, screen)
    if not arguments.check:
        return report.exit_code
    foreseen = Foreseen(live.plan.fabric, updates_of(report.hosts), policy, named)
    if not screen.is_json:
        foreseen.tell(screen)
    return report.exit_code or (RefusedError.exit_code if foreseen.forbidden else 0)


def _duration(text: str) -> int:
    match = _DURATION.fullmatch(text)
    if not match:
        raise UsageError(f"--confirm takes a time such as 10m, not {text!r}")
    return int(match[1]) * _SECONDS[match[2] or "s"]
