"""The smallest Clos that carries a request, or the limit it hits.

Two tiers: each leaf has the same whole number of links to each spine. Three tiers: pods of
leaves and spines, and cores above all pods. The arithmetic is that of folded Clos networks: one
switch k, two tiers k^2/2, three k^3/4 NICs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import ceil

from nettool.plan.design.clos import Clos, ClosRequest, Limit, Pod, Segment


def solve(request: ClosRequest) -> Clos | Limit:
    """The smallest Clos of the allowed tiers that carries the request, or the limit it hits."""
    asks_for_more = bool(request.segments or request.spines) and max(request.tiers) > 1
    if 1 in request.tiers and not asks_for_more:
        single = _one_switch(request)
        if isinstance(single, Clos) or max(request.tiers) == 1:
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
    if not segments:
        return Limit("a node with one of these NICs does not fit on an empty leaf", 0)
    if request.segments and len(segments) > request.segments:
        return Limit(
            f"{request.count} nodes need {len(segments) * request.beside} leaves, "
            f"{request.segments * request.beside} are given",
            request.segments * request.beside * full,
            "raise `leaves`, or leave it out",
        )
    two = _two_tiers(request, segments, full) if 2 in request.tiers else None
    if two and (isinstance(two, Clos) or two.hint or max(request.tiers) == 2):
        return two
    return _three_tiers(request, segments, full)


def _has_room(request: ClosRequest, segment: Segment) -> bool:
    return request.leaf.fits(request.counts(segment.kinds, request.on_leaf), segment.uplinks)


def _one_switch(request: ClosRequest) -> Clos | Limit:
    """The whole request on one leaf, rails side by side."""
    width = request.on_leaf * request.beside
    counts = request.counts(request.nodes, width)
    most = request.leaf.most(0, None)
    if request.leaf.fits(counts, 0):
        return Clos(1, 1, (Segment(0, request.nodes, 0),), most)
    return Limit(
        f"one switch has {most} ports of this speed, {request.ports} are needed",
        most // width * width,
    )


def _full_leaf(request: ClosRequest) -> int:
    """NIC ports of a full leaf, whole nodes only where a node has several on it."""
    most = request.leaf.most(0, request.ratio)
    return most // request.on_leaf * request.on_leaf


def _fill(request: ClosRequest, full: int, step: int) -> tuple[Segment, ...]:
    """Nodes onto segments in order, each as full as ports and ratio allow.

    Room is kept for uplinks in multiples of `step`. With a fixed number of segments nodes are
    shared out evenly instead. Empty where a node does not fit on an empty leaf.
    """
    most = ceil(request.count / request.segments) if request.segments else request.count
    room = _Room(request, step)
    segments: list[Segment] = []
    runs: list[tuple[int, int]] = []
    first = number = 0
    for kind, count in request.nodes:
        left = count
        while left:
            taken = min(left, room.more(tuple(runs), kind), most - (number - first))
            if taken <= 0:
                if not runs:
                    return ()
                segments.append(segment_of(request, full, first, tuple(runs)))
                first, runs = number, []
                continue
            runs.append((kind, taken))
            number += taken
            left -= taken
    segments.append(segment_of(request, full, first, tuple(runs)))
    return tuple(segments)


class _Room:
    """How many more nodes of a kind fit on a leaf, remembered by what it holds."""

    def __init__(self, request: ClosRequest, step: int) -> None:
        self._request = request
        self._step = step
        self._known: dict[tuple[tuple[tuple[int, int], ...], int], int] = {}

    def more(self, runs: tuple[tuple[int, int], ...], kind: int) -> int:
        """Nodes of `kind` that fit beside `runs`."""
        if (runs, kind) not in self._known:
            self._known[runs, kind] = self._most(runs, kind)
        return self._known[runs, kind]

    def _most(self, runs: tuple[tuple[int, int], ...], kind: int) -> int:
        """The largest number that fits, by halves: where it fits, every smaller one does."""
        fits, beyond = 0, 1
        while self._fits((*runs, (kind, beyond))):
            fits, beyond = beyond, beyond * 2
        while beyond - fits > 1:
            middle = (fits + beyond) // 2
            if self._fits((*runs, (kind, middle))):
                fits = middle
            else:
                beyond = middle
        return fits

    def _fits(self, runs: tuple[tuple[int, int], ...]) -> bool:
        leaf = self._request.leaf
        counts = self._request.counts(runs, self._request.on_leaf)
        needed = leaf.needed_uplinks(counts, self._request.ratio)
        return leaf.fits(counts, ceil(needed / self._step) * self._step)


def segment_of(
    request: ClosRequest, full: int, first: int, runs: tuple[tuple[int, int], ...]
) -> Segment:
    """A filled segment with its uplinks: as many as its NICs could fill, up to a full leaf's."""
    leaf, ratio = request.leaf, request.ratio
    counts = request.counts(runs, request.on_leaf)
    needed = leaf.needed_uplinks(counts, ratio)
    limit = max(_uplinks_of_full(request, full), needed)
    uplinks = min(max(leaf.needed_uplinks(counts, Fraction(1)), needed), limit)
    return Segment(first, runs, uplinks if leaf.fits(counts, uplinks) else needed)


