"""Templates that are compiled for repeated rows say what plain Jinja says, rows shared or not."""

from __future__ import annotations

import jinja2
import pytest

from nettool.config.render.environment import rows, strict, to_json
from nettool.core.provenance import Provenance, Traced

SHARED = {"mtu": "9216", "fec": None, "lanes": ["1", "2"], "n": 4}
TRACED = {"mtu": Traced.of("1500", Provenance("given")), "fec": "rs", "lanes": [], "n": 0}
TABLE = {"Ethernet0": SHARED, "Ethernet4": TRACED, 'odd"key': SHARED, "Ethernet8": dict(SHARED)}
LOOP = "{{% for key, row, comma in T | rows %}}{}{{% endfor %}}"
BODIES = (
    "{{ key | tojson }}: {{ row.mtu | tojson }}{{ comma }}",
    "{{ row.mtu | tojson }} of {{ key }}: {{ row.n }}{% if row.fec %} {{ row.fec }}{% endif %}|",
    "{% if row.fec %}{{ key }}{% endif %}{{ row.lanes | tojson }}{{ comma }}",
    "{{ row.n | tojson }}{% if key %}{{ row.n }}{% endif %}{{ row.mtu }}",
    "{% for lane in row.lanes %}{{ lane }}.{% endfor %}{{ row.mtu }}{{ comma }}",
    "{{ loop.index }} {{ row.mtu | tojson }}",
    "{{ row.lanes | join('-') }} {{ row['mtu'] }} {{ other }}",
    "{{ 'word' | tojson }}{{ comma | tojson }}",
    "nothing of it",
)


def plain(text: str) -> jinja2.Template:
    """The template as Jinja itself compiles it."""
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    environment.filters |= {"tojson": to_json, "rows": rows}
    return environment.from_string(text)


@pytest.mark.parametrize("body", BODIES)
def test_it_says_what_plain_jinja_says(body: str) -> None:
    text = LOOP.format(body)
    view = {"T": TABLE, "other": "x"}
    assert strict().from_string(text).render(view) == plain(text).render(view)


def test_what_the_row_alone_decides_is_filled_once_a_row_object() -> None:
    class Counted(dict[str, str]):
        looks = 0

        def __getitem__(self, name: str) -> str:
            Counted.looks += 1
            return super().__getitem__(name)

    row = Counted(mtu="9216")
    text = LOOP.format("{{ key }} {{ row['mtu'] | tojson }}{{ comma }}")
    said = strict().from_string(text).render({"T": {str(each): row for each in range(50)}})
    assert said.count('"9216"') == 50
    assert Counted.looks == 1


def test_an_unknown_field_is_told_at_its_line() -> None:
    text = LOOP.format("\n{{ key }}\n{{ row.colour | tojson }}")
    with pytest.raises(jinja2.UndefinedError, match="colour"):
        strict().from_string(text).render({"T": {"a": {"mtu": "1"}}})
