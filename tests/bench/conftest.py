"""The large fabric that measurements are taken of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(scope="session")
def large() -> Callable[..., dict[str, Any]]:
    """A three-tier fabric of 8 GPUs a node: 16,384 nodes are 131,072 GPUs and 5,120 switches."""

    def make(nodes: int, topology: str = "rail-optimized", **changes: object) -> dict[str, Any]:
        compute = {
            "topology": topology,
            "nic": {"model": "connectx-7-400g", "per_node": 8},
            "leaf": {"model": "CX864E-N"},
            "cables": {"nic": "5m", "leaf_spine": "40m", "spine_core": "100m"},
            "subnets": {"pool": "10.0.0.0/9"},
            "pools": {"loopbacks": "10.240.0.0/19", "links": "100.64.0.0/10"},
        }
        return {
            "name": "large",
            "cluster": {"nodes": nodes, "gpus_per_node": 8},
            "networks": {"compute": {**compute, **changes}},
            "management": {"pool": "192.168.0.0/18", "ntp": ["192.168.0.2"]},
        }

    return make
