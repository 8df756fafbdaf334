"""Breakout modes: the grammar of SONiC, and the children it makes.

Expected children are those of public platform.json files in sonic-buildimage 086b03bd.
"""

from __future__ import annotations

import pytest

from nettool.core.breakout import Parent, children, fec_for, parse_mode, read_mode

MODES = [
    ("1x400G", [(1, 400_000, (), None)]),
    ("1x100000", [(1, 100_000, (), None)]),
    ("4x25G[10G]", [(4, 25_000, (10_000,), None)]),
    ("1x800G[400G,200G]", [(1, 800_000, (400_000, 200_000), None)]),
    ("1x100G(4)", [(1, 100_000, (), 4)]),
    ("2x200G[100G,50G](4)", [(2, 200_000, (100_000, 50_000), 4)]),
    ("1x400G(4)+2x200G(4)", [(1, 400_000, (), 4), (2, 200_000, (), 4)]),
    ("2x25G(2)+1x50G(2)", [(2, 25_000, (), 2), (1, 50_000, (), 2)]),
]


@pytest.mark.parametrize(("text", "terms"), MODES, ids=[each[0] for each in MODES])
def test_reads_terms(text, terms):
    mode = parse_mode(text)
    assert [(t.count, t.speed, t.alternatives, t.lanes) for t in mode.terms] == terms
    assert mode.text == text


DROPPED = [
    ("4x25G(4)[10G]", "'[10G]'", "alternatives before lanes"),
    ("1x400G[200G, 100G]", "'[200G, 100G]'", "without spaces"),
    ("2x400G ", "' '", "without spaces"),
    ("1x100G(4", "'(4'", "COUNTxSPEED"),
    ("1x100Gbps", "'bps'", "COUNTxSPEED"),
    ("2x50G(2)x+1x100G(2)y", "'x' and 'y'", "COUNTxSPEED"),
]


@pytest.mark.parametrize(("text", "lost", "advice"), DROPPED, ids=[each[0] for each in DROPPED])
def test_refuses_what_sonic_would_drop(text, lost, advice):
    with pytest.raises(ValueError, match="silently drop") as caught:
        parse_mode(text)
    assert f"silently drop {lost};" in str(caught.value)
    assert advice in str(caught.value)


def test_reads_as_sonic_does_and_tells_what_is_lost():
    mode, dropped = read_mode("4x25G(4)[10G]")
    assert mode == parse_mode("4x25G(4)")
    assert dropped == ("[10G]",)


BROKEN = [
    ("", "'' is not COUNTxSPEED"),
    ("400G", "'400G' is not COUNTxSPEED"),
    (" 2x400G", "' 2x400G' is not COUNTxSPEED"),
    ("2x400G+", "'' is not COUNTxSPEED"),
    ("x400G", "'x400G' is not COUNTxSPEED"),
    ("1x400G[]", "[] is not a list such as [200G,100G]"),
    ("1x400G[200G,]", "[200G,] is not a list such as [200G,100G]"),
    ("1x400G[200G100G]", "[200G100G] is not a list such as [200G,100G]"),
    ("0x400G", "above 0"),
    ("1x0G", "above 0"),
    ("1x100G(0)", "above 0"),
    ("1234567x1G", "is not COUNTxSPEED"),
]


@pytest.mark.parametrize(("text", "problem"), BROKEN, ids=[each[0] or "empty" for each in BROKEN])
def test_refuses_what_is_no_mode(text, problem):
    with pytest.raises(ValueError, match="breakout mode") as caught:
        parse_mode(text)
    assert problem in str(caught.value)


SAME = [
    ("1x400G[200G]", "1x200G[400G]", True),
    ("1x400G[200G,100G]", "1x400G[100G,200G]", True),
    ("1x400G", "1x400G[200G]", False),
    ("2x200G", "1x400G", False),
    ("1x100G(4)", "1x100G", False),
    ("1x400G(4)+2x200G(4)", "2x200G(4)+1x400G(4)", False),
]


@pytest.mark.parametrize(("a", "b", "same"), SAME)
def test_compares_by_count_speeds_and_lanes(a, b, same):
    one, other = parse_mode(a), parse_mode(b)
    assert (one == other) is same
    assert (hash(one) == hash(other)) or not same


def test_a_lane_count_of_all_lanes_is_the_same_on_that_cage_only():
    whole, given = parse_mode("1x400G"), parse_mode("1x400G(8)")
    assert whole.on(8) == given.on(8)
    assert whole.on(4) != given.on(4)


