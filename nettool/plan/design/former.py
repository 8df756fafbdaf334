"""A network as its lock knows it: the counts before the change, on the switches of today."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, groupby, islice, repeat
from math import ceil

from nettool.plan.design.clos import Clos, ClosRequest, Pod, Segment
from nettool.plan.design.counting import request_for
from nettool.plan.design.drafts import upper_ports
from nettool.plan.design.legs import pods_of
from nettool.plan.design.lock import Lock, Outline
from nettool.plan.design.network import Network
from nettool.plan.design.solve import core_group, in_whole_shares, segment_of
from nettool.plan.design.topology import Block, rails_of


def former_network(network: Network, past: Lock) -> Network | None:
    """The network of the lock's last generation; None where today's switches cannot be it.

    Locks of older releases do not tell how full the last segment was: then it has what is left.
    """
    outline = past.last(network.name)
    if outline is None:
        return None
    older, outline = outline, outline.told_by(network.outline)
    blocks = tuple(_blocks(outline, network.blocks[0]))
    kinds = list(islice(_kinds(network), outline.nodes))
    runs = _runs(kinds)
    hardware = replace(network.hardware, runs=runs)
    spine_ratio = network.intent.spine_oversubscription
    request = request_for(blocks[0], hardware, network.ratio, spine_ratio)
    clos = _clos(outline, request, kinds, older.room)
    if clos is None:
        return None
    subnets = network.intent.subnets.model_copy(update={"prefix_length": outline.prefix_length})
    former = replace(
        network,
        intent=network.intent.model_copy(update={"subnets": subnets}),
        hardware=hardware,
        blocks=blocks,
        closes=(clos,) * len(blocks),
        nodes=outline.nodes,
        locked_room=older.room,
    )
    return former if _stands(former) else None


def _blocks(outline: Outline, now: Block) -> Iterator[Block]:
    """The Clos blocks of then: planes of all rails, one for each rail, or one for all."""
    by_rail = outline.lanes > 1 or outline.subnets > 1 or (now.by_rail and not outline.rails)
    shared = outline.rails or len(now.rails)
    rails = max(outline.lanes, outline.subnets) if by_rail else shared
    for number in range(1, outline.blocks + 1):
        if outline.blocks > 1 and now.plane is None:
            yield Block((number,), by_rail, now.tiers)
        else:
            plane = number if outline.blocks > 1 else None
            yield Block(rails_of(rails), by_rail, now.tiers, plane=plane)


def _kinds(network: Network) -> Iterator[int]:
    """The kind of NIC of every node; nodes that are gone had the network's own."""
    for kind, count in network.hardware.runs:
        yield from repeat(kind, count)
    yield from repeat(0)


def _runs(kinds: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple((kind, len(list(same))) for kind, same in groupby(kinds))


def _clos(outline: Outline, request: ClosRequest, kinds: Sequence[int], room: int) -> Clos | None:
    """The counts of then; `room` is what the lock itself tells of it."""
    tiers = 3 if outline.cores else 2 if outline.spines else 1
    width = request.on_leaf if tiers > 1 else request.on_leaf * request.beside
    full = _full_leaf(room, request, tiers)
    segments = tuple(_segments(outline, request, kinds, full))
    if sum(each.count for each in segments) != outline.nodes or not all(
        request.leaf.fits(request.counts(each.kinds, width), each.uplinks) for each in segments
    ):
        return None
    if len(request.leaf.down) == 1 and max(each.count for each in segments) * width > full:
        return None
    if tiers == 1:
        return Clos(1, 1, segments, full)
    pods = tuple(Pod(each, uplinks) for each, uplinks in pods_of(outline))
    group = None
    if tiers == 3:
        wanted = [each.spine_uplinks for each in pods]
        group = core_group(outline.cores, outline.spines, wanted, request.core.most(0, None))
    per_pair = outline.uplinks // outline.spines
    return Clos(
        tiers, outline.lanes, segments, full, outline.uplinks, outline.spines, per_pair, pods,
        outline.spine_uplinks, outline.cores, group, spine_minimum=outline.spines,
    )  # fmt: skip


def _full_leaf(room: int, request: ClosRequest, tiers: int) -> int:
    """NIC ports of a full leaf beside the room for uplinks that the lock tells."""
    leaf = request.leaf
    if tiers == 1:
        return leaf.most(0, None)
    most = leaf.most(0, request.ratio)
    if room:
        most = leaf.down[0].ports
        while most and not leaf.fits(request.counts(((0, most),), 1), room):
            most -= 1
    return most // request.on_leaf * request.on_leaf


def _segments(
    outline: Outline, request: ClosRequest, kinds: Sequence[int], full: int
) -> Iterator[Segment]:
    """The segments that the lock tells, with the nodes and uplinks of each."""
    if outline.fill:
        sizes = [(nodes, up) for number, nodes, up in outline.fill for _ in range(number)]
    else:
        last = outline.nodes - outline.per_segment * (outline.segments - 1)
        counts = [outline.per_segment] * (outline.segments - 1) + [last]
        sizes = [(each, outline.uplinks) for each in counts if each > 0]
    ends = accumulate(nodes for nodes, _ in sizes)
    for end, (nodes, uplinks) in zip(ends, sizes, strict=True):
        segment = Segment(end - nodes, _runs(kinds[end - nodes : end]), uplinks)
        if not outline.fill and nodes < outline.per_segment and outline.spines:
            part = segment_of(request, full, segment.first, segment.kinds)
            per_pair = outline.uplinks // outline.spines
            segment = in_whole_shares((part,), outline.spines, per_pair)[0]
        yield segment


def _stands(former: Network) -> bool:
    """Whether spines and cores of today have the ports of then."""
    clos = former.closes[0]
    if clos.tiers == 1:
        return True
    down, up, core = upper_ports(former)
    pod = max(len(each.segments) for each in clos.pods) * clos.beside * clos.per_pair
    links = clos.spine_core_links
    above = clos.tiers < 3 or (clos.spine_uplinks <= up and ceil(links / clos.cores) <= core)
    return pod <= down and above
