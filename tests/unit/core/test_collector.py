"""While much is made the collector rests; afterwards it works as before."""

import gc
import weakref

import pytest

from nettool.core.collector import uncollected


class Ring:
    """Two that hold each other."""

    def __init__(self):
        self.other = self


def test_nothing_is_collected_inside_and_all_afterwards():
    runs = []
    gc.callbacks.append(lambda phase, _: runs.append(phase))
    try:
        with uncollected():
            runs.clear()
            kept = [Ring() for _ in range(10_000)]
            watched = weakref.ref(kept[0])
            del kept
            assert not runs
            assert watched() is not None
        assert gc.get_count()[0] < 1000
        gc.collect()
        assert watched() is None
    finally:
        gc.callbacks.pop()


@pytest.mark.parametrize("before", [True, False])
def test_it_is_left_as_it_was(before):
    (gc.enable if before else gc.disable)()
    try:
        with pytest.raises(KeyError), uncollected():
            raise KeyError
        assert gc.isenabled() is before
    finally:
        gc.enable()
