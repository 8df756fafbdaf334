"""Every edge of a flow, counted by class and leaf without listing the ranks.

Bundles of groups that have the same form and stand on the same segments are alike: they are
counted together and walked once. The work grows with nodes and dimensions, not with pairs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from nettool.plan.demand.demand import Flow
from nettool.plan.placement.form import Form, Pair, bundles, form_of, lanes_of
from nettool.plan.placement.locality import Locality
from nettool.plan.placement.path import EdgeClass, Path, Paths

_RELAYED_PATTERNS = ("pairwise", "all-to-all")


def _counts() -> defaultdict[int, int]:
    return defaultdict(int)


@dataclass(slots=True)
class Tally:
    """What one flow puts on the network in one iteration.

    `edges` bytes by class; by leaf: `out` bytes that enter it from NICs, `up` bytes that leave
    it upwards, `senders` NICs that send, `climbers` NICs that send upwards, `climbs` edges that
    go up; the same by pod towards the core.
    """

    edges: defaultdict[EdgeClass, int] = field(default_factory=lambda: defaultdict(int))
    out: defaultdict[int, int] = field(default_factory=_counts)
    up: defaultdict[int, int] = field(default_factory=_counts)
    senders: defaultdict[int, int] = field(default_factory=_counts)
    climbers: defaultdict[int, int] = field(default_factory=_counts)
    climbs: defaultdict[int, int] = field(default_factory=_counts)
    core: defaultdict[int, int] = field(default_factory=_counts)
    core_climbers: defaultdict[int, int] = field(default_factory=_counts)
    core_climbs: defaultdict[int, int] = field(default_factory=_counts)
    relayed: int = 0
    unreachable: int = 0
    incast: int = 0


def census(flow: Flow, gpus: int, nodes: Sequence[int], ground: Locality, *, pxn: bool) -> Tally:
    """The tally of one flow of a job whose ranks fill `nodes` in order."""
    size = ground.gpus_per_node
    lanes = lanes_of(flow.group, size)
    segments = [ground.segment[node] for node in nodes]
    forms: dict[int, Form] = {}
    where: dict[int, tuple[int, ...]] = {}
    alike: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for first in bundles(flow, gpus, lanes):
        node, start = divmod(first, size)
        form = forms.get(start)
        if form is None:
            form = forms[start] = form_of(flow, start, size)
            where[start] = form.nodes
        alike[start, tuple([segments[node + each] for each in where[start]])] += 1
    tally = Tally()
    paths = Paths(ground, relays=pxn and flow.pattern in _RELAYED_PATTERNS)
    walker = _Walker(tally, paths, ground, flow)
    for (start, places), count in alike.items():
        walker.walk(forms[start], dict(zip(where[start], places, strict=True)), lanes, count)
    return tally


class _Walker:
    """Walks the edges of a form once for all bundles that are alike."""

    def __init__(self, tally: Tally, paths: Paths, ground: Locality, flow: Flow) -> None:
        self._tally = tally
        self._paths = paths
        self._ground = ground
        self._flow = flow
        self._weight = 1

    def walk(self, form: Form, places: dict[int, int], lanes: int, count: int) -> None:
        """Add `count` bundles of `lanes` groups each; `places` the segments of their nodes."""
        self._weight = count
        for lane in range(lanes):
            if form.mesh:
                self._mesh(form, places, lane)
            elif form.aggregated:
                self._aggregate(form, places, lane)
            else:
                self._links(form, places, lane)

    def _links(self, form: Form, places: dict[int, int], lane: int) -> None:
        sources: dict[Pair, bool] = {}
        entering: dict[Pair, set[Pair]] = defaultdict(set)
        origin: dict[Pair, Path] = {}
        for (a, i), (b, j), sent in form.links:
            if a == b:
                self._tally.edges[EdgeClass.SCALE_UP] += sent * self._weight
                continue
            path = self._paths.between(places[a], i + lane, places[b], j + lane)
            self._send(path, sent, 1)
            climbs = path.leaf != path.last
            sources[a, i] = sources.get((a, i), False) or climbs
            if climbs or (a, i) not in origin:
                origin[a, i] = path
            entering[b, j].add((a, i))
        for source, climbs in sources.items():
            self._sender(origin[source], climbs=climbs)
        most = max((len(each) for each in entering.values()), default=0)
        in_steps = "doubling" in self._flow.algorithm
        self._tally.incast = max(self._tally.incast, min(most, 1) if in_steps else most)

    def _send(self, path: Path, sent: int, edges: int) -> None:
        tally, total = self._tally, sent * self._weight
        tally.edges[path.kind] += total
        tally.out[path.leaf] += total
        if path.relayed:
            tally.relayed += total
        if not path.reachable:
            tally.unreachable += total
        if path.leaf != path.last:
            tally.up[path.leaf] += total
            tally.climbs[path.leaf] += edges * self._weight
        if path.kind is EdgeClass.CORE:
            pod = self._ground.pod[path.leaf]
            tally.core[pod] += total
            tally.core_climbs[pod] += edges * self._weight

    def _sender(self, path: Path, *, climbs: bool) -> None:
        tally = self._tally
        tally.senders[path.leaf] += self._weight
        if climbs:
            tally.climbers[path.leaf] += self._weight
        if path.kind is EdgeClass.CORE:
            tally.core_climbers[self._ground.pod[path.leaf]] += self._weight

    def _mesh(self, form: Form, places: dict[int, int], lane: int) -> None:
        """All-to-all by counting members alike: (segment, local index), less those of a node."""
        by_place: Counter[Pair] = Counter()
        by_node: dict[int, list[int]] = defaultdict(list)
        for node, local in form.members:
            by_place[places[node], local + lane] += 1
            by_node[node].append(local + lane)
        inside: Counter[tuple[int, int, int]] = Counter()
        for node, locals_ in by_node.items():
            for i in locals_:
                for j in locals_:
                    inside[places[node], i, j] += 1
        pairs_inside = sum(len(each) * (len(each) - 1) for each in by_node.values())
        self._tally.edges[EdgeClass.SCALE_UP] += form.mesh * pairs_inside * self._weight
        crossing, copies = self._flow.node_limit
        outside = -(-form.mesh * crossing // copies)
        for (a, i), (b, j), pairs in _pairs(by_place, inside):
            path = self._paths.between(a, i, b, j)
            self._send(path, outside * pairs, pairs)
            self._tally.edges[EdgeClass.SCALE_UP] += (form.mesh - outside) * pairs * self._weight
        if len(by_node) > 1:
            self._mesh_senders(by_place, by_node)

    def _mesh_senders(self, by_place: Counter[Pair], by_node: dict[int, list[int]]) -> None:
        for (segment, local), count in by_place.items():
            self._tally.senders[self._ground.leaf[segment][local]] += count * self._weight
        members = sum(map(len, by_node.values()))
        fewest = min(map(len, by_node.values()))
        entering = len(by_node) - 1 if self._paths.relays else members - fewest
        self._tally.incast = max(self._tally.incast, entering)

    def _aggregate(self, form: Form, places: dict[int, int], lane: int) -> None:
        """Each member sends to its leaf, which sends one sum up where the group is wider."""
        leaves: set[int] = set()
        wide = {self._ground.leaf[places[node]][local + lane] for node, local in form.members}
        one_node = len(form.nodes) == 1
        for (node, local), _, sent in form.links:
            leaf = self._ground.leaf[places[node]][local + lane]
            if one_node:
                self._tally.edges[EdgeClass.SCALE_UP] += sent * self._weight
                continue
            climbs = len(wide) > 1 and leaf not in leaves
            leaves.add(leaf)
            path = self._sum_path(leaf, wide) if climbs else Path(EdgeClass.LEAF_LOCAL, leaf, leaf)
            self._send(path, sent, 1)
            self._sender(path, climbs=climbs)

    def _sum_path(self, leaf: int, wide: set[int]) -> Path:
        pods = {self._ground.pod[each] for each in wide}
        kind = EdgeClass.CORE if len(pods) > 1 else EdgeClass.LEAF_SPINE
        other = next(each for each in sorted(wide) if each != leaf)
        return Path(kind, leaf, other, reachable=self._ground.joined(leaf, other))


def _pairs(
    by_place: Counter[Pair], inside: Counter[tuple[int, int, int]]
) -> Iterator[tuple[Pair, Pair, int]]:
    """Ordered pairs of members in different nodes, by where they stand."""
    for a, here in by_place.items():
        for b, there in by_place.items():
            same = inside[a[0], a[1], b[1]] if a[0] == b[0] else 0
            if here * there > same:
                yield a, b, here * there - same
