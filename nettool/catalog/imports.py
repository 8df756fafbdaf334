"""Any SONiC platform as a catalog entry, from the files that SONiC itself reads.

A platform folder (`platform.json` with SKU folders in it), one SKU folder, or single files.
Nothing is guessed from port numbers: lanes, index, alias and first port are the files' own. Where
no file tells an index, a cage's place stands for it, which is noted as assumed (IMP014).
What is wrong is reported all at once; a SKU that cannot be used is left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nettool.catalog.asic import HeadroomTable, table_name
from nettool.catalog.cage import Evidence
from nettool.catalog.notes import Notes
from nettool.catalog.platform_cages import cages_and_kinds
from nettool.catalog.platform_files import PlatformJson, PlatformPort, read_platform_json
from nettool.catalog.platform_skus import (
    HEADROOM,
    HWSKU,
    PORTS,
    SkuFiles,
    compare,
    complete,
    make_skus,
)
from nettool.catalog.soundness import switch_faults
from nettool.catalog.switch import AsicVariant, Sku, SwitchModel
from nettool.catalog.writing import write_entry
from nettool.core.errors import UsageError
from nettool.core.finding import Report
from nettool.core.provenance import Trust

PLATFORM = "platform.json"
_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Imported:
    """What was read: the switch (None where no file tells its ports), headroom tables, findings."""

    model: SwitchModel | None
    tables: tuple[HeadroomTable, ...]
    report: Report


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What the files do not say, as the user gives it.

    `lane_rate` (Mb/s) serves port_config.ini files without a speed column.
    """

    name: str | None = None
    vendor: str = _UNKNOWN
    asic: str = _UNKNOWN
    source: str | None = None
    trust: Trust = Trust.GIVEN
    lane_rate: int | None = None


def import_platform(*paths: Path, about: About | None = None) -> Imported:
    """The switch that these files or folders describe.

    Raises UsageError where a path does not exist or holds none of the four files.
    """
    about, notes = about or About(), Notes()
    file, skus = _gather(paths)
    for sku in skus:
        sku.read(about.lane_rate, notes)
    platform = read_platform_json(file, notes) if file else PlatformJson("")
    ports = complete(platform.ports, skus, notes)
    tables = _tables(skus, about)
    if not file and all({*sku.paths} == {HEADROOM} for sku in skus):
        if not tables and not notes.report.has_errors:
            notes.at(skus[0].path).error("IMP007", "no row", "columns are listed in #")
        return Imported(None, tuple(dict.fromkeys(tables.values())), notes.report)
    if not ports:
        notes.at(file or skus[0].path).error(
            "IMP002", "no usable port in these files", f"give {PLATFORM} or {PORTS} with speeds"
        )
        return Imported(None, tuple(dict.fromkeys(tables.values())), notes.report)
    folder = _platform_folder(file, skus)
    source = about.source or f"{folder}/{(file or skus[0].path).name}"
    bare = _bare(about, _name(about, platform, folder), folder, source, ports)
    model = _with_skus(bare, skus, ports, tables, notes)
    model = _sound(model, notes.at(file or skus[0].path))
    return Imported(model, tuple(dict.fromkeys(tables.values())), notes.report)


def write_import(imported: Imported, folder: Path) -> tuple[Path, ...]:
    """The import as files of a user's catalog under `folder`, ready for `load_catalog`."""
    entries = [("headroom", each) for each in imported.tables]
    written = [write_entry(each, folder / kind) for kind, each in entries]
    if imported.model:
        written.append(write_entry(imported.model, folder / "switches"))
    return tuple(written)


def _gather(paths: Sequence[Path]) -> tuple[Path | None, list[SkuFiles]]:
    platform: Path | None = None
    skus: dict[str, SkuFiles] = {}
    for path in (found for each in paths for found in _files(each)):
        kind = _kind(path)
        if kind == PLATFORM:
            platform = platform or path
        else:
            name = path.absolute().parent.name
            skus.setdefault(name, SkuFiles(name)).paths[kind] = path
    if platform is None and not skus:
        raise UsageError(f"{paths[0]}: none of {PLATFORM}, {HWSKU}, {PORTS}, {HEADROOM} is there")
    return platform, list(skus.values())


