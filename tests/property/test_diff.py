"""For any two configurations: the patch leads there, its inverse leads back, order is nothing."""

import copy

from hypothesis import given, settings
from hypothesis import strategies as st

from nettool.config.diff.patch import to_patch
from nettool.config.diff.tables import applied, diff_tables

NAMES = st.sampled_from(["Ethernet0", "Ethernet4|192.0.2.0/31", "a~b", "Ethernet100", "x|3-4"])
FIELDS = st.sampled_from(["mtu", "speed", "fec", "profile", "members"])
VALUES = st.one_of(
    st.integers(0, 9).map(str), st.lists(st.sampled_from("abc"), min_size=1, unique=True)
)
ROWS = st.dictionaries(FIELDS, VALUES, max_size=4)
TABLES = st.dictionaries(
    st.sampled_from(["VLAN", "INTERFACE", "QUEUE", "WRED_PROFILE"]),
    st.dictionaries(NAMES, ROWS, min_size=1, max_size=4),
    max_size=4,
)


def played(patch, document):
    """RFC 6902 by the letter, for the operations we send; a wrong pointer raises."""
    document = copy.deepcopy(document)
    for operation in patch:
        *path, last = [
            part.replace("~1", "/").replace("~0", "~") for part in operation["path"].split("/")[1:]
        ]
        target = document
        for part in path:
            target = target[part]
        if operation["op"] != "add":
            target[last]
        if operation["op"] == "remove":
            del target[last]
        else:
            target[last] = operation["value"]
    return document


def shuffled(tables):
    if not isinstance(tables, dict):
        return tables
    return {key: shuffled(tables[key]) for key in reversed(list(tables))}


@given(TABLES, TABLES)
@settings(max_examples=200, deadline=None)
def test_patch_leads_to_the_intended(running, intended):
    changes = diff_tables("a", running, intended)
    after = played(to_patch(changes, running), running)
    assert diff_tables("a", after, intended).is_empty
    assert {table: rows for table, rows in after.items() if rows} == after
    assert after == applied(changes, running)


@given(TABLES, TABLES)
@settings(max_examples=200, deadline=None)
def test_inverse_leads_back(running, intended):
    changes = diff_tables("a", running, intended)
    after = applied(changes, running)
    back = played(to_patch(changes.inverse(), after), after)
    assert back == running


@given(TABLES)
@settings(max_examples=100, deadline=None)
def test_order_is_no_difference(tables):
    assert diff_tables("a", tables, shuffled(tables)).is_empty
    assert to_patch(diff_tables("a", tables, shuffled(tables)), tables) == []
