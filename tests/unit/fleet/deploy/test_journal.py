"""What a switch's journal says of its pushes, and which runs it may forget."""

import pytest

from nettool.fleet.deploy.journal import KEEP_RUNS, Undone, remembered, to_forget


def journal(told):
    """Entries newest first, of words oldest first: `a` a push, `r:a` its rollback, `!x` failed."""
    entries = []
    for word in told.split():
        run, _, of = word.lstrip("!").partition(":")
        state = "armed" if word.startswith("!") else "saved"
        entries.insert(0, {"run": run, "state": state, **({"undoes": of} if of else {})})
    return tuple(entries)


STORIES = [
    # what happened, oldest first; what stands, newest first; how each of the others went
    ("", "", {}),
    ("a b", "b a", {}),
    ("a b r:b", "a", {"b": ("r", "b")}),
    ("a b r:a", "", {"a": ("r", "a"), "b": ("r", "a")}),
    ("a b r:a c", "c", {"a": ("r", "a"), "b": ("r", "a")}),
    ("a b r:a c s:c", "", {"a": ("r", "a"), "b": ("r", "a"), "c": ("s", "c")}),
    ("a b c r:b d s:a", "", dict.fromkeys("bc", ("r", "b")) | dict.fromkeys("ad", ("s", "a"))),
    ("a b r:b c s:c t:a", "", {"b": ("r", "b"), "c": ("s", "c"), "a": ("t", "a")}),
    ("a !b r:a", "", {"a": ("r", "a")}),
    ("a !r:a", "a", {}),
    ("b r:a c", "c", {"b": ("r", "a")}),
    # an earlier nettool undid a push that was gone already, which brought the older one back
    ("a b r:a s:b", "a", {"b": ("r", "a")}),
]


@pytest.mark.parametrize(("told", "standing", "undone"), STORIES)
def test_what_went_with_an_undone_push_is_undone(told, standing, undone):
    seen = remembered(journal(told))
    assert seen.standing == tuple(standing.split())
    assert seen.undone == {name: Undone(*how) for name, how in undone.items()}
    assert set(seen.pushes) == {*seen.standing, *seen.undone}


FORGETTING = [
    # what happened, oldest first; what is forgotten
    ("a b c", ""),
    ("a b c d", "a"),
    ("a b c !f !g !h d", "a"),
    ("a !f !g !h !i b c", "f"),
    ("a b c d r:d e s:e", ""),
    ("a b x r:x y s:y z t:z c", ""),
    ("a w q:w x r:x y s:y z t:z c", "w q"),
    ("a v w q:v x r:x y s:y z t:z c", "v w q"),
]


@pytest.mark.parametrize(("told", "gone"), FORGETTING)
def test_good_pushes_are_pushed_out_by_good_ones_alone(told, gone):
    entries = journal(told)
    assert set(to_forget(entries)) == set(gone.split())
    left = tuple(each for each in entries if each["run"] not in gone.split())
    assert remembered(left).standing == remembered(entries).standing[:KEEP_RUNS]
