"""SKUs of an imported platform: from hwsku.json, or from the rows of port_config.ini."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from nettool.catalog.asic import HeadroomRow
from nettool.catalog.cage import Cage, choose_mode, format_numbers
from nettool.catalog.notes import Notes
from nettool.catalog.platform_files import (
    PlatformPort,
    PortRow,
    SkuPort,
    read_headroom,
    read_hwsku_json,
    read_port_config,
)
from nettool.catalog.port_rows import cages_of, makes, mode_of, rated_by, rows_by_cage, with_mode
from nettool.catalog.ports import PortLayout
from nettool.catalog.switch import Sku, SwitchModel

HWSKU, PORTS, HEADROOM = "hwsku.json", "port_config.ini", "pg_profile_lookup.ini"


@dataclass(slots=True)
class SkuFiles:
    """One SKU folder: its files, and what was read from them."""

    name: str
    paths: dict[str, Path] = field(default_factory=dict)
    modes: Mapping[str, SkuPort] = field(default_factory=dict)
    rows: Sequence[PortRow] = ()
    headroom: Sequence[HeadroomRow] = ()
    usable: bool = True

    def read(self, lane_rate: int | None, notes: Notes) -> None:
        """Read the files; `lane_rate` (Mb/s) serves rows without a speed."""
        if HWSKU in self.paths:
            self.modes = read_hwsku_json(self.paths[HWSKU], notes)
        if HEADROOM in self.paths:
            self.headroom = read_headroom(self.paths[HEADROOM], notes)
        if PORTS in self.paths:
            rows = read_port_config(self.paths[PORTS], notes)
            self.rows = [_rated(row, lane_rate) for row in rows]

    @property
    def path(self) -> Path:
        """The file that its breakout comes from."""
        order = (HWSKU, PORTS, HEADROOM) if self.modes else (PORTS, HWSKU, HEADROOM)
        return next(self.paths[each] for each in order if each in self.paths)


def complete(
    ports: Mapping[str, PlatformPort], skus: Sequence[SkuFiles], notes: Notes
) -> dict[str, PlatformPort]:
    """The platform's cages, and what SKUs that have only port_config.ini write beyond them.

    SONiC takes port_config.ini where hwsku.json is missing or platform.json has no interfaces.
    Rows whose speed nothing gives are noted and left out.
    """
    written = [each for each in skus if each.rows and not (each.modes and ports)]
    for sku in written:
        sku.modes = {}
        sku.rows = _with_speeds(sku, ports, notes)
    homeless = [rows_by_cage(sku.rows, ports.values())[1] for sku in written]
    cages = {**cages_of(homeless), **ports}
    for sku, left in zip(written, homeless, strict=True):
        if any(row.index is None for row in left):
            notes.at(sku.paths[PORTS]).warning(
                "IMP014",
                f"{PORTS} of {sku.name} tells no index: a cage gets its place on the switch",
                "the index is assumed; a push takes the switch's own",
            )
    for sku in written:
        added = 0
        for name, mode, rows in _written(sku, cages, notes):
            cage = cages[name]
            if choose_mode(cage.modes, len(cage.lanes), mode) is None:
                cages[name] = with_mode(cage, mode, [row.alias for row in rows])
                added += name in ports
        if added:
            notes.at(sku.paths[PORTS]).warning(
                "IMP011",
                f"{sku.name}: {added} cages are in a mode that platform.json does not list",
                "the switch starts in this breakout, but cannot be set to it while it runs",
            )
    return {name: each for name, each in cages.items() if each.modes}


def make_skus(
    skus: Sequence[SkuFiles], model: SwitchModel, ports: Mapping[str, PlatformPort], notes: Notes
) -> Iterator[tuple[SkuFiles, Sku]]:
    """The SKUs that fit the cages; one that does not is noted and left out."""
    for sku in skus:
        if not sku.usable:
            continue
        if sku.modes:
            modes, fec = _from_hwsku(sku, model, notes), _set_fec(sku, model)
        else:
            modes, fec = _from_rows(sku, model, ports), {}
        if modes and sku.usable:
            yield (
                sku,
                Sku(
                    name=sku.name,
                    modes=_ranges(modes),
                    fec=_ranges(fec),
                    source=sku.path.name,
                    trust=model.lanes.trust,
                ),
            )


def compare(sku: SkuFiles, layout: PortLayout, notes: Notes) -> None:
    """Warn where port_config.ini says something else than platform.json and hwsku.json."""
    made = layout.by_name
    different = [
        f"{row.name} {what} {theirs} against {ours}"
        for row in sku.rows
        for what, theirs, ours in _differences(row, made)
    ]
    missing = sorted(made.keys() - {row.name for row in sku.rows})
    different += [f"{name} is missing" for name in missing]
    if different:
        notes.at(sku.paths[PORTS]).warning(
            "IMP008",
            f"{PORTS} differs from the breakout of {HWSKU} in {len(different)} values; "
            f"the first: {different[0]}",
            "SONiC reads platform.json and hwsku.json where both are there; so does this import",
        )


def _rated(row: PortRow, lane_rate: int | None) -> PortRow:
    return row if row.speed or not lane_rate else replace(row, speed=lane_rate * len(row.lanes))


def _with_speeds(
    sku: SkuFiles, ports: Mapping[str, PlatformPort], notes: Notes
) -> Sequence[PortRow]:
    by_cage, homeless = rows_by_cage(sku.rows, ports.values())
    known = [row for name, rows in by_cage.items() for row in rated_by(ports[name], rows)]
    rows = [*known, *homeless]
    bare = next((row for row in rows if not row.speed), None)
    if bare:
        sku.usable = False
        notes.at(sku.paths[PORTS], bare.line).error(
            "IMP009",
            f"{sku.name}: {bare.name} has no speed, and no platform.json gives it",
            "add a speed column, or give the rate of a lane",
        )
    return [row for row in rows if row.speed]


def _written(
    sku: SkuFiles, cages: Mapping[str, PlatformPort], notes: Notes
) -> Iterator[tuple[str, str, Sequence[PortRow]]]:
    by_cage, homeless = rows_by_cage(sku.rows, cages.values())
    odd: list[tuple[PortRow, str]] = []
    for name, rows in by_cage.items():
        mode = mode_of(rows, len(cages[name].lanes))
        if makes(cages[name], mode, rows):
            yield name, mode, rows
        else:
            odd.append((rows[0], f"are not {mode} of {name}"))
    odd += [(row, "have lanes of several cages") for row in homeless]
    if odd:
        _leave_out(sku, odd, notes)


def _leave_out(sku: SkuFiles, odd: Sequence[tuple[PortRow, str]], notes: Notes) -> None:
    """One error for the SKU, at its first port that is no part of a cage."""
    sku.usable = False
    row, problem = odd[0]
    more = f", and {len(odd) - 1} more" if len(odd) > 1 else ""
    notes.at(sku.paths[PORTS], row.line).error(
        "IMP010",
        f"{sku.name}: the ports from {row.name} on {problem}{more}",
        "import this SKU by itself: it does not split the cages that the other SKUs have",
    )


def _from_hwsku(sku: SkuFiles, model: SwitchModel, notes: Notes) -> dict[int, str]:
    modes: dict[int, str] = {}
    for cage in model.cage_by_number.values():
        port = sku.modes.get(cage.port)
        if port is None:
            continue
        problem = _problem(model, cage, port.mode)
        if problem:
            sku.usable = False
            notes.at(sku.paths[HWSKU], port.line).error(
                "IMP003", problem, "set default_brkout_mode to a mode that platform.json lists"
            )
        modes[cage.cage] = port.mode or ""
    return modes


def _from_rows(
    sku: SkuFiles, model: SwitchModel, ports: Mapping[str, PlatformPort]
) -> dict[int, str]:
    by_cage, _ = rows_by_cage(sku.rows, ports.values())
    number = {each.port: each.cage for each in model.cage_by_number.values()}
    return {number[name]: mode_of(rows, len(ports[name].lanes)) for name, rows in by_cage.items()}


def _problem(model: SwitchModel, cage: Cage, mode: str | None) -> str | None:
    if mode is None:
        return f"{cage.port} has no default_brkout_mode"
    kind = model.kinds[cage.kind]
    try:
        choice = choose_mode(kind.modes, len(cage.lanes), mode)
        if choice is None:
            return f"{cage.port} does not allow {mode}: allowed are {', '.join(kind.modes)}"
        cage.children(choice)
    except ValueError as exc:
        return str(exc)
    return None


def _set_fec(sku: SkuFiles, model: SwitchModel) -> dict[int, str]:
    found: dict[int, str] = {}
    for cage in model.cage_by_number.values():
        port = sku.modes.get(cage.port)
        if port and port.fec:
            found[cage.cage] = port.fec
    return found


def _ranges(by_cage: Mapping[int, str]) -> dict[str, str]:
    cages: dict[str, list[int]] = {}
    for cage, value in by_cage.items():
        cages.setdefault(value, []).append(cage)
    return {format_numbers(numbers): value for value, numbers in cages.items()}


def _differences(row: PortRow, made: Mapping[str, object]) -> Iterator[tuple[str, object, object]]:
    slot = made.get(row.name)
    if slot is None:
        yield "exists", "yes", "no"
        return
    for what in ("lanes", "alias", "index", "speed"):
        theirs, ours = getattr(row, what), getattr(slot, what)
        if theirs is not None and theirs != ours:
            yield what, theirs, ours
