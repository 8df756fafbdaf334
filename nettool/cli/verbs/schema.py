"""Print the JSON Schema of fabric.yaml, for editors.

    nettool schema > fabric.schema.json

An editor with a YAML language server completes and checks a fabric.yaml by it.
"""

from __future__ import annotations

import argparse

from nettool.cli.screen import Screen
from nettool.intent.load import fabric_schema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments of its own."""
    del parser


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print the schema."""
    del arguments
    screen.json(fabric_schema())
    return 0
