"""A recorded trace of counters, as `nettool tune --counters` takes it: JSON, YAML or a sheet.

    samples:
      - time: 2026-03-01T10:00:00Z
        device: leaf01
        started: 2026-02-01T08:00:00Z
        counters:
          ecn_marked: {"Ethernet0|3": 0}
          pfc_tx: {"Ethernet0|3": 0}
          queue_watermark: {"Ethernet0|3": 18432}

Kinds and places are those of the records that `nettool verify` keeps, and three watermarks beside
them. A sample is one look at one switch; its watermarks are the highest since the look before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, Field, ValidationError, field_validator

from nettool.core.errors import FindingsError
from nettool.core.finding import Finding, Report
from nettool.core.located import Located
from nettool.core.model import Model, problem_of
from nettool.core.source import SourceMap, read_text
from nettool.core.units import Whole
from nettool.fleet.telemetry.recorded_csv import parse_sheet
from nettool.fleet.verify.gathered import parse_json_or_yaml
from nettool.intent.intent import without_own_keys

BAD = "TUN010"
COUNTED = {
    "ecn_marked": "packets marked in a queue (SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS)",
    "pfc_tx": "pause frames sent for a priority (SAI_PORT_STAT_PFC_n_TX_PKTS)",
    "pfc_rx": "pause frames received for a priority (SAI_PORT_STAT_PFC_n_RX_PKTS)",
    "queue_drop": "packets dropped in a queue (SAI_QUEUE_STAT_DROPPED_PACKETS)",
    "pg_drop": "packets dropped in a group (SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS)",
}
"""Kinds that only count up, with what they count and the SAI statistic they are read from."""
PEAKS = {
    "queue_watermark": "most bytes of a queue (SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES)",
    "pg_watermark": "most shared bytes of a group "
    "(SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES)",
    "headroom_watermark": "most headroom bytes of a group "
    "(SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES)",
}
"""Kinds that are the highest fill since the look before, bytes."""
_PASSED_OVER = frozenset({"storm", "rx_err", "pfc_enabled"})
"""Kinds of verify's records that tuning has no use for."""
_KNOWN = frozenset({*COUNTED, *PEAKS, *_PASSED_OVER})
_LARGEST = 2**40
_PLACE = r"^[^|\s]{1,64}(\|[0-7])?$"
_HINT = "`nettool schema --counters` prints the form of the file"


def _known_kind(kind: str) -> str:
    if kind not in _KNOWN:
        near = get_close_matches(kind, sorted(_KNOWN), n=1)
        ask = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(sorted(_KNOWN))}"
        raise ValueError(f"{kind!r} is no kind of counter; {ask}")
    return kind


def _known_place(place: str) -> str:
    if not re.fullmatch(_PLACE, place):
        raise ValueError(f"a place such as Ethernet0|3 is expected, not {place!r:.60}")
    return place


Kind = Annotated[str, AfterValidator(_known_kind)]
Place = Annotated[str, AfterValidator(_known_place)]
"""`port|index`: index is the queue, the priority group or the priority, as the kind has it."""
Count = Annotated[Whole, Field(ge=0, le=2**64 - 1)]


class Sample(Model):
    """One look at the counters of one switch.

    `started` is when its services began, where that is known: with them counters begin again.
    """

    time: AwareDatetime
    device: Annotated[str, Field(min_length=1)]
    started: str = ""
    counters: dict[Kind, dict[Place, Count]]

    @field_validator("counters")
    @classmethod
    def _peaks_fit_a_buffer(cls, counters: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
        for kind in PEAKS:
            for place, size in counters.get(kind, {}).items():
                if size > _LARGEST:
                    raise ValueError(f"{kind} of {place}: {size:,} B are more than any buffer has")
        return counters

    @property
    def when(self) -> datetime:
        """Its time in UTC."""
        return self.time.astimezone(UTC)


class TraceFile(Model):
    """The whole file."""

    schema_version: Literal[1] = 1
    samples: Annotated[tuple[Sample, ...], Field(json_schema_extra={"minItems": 1})]


@dataclass(frozen=True, slots=True)
class Recorded:
    """The samples of a file by switch, in the order of time."""

    file: str
    by_device: dict[str, tuple[Sample, ...]]
    places: SourceMap


def load_trace(path: Path) -> Recorded:
    """The trace of a file.

    Raises UsageError where it is missing, FindingsError with every fault that it has.
    """
    text, file = read_text(path), str(path)
    if path.suffix.lower() == ".csv":
        source = parse_sheet(text, file, Located(SourceMap(file), BAD, _HINT))
    else:
        source = parse_json_or_yaml(text, file)
    return read_trace(source.data, source.map)


def read_trace(data: Any, places: SourceMap) -> Recorded:
    """The trace of plain data. Raises FindingsError with every fault."""
    at = Located(places, BAD, _HINT)
    plain = without_own_keys(data)
    if not isinstance(plain, dict):
        said = "a mapping with `samples` is expected"
        raise FindingsError(Report.of([at.at((), said)]))
    try:
        trace = TraceFile.model_validate(plain)
    except ValidationError as exc:
        raise FindingsError(Report.of(_faults(at, exc))) from exc
    if not trace.samples:
        raise FindingsError(Report.of([at.at(("samples",), "at least one sample is expected")]))
    if twice := list(_twice(trace, at)):
        raise FindingsError(Report.of(twice))
    devices = dict.fromkeys(each.device for each in trace.samples)
    ordered = sorted(trace.samples, key=lambda each: each.when)
    return Recorded(
        places.file,
        {name: tuple(each for each in ordered if each.device == name) for name in devices},
        places,
    )


def trace_schema() -> dict[str, Any]:
    """The JSON Schema of the file, with the kinds of counters that there are."""
    schema = TraceFile.model_json_schema()
    counters = schema["$defs"]["Sample"]["properties"]["counters"]
    counters["propertyNames"] = {"enum": sorted(_KNOWN)}
    counters["additionalProperties"]["propertyNames"] = {"pattern": _PLACE}
    counters["description"] = "; ".join(f"{k}: {v}" for k, v in {**COUNTED, **PEAKS}.items())
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _faults(at: Located, error: ValidationError) -> Iterator[Finding]:
    """Every fault at its value, or at its key where a kind or a place is not one."""
    for one in error.errors(include_url=False):
        is_key = "[key]" in one["loc"] or one["type"] == "extra_forbidden"
        path = tuple(each for each in one["loc"] if each != "[key]")
        said = problem_of(one)
        given = "" if is_key or one["type"] == "missing" else f"; given {one['input']!r:.60}"
        yield at.at(path, f"{said}{given}", key=is_key)


def _twice(trace: TraceFile, at: Located) -> Iterator[Finding]:
    seen: dict[tuple[str, datetime], int] = {}
    for number, each in enumerate(trace.samples):
        first = seen.setdefault((each.device, each.when), number)
        if first != number:
            said = f"{each.device} was looked at twice at {each.when:%Y-%m-%dT%H:%M:%SZ}"
            yield at.at(("samples", number, "time"), f"{said}: samples {first} and {number}")
