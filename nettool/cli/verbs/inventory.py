"""The Ansible inventory of a fabric in its static form.

    nettool inventory rail-optimized-256 > inventory.yaml

For tools that cannot run the inventory plugin; a push reads nettool.yml beside the fabric. Groups:
roles, `rail_01`, `pod_01` and `plane_01` of the first network (`storage_rail_01` of another),
waves, dialects and SKUs, and each network as a whole (`network_storage`).
"""

from __future__ import annotations

import argparse

from nettool.cli.parser import add_fabric, add_nos
from nettool.cli.planned import planned
from nettool.cli.screen import Screen
from nettool.fleet.deploy.inventory import inventory
from nettool.report.documents import inventory_document


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """FABRIC."""
    add_fabric(parser)
    add_nos(parser)


def run(arguments: argparse.Namespace, screen: Screen) -> int:
    """Print it as YAML, or as JSON."""
    plan = planned(arguments.fabric, arguments.nos)
    tree = inventory(plan.fabric, plan.intent, plan.catalog, nos=plan.intent.nos.name)
    if screen.is_json:
        screen.json(tree)
    else:
        screen.text(inventory_document(tree).decode())
    return 0
