"""The whole plan of the shipped fabrics, and of fabrics that ask for what cannot be."""

from __future__ import annotations

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.core.provenance import Trust
from nettool.core.source import parse_yaml
from nettool.intent.intent import FabricIntent
from nettool.intent.load import find_fabric, load_intent
from nettool.plan.demand.estimate import estimate
from nettool.plan.design.design import design
from nettool.plan.placement.place import place
from nettool.plan.qos.overrides import parse_overrides
from nettool.plan.qos.plan import plan_qos
from nettool.plan.qos.remarks import weak_inputs
from nettool.plan.qos.whatif import what_if

SMALL, LARGE = "rail-only-128", "rail-optimized-256"


def stages(name=LARGE, **changes):
    intent, _ = load_intent(find_fabric(name))
    if changes:
        data = intent.model_dump()
        for path, value in changes.items():
            *parents, last = path.split("__")
            node = data
            for each in parents:
                node = node[each]
            node[last] = value
        intent = FabricIntent.model_validate(_spelled(data))
    catalog = load_catalog()
    demand, _ = estimate(intent, catalog)
    fabric, _ = design(intent, demand, catalog)
    matrix, _ = place(demand, fabric)
    return intent, fabric, matrix, catalog


def _spelled(data):
    """A dumped intent as a file writes it: speeds are text."""
    for network in data["networks"].values():
        if network["uplink"]:
            network["uplink"] = f"{network['uplink'] // 1000}G"
    return data


def planned(name=LARGE, overrides="", **changes):
    own = parse_overrides(parse_yaml(overrides, "own.yaml")) if overrides else None
    return plan_qos(*stages(name, **changes), own)


def rules(report, severity):
    return sorted({each.rule for each in report.findings if str(each.severity) == severity})


@pytest.mark.parametrize(("name", "devices", "kinds"), [(SMALL, 4, 1), (LARGE, 6, 2)])
def test_equal_switches_share_one_plan(name, devices, kinds):
    plan, report = planned(name)
    assert len(plan.switches) == devices
    assert len({id(each) for each in plan.switches.values()}) == kinds
    assert (rules(report, "error"), rules(report, "warning")) == ([], [])
    assert rules(report, "info") == ["QOS003", "QOS009", "QOS012", "QOS013"]


def test_leaf_of_the_large_fabric():
    plan, _ = planned()
    leaf = plan.switches["leaf01"]
    assert (leaf.asic, leaf.variant, leaf.trust) == ("teralynx10", "table", Trust.REFERENCE_BOARD)
    assert [(each.name, each.type, each.mode, int(each.size)) for each in leaf.pools] == [
        ("ingress_lossless_pool", "ingress", "dynamic", 159_633_822),
        ("lossy_pool", "both", "dynamic", 56_012_386),
        ("egress_lossless_pool", "egress", "static", 215_646_208),
    ]
    down, up = leaf.ports["Ethernet0"], leaf.ports["Ethernet256"]
    assert (down.lossless_profile, down.wred, down.cable.value) == (
        "pg_lossless_400000_5m_profile", "ROCE_400G", 5)  # fmt: skip
    assert (up.lossless_profile, up.wred, up.cable.value) == (
        "pg_lossless_800000_40m_profile", "ROCE_800G", 40)  # fmt: skip
    profiles = {each.name: each for each in leaf.profiles}
    row = profiles["pg_lossless_800000_40m_profile"]
    figures = (row.size, row.xon, row.xoff, row.xon_offset, row.dynamic_th)
    assert [int(each) for each in figures] == [1518, 0, 285_312, 13_824, 1]
    assert row.static_th is None
    assert leaf.watchdog.detection.value == 800


def test_every_profile_has_one_threshold_of_its_pools_kind():
    for name in (SMALL, LARGE):
        plan, _ = planned(name)
        for switch in plan.switches.values():
            modes = {each.name: each.mode for each in switch.pools}
            for each in switch.profiles:
                kind = "dynamic" if each.dynamic_th is not None else "static"
                assert (each.dynamic_th is None) != (each.static_th is None)
                assert modes[each.pool] == kind, each.name