def _uplinks_of_full(request: ClosRequest, full: int) -> int:
    """Uplinks of a leaf that is full of the first kind of NIC."""
    counts = request.counts(((0, full),), 1)
    return request.leaf.needed_uplinks(counts, request.ratio)


def _two_tiers(request: ClosRequest, segments: tuple[Segment, ...], full: int) -> Clos | Limit:
    leaves = len(segments) * request.beside
    radix = request.spine.most(0, None)
    if leaves > radix:
        return Limit(
            f"{leaves} leaves, and a spine of two tiers has {radix} ports: one a leaf at least",
            radix // request.beside * request.beside * full,
        )
    found = _shares(request, segments, full, leaves, radix)
    if isinstance(found, Limit):
        return found
    spines, per_pair = found
    least = ceil(leaves * max(each.uplinks for each in segments) / radix)
    segments = in_whole_shares(segments, spines, per_pair)
    pod = Pod(range(len(segments)), 0)
    return Clos(
        2, request.beside, segments, full, per_pair * spines, spines, per_pair, (pod,),
        spine_minimum=least,
    )  # fmt: skip


def _shares(
    request: ClosRequest, segments: tuple[Segment, ...], full: int, leaves: int, radix: int
) -> tuple[int, int] | Limit:
    """Spines of a pod with `leaves` leaves, and links of a leaf to each of them.

    As few spines as the links need, two at least, so that one may fail. Whole shares must fit
    beside the NICs of a full leaf, so that leaves can fill up without a new cabling.
    """
    uplinks = max(each.uplinks for each in segments)
    if request.spines:
        return _given_share(request, uplinks, _uplinks_of_full(request, full), leaves, radix)
    least = min(2, uplinks)
    fitting = [
        spines
        for spines in range(least, max(uplinks, _uplinks_of_full(request, full)) + 1)
        if ceil(uplinks / spines) * leaves <= radix and _full_has_room(request, full, spines)
    ]
    for spines in fitting:
        if all(_has_room(request, _in_shares_of(each, spines)) for each in segments):
            return spines, ceil(uplinks / spines)
    if fitting:
        return fitting[0], ceil(uplinks / fitting[0])
    return Limit(f"{leaves} leaves of {uplinks} uplinks, and a spine has {radix} ports", 0)


def _given_share(
    request: ClosRequest, uplinks: int, of_full: int, leaves: int, radix: int
) -> tuple[int, int] | Limit:
    """Links to each of a given number of spines: rounded up where a full leaf has the room."""
    spines = request.spines or 1
    share = ceil(uplinks / spines)
    if share * spines > max(uplinks, of_full):
        share = uplinks // spines
    if 0 < share * leaves <= radix:
        return spines, share
    if share == 0:
        return Limit(
            f"a leaf has {uplinks} uplinks, {spines} spines are given: one link to each at least",
            0,
            f"give at most {uplinks} in {_spines_key(request)}, or leave it out",
        )
    return Limit(
        f"{leaves} leaves of {uplinks} uplinks need {ceil(leaves * uplinks / radix)} spines or "
        f"more with {radix} ports down, given: {spines}",
        0,
        f"raise {_spines_key(request)}, or leave it out",
    )


def _spines_key(request: ClosRequest) -> str:
    """The key of the fabric file that fixes the number of spines."""
    return "`options.spines_per_pod`" if request.tiers == (3,) else "`spines`"


