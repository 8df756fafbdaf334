"""What a person reads of a matrix: the numbers of the matrix, the worst link by name."""

from __future__ import annotations

from nettool.core.provenance import Figure, Provenance
from nettool.plan.placement.matrix import ClassShare, TierLoad, TrafficMatrix
from nettool.plan.placement.table import (
    by_rail,
    edge_table,
    heat_map,
    share_table,
    tier_table,
    worst_link,
)


def figure(value):
    return Figure(value, "", Provenance("given"))


def load(tier, rail, burst, **more):
    plain = dict.fromkeys(("uplinks", "oversubscription", "worst_link", "slowest_flow"))
    return TierLoad(
        network="compute", tier=tier, rail=rail, bytes=figure(2_500_000_000), average=figure(1.5),
        burst=figure(burst), flows=8, **{**plain, **more},
    )  # fmt: skip


MATRIX = TrafficMatrix(
    loads=(
        load("nic-leaf", 1, 6400),
        load("nic-leaf", 2, 800),
        load(
            "leaf-spine", 1, 3200, worst_link=figure(1.664), slowest_flow=figure(0.6007),
            uplinks=figure(8), oversubscription=figure(2.0), busiest="leaf03", links=32,
        ),
        load("nic-leaf", 0, 2400, traffic="storage"),
        load("nic-leaf", 1, 9999, traffic="evaluation"),
    ),
    classes=(ClassShare("compute", "roce", figure(3_000_000_000), figure(0.75)),),
    edges={("llama", "dp", "leaf-local"): 1_500_000_000, ("llama", "dp", "core"): 1_000_000},
    incast={"compute": figure(7)},
    needed_oversubscription={},
)  # fmt: skip


def test_heat_map_has_a_row_a_rail_and_a_column_a_tier():
    head, rows = heat_map(MATRIX)
    assert head == ("network", "traffic", "rail", "nic-leaf", "leaf-spine")
    assert rows == [
        ("compute", "training", 1, "█ 6400G", "▄ 3200G"),
        ("compute", "training", 2, "▁ 800G", ""),
        ("compute", "storage", "all", "▃ 2400G", ""),
    ]


def test_tables_give_the_matrix_s_numbers():
    head, rows = tier_table(MATRIX)
    row = dict(zip(head, rows[2], strict=True))
    assert (row["GB"], row["uplinks needed"], row["implied ratio"]) == (2.5, 8, 2.0)
    assert (row["slowest flow, %"], row["busiest"]) == (60.1, "leaf03")
    head, rows = edge_table(MATRIX)
    row = dict(zip(head, rows[0], strict=True))
    assert (row["leaf-local GB"], row["core GB"], row["scale-up GB"]) == (1.5, 0.001, 0.0)
    assert share_table(MATRIX)[1] == [("compute", "roce", 3.0, 75.0, 7)]


def test_the_worst_link_is_named():
    assert worst_link(MATRIX) == (
        "worst link: on leaf03 (compute, leaf-spine) 8 flows hash onto 32 links; the fullest "
        "carries 1.66, and the slowest flow gets 60% of its fair share"
    )
    quiet = TrafficMatrix(MATRIX.loads[:2], (), {}, {}, {})
    assert worst_link(quiet) == "no flow leaves its leaf: no link is shared by hashing"


def test_rails_alike_are_one_row():
    head = ("network", "rail", "GB", "busiest")
    rows = [("c", n, 7.5, f"leaf0{n}") for n in (1, 2, 3, 4)]
    odd = [("c", 5, 8.0, "leaf05"), ("s", "all", 7.5, "leaf09")]
    assert by_rail((head, [*rows, *odd])) == (
        head,
        [("c", "1-4", 7.5, "leaf01-04"), ("c", 5, 8.0, "leaf05"), ("s", "all", 7.5, "leaf09")],
    )


def test_of_several_examples_the_first_is_kept():
    head = ("fails", "for example", "rail")
    rows = [("leaf", "leaf01", 1), ("leaf", "leaf02", 2)]
    assert by_rail((head, rows)) == (head, [("leaf", "leaf01", "1, 2")])