def _kind(path: Path) -> str:
    """Which of the four files it is: its name, or how its name ends (`leaf01_platform.json`)."""
    known = (PLATFORM, HWSKU, PORTS, HEADROOM)
    for each in known:
        if path.name == each or path.name.endswith(tuple(f"{sign}{each}" for sign in "_-.")):
            return each
    raise UsageError(
        f"{path}: its name does not tell what it is; let it end in one of {', '.join(known)}"
    )


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageError(f"{path}: no such file or folder")
    names = (HWSKU, PORTS, HEADROOM)
    found = [path / each for each in (PLATFORM, *names)]
    found += [] if (path / PLATFORM).is_file() else [path.parent / PLATFORM]
    found += [folder / each for folder in sorted(path.iterdir()) for each in names]
    return [each for each in found if each.is_file()]


def _name(about: About, platform: PlatformJson, folder: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", about.name or platform.chassis or folder)


def _platform_folder(file: Path | None, skus: Sequence[SkuFiles]) -> str:
    """The name of the folder that SONiC calls the platform: above the SKU folders."""
    if file:
        return file.absolute().parent.name
    return skus[0].path.absolute().parent.parent.name if len(skus) > 1 else skus[0].name


def _bare(
    about: About, name: str, folder: str, source: str, ports: Mapping[str, PlatformPort]
) -> SwitchModel:
    """The switch with one SKU, every cage in its first mode."""
    cages, extras, kinds = cages_and_kinds(ports, source, about.trust)
    evidence = Evidence(source=source, trust=about.trust)
    first = next(iter(kinds[cages[0].kind].modes))
    every = {f"{each.cage}": next(iter(kinds[each.kind].modes)) for each in (*cages, *extras)}
    known = about.asic != _UNKNOWN
    chip = AsicVariant(
        asic=about.asic,
        source="given with the import" if known else "the files do not name the chip",
        trust=Trust.GIVEN if known else Trust.UNVERIFIED,
    )
    return SwitchModel(
        name=name,
        vendor=about.vendor,
        about=f"{len(cages)} cages, {first} in its first mode",
        platform=folder,
        asics=(chip,),
        kinds=kinds,
        cages=cages,
        extras=extras,
        names=evidence,
        lanes=evidence,
        skus=(Sku(name=name, modes=every, source="first mode of each cage", trust="assumed"),),
    )


def _with_skus(
    model: SwitchModel,
    files: Sequence[SkuFiles],
    ports: Mapping[str, PlatformPort],
    tables: Mapping[str, HeadroomTable],
    notes: Notes,
) -> SwitchModel:
    made = list(make_skus(files, model, ports, notes))
    if not made:
        return model
    skus = tuple(
        sku.model_copy(update={"headroom": table.name if (table := tables.get(sku.name)) else None})
        for _, sku in made
    )
    model = model.with_skus(skus)
    for file, sku in made:
        if file.modes and file.rows:
            compare(file, model.layout(sku.name), notes)
    return model


def _sound(model: SwitchModel, here: Notes) -> SwitchModel:
    """The switch without SKUs that use a port or lane twice, where others remain."""
    unsound: set[object] = set()
    for path, text in switch_faults(model):
        here.error("IMP013", f"{'.'.join(map(str, path))}: {text}", "mend the platform's files")
        unsound.add(path[1] if path[0] == "skus" else None)
    skus = tuple(each for place, each in enumerate(model.skus) if place not in unsound)
    return model.with_skus(skus) if skus and len(skus) < len(model.skus) else model


def _tables(skus: Sequence[SkuFiles], about: About) -> dict[str, HeadroomTable]:
    """Headroom table by SKU; SKUs with equal rows share the first one's.

    A table that comes alone is named after the switch that it was taken from, where that is told.
    """
    alone = about.name if len(skus) == 1 and {*skus[0].paths} == {HEADROOM} else None
    found: dict[str, HeadroomTable] = {}
    for sku in skus:
        rows = tuple(sku.headroom)
        if not rows:
            continue
        same = next((each for each in found.values() if each.rows == rows), None)
        found[sku.name] = same or HeadroomTable(
            name=table_name(alone or sku.name),
            about=f"{alone or sku.name}, imported",
            source=f"{about.source or sku.name}/{HEADROOM}",
            trust=about.trust,
            rows=rows,
        )
    return found
