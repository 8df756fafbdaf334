"""From jobs to demand: every option, every misfit named with its numbers, at its place."""

from __future__ import annotations

from fractions import Fraction

import pytest

from nettool.catalog.catalog import load_catalog
from nettool.core.finding import Severity
from nettool.core.provenance import Trust
from nettool.intent.intent import FabricIntent
from nettool.intent.load import find_fabric, load_intent
from nettool.plan.demand.demand import Axis, Dimension
from nettool.plan.demand.estimate import estimate
from nettool.plan.demand.model import ModelSpec, library, library_model

JOB = {"name": "llama", "model": "llama-3-70b", "tp": 4, "pp": 4, "dp": 8, "batch": 512}
MOE = {"name": "moe", "model": "mixtral-8x7b", "tp": 4, "dp": 32, "ep": 8, "batch": 512}


def fabric(*jobs, nodes=32, gpus=4, gpu="h100-sxm"):
    """The rail-only example with other jobs, or another cluster."""
    intent, _ = load_intent(find_fabric("rail-only-128"))
    given = intent.model_dump()
    given["jobs"] = jobs
    given["cluster"] = {"nodes": nodes, "gpus_per_node": gpus, "gpu": gpu}
    return FabricIntent.model_validate(given)


def estimated(*jobs, **cluster):
    return estimate(fabric(*jobs, **cluster), load_catalog())


def demand_of(**changes):
    """The demand of the one job, which has no errors."""
    options = changes.pop("options", {})
    base = MOE if "ep" in changes or changes.get("model") == "mixtral-8x7b" else JOB
    demand, report = estimated({**base, **changes, "options": options})
    assert not report.has_errors, report.findings
    return demand.jobs[0]


def sent(job, dimension):
    return sum(int(flow.bytes_per_gpu) for flow in job.flows_of(Dimension(dimension)))


@pytest.mark.parametrize("name", ["rail-only-128", "rail-optimized-256"])
def test_shipped_fabrics_have_a_clean_job(name):
    intent, _ = load_intent(find_fabric(name))
    demand, report = estimate(intent, load_catalog())
    assert not report.findings
    assert [job.gpus for job in demand.jobs] == [demand.gpus_in_fabric]
    assert demand.classes == ("roce",)


def test_every_figure_tells_where_it_comes_from():
    job = demand_of()
    assert job.iteration.why.trust is Trust.ASSUMED
    assert job.iteration.value == pytest.approx(
        6 * 70_553_706_496 * 512 * 8192 / (128 * 989e12 * 0.4)
    )
    for flow in (*job.flows, *job.evaluation):
        why = flow.bytes_per_gpu.why
        assert why.formula
        assert why.source
        assert {each.name for each in why.inputs} >= {"tp", "pp", "dp", "L", "h", "m"}
        assert flow.group_bytes > 0


def test_measured_step_time_is_given_not_assumed():
    job = demand_of(options={"step_time": 12.5})
    assert (job.iteration.value, job.iteration.why.trust) == (12.5, Trust.GIVEN)


P_GPU = Fraction(70_553_706_496, 16)


@pytest.mark.parametrize(
    ("options", "multiple"),
    [
        ({}, Fraction(6)),
        ({"dp_mode": "ddp"}, Fraction(8)),
        ({"dp_mode": "ddp", "grad_bytes": 2}, Fraction(4)),
        ({"dp_mode": "zero2"}, Fraction(6)),
        ({"dp_mode": "zero2", "gather": "microbatch"}, Fraction(64 * 4 + 2)),
        ({"dp_mode": "zero2-all-reduce", "grad_bytes": 2}, Fraction(6)),
        ({"dp_mode": "zero3"}, Fraction(8)),
        ({"dp_mode": "fsdp"}, Fraction(8)),
        ({"dp_mode": "fsdp", "reshard_after_forward": False}, Fraction(6)),
        ({"dp_mode": "fsdp", "gather": "microbatch"}, Fraction(64 * 8)),
    ],
)
def test_data_parallel_modes(options, multiple):
    assert sent(demand_of(options=options), "dp") == multiple * P_GPU * Fraction(7, 8)


