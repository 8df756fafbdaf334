"""Models that jobs train: dimensions, and the parameters that follow from them.

The library holds public models by name, one YAML file each, with its source; a job may give the
dimensions itself instead. Counts are exact: Llama-3-70B comes to 70,553,706,496.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from nettool.core.model import Model
from nettool.core.provenance import Trust
from nettool.core.source import load_yaml
from nettool.core.units import Count, Whole


class Scale(Model):
    """Quantisation scales sent beside a token: so many bytes for every `per` elements."""

    bytes: Count = Field(description="bytes of one scale")
    per: Count = Field(description="elements that share it")


class ModelSpec(Model):
    """A transformer's dimensions. Only `parameters` and `layers`/`hidden` cannot be left out."""

    name: str = Field(default="custom", description="its name")
    source: str = Field(default="given in the fabric file", description="where they were read")
    trust: Trust = Field(default=Trust.GIVEN, description="how far they can be believed")
    architecture: Literal["llama", "gpt"] = Field(
        default="llama", description="llama: gated MLP, no biases; gpt: plain MLP, biases, tied"
    )
    layers: Count = Field(description="transformer layers")
    hidden: Count = Field(description="hidden size")
    heads: Count = Field(default=1, description="attention heads")
    kv_heads: Count | None = Field(default=None, description="key and value heads; default: heads")
    head_dim: Count | None = Field(default=None, description="default: hidden / heads")
    ffn: Count | None = Field(default=None, description="MLP inner size; default: 4 x hidden")
    vocabulary: Whole = Field(default=0, ge=0, le=1 << 40, description="tokens of the vocabulary")
    sequence: Count = Field(default=8192, description="sequence length it was trained with")
    experts: Whole = Field(
        default=0, ge=0, le=1 << 40, description="routed experts of a MoE layer, 0 for dense"
    )
    top_k: Whole = Field(default=0, ge=0, le=1 << 40, description="experts one token goes to")
    shared_experts: Whole = Field(
        default=0, ge=0, le=1 << 40, description="experts that every token goes to"
    )
    expert_ffn: Count | None = Field(default=None, description="default: ffn")
    dense_layers: Whole = Field(
        default=0, ge=0, le=1 << 40, description="first layers that have no experts"
    )
    parameters: Count | None = Field(default=None, description="all of them, where published")
    active_parameters: Count | None = Field(default=None, description="those one token uses")
    max_nodes: Count | None = Field(
        default=None, description="node-limited routing: nodes that one token may go to"
    )
    dispatch_bytes: Count | None = Field(
        default=None, description="bytes an element on the way to experts (1 for FP8)"
    )
    dispatch_scale: Scale | None = Field(default=None, description="scales beside the elements")

    @model_validator(mode="after")
    def _experts_fit(self) -> ModelSpec:
        if self.experts and not 1 <= self.top_k <= self.experts:
            raise ValueError(f"top_k {self.top_k} is not between 1 and the {self.experts} experts")
        if self.dense_layers > self.layers:
            raise ValueError(f"dense_layers {self.dense_layers} of {self.layers} layers")
        return self

    @property
    def kv_width(self) -> int:
        """Elements of the keys (or values) of one token: kv_heads x head_dim."""
        width = self.head_dim or self.hidden // self.heads
        return (self.kv_heads or self.heads) * width

    @property
    def tied(self) -> bool:
        """Whether input and output embedding are one matrix, held by first and last stage."""
        return self.architecture == "gpt"

    @property
    def moe_layers(self) -> int:
        """Layers that have routed experts."""
        return self.layers - self.dense_layers if self.experts else 0

    @property
    def total_parameters(self) -> int:
        """All parameters: as published, else counted from the dimensions."""
        if self.parameters:
            return self.parameters
        if self.architecture == "gpt":
            return gpt_parameters(self.layers, self.hidden, self.vocabulary, self.sequence)
        return self._llama_parameters(self.experts)

    @property
    def expert_parameters(self) -> int:
        """Parameters of all routed experts together."""
        return self.moe_layers * self.experts * self._expert

    @property
    def tokens_use(self) -> int:
        """Parameters one token is computed with: all, or with its top-k experts only."""
        if self.active_parameters:
            return self.active_parameters
        unused = self.moe_layers * (self.experts - self.top_k) * self._expert if self.experts else 0
        return self.total_parameters - unused

    @property
    def _expert(self) -> int:
        return 3 * self.hidden * (self.expert_ffn or self._ffn)

    @property
    def _ffn(self) -> int:
        return self.ffn or 4 * self.hidden

    def _llama_parameters(self, experts: int) -> int:
        query = self.heads * (self.head_dim or self.hidden // self.heads)
        attention = 2 * self.hidden * query + 2 * self.hidden * self.kv_width
        dense = 3 * self.hidden * self._ffn
        routed = (experts + self.shared_experts) * self._expert + self.hidden * experts
        moe = self.moe_layers * routed + (self.layers - self.moe_layers) * dense
        norms = self.layers * 2 * self.hidden + self.hidden
        return self.layers * attention + moe + norms + 2 * self.vocabulary * self.hidden


def gpt_parameters(layers: int, hidden: int, vocabulary: int, sequence: int) -> int:
    """12 l h^2 (1 + 13/(12 h) + (V + s)/(12 l h)), multiplied out (Narayanan SC21 eq. 2)."""
    return 12 * layers * hidden**2 + 13 * layers * hidden + (vocabulary + sequence) * hidden


@cache
def library() -> tuple[str, ...]:
    """Names of the models that the library holds."""
    return tuple(sorted(each.stem for each in _FOLDER.glob("*.yaml")))


@cache
def library_model(name: str) -> ModelSpec:
    """A model of the library. Raises KeyError for a name it does not hold."""
    if name not in library():
        raise KeyError(name)
    path = _FOLDER / f"{name}.yaml"
    return ModelSpec.model_validate(load_yaml(path, shown_as=path.name).data)


_FOLDER = Path(__file__).resolve().parent / "data" / "models"
