"""`calc ecn`: marking thresholds of a port speed, and whether ECN acts before PFC."""

from __future__ import annotations

from nettool.core.provenance import Figure, weakest
from nettool.plan.calculators.calculator import (
    AMOUNT,
    COUNT,
    NUMBER,
    SIZE,
    SPEED,
    TEXT,
    Calculation,
    Flag,
    Row,
    calculator,
    exact,
)
from nettool.plan.calculators.chips import all_ports, asked, budget_of, chip_named, parse_ports
from nettool.plan.qos.ecn import compare_presets
from nettool.plan.qos.preset import PRESETS, EcnQuery
from nettool.plan.qos.threshold import certain_limit, pause_room
from nettool.plan.qos.trace import derived

_CABLE_M = 40.0
_DCQCN = {"buffer": 12_000_000, "ports": 32, "priorities": 8, "headroom": 22_400, "beta": 8}
"""Section 4 of the DCQCN paper: 12 MB, 32 ports of 40G, 8 priorities, beta 8."""


@calculator(
    "ecn",
    "ECN thresholds of a port speed, every preset beside them, and whether ECN precedes PFC",
    Flag("speed", SPEED, 400_000, "port speed"),
    Flag("rtt_us", NUMBER, 8.0, "base round-trip time, microseconds"),
    Flag("incast", COUNT, 8, "senders to one port at the same time"),
    Flag("asic", TEXT, "teralynx10", "chip of the catalog"),
    Flag("preset", TEXT, "derived", "derived, sonic, nvidia, cisco, hpcc or simai",
         choices=("derived", "sonic", "nvidia", "cisco", "hpcc", "simai")),
    Flag("alpha", NUMBER, 2.0, "dynamic threshold factor of the lossless groups"),
    Flag("ports", COUNT, help="ports; default: all the chip has at this speed", optional=True),
    Flag("lossless", COUNT, 1, "lossless classes"),
    Flag("buffer", SIZE, help="whole buffer; default: the chip's lossless pool", optional=True),
    Flag("headroom", AMOUNT, 0, "headroom of one group, with --buffer, bytes"),
)  # fmt: skip
def ecn(  # noqa: PLR0913 - one parameter a flag
    *,
    speed: int,
    rtt_us: float,
    incast: int,
    asic: str,
    preset: str,
    alpha: float,
    ports: int | None,
    lossless: int,
    buffer: int | None,
    headroom: int,
) -> Calculation:
    """Thresholds, and both conditions of ECN before PFC with every queue of the switch congested.

    `kmax_limit_certain` is alpha B/(n (1 + alpha)), B after headroom, n all lossless queues:
    with --buffer 12MB --ports 32 --lossless 8 --headroom 22400 --alpha 8 it is DCQCN's 21,756 B,
    and `pfc_static` (B/n) is its 24,475 B. Both are also given as `dcqcn_*`.
    """
    shared, count = _shared(asic, speed, ports, lossless, buffer, headroom)
    queues = count * lossless
    rtt, senders, factor = (
        asked("rtt-us", rtt_us, "us"),
        asked("incast", incast),
        asked("alpha", alpha),
    )
    query = EcnQuery(speed, rtt, senders, factor, shared)
    marking = PRESETS[preset](query)
    kmin, kmax, left = float(marking.kmin), float(marking.kmax), float(shared)
    reached = pause_room(alpha, left, queues * kmin) > 0
    in_time = alpha * (left - kmax) > kmax / incast
    return Calculation(
        result={
            "kmin": exact(marking.kmin.value),
            "kmax": exact(marking.kmax.value),
            "pmax": exact(marking.pmax.value),
            "kmax_limit_certain": exact(certain_limit(alpha, left, queues)),
            "ecn_first": reached and in_time,
            "ecn_certain": pause_room(alpha, left, queues * kmax) > 0,
            "pfc_static": exact(left / queues),
            "ecn_static": exact(left / queues / count),
            "dcqcn_t_pfc": _dcqcn_static(),
            "dcqcn_t_ecn": round(_dcqcn_dynamic()),
            "presets": tuple(_rows(query)),
        },
        units={
            "kmin": "B", "kmax": "B", "pmax": "%", "kmax_limit_certain": "B", "ecn_first": "",
            "ecn_certain": "", "pfc_static": "B", "ecn_static": "B", "dcqcn_t_pfc": "B",
            "dcqcn_t_ecn": "B", "presets": "",
        },
        formula="Kmin = rate x RTT; Kmax = 4 Kmin; first: alpha (B - n Kmin) > n Kmin and "
        "alpha (B - Kmax) > Kmax/k; certain: Kmax < alpha B/(n (1 + alpha)); static: B/n. "
        "dcqcn: (B - 8 n t)/(8 n) and beta/(beta + 1) of it",
        source="DCQCN (SIGCOMM 2015) section 4: 12 MB, 32 ports, 8 priorities, t 22.4 KB, beta 8",
        trust=weakest(marking.kmin.why.trust, shared.why.trust),
    )  # fmt: skip


def _shared(
    asic: str, speed: int, ports: int | None, lossless: int, buffer: int | None, headroom: int
) -> tuple[Figure, int]:
    """The shared buffer after headroom, and the ports that divide it."""
    chip = chip_named(asic)
    text = f"{ports}x{speed // 1000}G" if ports else all_ports(chip, speed)
    count = sum(each for each, _ in parse_ports(text))
    if buffer is None:
        budget, _ = budget_of(chip, text, _CABLE_M, lossless)
        return budget.shared, count
    whole, each = asked("buffer", buffer, "B"), asked("headroom", headroom, "B")
    why = derived("buffer - ports x lossless x headroom", whole.as_input("buffer"),
                  each.as_input("headroom"))  # fmt: skip
    return Figure(max(0, buffer - count * lossless * headroom), "B", why), count


def _dcqcn_static() -> int:
    queues = _DCQCN["ports"] * _DCQCN["priorities"]
    return (_DCQCN["buffer"] - queues * _DCQCN["headroom"]) // queues


def _dcqcn_dynamic() -> float:
    queues = _DCQCN["ports"] * _DCQCN["priorities"]
    left = _DCQCN["buffer"] - queues * _DCQCN["headroom"]
    return certain_limit(_DCQCN["beta"], left, queues)


def _rows(query: EcnQuery) -> list[Row]:
    table = compare_presets((query.speed,), query.rtt_us, query.incast, query.alpha, query.shared)
    return [
        {
            "preset": name,
            "kmin": exact(each.kmin.value),
            "kmax": exact(each.kmax.value),
            "pmax": exact(each.pmax.value),
            "trust": str(each.kmin.why.trust),
            "source": each.kmin.why.source,
        }
        for name, each in table
    ]
