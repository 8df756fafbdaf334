"""Between two looks at counters only the same number twice is a pass."""

from hypothesis import given
from hypothesis import strategies as st

from nettool.fleet.verify.verdict import compare

PLACES = [f"Ethernet{n}|{p}" for n in (0, 4, 8) for p in (3, 4)]
COUNTS = st.dictionaries(st.sampled_from(PLACES), st.integers(-3, 5), max_size=6)
SOME = st.frozensets(st.sampled_from(PLACES))


@given(before=COUNTS, now=COUNTS, must=SOME)
def test_a_place_that_must_be_counted_passes_by_the_same_number_alone(before, now, must):
    verdict = compare(before, now, must=must)
    for place in must | now.keys():
        is_same = place in before and place in now and before[place] == now[place] >= 0
        assert is_same == (place not in verdict.grown and place not in verdict.doubts)
        assert not (place in verdict.grown and place in verdict.doubts)


@given(before=COUNTS, now=COUNTS, must=SOME)
def test_what_grew_grew_by_the_difference(before, now, must):
    verdict = compare(before, now, must=must)
    assert all(by == now[place] - before[place] > 0 for place, by in verdict.grown.items())


@given(before=COUNTS, now=COUNTS)
def test_after_a_restart_everything_counted_is_new(before, now):
    verdict = compare(before, now, restarted=True)
    assert verdict.grown == {place: n for place, n in now.items() if n > 0}
    assert set(verdict.doubts) == {place for place, n in now.items() if n < 0}


@given(before=COUNTS, now=COUNTS)
def test_what_is_listed_only_where_it_counted_may_not_vanish(before, now):
    verdict = compare(before, now, if_any=True)
    for place, was in before.items():
        if was > 0 and place not in now:
            assert place in verdict.doubts


@given(before=COUNTS, now=COUNTS, only=SOME)
def test_what_does_not_matter_is_not_told(before, now, only):
    verdict = compare(before, now, must=only, only=only)
    assert {*verdict.grown, *verdict.doubts} <= only
