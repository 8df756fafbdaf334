"""A job in numbers: degrees, batch and model, as the formulas of the step take them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from nettool.plan.demand.model import ModelSpec
from nettool.plan.demand.options import JobOptions


@dataclass(frozen=True, slots=True)
class Shape:
    """One job: parallel degrees, sequences and the options that change its volumes."""

    model: ModelSpec
    tp: int = 1
    pp: int = 1
    dp: int = 1
    cp: int = 1
    ep: int = 1
    vpp: int = 1
    sequence: int = 8192
    batch: int = 2048
    micro_batch: int = 1
    options: JobOptions = field(default_factory=JobOptions)

    @property
    def gpus(self) -> int:
        """TP x PP x CP x DP; EP lies inside CP x DP and adds none."""
        return self.tp * self.pp * self.cp * self.dp

    @property
    def microbatches(self) -> int:
        """Micro-batches one pipeline sees in an iteration: B/(d b), at least 1."""
        return max(1, self.batch // (self.dp * self.micro_batch))

    @property
    def tokens(self) -> int:
        """Tokens of a global batch."""
        return self.batch * self.sequence

    @property
    def rank_tokens(self) -> Fraction:
        """Tokens of a micro-batch on one context-parallel rank: b s/c."""
        return Fraction(self.micro_batch * self.sequence, self.cp)

    @property
    def activation(self) -> Fraction:
        """Bytes of one activation tensor of a micro-batch: b s/c h x bytes."""
        return self.rank_tokens * self.model.hidden * self.options.activation_bytes

    @property
    def stage_layers(self) -> Fraction:
        """Layers of one pipeline rank, L/p (an average where p does not divide L)."""
        return Fraction(self.model.layers, self.pp)

    @property
    def moe_stage_layers(self) -> Fraction:
        """Layers with experts of one pipeline rank."""
        return Fraction(self.model.moe_layers, self.pp)

    @property
    def expert_tp(self) -> int:
        """Tensor parallel degree of experts."""
        return self.options.expert_tp or self.tp

    @property
    def replicas(self) -> int:
        """GPUs that hold the same dense parameters: d c."""
        return self.dp * self.cp

    @property
    def expert_replicas(self) -> Fraction:
        """GPUs that hold the same experts: d c t/(e t_e)."""
        return Fraction(self.replicas * self.tp, self.ep * self.expert_tp)
