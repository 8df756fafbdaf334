"""Push the fabric: waves of guarded transactions through Ansible, with a way back."""

from __future__ import annotations

import argparse
import re

from nettool.cli.foreseen import Foreseen, policy_of, updates_of
from nettool.cli.live import add_live_flags, add_policy, prepared, show_differences, show_push
from nettool.cli.screen import Screen
from nettool.core.errors import RefusedError, UsageError
from nettool.fleet.deploy.push import Consent, push

_DURATION = re.compile(r"([1-9]\d{0,4})(s|m|h)?")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC and what the operator consents to."""
    add_live_flags(parser)
    parser.add_argument(
        "--check", "-d", "--dry-run", action="store_true", help="show what would change only"
    )
    parser.add_argument("--diff", action="store_true", help="show each switch's difference")
    parser.add_argument(
        "--confirm", type=_duration, default=0, metavar="10m",
        help="each switch goes back this long after its change unless `nettool confirm` comes "
        "first (a push that breaks off goes back by its guard, in 10 minutes or more)",
    )  # fmt: skip
    parser.add_argument(
        "--consent", action="append", default=[], choices=("reload",),
        help="reload: a first install may restart a switch's services",
    )  # fmt: skip
    parser.add_argument(
        "--allow-unverified", action="store_true",
        help="push lines that nobody has proved on hardware",
    )  # fmt: skip
    parser.add_argument(
        "--resume", action="store_true",
        help="go on with the last push of this build, where it was broken off",
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
    with prepared(arguments, screen) as live:
        policy, named = policy_of(arguments.policy, live.reach.groups)
        report = push(
            live.build, live.reach, consent=consent, check=arguments.check, resume=arguments.resume
        )
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
