"""Braces in a value are no template."""

import pytest

from nettool.fleet.deploy.literal import literal

PLAIN = ["/a b/c", "50%", "{x}", 7, None, True, ["reload"], {"a": "b"}]
BRACES = [
    ("/{{ y }}", {"__ansible_unsafe": "/{{ y }}"}),
    (["{% a"], [{"__ansible_unsafe": "{% a"}]),
    ({"leaf01": "{# x"}, {"leaf01": {"__ansible_unsafe": "{# x"}}),
]


@pytest.mark.parametrize("value", PLAIN)
def test_what_holds_none_stays(value):
    assert literal(value) == value


@pytest.mark.parametrize(("value", "marked"), BRACES)
def test_a_text_with_braces_is_marked(value, marked):
    assert literal(value) == marked