def test_every_proof_holds_but_the_cautious_one():
    plan, _ = planned()
    for switch in plan.switches.values():
        broken = {each.claim for each in switch.proofs if not each.holds}
        assert broken == {
            "certain marking before a pause, one ingress feeding every egress queue"}  # fmt: skip
        headroom = next(each for each in switch.proofs if each.claim.startswith("PG 3"))
        assert headroom.binding in switch.ports
        assert headroom.margin > 0


def test_proofs_carry_the_weakest_trust_down_to_its_name():
    plan, report = planned()
    leaf = plan.switches["leaf01"]
    weak = {name for each in leaf.proofs for name in weak_inputs(each.left)}
    assert {"cell", "response"} <= weak
    text = next(each.message for each in report.findings if each.rule == "QOS012")
    assert "cell (assumed)" in text
    assert "reference board" in text


def test_cable_length_traces_to_the_key_it_was_given_at():
    plan, _ = planned()
    cable = plan.switches["leaf01"].ports["Ethernet256"].cable
    assert cable.why.inputs[0].origin.path == ("networks", "compute", "cables", "leaf_spine")


def test_two_classes_take_a_range_of_groups():
    two = [{"name": "roce", "dscp": [26], "tc": 3}, {"name": "bulk", "dscp": [34], "tc": 4}]
    plan, report = planned(qos__lossless=two)
    assert plan.lossless_priorities == (3, 4)
    assert not report.has_errors
    leaf = plan.switches["leaf01"]
    assert sum(each.claim.startswith("PG 4") for each in leaf.proofs) == 2


@pytest.mark.parametrize(
    ("changes", "rule", "severity", "words"),
    [
        ({"qos__headroom": "simple"}, "QOS007", "error", "PG 3, 400G at 5 m"),
        (
            {"qos__lossless": [{"name": "roce", "dscp": [24], "tc": 3}]},
            "QOS002",
            "warning",
            "marks RoCE with DSCP 26 unless told otherwise, which the switches map to TC 0 (lossy)",
        ),
        ({"qos__cnp_dscp": 50}, "QOS002", "warning", "CNP with DSCP 48"),
        ({"qos__headroom": "magic"}, "QOS017", "error", "'magic' is not known"),
        ({"qos__headroom_table": "teralynx11"}, "QOS017", "error", "unknown headroom table"),
        ({"qos__ecn__preset": "mine"}, "QOS017", "error", "'mine' is not known"),
        ({"qos__ecn__rtt_us": 80.0}, "QOS015", "warning", "no dynamic_th from -8 to 7"),
        ({"networks__compute__cables__leaf_spine": 400}, "QOS004", "error", "longest 300 m"),
        ({"networks__compute__cables__leaf_spine": 30}, "QOS005", "info", "configured as 40 m"),
    ],
)
def test_what_cannot_be_is_said(changes, rule, severity, words):
    _, report = planned(**changes)
    found = [each for each in report.findings if each.rule == rule]
    assert found
    assert {str(each.severity) for each in found} == {severity}
    assert any(words in each.message for each in found)
    assert all(each.table == "fabric.yaml" and each.key and each.hint for each in found)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"networks__compute__mtu": 1500},
            "compute: a port MTU of 1,500 B takes frames of 1,522 B",
        ),
        (
            {"networks__compute__mtu": 4155},
            "takes frames of 4,177 B, and lossless frames are planned",
        ),
        ({"networks__compute__mtu": 4156}, None),
        ({"networks__compute__mtu": 1500, "qos__lossless_mtu": 1522}, None),
        ({"networks__compute__mtu": 1500, "qos__lossless": ()}, None),
    ],
)
def test_a_lossless_frame_passes_the_port(changes, words):
    _, report = planned(SMALL, **changes)
    said = [each.message for each in report.findings if each.rule == "QOS022"]
    assert [words in each for each in said] == ([True] if words else [])


