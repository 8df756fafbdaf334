"""The operator's own figures: one YAML file that wins over catalog and derivation.

    asics:
      teralynx10:
        cell: 256
        buffer: 215646208
        pools: {ingress_lossless_pool: {size: 159633822, xoff: 72581120}}
        headroom: [{speed: 400G, cable: 5m, size: 1518, xon: 0, xoff: 129920, xon_offset: 13824}]
    profiles: {egress_lossy_profile: {dynamic_th: 1}}
    weights: {roce: 90, best-effort: 10}
    ecn: {400G: {kmin: 400000, kmax: 1600000, pmax: 10}}
    watchdog: {detection_ms: 400, restoration_ms: 400, poll_ms: 400}

Keys that begin with `x-` are the operator's own. Every figure keeps the place it stands at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError

from nettool.core.errors import FindingsError
from nettool.core.finding import Finding, Report, Severity
from nettool.core.model import Model, problem_of
from nettool.core.provenance import Figure
from nettool.core.source import Source, SourceMap
from nettool.core.units import Length, Size, Speed, Whole, format_speed, parse_speed
from nettool.intent.intent import without_own_keys
from nettool.plan.qos.trace import given

SpeedKey = Annotated[Whole, BeforeValidator(parse_speed)]
Power = Annotated[Whole, Field(ge=-8, le=7)]
Percent = Annotated[Whole, Field(ge=1, le=100)]


class PoolOverride(Model):
    """Figures of one buffer pool, bytes."""

    size: Size | None = None
    xoff: Size | None = None


class RowOverride(Model):
    """One headroom row, as pg_profile_lookup.ini has it."""

    speed: Speed
    cable: Length
    size: Size
    xon: Size
    xoff: Size
    threshold: Power = 0
    xon_offset: Size | None = None


class AsicOverride(Model):
    """Figures of one chip."""

    buffer: Size | None = None
    cell: Size | None = None
    pools: dict[str, PoolOverride] = Field(default={})
    headroom: tuple[RowOverride, ...] = ()


class ProfileOverride(Model):
    """Figures of one buffer profile; `dynamic_th` is log2 alpha."""

    size: Size | None = None
    xon: Size | None = None
    xoff: Size | None = None
    xon_offset: Size | None = None
    dynamic_th: Power | None = None
    static_th: Size | None = None


class EcnOverride(Model):
    """ECN thresholds of one speed."""

    kmin: Size | None = None
    kmax: Size | None = None
    pmax: Percent | None = None


class WatchdogOverride(Model):
    """PFC watchdog times, milliseconds."""

    detection_ms: Annotated[Whole, Field(ge=100, le=5000)] | None = None
    restoration_ms: Annotated[Whole, Field(ge=100, le=60000)] | None = None
    poll_ms: Annotated[Whole, Field(ge=100, le=1000)] | None = None


class OverridesFile(Model):
    """The whole file."""

    asics: dict[str, AsicOverride] = Field(default={})
    profiles: dict[str, ProfileOverride] = Field(default={})
    weights: dict[str, Percent] = Field(default={})
    ecn: dict[SpeedKey, EcnOverride] = Field(default={})
    watchdog: WatchdogOverride = WatchdogOverride()


@dataclass(frozen=True)
class Overrides:
    """The file's values with the name it is shown as; the default overrides nothing."""

    values: OverridesFile = field(default_factory=OverridesFile)
    file: str = "overrides"
    spelled: Mapping[int, str] = field(default_factory=dict)
    """Speeds in Mb/s as the file writes them, for key paths."""
    places: SourceMap = field(default_factory=lambda: SourceMap("overrides"))

    def asic(self, name: str) -> AsicOverride:
        """What is said of a chip."""
        return self.values.asics.get(name, AsicOverride())

    def figure(self, value: float | None, unit: str, *path: str | int) -> Figure | None:
        """A value of the file as a figure; None where the file is silent."""
        return None if value is None else given(value, unit, *path, file=self.file)

    def profile(self, name: str, key: str, unit: str = "B") -> Figure | None:
        """One figure of a profile."""
        row = self.values.profiles.get(name)
        return self.figure(getattr(row, key), unit, "profiles", name, key) if row else None

    def ecn(self, speed: int, key: str, unit: str = "B") -> Figure | None:
        """One ECN figure of a speed in Mb/s."""
        row = self.values.ecn.get(speed)
        path = ("ecn", self.spelled.get(speed, str(speed)), key)
        return self.figure(getattr(row, key), unit, *path) if row else None

    def watchdog(self, key: str) -> Figure | None:
        """One watchdog time in milliseconds: detection, restoration or poll."""
        name = f"{key}_ms"
        return self.figure(getattr(self.values.watchdog, name), "ms", "watchdog", name)

    def unused(self, known: Mapping[str, Iterable[str]]) -> Iterator[Finding]:
        """A warning for each name that nothing in the plan has: it would change nothing.

        `known` gives the names by section: asics, profiles, weights, ecn (speeds as text).
        """
        for section, names in known.items():
            legal = sorted(set(names))
            for key in getattr(self.values, section):
                name = format_speed(key) if section == "ecn" else key
                if name not in legal:
                    place = self.places.place((section, self.spelled.get(key, key)), key=True)
                    near = get_close_matches(name, legal, n=1, cutoff=0.8)
                    yield Finding(
                        rule="QOS014",
                        severity=Severity.WARNING,
                        message=f"{section}.{name} changes nothing: the plan has no {name}",
                        hint=f"did you mean {near[0]}?" if near else f"it has {', '.join(legal)}",
                        file=place.file,
                        line=place.line,
                        column=place.column,
                    )

    def weight(self, name: str) -> Figure | None:
        """The DWRR weight of a class, percent."""
        return self.figure(self.values.weights.get(name), "%", "weights", name)


