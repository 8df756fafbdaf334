"""`calc buffer`: whether headroom fits a chip, and what congested queues get of the rest."""

from __future__ import annotations

from nettool.core.provenance import weakest
from nettool.plan.calculators.calculator import (
    COUNT,
    LENGTH,
    NUMBER,
    SWITCH,
    TEXT,
    Calculation,
    Flag,
    calculator,
    exact,
)
from nettool.plan.calculators.chips import PORTS, budget_of, chip_named
from nettool.plan.qos.threshold import free, threshold


@calculator(
    "buffer",
    "buffer budget of a switch: headroom, shared part, threshold of n congested queues",
    Flag("asic", TEXT, "teralynx10", "chip of the catalog"),
    Flag("ports", PORTS, "64x800G", "ports, as 64x800G or 64x400G+32x800G"),
    Flag("cable", LENGTH, 40.0, "cable length of all ports"),
    Flag("lossless", COUNT, 1, "lossless classes"),
    Flag("alpha", NUMBER, 0.125, "dynamic threshold factor; dynamic_th is its log2"),
    Flag("queues", COUNT, help="congested lossless queues; default: all", optional=True),
    Flag("shared_headroom", SWITCH, False, "one pool holds the headroom of all ports"),
    Flag("table", TEXT, help="headroom table; default: the chip's first", optional=True),
)
def buffer(  # noqa: PLR0913 - one parameter a flag
    *,
    asic: str,
    ports: str,
    cable: float,
    lossless: int,
    alpha: float,
    queues: int | None,
    shared_headroom: bool,
    table: str | None,
) -> Calculation:
    """Budget of a switch: `headroom` in plain bytes, all else with every group in whole cells.

    `short` is how many bytes are missing where it does not fit.
    """
    chip = chip_named(asic, table)
    budget, load = budget_of(chip, ports, cable, lossless, shared=shared_headroom)
    congested = queues or load.groups
    shared = float(budget.shared)
    return Calculation(
        result={
            "headroom": exact(load.bytes),
            "shared": exact(budget.shared.value),
            "threshold_per_queue": exact(threshold(alpha, shared, congested)),
            "free": exact(free(alpha, shared, congested)),
            "fits": budget.fits,
            "headroom_cells": round(float(budget.headroom) / float(chip.cell)),
            "cell": exact(chip.cell.value),
            "reserved": exact(budget.reserved.value),
            "short": budget.short,
            "oversubscription": budget.ratio,
        },
        units={
            "headroom": "B",
            "shared": "B",
            "threshold_per_queue": "B",
            "free": "B",
            "fits": "",
            "headroom_cells": "cells",
            "cell": "B",
            "reserved": "B",
            "short": "B",
            "oversubscription": "headroom over what is set aside",
        },
        formula="headroom = ports x lossless x xoff, in whole cells; T = alpha B/(1 + n alpha); "
        "free = B/(1 + n alpha)",
        source="Choudhury and Hahne 1998 (dynamic thresholds); pools as the chip's family has them",
        trust=weakest(budget.shared.why.trust, budget.headroom.why.trust),
    )
