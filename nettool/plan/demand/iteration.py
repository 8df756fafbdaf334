"""How long an iteration takes, where nobody measured it: arithmetic over a rate that is assumed."""

from __future__ import annotations

from fractions import Fraction

from nettool.plan.demand.shape import Shape


def iteration_flops(shape: Shape) -> Fraction:
    """Operations of one iteration: 6 P T, or 8 P T where activations are computed again.

    With `flops: layers` it is counted layer by layer, attention and logits included.
    """
    again = shape.options.recompute == "full"
    model = shape.model
    if shape.options.flops == "layers":
        return layer_flops(
            shape.batch, shape.sequence, model.layers, model.hidden, model.vocabulary, again
        )
    return Fraction((8 if again else 6) * model.tokens_use * shape.tokens)


def layer_flops(
    batch: int, sequence: int, layers: int, hidden: int, vocabulary: int, recompute: bool
) -> Fraction:
    """96 B s l h^2 (1 + s/(6h) + V/(16 l h)) with recomputation (Narayanan SC21 eq. 3).

    Without it three quarters of the layers' part: 72 B s l h^2 (1 + s/(6h) + V/(12 l h)).
    """
    factor, logits = (96, 16) if recompute else (72, 12)
    inner = 1 + Fraction(sequence, 6 * hidden) + Fraction(vocabulary, logits * layers * hidden)
    return factor * batch * sequence * layers * hidden**2 * inner


def compute_seconds(flops: Fraction, gpus: int, flops_per_gpu: float) -> float:
    """F/(n X): time of `flops` operations on `gpus` GPUs at `flops_per_gpu` a second each."""
    return float(flops / gpus / Fraction(flops_per_gpu))
