"""No module imports itself over others, not even for types: each can be read from below."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import grimp


def test_no_import_goes_in_a_circle() -> None:
    graph = grimp.build_graph("nettool", cache_dir=None)
    below = {each: graph.find_modules_directly_imported_by(each) for each in graph.modules}
    try:
        order = list(TopologicalSorter(below).static_order())
    except CycleError as exc:
        raise AssertionError(" -> ".join(exc.args[1])) from exc
    assert len(order) == len(graph.modules)
