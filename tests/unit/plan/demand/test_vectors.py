"""Every vector of the step, the collectives, published figures and the article's model."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from nettool.plan.demand import article, volume
from nettool.plan.demand.collectives import collective
from nettool.plan.demand.iteration import compute_seconds, iteration_flops, layer_flops
from nettool.plan.demand.model import ModelSpec, gpt_parameters, library_model
from nettool.plan.demand.options import JobOptions
from nettool.plan.demand.shape import Shape
from nettool.plan.demand.storage import checkpoint_bytes, data_set_bytes

FAMILIES = (
    "seed.", "prim.", "step.", "sc21.", "aicb.", "hpn.dp", "hpn.pp", "hpn.tp",
    "hpn.ckpt", "zero.", "hsdp.", "cp.", "ep.", "pp.",
    "ckpt.", "data.", "model.",
)  # fmt: skip


def spec(**sizes):
    return ModelSpec(**{"layers": 1, "hidden": 1, **sizes})


def job(vector, **options):
    """The job of a step vector: parameters are given, not counted."""
    i = vector["inputs"]
    model = spec(layers=i["L"], hidden=i["h"], parameters=int(i["P"]))
    both = {"grad_bytes": i["grad_bytes"], "param_bytes": i["param_bytes"], **options}
    return Shape(
        model, tp=i["t"], pp=i["p"], dp=i["d"], cp=i["c"], vpp=i["v"], sequence=i["s"],
        batch=i["seqs"], micro_batch=i["b"], options=JobOptions(**both),
    )  # fmt: skip


def middle(shape):
    return 2 * shape.microbatches * shape.vpp * volume.pipeline_message(shape)


def data_sent(shape):
    return volume.sent(volume.data_pass(shape), shape.replicas)


def duration(vector):
    i = vector["inputs"]
    if vector["name"].startswith("step.gpt1t"):
        published = layer_flops(3072, 2048, 128, 25600, 51200, recompute=True)
        return round(compute_seconds(published, 3072, 163e12), 2)
    return compute_seconds(iteration_flops(job(vector)), job(vector).gpus, i["peak"] * i["mfu"])


STEP = {
    "m": lambda v: job(v).microbatches,
    "tp": lambda v: volume.sent(volume.tensor_pass(job(v)), job(v).tp),
    "tp_sp_regather": lambda v: volume.sent(
        volume.tensor_pass(job(v, sequence_parallel="on")), job(v).tp
    ),
    "pp_msg": lambda v: volume.pipeline_message(job(v)),
    "pp_mid": lambda v: middle(job(v)),
    "pp_edge": lambda v: middle(job(v)) / 2,
    "dp_rsag": lambda v: data_sent(job(v)),
    "dp_ar_bf16": lambda v: data_sent(job(v, dp_mode="ddp", grad_bytes=2)),
    "t_iter": duration,
    "avg_gbps": lambda v: (middle(job(v)) + data_sent(job(v))) * 8 / Fraction(duration(v)) / 10**9,
    "dp_burst_s": lambda v: data_sent(job(v)) / (NIC_OF[v["inputs"]["peak"]] * 10**9 // 8),
}
NIC_OF = {989e12: 400, 312e12: 200}
"""Gbit/s of a GPU's NIC: H100 nodes have 400G, the A100 nodes of SC21 200G HDR."""


def prim(vector):
    i, kind = vector["inputs"], vector["name"].split(".")[1]
    size = i.get("S", i.get("S_full", 1))
    if kind == "hier_allreduce":
        nodes = i.get("nodes", 128)
        found = collective("all-reduce", "hierarchical", i["g"] * nodes, size, i["g"])
        return found.nic if ".nic." in vector["name"] else found.nvlink
    op, algorithm = {
        "allreduce_ring": ("all-reduce", "ring"),
        "allreduce_ring_steps": ("all-reduce", "ring"),
        "allreduce_rhd_steps": ("all-reduce", "halving-doubling"),
        "allgather": ("all-gather", "ring"),
        "alltoall": ("all-to-all", "direct"),
        "recursive_doubling": ("all-reduce", "recursive-doubling"),
        "sharp_allreduce": ("all-reduce", "in-network"),
    }[kind]
    found = collective(op, algorithm, i.get("G", 8), size)
    return found.steps if kind.endswith("_steps") else found.bytes_per_gpu


