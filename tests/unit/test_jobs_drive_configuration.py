"""From a job to the text of a switch: TP and EP move rendered values the way theory says.

The rows go through the whole pipeline, from fabric.yaml to the CONFIG_DB of leaf01.
"""

from __future__ import annotations

import pytest
import yaml

from nettool.intent.load import find_fabric, load_intent
from nettool.pipeline import artifacts, plan_fabric

MOE = {"name": "moe", "model": "mixtral-8x22b", "tp": 4, "dp": 64, "batch": 256}
LLAMA = {"name": "llama", "model": "llama-3-70b", "dp": 8, "batch": 1024}
IMAGES = {"storage": {"bytes_per_token": 20_000}}
CLASSES = [{"name": "roce", "dscp": [26], "tc": 3}, {"name": "experts", "dscp": [34], "tc": 4}]
SMALL = {"leaf": {"model": "CX732Q-N"}, "spine": {"model": "CX732Q-N"}}


@pytest.fixture
def leaf01(tmp_path):
    """The tables of leaf01 of 256 GPUs on small leaves, with one job and a given ECN intent."""

    def render(job, **ecn):
        given = load_intent(find_fabric("rail-optimized-256"))[0].model_dump(
            mode="json", exclude_unset=True, exclude={"timing"}
        )
        compute = given["networks"]["compute"] | SMALL | {"oversubscription": "from-demand"}
        del compute["spines"]
        given |= {
            "jobs": [job], "qos": {"lossless": CLASSES, "ecn": ecn},
            "networks": {"compute": compute},
        }  # fmt: skip
        (tmp_path / "fabric.yaml").write_text(yaml.safe_dump(given))
        plan = plan_fabric(tmp_path / "fabric.yaml")
        return next(each.tables for each in artifacts(plan, ["leaf01"]) if each.tables)

    return render


def weight(tables, name):
    return int(tables["SCHEDULER"][f"scheduler.{name}"]["weight"])


def experts(degree):
    return {**MOE, "ep": degree, "options": {"expert_tp": 4, "classes": {"ep": "experts"}}}


def dense(tensor):
    return {**LLAMA, "tp": tensor, "pp": 32 // tensor, "options": IMAGES}


def rises(values):
    assert values == sorted(values)
    assert values[0] < values[-1]


def test_wider_ep_takes_dwrr_weight_from_the_rest(leaf01):
    found = [leaf01(experts(ep)) for ep in (2, 4, 8)]
    rises([weight(each, "experts") for each in found])
    rises([-weight(each, "roce") for each in found])


def test_wider_ep_takes_more_uplinks(leaf01):
    """All-to-all leaves the segment with more of its bytes: fewer NICs fit a leaf."""
    found = [leaf01(experts(ep)) for ep in (2, 4, 8)]
    rises([len(each["BGP_NEIGHBOR"]) for each in found])
    rises([-len(each["VLAN_MEMBER"]) for each in found])


def test_wider_ep_lets_a_queue_grow_longer_before_every_packet_is_marked(leaf01):
    """More senders to one port hold less buffer each, so pause comes later and Kmax may rise."""
    found = [leaf01(experts(ep), rtt_us=200) for ep in (2, 4, 8)]
    rises([int(each["WRED_PROFILE"]["ROCE_400G"]["green_max_threshold"]) for each in found])


def test_tp_beyond_the_node_takes_weight_from_storage(leaf01):
    found = [leaf01(dense(tp)) for tp in (4, 8)]
    rises([weight(each, "roce") for each in found])
    rises([-weight(each, "best-effort") for each in found])
