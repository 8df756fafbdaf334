"""JSON for people and programs: never a failure for the bytes of a path."""

import json

import pytest

from nettool.core.told import json_text


def test_it_is_sorted_indented_and_ends_a_line():
    assert json_text({"b": 1, "a": {3: None}}) == '{\n  "a": {\n    "3": null\n  },\n  "b": 1\n}\n'


def test_what_is_no_text_becomes_a_question_mark():
    told = json.loads(json_text({"files\udcff": ["a\udcff.json", ("b", 1)]}))
    assert told == {"files?": ["a?.json", ["b", 1]]}


def test_what_json_cannot_say_is_an_error_still():
    with pytest.raises(TypeError):
        json_text({"a": object()})
