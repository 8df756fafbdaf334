"""Where the shipped files lie: templates, playbooks and example fabrics.

In a checkout they are the top-level folders; in an installed wheel they are under
`nettool/_data`. One function knows, so nothing else has to.
"""

from __future__ import annotations

from pathlib import Path

from nettool.core.errors import UsageError

_PACKAGE = Path(__file__).resolve().parent.parent
FOLDERS = ("templates", "playbooks", "inventories")


def shipped(folder: str) -> Path:
    """The path of one of the shipped folders, in a checkout or in a wheel."""
    if folder not in FOLDERS:
        raise ValueError(f"{folder!r} is not one of {', '.join(FOLDERS)}")
    for base in (_PACKAGE / "_data", _PACKAGE.parent):
        if (base / folder).is_dir():
            return base / folder
    raise UsageError(f"this installation has no {folder}/ folder: install nettool again")


def catalog_data() -> Path:
    """The folder of the catalog's YAML files."""
    return _PACKAGE / "catalog" / "data"
