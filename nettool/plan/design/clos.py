"""Counts of a Clos of one to three tiers: leaves, spines, cores and the links between them.

A fabric that fits one switch is that switch. Two tiers: each leaf has the same whole number of
links to each spine. Three tiers: pods of leaves and spines, and cores above all pods. The
arithmetic is that of folded Clos networks: one switch k, two tiers k^2/2, three k^3/4 NICs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from nettool.plan.design.cages import SwitchCages


@dataclass(frozen=True, slots=True)
class ClosRequest:
    """What a Clos must carry.

    `nodes` gives runs (kind, count) of equal nodes in order; a node has `on_leaf` ports on each
    of the `beside` leaves of its segment. `ratio` and `spine_ratio` are down : up capacity.
    Fixed numbers are None where they follow from the rest; `spines` counts a pod's.
    """

    nodes: tuple[tuple[int, int], ...]
    on_leaf: int
    beside: int
    leaf: SwitchCages
    spine: SwitchCages
    core: SwitchCages
    ratio: Fraction = Fraction(1)
    spine_ratio: Fraction = Fraction(1)
    tiers: tuple[int, ...] = (1, 2, 3)
    segments: int | None = None
    spines: int | None = None
    pods: int | None = None
    cores: int | None = None

    @property
    def count(self) -> int:
        """Nodes in all."""
        return sum(count for _, count in self.nodes)

    @property
    def ports(self) -> int:
        """NIC ports in all."""
        return self.count * self.on_leaf * self.beside


@dataclass(frozen=True, slots=True)
class Segment:
    """Nodes that share their leaves: `first` (from 0), kinds in node order, uplinks a leaf."""

    first: int
    kinds: tuple[tuple[int, int], ...]
    uplinks: int

    @property
    def count(self) -> int:
        """How many nodes it has."""
        return sum(count for _, count in self.kinds)


@dataclass(frozen=True, slots=True)
class Pod:
    """Segments of one pod (range of indexes), and the uplinks that each of its spines has."""

    segments: range
    spine_uplinks: int


@dataclass(frozen=True, slots=True)
class Clos:
    """A Clos that fits.

    `uplinks` is the largest of a leaf, `per_pair` its links to each spine, `spines` a pod's.
    `group` is the number of cores each spine connects to where spine n of every pod meets the
    same cores; None where uplinks go round all cores in turn.
    """

    tiers: int
    beside: int
    segments: tuple[Segment, ...]
    full: int
    uplinks: int = 0
    spines: int = 0
    per_pair: int = 0
    pods: tuple[Pod, ...] = ()
    pod_segments: int = 0
    spine_uplinks: int = 0
    cores: int = 0
    group: int | None = None
    spine_minimum: int = 0

    @property
    def leaves(self) -> int:
        """Leaves in all."""
        return len(self.segments) * self.beside

    @property
    def spines_in_all(self) -> int:
        """Spines of all pods."""
        return self.spines * len(self.pods)

    @property
    def leaf_spine_links(self) -> int:
        """Links between leaves and spines, at the uplink's speed."""
        return self.beside * sum(each.uplinks for each in self.segments)

    @property
    def spine_core_links(self) -> int:
        """Links between spines and cores, at the spine uplink's speed."""
        return self.spines * sum(each.spine_uplinks for each in self.pods)


@dataclass(frozen=True, slots=True)
class Limit:
    """Why a request does not fit: a sentence with numbers, and the most NIC ports that would."""

    reason: str
    most: int


def ratio_of(oversubscription: float) -> Fraction:
    """An oversubscription as people write it, exact: 1.1 is 11/10."""
    return Fraction(str(oversubscription))


def solve(request: ClosRequest) -> Clos | Limit:
    """The smallest Clos of the allowed tiers that carries the request, or the limit it hits."""
    single = _one_switch(request) if 1 in request.tiers else None
    if isinstance(single, Clos):
        return single
    if single and max(request.tiers) == 1:
        return single
    full = _full_leaf(request)
    if full < request.on_leaf:
        return Limit(
            f"a leaf has {full} ports down beside the uplinks for {float(request.ratio):g}:1, "
            f"a node needs {request.on_leaf}",
            0,
        )
    return _settle(request, full)


def _settle(request: ClosRequest, full: int) -> Clos | Limit:
    """Segments filled; filled again where whole shares of uplinks do not fit beside the NICs."""
    found = _of_tiers(request, _fill(request, full, 1), full)
    if isinstance(found, Clos) and not all(_has_room(request, each) for each in found.segments):
        again = replace(request, spines=found.spines)
        return _of_tiers(again, _fill(request, full, found.spines), full)
    return found