def _full_has_room(request: ClosRequest, full: int, spines: int) -> bool:
    whole = ((0, full // request.on_leaf),)
    return _has_room(
        request, _in_shares_of(Segment(0, whole, _uplinks_of_full(request, full)), spines)
    )


def _in_shares_of(segment: Segment, spines: int) -> Segment:
    return replace(segment, uplinks=ceil(segment.uplinks / spines) * spines)


def _three_tiers(request: ClosRequest, segments: tuple[Segment, ...], full: int) -> Clos | Limit:
    down = request.spine.most(0, request.spine_ratio)
    radix = request.core.most(0, None)
    if request.beside > down:
        return Limit(f"{request.beside} leaves of a segment, and a spine has {down} ports down", 0)
    if request.pods and request.pods > len(segments):
        return Limit(
            f"{len(segments)} segments of {request.beside} leaves, and {request.pods} pods are "
            "given: one segment a pod at least",
            0,
            f"give `leaves: {request.pods * request.beside}` or more, so that each pod has some; "
            f"or at most {len(segments)} in `options.pods`",
        )
    pods = _pod_ranges(request, len(segments), down)
    if len(pods) > radix:
        return Limit(
            f"{len(pods)} pods, and a core has {radix} ports: one a pod at least",
            radix * (down // request.beside) * request.beside * full,
        )
    found = _shares(request, segments, full, len(pods[0]) * request.beside, down)
    if isinstance(found, Limit):
        return found
    spines, per_pair = found
    segments = in_whole_shares(segments, spines, per_pair)
    return _with_cores(request, segments, full, (spines, per_pair, pods), down)


def _pod_ranges(request: ClosRequest, segments: int, down: int) -> list[range]:
    """Segments of each pod: shared out over a given number, else as many as a spine can take."""
    if request.pods:
        each, more = divmod(segments, request.pods)
        sizes = [each + 1] * more + [each] * (request.pods - more)
    else:
        each = max(1, down // request.beside)
        sizes = [each] * (segments // each) + ([segments % each] if segments % each else [])
    ends = list(accumulate(sizes))
    return [range(end - size, end) for end, size in zip(ends, sizes, strict=True)]


def _with_cores(
    request: ClosRequest, segments: tuple[Segment, ...], full: int,
    shape: tuple[int, int, list[range]], down: int,
) -> Clos | Limit:  # fmt: skip
    spines, per_pair, ranges = shape
    spine, ratio = request.spine, request.spine_ratio
    radix = request.core.most(0, None)
    most = spine.needed_uplinks((down,), ratio)
    wanted = []
    for each in ranges:
        below = (sum(segments[n].uplinks for n in each) * request.beside // spines,)
        needed = max(spine.needed_uplinks(below, Fraction(1)), spine.needed_uplinks(below, ratio))
        wanted.append(min(needed, most))
    links, of_pod = spines * sum(wanted), spines * max(wanted)
    cores = request.cores or max(min(2, of_pod), ceil(links / radix))
    if cores > of_pod:
        return Limit(
            f"{cores} cores, and a pod has {of_pod} uplinks: one a core at least",
            0,
            f"give at most {of_pod} in `options.cores`, or leave it out",
        )
    if ceil(links / cores) > radix:
        return Limit(
            f"{links} links to cores need {ceil(links / radix)} cores of {radix} ports, given: "
            f"{cores}",
            0,
            f"give {ceil(links / radix)} or more in `options.cores`, or leave it out",
        )
    group = core_group(cores, spines, wanted, radix)
    if group:
        wanted = [ceil(each / group) * group for each in wanted]
    pods = tuple(Pod(each, up) for each, up in zip(ranges, wanted, strict=True))
    return Clos(
        3, request.beside, segments, full, per_pair * spines, spines, per_pair, pods,
        max(wanted), cores, group, spine_minimum=spines,
    )  # fmt: skip


def core_group(cores: int, spines: int, uplinks: Sequence[int], radix: int) -> int | None:
    """Cores a spine meets where they split evenly over the spines of a pod, else None."""
    group, rest = divmod(cores, spines)
    if rest or max(uplinks) % group:
        return None
    legs = sum(ceil(each / group) for each in uplinks)
    return group if legs <= radix else None


def in_whole_shares(
    segments: tuple[Segment, ...], spines: int, per_pair: int
) -> tuple[Segment, ...]:
    """Uplinks of each leaf as a whole number to each spine."""
    shares = (min(per_pair, ceil(each.uplinks / spines)) for each in segments)
    return tuple(
        Segment(each.first, each.kinds, share * spines)
        for each, share in zip(segments, shares, strict=True)
    )