def replicated(parameters, replicas, mode, **options):
    both = JobOptions(dp_mode=mode, grad_bytes=2, param_bytes=2, **options)
    return Shape(spec(parameters=int(parameters)), dp=replicas, batch=replicas, options=both)


def zero(vector):
    i = vector["inputs"]
    mode = ["ddp", "zero1", "zero2", "zero3"][int(vector["name"].split(".")[1][-1])]
    return data_sent(replicated(i["P"], i["Nd"], mode)) / 2


def hsdp(vector):
    i = vector["inputs"]
    shape = replicated(i["P"], 8, "hsdp")
    parameters = volume.dense_shard(shape)
    if vector["name"].endswith("nvlink_bytes"):
        return volume.sent(volume.shard_pass(shape, parameters), 8)
    return volume.sent(volume.hsdp_replicate_pass(shape, parameters, 8), i["replicas"])


LLAMA_13B = library_model("llama-2-13b")
GPT_13B = Shape(spec(layers=40, hidden=5120), tp=8, dp=16, sequence=2048, batch=16)
EMBEDDING_AND_LOSS = 2
"""All-reduces of a step that belong to no layer."""


def gpt_13b_gradients(vector, share):
    parameters = vector["inputs"]["params_per_tp_rank"] * 8
    shape = Shape(spec(parameters=parameters), tp=8, dp=16, batch=16)
    options = shape.options
    return volume.dense_shard(shape) * getattr(options, share)


def zero3_traced(gathers):
    """The traces keep norm weights local: 414,720 parameters are not gathered."""
    gathered = LLAMA_13B.total_parameters - (2 * 40 + 1) * LLAMA_13B.hidden
    return gathers * 2 * gathered


AICB = {
    "gpt13b.tp_msg": lambda _: GPT_13B.activation,
    "gpt13b.tp_count": lambda _: volume.tensor_calls(GPT_13B) + EMBEDDING_AND_LOSS,
    "gpt13b_sp.ag_count": lambda _: volume.tensor_calls(GPT_13B) * Fraction(6, 4),
    "gpt13b_sp.rs_count": lambda _: volume.tensor_calls(GPT_13B),
    "gpt13b.dp_rs": lambda v: gpt_13b_gradients(v, "grad_bytes"),
    "gpt13b.dp_ag": lambda v: gpt_13b_gradients(v, "param_bytes"),
    "llama13b.zero3.ag_total": lambda _: zero3_traced(2),
    "llama13b.zero3.rs_total": lambda _: volume.dense_shard(Shape(LLAMA_13B)) * 2,
    "llama13b.zero2.ar_total": lambda _: volume.dense_shard(Shape(LLAMA_13B)) * 2,
    "llama65b.pp_msg": lambda _: volume.pipeline_message(
        Shape(library_model("llama-65b"), tp=2, pp=8, sequence=2048,
              options=JobOptions(scatter_gather=False))
    ),
}  # fmt: skip


def gpt(vector):
    i = vector["inputs"]
    return gpt_parameters(i["l"], i["h"], i["V"], i["s"])


def sc21(vector):
    i, kind = vector["inputs"], vector["name"].split(".")[1]
    if kind == "train_days":
        model = spec(parameters=int(i["P"]))
        shape = Shape(model, sequence=1, batch=int(i["T"]), options=JobOptions(recompute="full"))
        return compute_seconds(iteration_flops(shape), i["n"], i["X"]) / 86400
    if ".params." in vector["name"]:
        return gpt(vector)
    if kind == "tp_per_layer_elements":
        shape = Shape(spec(hidden=i["h"]), tp=i["t"], sequence=i["s"], batch=i["b"])
        return volume.sent(volume.tensor_pass(shape), i["t"]) / shape.options.activation_bytes
    flops = layer_flops(i["B"], i["s"], i["l"], i["h"], i["V"], recompute=True)
    return compute_seconds(flops, i["n"], i["X_tflops"] * 1e12)