def _of_tiers(request: ClosRequest, segments: tuple[Segment, ...], full: int) -> Clos | Limit:
    if request.segments and len(segments) > request.segments:
        return Limit(
            f"{request.count} nodes need {len(segments) * request.beside} leaves, "
            f"{request.segments * request.beside} are given",
            request.segments * request.beside * full,
        )
    two = _two_tiers(request, segments, full) if 2 in request.tiers else None
    if isinstance(two, Clos) or (two and max(request.tiers) == 2):
        return two
    return _three_tiers(request, segments, full)


def _has_room(request: ClosRequest, segment: Segment) -> bool:
    return request.leaf.fits(_counts(request, segment), segment.uplinks)


def _counts(request: ClosRequest, segment: Segment) -> tuple[int, ...]:
    counts = [0] * len(request.leaf.down)
    for kind, count in segment.kinds:
        counts[kind] += count * request.on_leaf
    return tuple(counts)


def _one_switch(request: ClosRequest) -> Clos | Limit:
    """The whole request on one leaf, rails side by side."""
    width = request.on_leaf * request.beside
    counts = [0] * len(request.leaf.down)
    for kind, count in request.nodes:
        counts[kind] += count * width
    most = request.leaf.most(request.nodes[0][0], None)
    if request.leaf.fits(tuple(counts), 0):
        return Clos(1, 1, (Segment(0, request.nodes, 0),), most)
    return Limit(
        f"one switch has {most} ports of this speed, {request.ports} are needed",
        most // width * width,
    )


def _full_leaf(request: ClosRequest) -> int:
    """NIC ports of a full leaf, whole nodes only where a node has several on it."""
    most = request.leaf.most(request.nodes[0][0], request.ratio)
    return most // request.on_leaf * request.on_leaf


def _fill(request: ClosRequest, full: int, step: int) -> tuple[Segment, ...]:
    """Nodes onto segments in order, each as full as ports and ratio allow.

    Room is kept for uplinks in multiples of `step`. With a fixed number of segments nodes are
    shared out evenly instead.
    """
    leaf, ratio = request.leaf, request.ratio
    even = ceil(request.count / request.segments) if request.segments else None
    segments: list[Segment] = []
    kinds: list[list[int]] = []
    counts = [0] * len(leaf.down)
    first = number = 0
    for kind, count in request.nodes:
        for _ in range(count):
            counts[kind] += request.on_leaf
            given = tuple(counts)
            over = even is not None and number - first >= even
            needed = ceil(leaf.needed_uplinks(given, ratio) / step) * step
            if over or not leaf.fits(given, needed):
                counts[kind] -= request.on_leaf
                segments.append(_segment(request, full, first, kinds, counts))
                first, kinds = number, []
                counts = [0] * len(leaf.down)
                counts[kind] = request.on_leaf
            if not kinds or kinds[-1][0] != kind:
                kinds.append([kind, 0])
            kinds[-1][1] += 1
            number += 1
    segments.append(_segment(request, full, first, kinds, counts))
    return tuple(segments)


def _segment(
    request: ClosRequest, full: int, first: int, kinds: Sequence[Sequence[int]], counts: list[int]
) -> Segment:
    """A filled segment with its uplinks: as many as its NICs could fill, up to a full leaf's."""
    leaf, ratio = request.leaf, request.ratio
    primary = request.nodes[0][0]
    whole = tuple(full if each == primary else 0 for each in range(len(leaf.down)))
    needed = leaf.needed_uplinks(counts, ratio)
    limit = max(leaf.needed_uplinks(whole, ratio), needed)
    uplinks = min(max(leaf.needed_uplinks(counts, Fraction(1)), needed), limit)
    if not leaf.fits(tuple(counts), uplinks):
        uplinks = needed
    return Segment(first, tuple((each[0], each[1]) for each in kinds), uplinks)


def _two_tiers(request: ClosRequest, segments: tuple[Segment, ...], full: int) -> Clos | Limit:
    leaves = len(segments) * request.beside
    uplinks = max(each.uplinks for each in segments)
    radix = request.spine.most(0, None)
    least = ceil(leaves * uplinks / radix)
    spines = request.spines or _divisor(uplinks, least)
    if spines is None or leaves > radix:
        return Limit(
            f"{leaves} leaves, and a spine of two tiers has {radix} ports: one a leaf at least",
            radix // request.beside * request.beside * full,
        )
    if spines > uplinks:
        return Limit(f"{spines} spines, and a leaf has {uplinks} uplinks: one a spine at least", 0)
    per_pair = uplinks // spines
    if leaves * per_pair > radix:
        return Limit(
            f"{leaves} leaves with {per_pair} links to each of {spines} spines need "
            f"{leaves * per_pair} ports of a spine, it has {radix}",
            radix // per_pair // request.beside * request.beside * full,
        )
    segments = _in_whole_shares(segments, spines, per_pair)
    pod = Pod(range(len(segments)), 0)
    return Clos(
        2, request.beside, segments, full, per_pair * spines, spines, per_pair, (pod,),
        len(segments), spine_minimum=least,
    )  # fmt: skip


