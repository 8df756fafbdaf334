"""Small fabrics for the tests of the design: intents, their designs, and their findings."""

from __future__ import annotations

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.core.errors import FindingsError
from nettool.intent.intent import FabricIntent
from nettool.plan.design.design import design


@pytest.fixture(scope="session")
def catalog():
    """The shipped catalog."""
    return load_catalog()


@pytest.fixture(scope="session")
def network():
    """One network on CX864E-N, as plain data."""

    def data(topology="rail-optimized", rails=4, nic="connectx-7-400g", **changes):
        return {
            "topology": topology,
            "nic": {"model": nic, "per_node": rails},
            "leaf": {"model": "CX864E-N"},
            "subnets": {"pool": "10.0.0.0/12"},
        } | changes

    return data


@pytest.fixture(scope="session")
def intent_of(network):
    """A fabric of 64 nodes with the network `compute`, or with the given ones."""

    def make(nodes=64, networks=None, management=None, **compute):
        data = {
            "name": "small",
            "cluster": {"nodes": nodes, "gpus_per_node": compute.get("rails", 4)},
            "networks": networks or {"compute": network(**compute)},
            "management": management or {},
        }
        return FabricIntent.model_validate(data)

    return make


@pytest.fixture(scope="session")
def fabric_of(intent_of, catalog):
    """The design of such an intent."""

    def make(*args, lock=None, **kwargs):
        return design(intent_of(*args, **kwargs), None, catalog, lock=lock)[0]

    return make


@pytest.fixture(scope="session")
def findings_of(intent_of, catalog):
    """Its findings as (rule, key, message), whether it can be built or not."""

    def make(*args, lock=None, demand=None, **kwargs):
        try:
            report = design(intent_of(*args, **kwargs), demand, catalog, lock=lock)[1]
        except FindingsError as exc:
            report = exc.report
        return [(each.rule, each.key, each.message) for each in report.findings]

    return make