def gpt3(**degrees):
    return Shape(library_model("gpt-3-175b"), sequence=2048, **degrees)


HPN = {
    "dp_message": lambda _: 2 * volume.dense_shard(gpt3(tp=8, pp=8)),
    "pp_message": lambda _: volume.pipeline_message(gpt3(tp=8, pp=8)),
    "tp_volume_nearest": lambda v: volume.sent(
        v["inputs"]["layers"] * gpt3(tp=8, pp=8).activation, 8
    ),
    "ckpt": lambda v: v["inputs"]["per_gpu"] * 8 / v["inputs"]["seconds"] / 1e9,
}

LLAMA_405B = library_model("llama-3-405b")
LONG = Shape(LLAMA_405B, tp=8, cp=16, sequence=131072)
CP = {
    "kv_bytes_layer": lambda _: volume.context_layer(LONG),
    "ag_recv": lambda v: volume.sent(volume.context_layer(LONG), v["inputs"]["c"]),
}

DEEPSEEK = Shape(library_model("deepseek-v3"), ep=64, dp=64, batch=64, sequence=4096)


def generic_experts(vector):
    i = vector["inputs"]
    model = spec(hidden=i["h"], experts=i["EP"], top_k=i["k"], layers=1)
    shape = Shape(model, ep=i["EP"], dp=i["EP"], batch=i["EP"], sequence=i["tokens"])
    return volume.sent(volume.expert_pass(shape), i["EP"])


EP = {
    "dsv3.dispatch_bytes_per_copy": lambda _: volume.dispatch_copy(DEEPSEEK),
    "dsv3.ib_fwd_per_token_layer_max": lambda v: v["inputs"]["nodes"]
    * (volume.dispatch_copy(DEEPSEEK) + volume.combine_copy(DEEPSEEK)),
    "dsv3.ib_dispatch_4096tok": lambda v: volume.expert_tokens(DEEPSEEK)
    * v["inputs"]["nodes"] * volume.dispatch_copy(DEEPSEEK),
    "naive_vs_nodelimited": lambda _: Fraction(
        DEEPSEEK.model.top_k, DEEPSEEK.model.max_nodes
    ),
    "generic_a2a.4ops": generic_experts,
}  # fmt: skip


def pp(vector):
    i = vector["inputs"]
    shape = Shape(spec(layers=80), pp=i["p"], vpp=i["v"], batch=i.get("m", 1), micro_batch=1)
    if "bubble" in vector["name"]:
        return volume.bubble(shape)
    return volume.forward_hops(shape)


def ckpt(vector):
    total = checkpoint_bytes(LLAMA_405B.total_parameters, 14)
    return {
        "llama70b": checkpoint_bytes(library_model("llama-3-70b").total_parameters, 14),
        "llama405b": total,
        "llama405b_time_2TBps": total / 2e12,
        "llama405b_per_gpu": total / 16384,
    }[vector["name"].split(".")[1]]


def data(vector):
    i = vector["inputs"]
    return data_set_bytes(i["tokens"], i["bytes_per_token"]) / i["t_iter"]


def model(vector):
    name = vector["name"].split(".")[1].replace("llama3_", "llama-3-")
    return library_model(name).total_parameters


