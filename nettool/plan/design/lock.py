"""The lock of a fabric: how it grew, so that growth renumbers nothing that exists.

Names and addresses follow from the order in which switches came to be. The lock keeps that
order as a list of generations, each the outline of a network at that time; numbers are dealt by
going through them, oldest first. It stays short however large the fabric is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, ValidationError, model_validator

from nettool.core.errors import FindingsError
from nettool.core.finding import Report
from nettool.core.located import Located
from nettool.core.model import Model
from nettool.core.source import parse_yaml
from nettool.core.units import Whole
from nettool.plan.design.clos import Clos

LOCK_FILE = "fabric.lock.yaml"
_HINT = "take the file from version control again, or remove it to number the fabric anew"
_MOST, _MOST_PORTS = 1_000_000, 4096
_HEAD = """\
# The order in which this fabric grew. Names, addresses and AS numbers follow from it, so keep it
# in version control beside fabric.yaml and leave old rows as they are; nettool adds new ones.
"""


class Outline(Model):
    """How large a network is: enough to list every switch of it.

    `segments` and `pods` count in each of the `blocks`, `lanes` is the leaves of a segment,
    `spines` a pod's, `cores` a block's; `uplinks` are addresses kept for each leaf, and
    `spine_uplinks` for each spine.
    """

    blocks: Whole = Field(ge=1, le=_MOST)
    segments: Whole = Field(ge=1, le=_MOST)
    lanes: Whole = Field(ge=1, le=_MOST)
    pods: Whole = Field(default=0, ge=0, le=_MOST)
    spines: Whole = Field(default=0, ge=0, le=_MOST)
    cores: Whole = Field(default=0, ge=0, le=_MOST)
    uplinks: Whole = Field(default=0, ge=0, le=_MOST_PORTS)
    spine_uplinks: Whole = Field(default=0, ge=0, le=_MOST_PORTS)
    subnets: Whole = Field(default=1, ge=1, le=_MOST_PORTS, description="subnets of a leaf")
    nodes: Whole = Field(ge=1, le=_MOST)
    per_segment: Whole = Field(ge=1, le=_MOST, description="nodes of a full segment")
    prefix_length: Whole = Field(ge=8, le=127, description="of NIC subnets")

    @model_validator(mode="after")
    def _is_of_this_world(self) -> Outline:
        in_block = self.segments * self.lanes + self.pods * self.spines + self.cores
        if self.blocks * in_block > _MOST:
            raise ValueError(f"{self.blocks * in_block:,} switches, {_MOST:,} are the most")
        return self

    @property
    def sizes(self) -> tuple[int, ...]:
        """Everything that numbers are dealt by."""
        return (
            self.blocks, self.segments, self.lanes, self.pods, self.spines, self.cores,
            self.uplinks, self.spine_uplinks, self.subnets,
        )  # fmt: skip

    def covers(self, other: Outline) -> bool:
        """Whether every switch of `other` is in this one."""
        return all(mine >= its for mine, its in zip(self.sizes, other.sizes, strict=True))

    def places(self) -> Iterator[Place]:
        """Every switch: leaves, spines, then cores, in the order of their numbers."""
        for block in range(self.blocks):
            for segment in range(self.segments):
                for lane in range(self.lanes):
                    yield Place("leaf", block, segment, lane)
        for block in range(self.blocks):
            for pod in range(self.pods):
                for each in range(self.spines):
                    yield Place("spine", block, pod, each)
        for block in range(self.blocks):
            for each in range(self.cores):
                yield Place("core", block, 0, each)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a switch stands, from 0: a leaf by segment and lane, a spine by pod and number."""

    role: str
    block: int
    group: int
    each: int


@dataclass(frozen=True, slots=True)
class Lock:
    """Generations, oldest first: the outline of each network that grew, by network name."""

    generations: tuple[Mapping[str, Outline], ...] = ()

    def grown(self, outlines: Mapping[str, Outline]) -> Lock:
        """The lock with a generation for networks that have switches it does not cover yet."""
        new = {
            name: outline
            for name, outline in outlines.items()
            if not any(name in past and past[name].covers(outline) for past in self.generations)
        }
        return Lock((*self.generations, new)) if new else self

    def first(self, network: str) -> Outline | None:
        """The oldest outline of a network: it fixed how names are padded."""
        return next((each[network] for each in self.generations if network in each), None)

    def last(self, network: str) -> Outline | None:
        """The newest outline of a network."""
        return next((g[network] for g in reversed(self.generations) if network in g), None)


class _LockFile(Model):
    """An emptied file is damaged, not new: taking it for none would renumber the fabric."""

    schema_version: Whole = Field(default=1, ge=1, le=1)
    generations: tuple[Annotated[dict[str, Outline], Field(min_length=1)], ...]


def outline_of(closes: tuple[Clos, ...], nodes: int, subnets: int, prefix_length: int) -> Outline:
    """The outline of a network from the counts of its blocks (which are alike)."""
    return Outline(
        blocks=len(closes),
        segments=max(len(each.segments) for each in closes),
        lanes=closes[0].beside,
        pods=max(len(each.pods) for each in closes),
        spines=max(each.spines for each in closes),
        cores=max(each.cores for each in closes),
        uplinks=max(each.uplinks for each in closes),
        spine_uplinks=max(each.spine_uplinks for each in closes),
        subnets=subnets,
        nodes=nodes,
        per_segment=closes[0].segments[0].count,
        prefix_length=prefix_length,
    )


def parse_lock(text: str, file: str = LOCK_FILE) -> Lock:
    """The lock that a file's text holds. Raises FindingsError with every error, located."""
    source = parse_yaml(text, file)
    wrong = Located(source.map, "DSN010", _HINT, whole="the lock")
    if not isinstance(source.data, dict) or not source.data.get("generations"):
        raise FindingsError(Report.of([wrong.at((), "it is empty or holds no generations")]))
    try:
        read = _LockFile.model_validate(source.data)
    except ValidationError as exc:
        raise FindingsError(Report.of(wrong.each(exc))) from exc
    return Lock(read.generations)


def lock_text(lock: Lock) -> str:
    """The text of a lock file: one line a network and generation, the same for equal locks."""
    lines = [_HEAD + "schema_version: 1", "generations:"]
    for generation in lock.generations:
        for number, (name, outline) in enumerate(sorted(generation.items())):
            dumped = outline.model_dump(exclude_defaults=True).items()
            values = ", ".join(f"{key}: {value}" for key, value in dumped)
            lines.append(f"{'  ' if number else '- '}{name}: {{{values}}}")
    return "\n".join(lines) + "\n"
