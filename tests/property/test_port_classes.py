"""A rule that looks at ports one by one says nothing of few ports only if it says nothing of all.

Good devices are damaged at random places, in one port or in many; every rule that is asked of one
port of each class must find a fault on those ports whenever it finds one on the whole device.
"""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from nettool.config.validate.classes import TABLES, port_classes, with_few_ports
from nettool.config.validate.declared import Traffic
from nettool.config.validate.platform import Headroom, Platform
from nettool.config.validate.rule import RULES, Context, DeviceRule
from nettool.config.validate.tables import Config, TableStore

GOLDEN = Path(__file__).parents[1] / "golden"
BASES = (
    GOLDEN / "rail-optimized-256/devices/leaf01/config_db.json",
    GOLDEN / "rail-optimized-256/devices/spine01/config_db.json",
    GOLDEN / "rail-only-128/devices/leaf01/config_db.json",
)
CONTEXT = Context(
    Platform(
        name="test",
        max_lossless_priorities=1,
        pfc_to_pg_map_needed=True,
        lookup={(400_000, 5): Headroom(1518, 0, 17_000), (800_000, 40): Headroom(1518, 0, 9)},
        port_headroom={400_000: 300_000, 800_000: 300_000},
    ),
    Traffic(lossless=frozenset({26}), cnp=frozenset({48})),
)
OWN = [
    each
    for each in (RULES[name] for name in RULES)
    if isinstance(each, DeviceRule) and each.port_by_port
]
VALUES = ("", "3", "4,3", "3-4", "0", "7m", "40m", "nothing", "ingress_lossy_pool", "AZURE", "-1")
SEEDS = 150


def _damaged(tables: dict[str, Any], dice: Random) -> None:
    """One change of one row or, half the time, of the same rows of several ports."""
    name = dice.choice([each for each in TABLES if tables.get(each)])
    keys = list(tables[name])
    for key in dice.sample(keys, 1 if dice.random() < 0.5 else min(len(keys), 5)):
        row = tables[name][key]
        what = dice.random()
        if what < 0.2:
            del tables[name][key]
        elif what < 0.3:
            port, _, index = key.partition("|")
            tables[name][f"{port}|{dice.choice(('3', '3-4', '4-3', '9'))}" if index else key] = row
        elif row:
            field = dice.choice(list(row))
            if what < 0.5:
                del row[field]
            else:
                row[field] = dice.choice(VALUES)


@pytest.mark.parametrize("base", BASES, ids=lambda each: each.parents[2].name + each.parent.name)
def test_few_ports_are_at_fault_where_all_are(base: Path) -> None:
    whole = json.loads(base.read_text(encoding="utf-8"))
    found: set[str] = set()
    for seed in range(SEEDS):
        dice = Random(seed)
        tables = deepcopy(whole)
        for _ in range(dice.randint(1, 3)):
            _damaged(tables, dice)
        config = TableStore().config("leaf01", tables)
        few = with_few_ports(config)
        assert few is not None
        for rule in OWN:
            said = list(rule.check(_seen(config, rule), CONTEXT))
            if said:
                found.add(rule.id)
                assert list(rule.check(_seen(few, rule), CONTEXT)), (rule.id, seed, said[0])
    assert len(found) >= 10, "the damage must be such that rules find it"


def _seen(config: Config, rule: DeviceRule) -> Config:
    """What the engine shows to a rule: the tables that it reads."""
    names = {each.partition(".")[0] for each in rule.reads}
    return Config("", {name: table for name, table in config.tables.items() if name in names})


def test_ports_of_a_good_device_are_of_few_classes() -> None:
    tables = json.loads(BASES[0].read_text(encoding="utf-8"))
    classes = port_classes(TableStore().config("leaf01", tables))
    assert classes is not None
    assert len(classes.of) > 90
    assert len(set(classes.of.values())) < 8


@pytest.mark.parametrize(
    ("table", "key", "row"),
    [
        ("QUEUE", "leaf01|asic0|Ethernet0|3", {"scheduler": "scheduler.3"}),
        ("PORT_QOS_MAP", "Ethernet0", {"pfc_enable": ["3", "4"]}),
    ],
)
def test_all_ports_are_asked_where_rows_are_odd(table: str, key: str, row: dict[str, Any]) -> None:
    tables = json.loads(BASES[0].read_text(encoding="utf-8"))
    tables[table][key] = row
    assert with_few_ports(TableStore().config("leaf01", tables)) is None