def test_nothing_is_said_of_a_proof_where_no_port_is_lossless():
    _, report = planned(SMALL, qos__lossless=())
    assert not {"QOS012", "QOS013"} & set(rules(report, "info"))


def test_headroom_cut_below_the_bound_is_not_proved():
    own = """
asics:
  teralynx10:
    headroom: [{speed: 400G, cable: 5m, size: 1518, xon: 0, xoff: 76000, threshold: 1}]
"""
    plan, report = planned(overrides=own)
    finding = next(each for each in report.findings if each.rule == "QOS007")
    assert "leaf01 and 3 more, Ethernet0: PG 3, 400G at 5 m" in finding.message
    assert "76,976 B needed, 76,000 B there (976 too little)" in finding.message
    held = [each.holds for each in plan.switches["leaf01"].proofs if "400G" in each.claim]
    assert held == [False]


def test_overrides_reach_profiles_thresholds_and_timers():
    own = """
profiles: {pg_lossless_400000_5m_profile: {xoff: 131072}, egress_lossy_profile: {dynamic_th: -2}}
ecn: {800G: {kmin: 700000}}
watchdog: {detection_ms: 1000}
"""
    plan, report = planned(overrides=own)
    leaf = plan.switches["leaf01"]
    profiles = {each.name: each for each in leaf.profiles}
    assert profiles["pg_lossless_400000_5m_profile"].xoff.value == 131_072
    assert any(each.right.value == 131_072 for each in leaf.proofs)
    assert profiles["egress_lossy_profile"].dynamic_th.value == -2
    assert [each.kmin.value for each in leaf.wreds] == [400_000, 700_000]
    assert (leaf.watchdog.detection.value, leaf.watchdog.restoration.value) == (1000, 1000)
    assert not report.has_errors


@pytest.mark.parametrize(
    ("overrides", "line", "message", "hint"),
    [
        ("asics:\n  teralynx01: {cell: 256}\n", 2,
         "asics.teralynx01 changes nothing: the plan has no teralynx01",
         "did you mean teralynx10?"),
        ("profiles:\n  pg_lossless_400000_3m_profile: {xoff: 1}\n", 2,
         "profiles.pg_lossless_400000_3m_profile changes nothing: "
         "the plan has no pg_lossless_400000_3m_profile",
         "did you mean pg_lossless_400000_5m_profile?"),
        ("weights: {cnp: 5}\n", 1, "weights.cnp changes nothing: the plan has no cnp",
         "it has best-effort, roce"),
        ("ecn: {100G: {kmin: 5}}\n", 1, "ecn.100G changes nothing: the plan has no 100G",
         "it has 400G, 800G"),
    ],
)  # fmt: skip
def test_an_override_of_nothing_is_said(overrides, line, message, hint):
    _, report = planned(overrides=overrides)
    (finding,) = [each for each in report.findings if each.rule == "QOS014"]
    assert (finding.file, finding.line, finding.message, finding.hint) == (
        "own.yaml", line, message, hint,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("overrides", "changes", "rule", "severity", "words"),
    [
        ("asics: {teralynx10: {pools: {ingress_lossless_pool: {xoff: 10MB}}}}",
         {"qos__shared_headroom": True}, "QOS016", "warning", "holds all 95 groups"),
        ("profiles: {egress_lossless_profile: {static_th: 22798336}}",
         {}, "QOS019", "error", "the lossless pool accepts: 159,633,822 B"),
        ("asics: {teralynx10: {buffer: 20MB}}", {}, "QOS006", "error", "do not fit the buffer"),
        ("ecn: {400G: {kmin: 1MB, kmax: 9MB}}", {}, "QOS015", "warning", "reach Kmin"),
    ],
)  # fmt: skip
def test_own_figures_are_proved_like_all_others(overrides, changes, rule, severity, words):
    _, report = planned(overrides=overrides, **changes)
    found = [each for each in report.findings if each.rule == rule]
    assert {str(each.severity) for each in found} == {severity}
    assert any(words in each.message for each in found)


