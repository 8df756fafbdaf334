"""The lock of a fabric: how it grew, so that growth renumbers nothing that exists.

Names, addresses and the ends of cables follow from the order in which switches and links came to
be. The lock keeps that order as a list of generations, each the outline of a network at that time;
numbers and ports are dealt by going through them, oldest first. It stays short however large the
fabric is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
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

Runs = tuple[tuple[Whole, Whole, Whole], ...]
"""Segments or pods in order, alike ones together: how many, and two numbers of each."""


class Outline(Model):
    """How large a network is: enough to list every switch of it.

    `segments` and `pods` count in each of the `blocks`, `lanes` is the leaves of a segment,
    `spines` a pod's, `cores` a block's; `uplinks` are addresses kept for each leaf, and
    `spine_uplinks` for each spine; `room` is the ports that a full leaf keeps for uplinks. `fill`
    and `pod_fill` stand only where segments or pods differ.
    `kept` tells a generation whose cables were laid beside those of the one before; without it
    they were all laid anew.
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
    room: Whole = Field(default=0, ge=0, le=_MOST_PORTS, description="ports kept for uplinks")
    rails: Whole = Field(default=0, ge=0, le=_MOST_PORTS, description="rails that share a leaf")
    fill: Runs = Field(default=(), description="segments, nodes of each, uplinks of a leaf")
    pod_fill: Runs = Field(default=(), description="pods, segments of each, uplinks of a spine")
    kept: bool = Field(default=False, description="cables of the generation before were kept")

    @model_validator(mode="after")
    def _is_of_this_world(self) -> Outline:
        in_block = self.segments * self.lanes + self.pods * self.spines + self.cores
        if self.blocks * in_block > _MOST:
            raise ValueError(f"{self.blocks * in_block:,} switches, {_MOST:,} are the most")
        if (self.cores and not self.spines) or (self.spines and not self.pods):
            raise ValueError("cores stand above spines, and spines in pods: one is missing")
        return self

    @model_validator(mode="after")
    def _adds_up(self) -> Outline:
        for name, runs, wanted in (
            ("fill", self.fill, (self.segments, self.nodes)),
            ("pod_fill", self.pod_fill, (self.pods, self.segments)),
        ):
            told = (sum(run[0] for run in runs), sum(run[0] * run[1] for run in runs))
            if runs and told != wanted:
                raise ValueError(
                    f"{name} tells {told[0]} with {told[1]}, not {wanted[0]} with {wanted[1]}"
                )
        return self

    @property
    def sizes(self) -> tuple[int, ...]:
        """Everything that numbers are dealt by."""
        return (
            self.blocks, self.segments, self.lanes, self.pods, self.spines, self.cores,
            self.uplinks, self.spine_uplinks, self.subnets,
        )  # fmt: skip

    def told_by(self, later: Outline) -> Outline:
        """What an older release left out of it, as a later outline has it."""
        if self.room or not self.spines:
            return self
        known: dict[str, object] = {"room": max(self.uplinks, later.room)}
        if (self.pods, self.segments) == (later.pods, later.segments):
            known["pod_fill"] = later.pod_fill
        return self.model_copy(update=known)

    def is_like(self, now: Outline) -> bool:
        """Whether `now` has the same switches, nodes and cables; older locks know less of them."""
        known: dict[str, object] = {"kept": now.kept, "rails": self.rails or now.rails}
        if self.spines and not self.room and not self.kept:
            known |= {"room": now.room, "fill": now.fill, "pod_fill": now.pod_fill}
        return self.model_copy(update=known) == now

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
        """The lock with a generation for the networks that are not as they were last."""
        new = {name: self._next(name, now) for name, now in outlines.items()}
        new = {name: now for name, now in new.items() if now is not self.last(name)}
        return Lock((*self.generations, new)) if new else self

    def laid_anew(self, network: str, past: Lock) -> Lock:
        """As grown from `past`, where the cables of a network cannot stay on their ports."""
        last = self.last(network)
        if last is None:
            return self
        anew = {network: last.model_copy(update={"kept": False})}
        if self is past or network not in self.generations[-1]:
            return Lock((*self.generations, anew))
        return Lock((*self.generations[:-1], {**self.generations[-1], **anew}))

    def _next(self, network: str, now: Outline) -> Outline:
        last = self.last(network)
        if last is None:
            return now
        return last if last.is_like(now) else now.model_copy(update={"kept": True})

    def outlines(self, network: str) -> tuple[Outline, ...]:
        """The outlines of a network, oldest first."""
        return tuple(each[network] for each in self.generations if network in each)

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
    clos = closes[0]
    fill = _runs((each.count, each.uplinks) for each in clos.segments)
    pod_fill = _runs((len(each.segments), each.spine_uplinks) for each in clos.pods)
    return Outline(
        blocks=len(closes),
        segments=len(clos.segments),
        lanes=clos.beside,
        pods=len(clos.pods),
        spines=clos.spines,
        cores=clos.cores,
        uplinks=clos.uplinks,
        spine_uplinks=clos.spine_uplinks,
        subnets=subnets,
        nodes=nodes,
        per_segment=clos.segments[0].count,
        prefix_length=prefix_length,
        fill=() if len(fill) == 1 and fill[0][2] == clos.uplinks else fill,
        pod_fill=pod_fill if len(pod_fill) > 1 else (),
    )


def _runs(pairs: Iterable[tuple[int, int]]) -> Runs:
    """Equal neighbours together."""
    return tuple((sum(1 for _ in same), *pair) for pair, same in groupby(pairs))


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
            values = ", ".join(f"{key}: {_yaml(value)}" for key, value in _given(outline))
            lines.append(f"{'  ' if number else '- '}{name}: {{{values}}}")
    return "\n".join(lines) + "\n"


def _given(outline: Outline) -> Iterable[tuple[str, object]]:
    return outline.model_dump(exclude_defaults=True).items()


def _yaml(value: object) -> str:
    """A whole number, a flag, or runs, as YAML writes them on one line."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_yaml, value))}]"
    return str(value).lower()
