"""The counted placement against every rank and every edge, on random layouts up to 512 GPUs.

The brute force below is written from the definitions alone: coordinates of each rank, lists of
edges, a walk over each. It shares no code with the placement but the flows' bytes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from math import ceil, prod

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from nettool.plan.demand.flows import training_flows
from nettool.plan.demand.layout import job_groups
from nettool.plan.demand.model import ModelSpec
from nettool.plan.demand.options import JobOptions
from nettool.plan.demand.shape import Shape
from nettool.plan.placement.census import census
from nettool.plan.placement.locality import Locality

DEGREES = {"tp": (1, 2, 4, 8, 16), "cp": (1, 2, 3, 4), "dp": (1, 2, 3, 4, 6, 8), "pp": (1, 2, 4, 5)}
REDUCING = (
    "ring", "flat-ring", "hierarchical", "tree", "halving-doubling", "recursive-doubling",
    "in-network",
)  # fmt: skip


@st.composite
def layouts(draw):
    """A job that fits 512 GPUs, the ground it stands on, its nodes, and whether PXN relays."""
    degrees = {name: draw(st.sampled_from(sizes)) for name, sizes in DEGREES.items()}
    assume(1 < prod(degrees.values()) <= 512)
    order = draw(st.permutations(["tp", "cp", "ep", "dp", "pp"]))
    pool = degrees["dp"] * degrees["cp"]
    ep = draw(st.sampled_from([each for each in (1, 2, 3, 4, 6, 8, 12) if pool % each == 0]))
    algorithms = {}
    for name, size in (("tp", degrees["tp"]), ("dp", degrees["dp"] * degrees["cp"])):
        legal = [x for x in REDUCING if "doubling" not in x or size.bit_count() == 1]
        algorithms[name] = draw(st.sampled_from(legal))
    options = JobOptions(order="-".join(order), algorithms=algorithms, dp_mode="ddp")
    model = ModelSpec(
        layers=draw(st.integers(8, 13)), hidden=draw(st.sampled_from((60, 64, 100))),
        heads=16, kv_heads=4, experts=12 * 8 if ep > 1 else 0, top_k=4 if ep > 1 else 0,
        max_nodes=draw(st.sampled_from((None, 1, 3))), vocabulary=1000,
        architecture=draw(st.sampled_from(("llama", "gpt"))),
    )  # fmt: skip
    shape = Shape(
        model, **degrees, ep=ep, vpp=draw(st.sampled_from((1, 2))), sequence=24,
        batch=degrees["dp"] * draw(st.integers(1, 3)), options=options,
    )  # fmt: skip
    gpus_per_node = draw(st.sampled_from((1, 2, 4, 8)))
    used = ceil(shape.gpus / gpus_per_node)
    nodes = used + draw(st.integers(0, 3))
    places = draw(st.permutations(range(nodes))) if draw(st.booleans()) else range(nodes)
    ground = locality(draw, nodes, gpus_per_node)
    return shape, ground, list(places)[:used], draw(st.booleans())


def locality(draw, nodes, gpus):
    """Rails with a leaf a segment and rail, or whole nodes on a leaf; pods of some segments."""
    per_leaf = draw(st.integers(1, 9))
    segments = ceil(nodes / per_leaf)
    by_rail = draw(st.booleans())
    wide = gpus if by_rail else 1
    pod_size = draw(st.sampled_from((0, 1, 2)))
    leaves = segments * wide
    return Locality(
        network="compute", gpus_per_node=gpus, segment=[n // per_leaf for n in range(nodes)],
        leaf=[tuple(s * wide + r * by_rail for r in range(gpus)) for s in range(segments)],
        rail=tuple(range(1, gpus + 1)) if by_rail else (0,) * gpus,
        pod=[(n // wide // pod_size + 1) if pod_size else 0 for n in range(leaves)],
        names=[str(n) for n in range(leaves)],
    )  # fmt: skip


class Brute:
    """Every rank with its coordinates and its place."""

    def __init__(self, shape, ground, nodes):
        self.shape, self.ground = shape, ground
        self.order = [str(each) for each in shape.options.order]
        self.sizes = {"tp": shape.tp, "cp": shape.cp, "dp": shape.dp, "pp": shape.pp}
        size = ground.gpus_per_node
        self.at = {r: (nodes[r // size], r % size) for r in range(shape.gpus)}
        self.coordinates = {r: self._coordinates(r) for r in range(shape.gpus)}

    def _coordinates(self, rank):
        found = {}
        for name in self.order:
            if name != "ep":
                rank, found[name] = divmod(rank, self.sizes[name])
        return found

    def groups(self, flow):
        """The groups of a flow as lists of ranks in order."""
        made = defaultdict(list)
        for rank in range(self.shape.gpus):
            key, place = self._key(flow, self.coordinates[rank])
            made[key].append((place, rank))
        return [[rank for _, rank in sorted(each)] for each in made.values()]

    def _key(self, flow, c):
        data = [name for name in self.order if name in ("cp", "dp")]
        index = c[data[0]] + self.sizes[data[0]] * c[data[1]]
        if flow.name == "gradients":
            return (c["tp"], c["pp"]), index
        if flow.name in ("tokens", "expert gradients"):
            whole, part = self._expert(index)
            mine, other = (part, whole) if flow.name == "tokens" else (whole, part)
            return (c["tp"], c["pp"], other), mine
        name = str(flow.dimension)
        return tuple(sorted((k, v) for k, v in c.items() if k != name)), c[name]

    def _expert(self, index):
        """Replica and expert coordinate; ep is the inner factor, or the outer if after dp."""
        ep, pool = self.shape.ep, self.shape.replicas
        if self.order.index("ep") > self.order.index("dp"):
            part, whole = divmod(index, pool // ep)
        else:
            whole, part = divmod(index, ep)
        return whole, part

    def edges(self, flow):
        """Every (from rank, to rank, bytes) of a flow between GPUs."""
        for group in self.groups(flow):
            yield from self._of_group(flow, group)

    def _of_group(self, flow, group):
        sent, count = int(flow.bytes_per_gpu), len(group)
        if flow.pattern == "all-to-all":
            each = sent // (count - 1)
            return [(a, b, each) for a in group for b in group if a != b]
        if flow.pattern == "pairwise":
            return self._pipeline(flow, group)
        if flow.name == "tied embeddings":
            return [(group[0], group[-1], sent), (group[-1], group[0], sent)]
        forms = {
            "tree": self._trees,
            "recursive-doubling": self._recursive,
            "halving-doubling": self._halving,
        }
        if flow.algorithm in forms:
            return forms[flow.algorithm](group, sent)
        return self._rings(flow, group, sent)

    def _trees(self, group, sent):
        half = ceil(Fraction(sent * len(group), 4 * (len(group) - 1)))
        return [e for a, b in trees(group) for e in ((a, b, half), (b, a, half))]

    def _recursive(self, group, sent):
        steps = len(group).bit_length() - 1
        each = sent // steps
        return [(x, group[k ^ 2**s], each) for s in range(steps) for k, x in enumerate(group)]

    def _pipeline(self, flow, group):
        hops, v = Counter(), self.shape.vpp
        for stage in range(len(group) * v - 1):
            a, b = group[stage % len(group)], group[(stage + 1) % len(group)]
            hops[a, b] += 1
            hops[b, a] += 1
        each = int(flow.message) * self.shape.microbatches
        return [(a, b, count * each) for (a, b), count in hops.items()]

    def _halving(self, group, sent):
        count = len(group)
        whole = Fraction(sent * count, count - 1)
        parts = {2**s: ceil(whole / 2 ** (s + 1)) for s in range(1, count.bit_length() - 1)}
        parts[1] = sent - sum(parts.values())
        return [(group[k], group[k ^ d], size) for d, size in parts.items() for k in range(count)]

    def _rings(self, flow, group, sent):
        by_node = defaultdict(list)
        for rank in group:
            by_node[self.at[rank][0]].append(rank)
        rows = list(by_node.values())
        even = len({len(row) for row in rows}) == 1 and len(rows) > 1 and len(rows[0]) > 1
        if flow.algorithm == "flat-ring" or not even:
            return ring(group, sent)
        outside = ceil(Fraction(sent * (len(rows) - 1), len(group) - 1))
        inner = [e for row in rows for e in ring(row, sent - outside)]
        columns = list(zip(*rows, strict=True))
        return inner + [e for column in columns for e in ring(column, outside)]


def ring(ranks, sent):
    return [(a, b, sent) for a, b in zip(ranks, [*ranks[1:], ranks[0]], strict=True)]


def trees(group):
    """Child and parent in the in-order tree of the group, and in that of its mirror image."""
    for members in (group, group[::-1]):
        for k in range(1, len(members)):
            low = next(bit for bit in range(20) if k >> bit & 1)
            up = k - 2**low | 2 ** (low + 1)
            yield members[k], members[up if up < len(members) else k - 2**low]


def walk(brute, flow, *, pxn):
    """Bytes by class, bytes into and above each leaf, NICs that climb, bytes relayed."""
    ground = brute.ground
    kinds, out, up, climbers, relayed = Counter(), Counter(), Counter(), defaultdict(set), 0
    for source, target, sent in brute.edges(flow):
        (a, i), (b, j) = brute.at[source], brute.at[target]
        outside = sent
        if flow.pattern == "all-to-all" and a != b:
            outside = ceil(sent * Fraction(*flow.node_limit))
            kinds["scale-up"] += sent - outside
        if a == b:
            kinds["scale-up"] += sent
            continue
        first, last = ground.leaf[ground.segment[a]][i], ground.leaf[ground.segment[b]][j]
        hops = ground.rail[i] != ground.rail[j] and first != last
        if hops and pxn and flow.pattern in ("all-to-all", "pairwise"):
            first, hops = ground.leaf[ground.segment[a]][j], False
            relayed += outside
        far = ground.pod[first] != ground.pod[last]
        near = "cross-rail" if hops else "leaf-spine"
        kind = "leaf-local" if first == last else "core" if far else near
        kinds[kind] += outside
        out[first] += outside
        if first != last:
            up[first] += outside
            climbers[first].add(source)
    return kinds, out, up, {leaf: len(each) for leaf, each in climbers.items()}, relayed


def aggregate(brute, flow):
    """In-network: each member to its leaf, one sum a leaf and group further up."""
    ground, kinds, up = brute.ground, Counter(), Counter()
    for group in brute.groups(flow):
        leaves = [ground.leaf[ground.segment[n]][g] for n, g in (brute.at[r] for r in group)]
        pods = {ground.pod[leaf] for leaf in leaves}
        sent = int(flow.bytes_per_gpu)
        if len({brute.at[rank][0] for rank in group}) == 1:
            kinds["scale-up"] += sent * len(group)
            continue
        wide = len(set(leaves)) if len(set(leaves)) > 1 else 0
        kinds["core" if len(pods) > 1 else "leaf-spine"] += sent * wide
        kinds["leaf-local"] += sent * (len(group) - wide)
        for leaf in set(leaves) if wide else ():
            up[leaf] += sent
    return kinds, up


def positive(counts):
    return {key: value for key, value in counts.items() if value}


@settings(
    max_examples=150, deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)  # fmt: skip
@given(layouts())
def test_every_edge_is_counted_once(layout):
    """By class, leaf and rail the counted placement equals the walk over all edges, exactly."""
    shape, ground, nodes, pxn = layout
    groups = job_groups(shape)
    assume(groups is not None)
    brute = Brute(shape, ground, nodes)
    for flow in training_flows(shape, groups, ()):
        tally = census(flow, shape.gpus, nodes, ground, pxn=pxn)
        counted = {str(kind): sent for kind, sent in tally.edges.items() if sent}
        if flow.algorithm == "in-network":
            kinds, up = aggregate(brute, flow)
            assert (counted, positive(tally.up)) == (positive(kinds), positive(up)), flow
        else:
            kinds, out, up, climbers, relayed = walk(brute, flow, pxn=pxn)
            assert counted == positive(kinds), flow
            assert positive(tally.out) == positive(out), flow
            assert positive(tally.up) == positive(up), flow
            assert tally.relayed == relayed, flow
            if flow.pattern != "all-to-all" and not relayed:
                assert positive(tally.climbers) == climbers, flow
        assert sum(counted.values()) == flow.group_bytes * shape.gpus // flow.members, flow