def test_the_watchdog_outlasts_every_legal_pause():
    plan, _ = planned()
    leaf = plan.switches["leaf01"]
    proof = next(each for each in leaf.proofs if "watchdog" in each.claim)
    assert proof.left.value == pytest.approx(86_905_088 * 8 / 400e6 * 3)
    assert (proof.right.value, proof.holds) == (800, True)


def test_plan_is_the_same_twice():
    assert planned() == planned()


@pytest.mark.parametrize(
    ("overrides", "changes", "words"),
    [
        ("", {}, []),
        ("profiles: {pg_lossless_400000_5m_profile: {xoff: 140000}}", {},
         ["pg_lossless_400000_5m_profile is planned with xoff 140,000 B; the switch's own table "
          "teralynx10 (reference board) has xoff 129,920 B"]),
        ("asics: {teralynx10: {headroom: [{speed: 400G, cable: 7, size: 1518, xon: 0, "
         "xoff: 131000}]}}", {"networks__compute__cables": {"nic": 7, "leaf_spine": 40}},
         ["has no row for 400G at 7 m"]),
        ("", {"qos__headroom": "quanta"},
         ["pg_lossless_400000_5m_profile is planned", "pg_lossless_800000_40m_profile is planned"]),
    ],
)  # fmt: skip
def test_the_plan_says_where_the_switchs_own_table_differs(overrides, changes, words):
    _, report = planned(overrides=overrides, **changes)
    told = [each.message for each in report.findings if each.rule == "QOS020"]
    assert bool(told) == bool(words)
    assert all(any(each in message for message in told) for each in words)


def test_assumptions_name_every_figure_with_its_trust():
    plan, _ = planned()
    said = "\n".join(plan.assumptions)
    for words in (
        "port MTU 9216 B; largest lossless frame 4178 B",
        "400G 57,920 B (published), 800G 57,920 B (inferred)",
        "400G cables of 5 m have the headroom of 5 m",
        "800G cables of 40 m have the headroom of 40 m",
        "incast in compute: 2 senders to one port (computed)",
        "base round trip 8 us (assumed)",
        "buffer 215,646,208 B (reference board), cell 256 B (assumed)",
        "a pool's size holds its xoff (inferred)",
        "headroom by table (teralynx10), trust reference board",
    ):
        assert words in said
    assert len(set(plan.assumptions)) == len(plan.assumptions)


def test_assumptions_follow_the_operators_figures():
    plan, _ = planned(
        overrides="asics: {teralynx10: {cell: 208}}",
        networks__compute__cables={"nic": 7, "leaf_spine": 40},
    )
    said = "\n".join(plan.assumptions)
    assert "cell 208 B (given)" in said
    assert "400G cables of 7 m have the headroom of 40 m" in said


@pytest.mark.parametrize("name", [SMALL, LARGE])
def test_what_if_every_single_failure(name):
    result, report = what_if(*stages(name))
    kinds = {each.failure.kind: each for each in result.outcomes}
    assert {"leaf", "node", "link"} <= set(kinds)
    hosts = 32 if name == SMALL else 64
    assert kinds["leaf"].cut_off == hosts
    assert kinds["node"].cut_off == 4
    assert result.worst is kinds["leaf"]
    assert all(each.fits and each.ecn_first and not each.broken for each in result.outcomes)
    assert report.findings == ()
    assert sum(each.failure.count for each in result.outcomes if each.failure.kind == "link") == (
        128 if name == SMALL else 256 + 128
    )


def test_what_if_the_only_spine_is_gone_rails_part():
    result, _ = what_if(*stages(networks__compute__spines=1, networks__compute__oversubscription=2))
    spine = next(each for each in result.outcomes if each.failure.kind == "spine")
    assert spine.cut_off == 192
    names = {each.failure.name: each for each in result.outcomes if each.failure.kind == "link"}
    uplink = next(each for name, each in names.items() if "spine01" in name)
    assert float(uplink.incast) == 3
