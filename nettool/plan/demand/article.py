"""The demand model of a published article, kept exact beside what physics says.

It counts an all-reduce as everybody sending everything to everybody, G (G-1) S, takes the
parameters of the whole model into every layer, and prints two rows in MiB x 10^9 called PB. Its
inputs: Llama-3-70B as 70e9 parameters of 2 bytes, 80 layers, hidden 8192, groups of 8, English
C4 with 156e9 tokens in 364.6e6 samples, batches of 2048: about 178,000 steps an epoch.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

PARAMETERS = 70 * 10**9
ELEMENT = 2
LAYERS = 80
HIDDEN = 8192
GROUP = 8
TOKENS = 156 * 10**9
SAMPLES = 364_600_000
BATCH = 2048
STEPS = 178_000
EXACT_STEPS = Fraction(SAMPLES, BATCH)
MIXED_UNITS = Fraction(1000, 1024) ** 2
"""MiB x 10^9 called PB: the printed number is this part of the decimal one."""
SWITCH_BITS = 512 * 10**11
"""51.2 Tbit/s, one direction, all ports busy."""
DAY = 86_400
PETA, EXA = 10**15, 10**18


@dataclass(frozen=True, slots=True)
class ThreeD:
    """Bytes an epoch of the article's three-dimensional layout, or the physical ones."""

    tp_backward: Fraction
    dp_backward: Fraction
    pp_backward: Fraction
    tp_forward: Fraction
    pp_forward: Fraction

    @property
    def total(self) -> Fraction:
        """All of them."""
        return (
            self.tp_backward + self.dp_backward + self.pp_backward + self.tp_forward
            + self.pp_forward
        )  # fmt: skip


def dp_backward(steps: Fraction | int = STEPS, group: int = GROUP) -> Fraction:
    """2 N P G (G-1): one all-reduce of all gradients a step."""
    return Fraction(ELEMENT * steps * PARAMETERS * group * (group - 1))


def fsdp_each_way(steps: Fraction | int = STEPS, group: int = GROUP) -> Fraction:
    """2 N P (G-1): each shard to all others, once backward and once forward."""
    return Fraction(ELEMENT * steps * PARAMETERS * (group - 1))


def tp_backward(steps: Fraction | int = STEPS, group: int = GROUP) -> Fraction:
    """4 N P L (G-1): two all-reduces of all parameters for each layer."""
    return Fraction(2 * ELEMENT * steps * PARAMETERS * LAYERS * (group - 1))


def tp_forward(group: int = GROUP) -> Fraction:
    """4 L T H (G-1) G: two all-reduces a layer and token."""
    return Fraction(2 * ELEMENT * LAYERS * TOKENS * HIDDEN * (group - 1) * group)


def pp_each_way(group: int = GROUP) -> Fraction:
    """2 T H (G-1): each token crosses each boundary once."""
    return Fraction(ELEMENT * TOKENS * HIDDEN * (group - 1))


def rebuilt(tp: int = 8, pp: int = 8, dp: int = 16, steps: int = STEPS) -> ThreeD:
    """The 3D total rebuilt from the wording: it comes to the article's "about 85 EB"."""
    return ThreeD(
        tp_backward=Fraction(4 * steps * LAYERS * dp * PARAMETERS * (tp - 1), pp),
        dp_backward=dp_backward(steps, dp),
        pp_backward=pp_each_way(pp),
        tp_forward=tp_forward(tp),
        pp_forward=pp_each_way(pp),
    )


def physical(tp: int = 8, pp: int = 8, dp: int = 16, steps: int = STEPS) -> ThreeD:
    """The same job with ring collectives; TP reduces activations, both ways alike."""
    tensor = Fraction(2 * 2 * (tp - 1) * ELEMENT * HIDDEN * LAYERS * TOKENS)
    return ThreeD(
        tp_backward=tensor,
        dp_backward=Fraction(2 * (dp - 1) * ELEMENT * PARAMETERS * steps),
        pp_backward=pp_each_way(pp),
        tp_forward=tensor,
        pp_forward=pp_each_way(pp),
    )


def switch_days(size: Fraction | int, bits_per_second: int = SWITCH_BITS) -> Fraction:
    """Days one switch takes to carry so many bytes once."""
    return Fraction(size) * 8 / bits_per_second / DAY


def switches(size: Fraction | int) -> int:
    """Switches that carry so many bytes in a day."""
    return ceil(switch_days(size))


def ordered_pairs(gpus: int) -> int:
    """G (G-1) pairs of sender and receiver."""
    return gpus * (gpus - 1)


def transfer_seconds(size: int, ports: int, bits_per_second: int) -> Fraction:
    """Seconds to move so many bytes over equal ports."""
    return Fraction(size * 8, ports * bits_per_second)


def epoch_seconds(gpus: int, flops_per_gpu: Fraction | int) -> Fraction:
    """6 P T/(n X): compute time of an epoch."""
    return Fraction(6 * PARAMETERS * TOKENS, gpus) / flops_per_gpu