def _three_tiers(request: ClosRequest, segments: tuple[Segment, ...], full: int) -> Clos | Limit:
    uplinks = max(each.uplinks for each in segments)
    down = request.spine.most(0, request.spine_ratio)
    radix = request.core.most(0, None)
    if request.beside > down:
        return Limit(f"{request.beside} leaves of a segment, and a spine has {down} ports down", 0)
    in_pod = _pod_size(request, len(segments), down)
    most = radix * (down // request.beside) * request.beside * full
    spines = request.spines or _divisor(uplinks, ceil(in_pod * request.beside * uplinks / down))
    pods = ceil(len(segments) / in_pod)
    if pods > radix:
        return Limit(f"{pods} pods, and a core has {radix} ports: one a pod at least", most)
    if spines is None or spines > uplinks or in_pod * request.beside * (uplinks // spines) > down:
        return Limit(
            f"{in_pod * request.beside} leaves a pod with {uplinks} uplinks each, and a spine has "
            f"{down} ports down",
            most,
        )
    per_pair = uplinks // spines
    segments = _in_whole_shares(segments, spines, per_pair)
    return _with_cores(request, segments, full, (spines, per_pair, in_pod), down)


def _pod_size(request: ClosRequest, segments: int, down: int) -> int:
    """Segments of a pod: as given, else as many as a spine's ports down allow."""
    if request.pods:
        return ceil(segments / request.pods)
    return max(1, min(segments, down // request.beside))


def _with_cores(
    request: ClosRequest, segments: tuple[Segment, ...], full: int,
    shape: tuple[int, int, int], down: int,
) -> Clos | Limit:  # fmt: skip
    spines, per_pair, in_pod = shape
    spine, ratio = request.spine, request.spine_ratio
    radix = request.core.most(0, None)
    ranges = [
        range(first, min(first + in_pod, len(segments)))
        for first in range(0, len(segments), in_pod)
    ]
    most = spine.needed_uplinks((down,), ratio)
    wanted = []
    for each in ranges:
        links = (len(each) * request.beside * per_pair,)
        needed = max(spine.needed_uplinks(links, Fraction(1)), spine.needed_uplinks(links, ratio))
        wanted.append(min(needed, most))
    cores = request.cores or ceil(spines * sum(wanted) / radix)
    if cores > spines * max(wanted):
        return Limit(
            f"{cores} cores, and a pod has {spines * max(wanted)} uplinks: one a core at least", 0
        )
    if ceil(spines * sum(wanted) / cores) > radix:
        return Limit(
            f"{spines * sum(wanted)} links to {cores} cores of {radix} ports",
            cores * radix * full // max(1, per_pair * spines),
        )
    group = _core_group(cores, spines, wanted, radix)
    if group:
        wanted = [ceil(each / group) * group for each in wanted]
    pods = tuple(Pod(each, up) for each, up in zip(ranges, wanted, strict=True))
    return Clos(
        3, request.beside, segments, full, per_pair * spines, spines, per_pair, pods, in_pod,
        max(wanted), cores, group, spine_minimum=spines,
    )  # fmt: skip


def _core_group(cores: int, spines: int, uplinks: Sequence[int], radix: int) -> int | None:
    """Cores a spine meets where they split evenly over the spines of a pod, else None."""
    group, rest = divmod(cores, spines)
    if rest or max(uplinks) % group:
        return None
    legs = sum(ceil(each / group) for each in uplinks)
    return group if legs <= radix else None


def _in_whole_shares(
    segments: tuple[Segment, ...], spines: int, per_pair: int
) -> tuple[Segment, ...]:
    """Uplinks of each leaf as a whole number to each spine."""
    shares = (min(per_pair, ceil(each.uplinks / spines)) for each in segments)
    return tuple(
        Segment(each.first, each.kinds, share * spines)
        for each, share in zip(segments, shares, strict=True)
    )


def _divisor(number: int, least: int) -> int | None:
    """The smallest divisor of `number` that is at least `least`, None where there is none."""
    return next((n for n in range(max(1, least), number + 1) if number % n == 0), None)