LETTERS = "abcdefgh"
NOKIA = Parent("Ethernet8", (17, 18, 19, 20, 21, 22, 23, 24), (2,) * 8)
BOARD = Parent("Ethernet24", (145, 146, 147, 148, 149, 150, 151, 152), (3,) * 8)
MIDSTONE = Parent("Ethernet0", (252, 251, 250, 249), (0,) * 4)
MICAS = Parent("Ethernet9", (9, 10, 11, 12, 13, 14, 15, 16), (2,) * 8)
CHILDREN = [
    ("whole cage", NOKIA, "1x800G[400G]", ["Ethernet2/1"],
     [("Ethernet8", "17-24", "Ethernet2/1", 2, 0, 800_000, "rs")]),
    ("halves, alias by lane", NOKIA, "2x400G", ["Ethernet2/1", "Ethernet2/5"],
     [("Ethernet8", "17-20", "Ethernet2/1", 2, 1, 400_000, "rs"),
      ("Ethernet12", "21-24", "Ethernet2/5", 2, 2, 400_000, "rs")]),
    ("some lanes only", NOKIA, "1x100G(4)", ["Ethernet2/1"],
     [("Ethernet8", "17-20", "Ethernet2/1", 2, 0, 100_000, "none")]),
    ("quarters, index from 0", BOARD, "4x200G[100G,50G]", ["etp4a", "etp4b", "etp4c", "etp4d"],
     [("Ethernet24", "145-146", "etp4a", 3, 1, 200_000, "rs"),
      ("Ethernet26", "147-148", "etp4b", 3, 2, 200_000, "rs"),
      ("Ethernet28", "149-150", "etp4c", 3, 3, 200_000, "rs"),
      ("Ethernet30", "151-152", "etp4d", 3, 4, 200_000, "rs")]),
    ("lanes that descend", MIDSTONE, "2x200G", ["a", "b"],
     [("Ethernet0", "252-251", "a", 0, 1, 200_000, "rs"),
      ("Ethernet2", "250-249", "b", 0, 2, 200_000, "rs")]),
    ("names that start at 1", MICAS, "2x400G", ["x", "y"],
     [("Ethernet9", "9-12", "x", 2, 1, 400_000, "rs"),
      ("Ethernet13", "13-16", "y", 2, 2, 400_000, "rs")]),
    ("mixed", NOKIA, "1x400G(4)+2x200G(4)", ["p", "q", "r"],
     [("Ethernet8", "17-20", "p", 2, 1, 400_000, "rs"),
      ("Ethernet12", "21-22", "q", 2, 2, 200_000, "rs"),
      ("Ethernet14", "23-24", "r", 2, 3, 200_000, "rs")]),
    ("slow lanes have no FEC", NOKIA, "8x25G", list(LETTERS),
     [(f"Ethernet{8 + n}", f"{17 + n}-{17 + n}", LETTERS[n], 2, n + 1, 25_000, "none")
      for n in range(8)]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("parent", "mode", "aliases", "expected"),
    [each[1:] for each in CHILDREN],
    ids=[each[0] for each in CHILDREN],
)
def test_children(parent, mode, aliases, expected):
    made = children(parent, parse_mode(mode), aliases)
    assert [
        (c.name, f"{c.lanes[0]}-{c.lanes[-1]}", c.alias, c.index, c.subport, c.speed, c.fec)
        for c in made
    ] == expected


def test_index_is_the_one_of_the_first_lane():
    parent = Parent("Ethernet0", (1, 2, 3, 4), (5, 5, 6, 6))
    assert [each.index for each in children(parent, parse_mode("2x50G"), ["a", "b"])] == [5, 6]


MISFITS = [
    (MIDSTONE, "1x100G(8)", ["a"], "takes 8 lanes of 4"),
    (MIDSTONE, "2x50G(2)+1x100G", ["a", "b", "c"], "takes 6 lanes of 4"),
    (MIDSTONE, "8x25G", list(LETTERS), "makes 8 ports of 4 lanes"),
    (MIDSTONE, "4x50G", ["a"], "makes 4 ports, 1 aliases are given"),
    (Parent("Eth1", (1,), (1,)), "1x10G", ["a"], "'Eth1' is not Ethernet and a number"),
    (Parent("Ethernet0", (1, 2), (7,)), "2x10G", ["a", "b"], "no index for lane 2"),
]


@pytest.mark.parametrize(("parent", "mode", "aliases", "problem"), MISFITS)
def test_refuses_a_mode_that_does_not_fit(parent, mode, aliases, problem):
    with pytest.raises(ValueError, match=problem):
        children(parent, parse_mode(mode), aliases)


RATES = [(10_000, "none"), (25_000, "none"), (49_999, "none"), (50_000, "rs"), (100_000, "rs")]


@pytest.mark.parametrize(("rate", "fec"), RATES)
def test_fec_follows_the_lane_rate(rate, fec):
    assert fec_for(rate) == fec
