"""Whatever the mode and the cage: children share out the lanes and never overlap."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nettool.core.breakout import Parent, children, parse_mode, read_mode

SPEEDS = st.sampled_from([10, 25, 40, 50, 100, 200, 400, 800, 1600])


@st.composite
def cages_and_modes(draw):
    """A cage with lanes in any order, and a mode that fits it."""
    width = draw(st.sampled_from([1, 2, 4, 8]))
    lanes = tuple(draw(st.permutations(range(1, 600)))[:width])
    parent = Parent(
        f"Ethernet{draw(st.integers(0, 1024))}", lanes, (draw(st.integers(0, 128)),) * width
    )
    terms, left = [], width
    while left and (not terms or draw(st.booleans())):
        taken = draw(st.integers(1, left))
        terms.append((draw(st.integers(1, taken)), draw(SPEEDS), taken))
        left -= taken
    text = "+".join(f"{count}x{speed}G({taken})" for count, speed, taken in terms)
    return parent, parse_mode(text)


@given(cages_and_modes())
def test_children_take_lanes_of_the_parent_in_order_and_once(case):
    parent, mode = case
    made = children(parent, mode, [f"p{n}" for n in range(mode.count)])
    used = [lane for each in made for lane in each.lanes]
    assert len(made) == mode.count
    assert len(set(used)) == len(used)
    assert used == [lane for lane in parent.lanes if lane in set(used)]
    assert len({each.name for each in made}) == len(made)
    base = int(parent.name.removeprefix("Ethernet"))
    for each in made:
        assert parent.lanes[int(each.name.removeprefix("Ethernet")) - base] == each.lanes[0]
    subports = [each.subport for each in made]
    assert subports == ([0] if len(made) == 1 else list(range(1, len(made) + 1)))


@given(st.text(alphabet="0123456789xG[],+() ", max_size=24))
def test_any_text_is_a_mode_or_a_plain_refusal(text):
    try:
        mode, dropped = read_mode(text)
    except ValueError:
        with pytest.raises(ValueError, match="breakout mode"):
            parse_mode(text)
        return
    if dropped:
        with pytest.raises(ValueError, match="silently drop"):
            parse_mode(text)
    else:
        assert parse_mode(text) == mode
