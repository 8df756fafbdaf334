"""The cycle collector of Python, kept away while values are made that have no cycles.

A plan of a large fabric is millions of objects and next to no cycles (some 80,000 objects, a few
MB, in a build of 131,072 GPUs); walking them again and again took a seventh of the whole.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Nothing is collected inside; afterwards as before, with what was made counted as old."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.unfreeze()
        gc.enable()
