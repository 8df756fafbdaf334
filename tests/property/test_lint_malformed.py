"""Whatever is in a file, lint answers with findings: no exception, no hang."""

from __future__ import annotations

import json
import time
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nettool.config.validate.constraints import constraints
from nettool.config.validate.reading import parse, with_text
from nettool.config.validate.rule import RULES, Context, DeviceRule
from nettool.config.validate.tables import TableStore

MOST = 2001
"""As many findings of a rule as lint looks at."""
GOOD = json.dumps(
    {
        "PORT": {"Ethernet0": {"lanes": "0,1", "speed": "100000", "mtu": "9100"}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4", "tc_to_queue_map": "ROCE"}},
        "BUFFER_PG": {"Ethernet0|3-4": {"profile": "x"}},
    }
).encode()
WORDS = st.sampled_from(["Ethernet0", "Ethernet0|3-4", "3-4", "-1", "", "|", "default|x", "9" * 30])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


def _rows(table: str) -> st.SearchStrategy[Any]:
    """Rows of a table with fields that it knows and others, values of every shape."""
    known = constraints().get(table)
    names = sorted(known.names) if known else []
    fields = st.sampled_from([*names, "odd", "brkout_mode", "route_map"]) | WORDS
    values = WORDS | st.lists(WORDS, max_size=3) | VALUES
    return st.dictionaries(WORDS, st.dictionaries(fields, values, max_size=3), max_size=2)


ROWS = {name: _rows(name) for name in sorted(constraints())} | {"BREAKOUT_CFG": VALUES}
TABLES = st.lists(
    st.sampled_from(sorted(ROWS)).flatmap(lambda name: st.tuples(st.just(name), ROWS[name])),
    max_size=4,
).map(dict)


def _lint(data: bytes) -> int:
    found = parse(data, "x.json")
    count = len(found.findings)
    if found.tables is None:
        assert count >= 1
        return count
    config = TableStore().config("x", with_text(found.tables))
    for rule in (RULES[each] for each in RULES):
        if isinstance(rule, DeviceRule) and not rule.needs:
            count += len(tuple(islice(rule.check(config, Context()), MOST)))
    return count


def _changed(data: bytes, cuts: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, insert in cuts:
        start = at % (len(data) + 1)
        data = data[:start] + insert + data[start + length :]
    return data


CUTS = st.lists(
    st.tuples(
        st.integers(0, 400),
        st.integers(0, 12),
        st.binary(max_size=4) | st.sampled_from([b",", b"}", b"//", b"NaN", b'"', b"\xef\xbb\xbf"]),
    ),
    min_size=1,
    max_size=6,
)


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes(data: bytes) -> None:
    _lint(data)


@given(CUTS)
@settings(max_examples=400, deadline=None)
def test_a_good_file_with_damage(cuts: list[tuple[int, int, bytes]]) -> None:
    _lint(_changed(GOOD, cuts))


@given(TABLES)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_tables(tables: dict[str, Any]) -> None:
    _lint(json.dumps(tables, allow_nan=True).encode())


@pytest.mark.slow
@given(CUTS)
@settings(max_examples=100_000, deadline=None)
def test_a_hundred_thousand_damaged_files(cuts: list[tuple[int, int, bytes]]) -> None:
    _lint(_changed(GOOD, cuts))


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    "data",
    [
        b"[" * MEGABYTE,
        b'{"A":' * (MEGABYTE // 5),
        b"9" * MEGABYTE,
        b'"' + b"\\" * MEGABYTE,
        b'{"A": {"k": {"f": "' + b"x" * MEGABYTE + b'"}}}',
        b"{" + b",".join(b'"A": {}' for _ in range(MEGABYTE // 8)) + b"}",
        b'{"PORT": {' + b",".join(b'"E%d": {}' % n for n in range(60_000)) + b"}}",
        b"\n" * MEGABYTE + b"x",
        b"{" + b" " * MEGABYTE,
        b'{"A": {' + b'"k": 1,' * (MEGABYTE // 7) + b"}}",
    ],
    ids=range(10),
)
def test_a_megabyte_of_nonsense_takes_under_two_seconds(data: bytes) -> None:
    start = time.process_time()

    _lint(data)

    assert time.process_time() - start < 2.0
