"""Units, findings, registries, order and provenance: the small values everything stands on."""

import pytest

from nettool.core.document import Ledger
from nettool.core.finding import Finding, Report, Severity
from nettool.core.order import cell_order, natural
from nettool.core.provenance import Figure, Input, Provenance, Traced, Trust, weakest
from nettool.core.registry import Registry
from nettool.core.units import format_speed, parse_length, parse_size, parse_speed


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (parse_speed, "400G", 400_000), (parse_speed, "1.6T", 1_600_000),
        (parse_speed, "100M", 100), (parse_speed, "800Gbps", 800_000),
        (parse_length, "5m", 5.0), (parse_length, 40, 40.0), (parse_length, "0.3km", 300.0),
        (parse_size, "64MiB", 67_108_864), (parse_size, "1kB", 1000), (parse_size, 12, 12),
    ],
)  # fmt: skip
def test_spellings(parse, text, value):
    assert parse(text) == value


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (parse_speed, "400"), (parse_speed, 400), (parse_speed, "0G"), (parse_speed, "fast"),
        (parse_length, "5 furlongs"), (parse_length, True), (parse_length, "-3m"),
        (parse_size, "1.5B"), (parse_size, "lots"), (parse_size, None),
    ],
)  # fmt: skip
def test_spellings_that_are_refused(parse, text):
    with pytest.raises(ValueError, match=r"expected|whole"):
        parse(text)


def test_speed_is_written_as_it_is_read():
    assert parse_speed(format_speed(800_000)) == 800_000


def test_ports_sort_naturally():
    names = ["Ethernet100", "Ethernet4", "Ethernet0"]
    assert sorted(names, key=natural) == ["Ethernet0", "Ethernet4", "Ethernet100"]


def test_any_names_sort():
    names = ["é1", "a10|3-12", "12a", "a²", "b", "a10", "", "a9", "a10|3-4", "12", "a", "4"]
    assert sorted(names, key=natural) == [
        "", "4", "12", "12a", "a", "a9", "a10", "a10|3-4", "a10|3-12", "a²", "b", "é1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "cell"),
    [("B7", ("", 7, "  B")), ("rack 1!AA10", ("rack 1", 10, " AA")), ("a!b!C1", ("a!b", 1, "  C")),
     ("Ethernet0", None), ("b7", None), ("B0", None), ("", None)],
)  # fmt: skip
def test_cells_of_a_sheet(place, cell):
    assert cell_order(place) == cell


def test_a_report_goes_by_sheet_row_and_column_and_by_the_number_in_a_name():
    cells = ["A!B2", "A!AA2", "A!A10", "B!A1"]
    rows = ["leaf2", "leaf10"]
    shuffled = [
        *(_finding(file="s.xlsx", key=each, device=f"x{4 - n}") for n, each in enumerate(cells)),
        *(_finding(file="t", device=each) for each in rows),
    ]
    found = Report.of(reversed(shuffled)).findings
    assert [each.key or each.device for each in found] == [*cells, *rows]


def _finding(**fields):
    return Finding(**{"rule": "X1", "severity": Severity.ERROR, "message": "m", **fields})


@pytest.mark.parametrize(
    ("severities", "strict", "code"),
    [((), False, 0), (("info",), True, 0), (("warning",), False, 0), (("warning",), True, 3),
     (("error", "warning"), True, 1)],
)  # fmt: skip
def test_exit_code_of_a_report(severities, strict, code):
    report = Report.of(_finding(severity=Severity(each)) for each in severities)
    assert report.exit_code(strict=strict) == code


def test_a_report_sorts_and_drops_repeats():
    one, two = _finding(file="b"), _finding(file="a")
    assert Report.of([one, two, one]).findings == (two, one)


def test_a_registry_refuses_a_second_name():
    registry: Registry[int] = Registry("nettool.core")
    registry.add("one")(1)
    with pytest.raises(ValueError, match="twice"):
        registry.add("one")(2)


def test_registries_do_not_share_members():
    first: Registry[int] = Registry("nettool.core")
    second: Registry[int] = Registry("nettool.core")
    first.add("one")(1)
    assert "one" in first
    assert "one" not in second


def test_a_result_is_no_firmer_than_its_weakest_input():
    assert weakest(Trust.PUBLISHED, Trust.ASSUMED, Trust.COMPUTED) is Trust.ASSUMED
    assert weakest() is Trust.COMPUTED


def test_traced_text_is_text():
    why = Provenance("f")
    text = Figure(1518.0, "B", why).text
    assert text == "1518"
    assert isinstance(text, Traced)
    assert text.why is why


def test_a_ledger_writes_a_shared_provenance_once():
    inner = Provenance("inner")
    outer = Provenance("outer", (Input("x", 1, why=inner),))
    ledger = Ledger()
    plain = ledger.plain({"a": Figure(1, "B", outer), "b": [Figure(2, "B", outer)]})
    assert plain["a"]["why"] == plain["b"][0]["why"] == 1
    assert [row["formula"] for row in ledger.rows] == ["inner", "outer"]