def parse_overrides(source: Source) -> Overrides:
    """The overrides of one YAML file. Raises FindingsError with everything that is wrong in it."""
    data = without_own_keys(source.data)
    if not isinstance(data, dict):
        raise FindingsError(Report.of([_bad("the file must hold keys and values", (), source.map)]))
    try:
        values = OverridesFile.model_validate(data)
    except ValidationError as exc:
        raise FindingsError(Report.of(_findings(exc, source.map))) from exc
    spelled = {int(parse_speed(each)): str(each) for each in data.get("ecn", {})}
    overrides = Overrides(values, source.map.file, spelled, source.map)
    wrong = list(_contradictions(overrides, source.map))
    if wrong:
        raise FindingsError(Report.of(wrong))
    return overrides


def _findings(error: ValidationError, places: SourceMap) -> Iterator[Finding]:
    for each in error.errors(include_url=False):
        path = tuple(part for part in each["loc"] if part != "[key]")
        where = ".".join(map(str, path))
        message = problem_of(each)
        yield _bad(f"{where}: {message}; given {each['input']!r:.60}", path, places)


def _contradictions(overrides: Overrides, places: SourceMap) -> Iterator[Finding]:
    for speed, row in overrides.values.ecn.items():
        if row.kmin is not None and row.kmax is not None and row.kmin > row.kmax:
            path = ("ecn", overrides.spelled[speed])
            yield _bad(f"ecn: kmin {row.kmin} B is above kmax {row.kmax} B", path, places)
    for name, profile in overrides.values.profiles.items():
        if profile.dynamic_th is not None and profile.static_th is not None:
            message = f"{name} has both dynamic_th and static_th; a pool takes one kind"
            yield _bad(message, ("profiles", name), places)
    weights = overrides.values.weights
    if weights and sum(weights.values()) > 100:
        message = f"weights sum to {sum(weights.values())}, expected at most 100"
        yield _bad(message, ("weights",), places)


def _bad(message: str, path: tuple[str | int, ...], places: SourceMap) -> Finding:
    place = places.place(path)
    return Finding(
        rule="QOS014",
        severity=Severity.ERROR,
        message=message,
        hint="keys: asics, profiles, weights, ecn, watchdog; sizes in bytes, speeds as 400G",
        file=place.file,
        line=place.line,
        column=place.column,
    )
