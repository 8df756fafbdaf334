"""Print the JSON Schema of fabric.yaml, for editors.

    nettool schema > fabric.schema.json
    nettool schema --hosts > hosts.schema.json
    nettool schema --counters > counters.schema.json

An editor with a YAML language server completes and checks a fabric.yaml by it.
"""

from __future__ import annotations

import argparse

from nettool.cli.screen import Screen
from nettool.fleet.telemetry.recorded import trace_schema
from nettool.fleet.verify.reported import hosts_schema
from nettool.intent.load import fabric_schema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which file the schema is of."""
    other = parser.add_mutually_exclusive_group()
    other.add_argument(
        "--hosts", action="store_true", help="of what GPU hosts report (verify --hosts) instead"
    )
    other.add_argument(
        "--counters", action="store_true", help="of a trace of counters (tune --counters) instead"
    )


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print the schema."""
    if arguments.counters:
        screen.json(trace_schema())
    else:
        screen.json(hosts_schema() if arguments.hosts else fabric_schema())
    return 0
