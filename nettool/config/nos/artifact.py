"""What one dialect says for one device: text or tables, each value with its provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nettool.core.provenance import Provenance
from nettool.core.quick import quick_init

Tables = Mapping[str, Mapping[str, Mapping[str, object]]]
"""CONFIG_DB: table, key, field; a value is a str or a list of str."""


@quick_init
@dataclass(frozen=True, slots=True)
class Artifact:
    """One rendered file of one device.

    `path` is relative to the device's folder (config_db.json); `text` the bytes that are
    written; `tables` the parsed form where it is CONFIG_DB. `unverified` lists lines or values
    that nobody has proved on hardware.
    """

    device: str
    nos: str
    path: str
    text: str
    tables: Tables | None = None
    unverified: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Explained:
    """One value of an artifact with where it comes from."""

    device: str
    path: str
    value: str
    why: Provenance
