"""Cables plugged in any order are mended by the fewest moves; what is unseen stays unknown."""

from hypothesis import given, settings
from hypothesis import strategies as st

from nettool.plan.cabling.moves import repairs
from nettool.plan.cabling.seen import check_seen
from nettool.plan.design.fabric import End

COUNT = 9


def both(pairs):
    return {**dict(pairs), **{b: a for a, b in pairs}}


def mend(seen, made):
    """The cables after the moves are done one by one, a plug in the hand where a port is full."""
    cables = dict(seen)
    for repair in made:
        for move in repair.moves:
            for kept, taken in zip(move.kept, move.taken, strict=True):
                if cables.get(taken) == kept:
                    del cables[taken]
                del cables[kept]
        for move in repair.moves:
            if move.put is not None:
                cables |= both(list(zip(move.kept, move.put, strict=True)))
    return cables


def cycles(order):
    left, count = set(range(len(order))), 0
    while left:
        at = left.pop()
        count += 1
        while order[at] in left:
            at = order[at]
            left.remove(at)
    return count


@given(order=st.permutations(range(COUNT)))
def test_permutation_is_mended_by_the_fewest_moves(order):
    nics = [End(f"node{n}", "nic1") for n in range(COUNT)]
    ports = [End("leaf01", f"Ethernet{n}") for n in range(COUNT)]
    planned = both(list(zip(nics, ports, strict=True)))
    seen = both([(nics[n], ports[order[n]]) for n in range(COUNT)])
    made = repairs(seen, planned)
    assert mend(seen, made) == planned
    assert sum(len(each.moves) for each in made) == sum(order[n] != n for n in range(COUNT))
    assert sum(each.swaps for each in made) == COUNT - cycles(order)


@given(
    ends=st.permutations(range(2 * COUNT)),
    others=st.permutations(range(2 * COUNT)),
    planned_count=st.integers(0, COUNT),
    seen_count=st.integers(0, COUNT),
)
def test_any_two_cablings_are_mended_as_far_as_cables_go(ends, others, planned_count, seen_count):
    def cabling(order, count):
        return both(
            [(End("d", str(order[2 * n])), End("d", str(order[2 * n + 1]))) for n in range(count)]
        )

    planned, seen = cabling(ends, planned_count), cabling(others, seen_count)
    made = repairs(seen, planned)
    wrong = sum(planned.get(a) != b for a, b in seen.items()) // 2
    assert sum(len(each.moves) for each in made) == wrong
    mended = mend(seen, made)
    assert mended.items() <= planned.items()
    assert len(mended) // 2 == len(seen) // 2 - sum(
        move.put is None for each in made for move in each.moves
    )


@settings(deadline=None, max_examples=15)
@given(order=st.permutations(range(8)))
def test_split_cages_move_as_one_plug(shipped_fabric, order):
    fabric = shipped_fabric("rail-optimized-256").fabric
    legs = [link for link in fabric.links if link.b.device == "leaf01"][:16]
    far = {}
    for n, cage in enumerate(order):
        for leg in (0, 1):
            nic = legs[2 * n + leg].a
            far[legs[2 * cage + leg].b.port] = (nic.device, nic.port)
    verdict = check_seen(fabric, {"leaf01": far})
    moved = [move for each in verdict.repairs for move in each.moves]
    assert len(moved) == sum(order[n] != n for n in range(8))
    assert {move.taken[0].device for move in moved} <= {"leaf01"}


@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_a_neighbour_that_is_not_seen_is_never_wrong(shipped_fabric, data):
    fabric = shipped_fabric("rail-only-128").fabric
    whole = {
        device.name: {port: (far.device, far.port) for port, far in device.neighbors.items()}
        for device in fabric.devices
    }
    kept = {
        name: {port: rows[port] for port in data.draw(st.sets(st.sampled_from(sorted(rows))))}
        for name, rows in whole.items()
    }
    verdict = check_seen(fabric, kept)
    assert verdict.repairs == ()
    assert {each.rule for each in verdict.report.findings} <= {"CAB036"}
    assert verdict.report.summary["right"] == sum(map(len, kept.values()))
