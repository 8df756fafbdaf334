"""Serve a fleet of mock switches on loopback until stopped: `nettool mock serve FABRIC`.

    nettool mock serve rail-optimized-256
    nettool push rail-optimized-256 -i .mock/mock.yml --consent reload

The switches come as from their boxes: factory configuration, their own lanes and MAC.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from nettool.cli.parser import add_fabric, add_nos
from nettool.cli.planned import planned
from nettool.cli.screen import Screen
from nettool.core.errors import UsageError
from nettool.fleet.deploy.overlay import check_path, mock_overlay
from nettool.fleet.mock.factory import fabric_cables, factory_specs
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.rest_fleet import start_rest
from nettool.fleet.mock.serve import alone_in, serve

MOST_SCALE = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to serve, and where its inventory goes."""
    parser.add_argument("action", choices=("serve",), help="what to do")
    add_fabric(parser)
    add_nos(parser)
    parser.add_argument(
        "-o", "--out", type=Path, default=Path(".mock"), metavar="DIR",
        help="folder for the inventory mock.yml, key and known_hosts (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--scale",
        type=_scale,
        default=0.01,
        metavar="SECONDS",
        help="how long a second of a switch takes (default: %(default)s, 100 times as fast)",
    )


def _scale(text: str) -> float:
    """Seconds for a switch's second. Raises UsageError where its time would stand or run back."""
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if not 0 < scale <= MOST_SCALE:
        raise UsageError(f"--scale takes seconds above 0, at most {MOST_SCALE:g}, not {text!r}")
    return scale


def _clock(scale: float) -> str:
    """How fast the switches' own time goes, where it is not ours."""
    if scale == 1:
        return ""
    return (
        f"their clock runs {1 / scale:g} times as fast: a guard of 10 minutes fires after "
        f"{600 * scale:g} s (--scale 1 for real time)\n"
    )


def _dialect(nos: str | None) -> str:
    """What has to be said of a dialect that only this call asked for: a push has no such flag."""
    return f"`nos: {nos}` into nettool.yml beside the fabric, then " if nos else ""


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Start the switches with factory configuration and wait for a signal."""
    check_path(arguments.out)
    plan = planned(arguments.fabric, arguments.nos)
    specs = factory_specs(plan.fabric, plan.intent.management.user, nos=plan.intent.nos.name)
    beside = ExitStack()

    def announce(listening: Mapping[str, Any]) -> None:
        rest = start_rest(listening, arguments.out / "tls", beside)
        overlay = mock_overlay(listening, arguments.out.resolve(), rest)
        screen.progress(
            f"{len(plan.fabric.devices)} mock switches listen on loopback; Ctrl-C ends them\n"
            f"{_clock(arguments.scale)}"
            f"next: {_dialect(arguments.nos)}nettool push {shlex.quote(str(arguments.fabric))} "
            f"-i {shlex.quote(str(overlay))} "
            "--consent reload"
        )

    with alone_in(arguments.out), beside:
        fleet = MockFleet(specs, fabric_cables(plan.fabric), scale=arguments.scale)
        serve(fleet, arguments.out / "ready.json", on_ready=announce)
        (arguments.out / "mock.yml").unlink(missing_ok=True)  # nobody listens there any more
    return 0
