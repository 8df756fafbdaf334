"""Writing a catalog entry as the YAML file that `load_catalog` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from nettool.catalog.entry import Entry
from nettool.core.written import replace_file

_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def entry_yaml(entry: Entry) -> str:
    """The entry as YAML: one cage, SKU or figure a line, what is default left out."""
    data = entry.model_dump(mode="json", exclude_defaults=True)
    text: str = yaml.dump(
        data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=1000,
        default_flow_style=None,
    )  # fmt: skip
    return text


def write_entry(entry: Entry, folder: Path) -> Path:
    """Write `folder/NAME.yaml` and give its path; the folder is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{entry.name}.yaml"
    replace_file(path, entry_yaml(entry).encode())
    return path