def test_hybrid_sharding_has_two_levels():
    job = demand_of(options={"dp_mode": "hsdp", "shard": 2})
    inner, outer = job.flows_of(Dimension.DP)
    assert (inner.group, outer.group) == ((Axis(4, 2),), (Axis(8, 4),))
    assert int(inner.bytes_per_gpu) == 8 * P_GPU / 2
    assert int(outer.bytes_per_gpu) == 2 * 4 * P_GPU / 2 * Fraction(3, 4)


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({}, Fraction(1)),
        ({"sequence_parallel": "on"}, Fraction(10, 8)),
        ({"sequence_parallel": True}, Fraction(10, 8)),
        ({"sequence_parallel": "no-regather"}, Fraction(1)),
        ({"recompute": "full"}, Fraction(12, 8)),
    ],
)
def test_tensor_parallel_volume(options, part):
    whole = 20 * 64 * 8 * 8192 * 8192 * 2 * Fraction(3, 4)
    assert sent(demand_of(options=options), "tp") == whole * part


@pytest.mark.parametrize(
    ("options", "vpp", "expected"),
    [
        ({}, 1, 2 * 64 * 8192 * 8192 * 2 // 4),
        ({}, 5, 5 * 2 * 64 * 8192 * 8192 * 2 // 4),
        ({"scatter_gather": False}, 1, 2 * 64 * 8192 * 8192 * 2),
    ],
)
def test_pipeline_volume(options, vpp, expected):
    assert sent(demand_of(options=options, vpp=vpp), "pp") == expected


def test_tied_embeddings_are_reduced_between_first_and_last_stage():
    """V h/t gradients once an iteration; a model whose embeddings are two matrices has none."""
    gpt = demand_of(model="gpt-3-175b", tp=4, pp=4, dp=8)
    (tie,) = [each for each in gpt.flows if each.name == "tied embeddings"]
    assert (tie.pattern, tie.group, tie.messages) == ("ends", (Axis(32, 4),), 1)
    assert int(tie.bytes_per_gpu) == int(tie.message) == 51_200 * 12_288 // 4 * 4
    assert tie.group_bytes == 2 * int(tie.bytes_per_gpu)
    assert not [each for each in gpt.evaluation if each.name == "tied embeddings"]
    assert not [each for each in demand_of().flows if each.name == "tied embeddings"]
    assert gpt.flow(Dimension.PP).pattern == "pairwise"


@pytest.mark.parametrize(("mode", "passes"), [("all-gather", 2), ("ring", 3)])
def test_context_volume(mode, passes):
    job = demand_of(cp=2, dp=4, options={"cp_mode": mode})
    layer = 8192 * 2 * 1024 // 4 * 2
    assert sent(job, "cp") == passes * 20 * 128 * layer // 2
    assert job.flow(Dimension.DP).members == 8


def test_experts_have_their_own_flows():
    job = demand_of(ep=8)
    tokens = job.flow(Dimension.EP)
    assert (tokens.pattern, tokens.peers, tokens.group) == ("all-to-all", 7, (Axis(4, 8),))
    assert int(tokens.bytes_per_gpu) == 32 * 16 * 4 * 8192 // 4 * 2 * 4096 * 2 * 7 // 8
    dense, experts = job.flows_of(Dimension.DP)
    assert (dense.members, experts.members, experts.group) == (32, 4, (Axis(32, 4),))


def test_experts_outside_data_parallel_where_the_order_says_so():
    job = demand_of(ep=8, options={"order": "tp-cp-dp-ep-pp"})
    assert job.flow(Dimension.EP).group == (Axis(16, 8),)


@pytest.mark.parametrize(
    ("options", "axes"),
    [
        ({}, {"tp": 1, "dp": 4, "pp": 32}),
        ({"order": "tp-pp-dp"}, {"tp": 1, "pp": 4, "dp": 16}),
        ({"order": ["pp", "tp", "dp"]}, {"pp": 1, "tp": 4, "dp": 16}),
    ],
)
def test_rank_order(options, axes):
    job = demand_of(options=options)
    assert {str(flow.dimension): flow.group[0].stride for flow in job.flows} == axes


def test_evaluation_is_forward_only():
    job = demand_of()
    halves = {flow.dimension: int(flow.bytes_per_gpu) for flow in job.evaluation}
    assert halves == {
        Dimension.TP: sent(job, "tp") // 2, Dimension.PP: sent(job, "pp") // 2,
    }  # fmt: skip


def test_storage():
    job = demand_of(options={"storage": {"servers": 4, "checkpoint": {"interval_s": 600}}})
    write, restart, data = job.storage
    assert int(write.bytes_total) == 14 * 70_553_706_496
    assert (write.period.value, write.to_storage, job.storage_servers) == (600, True, 4)
    assert int(restart.bytes_total) == 2 * 70_553_706_496 * 8
    assert int(data.bytes_total) == 512 * 8192 * 4


def test_own_dimensions_stand_for_a_model():
    given = {
        "layers": 80, "hidden": 8192, "heads": 64, "kv_heads": 8, "ffn": 28672,
        "vocabulary": 128256,
    }  # fmt: skip
    assert demand_of(model=given).parameters.value == 70_553_706_496


ERRORS = [
    ({"tp": 3}, "DEM008", "TP 3 does not divide the 64 attention heads", "jobs.0.tp"),
    ({"dp": 16}, "DEM004", "x PP 4 x CP 1 x DP 16 = 256 GPUs, but the fabric has 128", "jobs.0"),
    ({"options": {"gpus": 64}}, "DEM004", "= 128 GPUs, but the job says 64", "jobs.0.options.gpus"),
    (
        {"batch": 500}, "DEM005",
        "batch 500 is not a multiple of DP 8 x micro-batch 1 = 8: 62.50 micro-batches",
        "jobs.0.batch",
    ),
    (
        {"micro_batch": 3}, "DEM005", "is not a multiple of DP 8 x micro-batch 3 = 24",
        "jobs.0.batch",
    ),
    ({"model": "llama-3-71b"}, "DEM003", "unknown model 'llama-3-71b'", "jobs.0.model"),
    ({"model": {"layers": 4}}, "DEM003", "model: hidden: Field required", "jobs.0.model.hidden"),
    ({"cp": 3, "dp": 2, "tp": 4}, "DEM006", "sequence 8192 is not a multiple of CP 3", "jobs.0.cp"),
    ({"vpp": 40}, "DEM007", "PP 4 x interleaving 40 = 160 stages", "jobs.0.pp"),
    ({"ep": 2}, "DEM009", "EP 2, but llama-3-70b has no experts", "jobs.0.ep"),
    (
        {"options": {"dp_mod": "ddp"}}, "DEM001", "unknown option 'dp_mod' of a job",
        "jobs.0.options.dp_mod",
    ),
    (
        {"options": {"storage": {"server": 3}}}, "DEM001", "unknown option 'storage.server'",
        "jobs.0.options.storage.server",
    ),
    (
        {"options": {"mfu": 1.5}}, "DEM002", "option mfu: Input should be less than or equal to 1",
        "jobs.0.options.mfu",
    ),
    (
        {"options": {"algorithms": {"dp": "tree"}}}, "DEM011", "no tree for what dp sends",
        "jobs.0.options.algorithms.dp",
    ),
    (
        {"pp": 2, "dp": 12, "batch": 480, "options": {"algorithms": {"dp": "halving-doubling"}}},
        "DEM011", "halving-doubling needs a power of two, but dp has 12 members",
        "jobs.0.options.algorithms.dp",
    ),
    (
        {"options": {"classes": {"dp": "gold"}}}, "DEM013", "the lossless classes are roce",
        "jobs.0.options.classes.dp",
    ),
    (
        {"options": {"dp_mode": "hsdp", "shard": 3}}, "DEM010", "hsdp shards over 3 GPUs",
        "jobs.0.options",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "rule", "message", "key"), ERRORS)
def test_bad_input_is_a_located_finding_with_numbers(changes, rule, message, key):
    demand, report = estimated({**JOB, **changes})
    found = [each for each in report.findings if each.severity is Severity.ERROR]
    assert [(each.rule, each.key, each.table) for each in found] == [(rule, key, "fabric.yaml")]
    assert message in found[0].message
    assert found[0].hint
    assert not demand.jobs


def test_the_nearest_name_is_offered():
    _, report = estimated({**JOB, "model": "llama3-70b", "options": {"dp_mod": "ddp"}})
    hints = {each.rule: each.hint for each in report.findings}
    assert hints["DEM001"] == "did you mean 'dp_mode'?"
    assert hints["DEM003"].startswith("did you mean 'llama-3-70b'?")


def test_errors_come_all_at_once():
    _, report = estimated({**JOB, "tp": 3, "batch": 7, "options": {"x-own": 1, "pxm": True}})
    assert {each.rule for each in report.findings} == {"DEM001", "DEM005", "DEM008"}


EXPERTS = [
    ({"ep": 3}, "EP 3 does not divide the 8 experts"),
    ({"ep": 8, "dp": 4, "pp": 8}, "EP 8 does not divide the 4 GPUs it is taken from"),
    ({"ep": 2, "options": {"expert_tp": 3}}, "expert_tp 3 does not divide TP 4"),
]


@pytest.mark.parametrize(("changes", "message"), EXPERTS)
def test_experts_that_do_not_fit(changes, message):
    _, report = estimated({**MOE, **changes})
    assert {each.rule for each in report.findings if each.severity is Severity.ERROR} == {"DEM009"}
    assert any(message in each.message for each in report.findings)


WARNINGS = [
    ({"options": {"order": "pp-tp-dp"}}, "DEM021", "PP 4 is innermost (pp-tp-dp-cp-ep)"),
    (
        {"tp": 2, "dp": 16, "options": {"algorithms": {"dp": "flat-ring"}}}, "DEM022",
        "a flat dp ring of stride 2 in nodes of 4: one edge in 2 changes the rail",
    ),
    ({"batch": 8}, "DEM020", "leaves 1 micro-batches for 4 pipeline stages: the bubble is 300%"),
    ({"dp": 4}, "DEM014", "the jobs use 64 of the fabric's 128 GPUs (llama 64)"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "rule", "message"), WARNINGS)
def test_bad_layouts_are_warned_of_with_numbers(changes, rule, message):
    demand, report = estimated({**JOB, **changes})
    found = [each for each in report.findings if each.rule == rule]
    assert [each.severity for each in found] == [Severity.WARNING]
    assert message in found[0].message
    assert len(demand.jobs) == 1


def test_jobs_that_do_not_fit_together():
    _, report = estimated(JOB, {**JOB, "name": "other"})
    assert "need 256 GPUs together (llama 128, other 128), but the fabric has 128" in next(
        each.message for each in report.findings if each.rule == "DEM004"
    )


def test_an_unknown_gpu_is_named():
    _, report = estimated(JOB, gpu="h101-sxm")
    assert [each.rule for each in report.findings] == ["DEM012"]
    assert "h100-sxm" in report.findings[0].hint


@pytest.mark.parametrize("name", library())
def test_library_models_are_whole(name):
    model = library_model(name)
    assert model.name == name
    assert len(model.source) > 10
    assert model.heads % (model.kv_heads or 1) == 0
    assert 0 < model.tokens_use <= model.total_parameters


KNOWN = {
    "llama-2-7b": 6_738_415_616,
    "llama-2-13b": 13_015_864_320,
    "llama-2-70b": 68_976_648_192,
    "llama-3-8b": 8_030_261_248,
    "llama-3-70b": 70_553_706_496,
    "llama-3-405b": 405_853_388_800,
    "mixtral-8x7b": 46_702_792_704,
}


@pytest.mark.parametrize(("name", "parameters"), KNOWN.items())
def test_parameter_counts(name, parameters):
    assert library_model(name).total_parameters == parameters


def test_a_model_without_sense_is_refused():
    with pytest.raises(ValueError, match="top_k 9 is not between 1 and the 8 experts"):
        ModelSpec(layers=2, hidden=8, experts=8, top_k=9)
