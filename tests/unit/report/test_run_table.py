"""Runs in a table: what waits to be confirmed waits until its time, and waited then."""

import pytest

from nettool.report.tables.pushed import run_table

DUE = "2026-01-01T02:10:00Z"
RUN = {
    "run": "r1",
    "exit_code": 0,
    "devices": [
        {"device": "leaf01", "outcome": "waits for confirm", "due": "2026-01-01T02:09:00Z"},
        {"device": "leaf02", "outcome": "waits for confirm", "due": DUE},
        {"device": "leaf03", "outcome": "unchanged"},
    ],
    "summary": {"waits for confirm": 2, "unchanged": 1, "at": "2026-01-01T02:00:00Z"},
}
TIMES = [
    ("2026-01-01T02:09:30Z", "2 waits for confirm, 1 unchanged"),
    (DUE, f"2 waited for confirm until {DUE}, 1 unchanged"),
    ("", "2 waits for confirm, 1 unchanged"),
]


@pytest.mark.parametrize(("now", "said"), TIMES)
def test_what_waited_waits_no_more_once_its_time_is_over(now, said):
    assert run_table([RUN], now).rows == [("r1", "2026-01-01T02:00:00Z", "push", 0, said)]


def test_a_run_without_a_time_waits_as_it_was_told():
    devices = [{"device": "leaf01", "outcome": "waits for confirm"}]
    told = {**RUN, "devices": devices, "summary": {"waits for confirm": 1}}
    assert run_table([told], DUE).rows[0][-1] == "1 waits for confirm"
