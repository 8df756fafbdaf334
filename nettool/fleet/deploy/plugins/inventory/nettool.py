"""Ansible inventory plugin `nettool`: hosts, groups and waves straight from a fabric's intent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin
from ansible.template import trust_as_template

from nettool.core.errors import FindingsError, NettoolError

DOCUMENTATION = """
name: nettool
short_description: switches of a nettool fabric
description:
  - Reads the fabric.yaml beside its source file and gives every switch with its management
    address, in groups by role, rail, pod, plane, operating system, HwSKU and rollout wave.
options:
  plugin:
    description: the name of this plugin
    required: true
    choices: [nettool]
  fabric:
    description: the fabric's file, relative to the source file
    default: fabric.yaml
  nos:
    description: sonic or asternos, in place of the intent's
    default: ''
"""


class InventoryModule(BaseInventoryPlugin):  # type: ignore[misc]  # Ansible has no types
    """Fills Ansible's inventory with what `inventory()` says."""

    NAME = "nettool"

    def verify_file(self, path: str) -> bool:
        """Only `nettool.yml` and `nettool.yaml` are ours."""
        return super().verify_file(path) and Path(path).name in {"nettool.yml", "nettool.yaml"}

    def parse(self, inventory: Any, loader: Any, path: str, cache: bool = True) -> None:
        """Plan the fabric and add its hosts and groups."""
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        try:
            tree = _tree(Path(path).parent / self.get_option("fabric"), self.get_option("nos"))
        except FindingsError as exc:
            first = [f"{f.file}:{f.line}:{f.column}: {f.message}" for f in exc.report.findings]
            raise AnsibleParserError("\n".join(first[:5])) from exc
        except NettoolError as exc:
            raise AnsibleParserError(str(exc)) from exc
        for host, variables in tree["hosts"].items():
            self.inventory.add_host(host)
            for name, value in variables.items():
                self.inventory.set_variable(host, name, trust_as_template(value))
        for group, members in tree["children"].items():
            self.inventory.add_group(group)
            for host in members["hosts"]:
                self.inventory.add_child(group, host)


def _tree(path: Path, nos: str) -> dict[str, Any]:
    # Ansible loads this plugin for every inventory, also for those that plan nothing
    from nettool.catalog.catalog import catalog_beside  # noqa: PLC0415 - only a fabric needs it
    from nettool.fleet.deploy.inventory import inventory  # noqa: PLC0415 - only a fabric needs it
    from nettool.pipeline import design_only  # noqa: PLC0415 - only a fabric needs it

    fabric, intent = design_only(path)
    tree: dict[str, Any] = inventory(fabric, intent, catalog_beside(path), nos=nos or None)["all"]
    return tree