REBUILT, REAL = article.rebuilt(), article.physical()
NICS = REAL.dp_backward + REAL.pp_backward + REAL.pp_forward
RATE = Fraction(989 * 10**12 * 4, 10)
EPOCH = article.epoch_seconds(1024, RATE)
SEED = {
    "table.dp_bwd": article.dp_backward(),
    "table.fsdp_each_way": article.fsdp_each_way(),
    "table.tp_bwd": article.tp_backward(),
    "table.tp_fwd": article.tp_forward(),
    "table.pp_each_way": article.pp_each_way(),
    "table.tp_bwd.printed": article.tp_backward(article.EXACT_STEPS)
    * article.MIXED_UNITS / article.PETA,
    "table.tp_fwd.printed": article.tp_forward() * article.MIXED_UNITS / article.PETA,
    "table.tp_fwd_count": 2 * article.LAYERS * article.TOKENS,
    "table.tp_bwd_count": 2 * article.LAYERS,
    "table.fsdp_count": article.LAYERS,
    "table.pp_count": article.GROUP - 1,
    "N": article.EXACT_STEPS,
    "3d.tp_bwd": REBUILT.tp_backward,
    "3d.dp": REBUILT.dp_backward,
    "3d.pp_bwd": REBUILT.pp_backward,
    "3d.tp_fwd": REBUILT.tp_forward,
    "3d.pp_fwd": REBUILT.pp_forward,
    "3d.total_A": REBUILT.total,
    "3d.total_B_pp_times_tp": REBUILT.total + 7 * (REBUILT.pp_backward + REBUILT.pp_forward),
    "switch_days.as_printed": article.switch_days(REBUILT.total, article.SWITCH_BITS * 8),
    "switch_days.correct": article.switch_days(REBUILT.total),
    "switch_days.correct_85EB": article.switch_days(85 * article.EXA),
    "switch_capacity_per_day": article.SWITCH_BITS // 8 * article.DAY,
    "switches_for_1_epoch_per_day": article.switches(REBUILT.total),
    "corrected.dp_ring_allreduce": REAL.dp_backward,
    "corrected.pp_p2p": REAL.pp_backward + REAL.pp_forward,
    "corrected.tp_ring_allreduce": REAL.tp_backward + REAL.tp_forward,
    "corrected.nic_switch_days": article.switch_days(NICS),
    "corrected.epoch_time": EPOCH,
    "corrected.avg_nic_gbps": NICS * 8 / 1024 / EPOCH / 10**9,
    "claim.100GB_vs_1000x800G": article.transfer_seconds(10**11, 1000, 8 * 10**11),
    "claim.bytes_per_sample": REBUILT.total / article.SAMPLES,
    "claim.pairs_10k": article.ordered_pairs(10_000),
    "tokens_per_sample": Fraction(article.TOKENS, article.SAMPLES),
    "tokens_per_step": article.TOKENS / article.EXACT_STEPS,
    "table1.corrected.ddp_ring_G8": article.STEPS
    * 8 * data_sent(replicated(article.PARAMETERS, 8, "ddp")),
    "table1.corrected.fsdp_G8": article.STEPS
    * 8 * data_sent(replicated(article.PARAMETERS, 8, "zero3")),
}  # fmt: skip


def solved(vector):
    family, rest = vector["name"].split(".", 1)
    if family == "step":
        return STEP[rest.rsplit(".", 1)[1]](vector)
    if family == "seed":
        return SEED[rest]
    tables = {"aicb": AICB, "hpn": HPN, "ep": EP}
    if family in tables:
        return tables[family][rest](vector)
    if family == "cp":
        return CP[rest.rsplit(".", 1)[1]](vector)
    return {
        "prim": prim, "zero": zero, "hsdp": hsdp, "sc21": sc21, "pp": pp, "ckpt": ckpt,
        "data": data, "model": model,
    }[family](vector)  # fmt: skip


def test_vector(vector, agrees):
    agrees(vector, solved(vector))


def test_volumes_stay_exact_where_layers_do_not_divide():
    shape = Shape(LLAMA_405B, tp=8, pp=16, dp=128, batch=2048)
    assert volume.tensor_pass(shape).denominator == 1
    assert shape.stage_layers == Fraction(126, 16)
    assert ceil(volume.sent(volume.tensor_pass(shape), 8)) == 236_760_072_192
