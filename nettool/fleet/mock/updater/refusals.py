"""Why the updater refuses a patch before it touches anything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from nettool.fleet.mock.updater.changes import Op, difference
from nettool.fleet.mock.updater.patch import pointer
from nettool.fleet.mock.updater.rules import model_rules, updater_rules

if TYPE_CHECKING:
    from nettool.fleet.mock.spec import ConfigDb, SwitchSpec

VALIDATORS = "generic_config_updater.field_operation_validators"


def refusal(
    spec: SwitchSpec, old: ConfigDb, target: ConfigDb, touched: Iterable[str]
) -> str | None:
    """The updater's message where it would refuse to go from `old` to `target`, else None.

    `touched` are the tables the patch names; the order of the checks is the updater's.
    """
    operations = list(difference(old, target))
    return (
        _illegal_removal(operations)
        or _field_rules(spec, old, operations)
        or _port_values(spec, operations)
        or _empty_tables(target)
        or _without_model(touched)
    )


def chip(spec: SwitchSpec, config: ConfigDb) -> str | None:
    """The chip as the updater names it, or None where it knows none."""
    chips = updater_rules()["chips"]
    if spec.asic_type in chips["asic_type"]:
        return spec.asic_type
    metadata = config.get("DEVICE_METADATA", {}).get("localhost", {})
    sku = str(metadata.get("hwsku", "")).lower()
    if spec.asic_type in {"mellanox", "vs"}:
        for name, skus in chips["whole_name"].items():
            if sku in {s.lower() for s in skus}:
                return str(name)
    if spec.asic_type in {"broadcom", "vs"}:
        for name, skus in chips["part_of_name"].items():
            if any(s.lower() in sku for s in skus):
                return str(name)
    return None


def _illegal_removal(operations: list[Op]) -> str | None:
    for op in operations:
        path = pointer(*op.path)
        if op.op == "remove" and path in updater_rules()["illegal_removals"]:
            return (
                "Given patch operation is invalid. Operation: remove is illegal on field: " + path
            )
    return None


def _field_rules(spec: SwitchSpec, old: ConfigDb, operations: list[Op]) -> str | None:
    rules = updater_rules()["field_rules"]
    for op in operations:
        table = op.path[0]
        if table in rules and not _allowed(spec, old, op, rules[table]):
            validator = (
                "buffer_profile_config_update_validator"
                if rules[table]["whole_rows"]
                else "rdma_config_update_validator"
            )
            return (
                f"Modification of {table} table is illegal- validating function "
                f"{VALIDATORS}.{validator} returned False"
            )
    return None


def _allowed(spec: SwitchSpec, old: ConfigDb, op: Op, table_rules: Mapping[str, Any]) -> bool:
    if table_rules["whole_rows"] and len(op.path) == 2:
        return True
    name = chip(spec, old)
    if name is None:
        return False
    exact = table_rules["exact"]
    return all(
        _field_allowed(field, op.op, name, spec, table_rules) for field in _fields(op, exact=exact)
    )


def _field_allowed(
    field: str, operation: str, name: str, spec: SwitchSpec, table_rules: Mapping[str, Any]
) -> bool:
    wanted = field if table_rules["exact"] else field.rsplit("/", 1)[-1]
    rule = next((r for r in table_rules["rules"] if wanted in r["fields"]), None)
    if rule is None or not rule["chips"].get(name) or operation not in rule["operations"]:
        return False
    branch = next((p for p in spec.version.split(".") if re.fullmatch(r"\d{8}", p)), None)
    return branch is None or branch >= rule["chips"][name]


def _fields(op: Op, *, exact: bool) -> list[str]:
    """The fields an operation touches, ports left out where the path must match as a whole."""
    names = [n for n in op.path[1:] if not (exact and any(c.isdigit() for c in n))]
    prefix = "/".join(names).lower()
    if not isinstance(op.value, Mapping):
        return [prefix]
    return [f"{prefix}/{key}" if prefix else key for key in op.value]


def _port_values(spec: SwitchSpec, operations: list[Op]) -> str | None:
    for op in operations:
        if op.path[0] != "PORT" or op.op == "remove" or len(op.path) < 2:
            continue
        fields = op.value if len(op.path) == 2 else {op.path[2]: op.value}
        port = spec.own_ports().get(op.path[1])
        speeds = port.speeds if port else ()
        bad_fec = fields.get("fec", "rs") not in updater_rules()["default_fecs"]
        if bad_fec or (speeds and int(fields.get("speed", speeds[0])) not in speeds):
            return (
                "Modification of PORT table is illegal- validating function "
                f"{VALIDATORS}.port_config_update_validator returned False"
            )
    return None


def _empty_tables(target: ConfigDb) -> str | None:
    empty = [table for table, rows in target.items() if not rows]
    if not empty:
        return None
    plural = "s" if len(empty) > 1 else ""
    return (
        "localhost: given patch is not valid because it will result in empty tables "
        f"which is not allowed in ConfigDb. Table{plural}: {', '.join(empty)}"
    )


def _without_model(touched: Iterable[str]) -> str | None:
    if set(touched) <= set(model_rules()["modelled"]):
        return None
    return "Given patch is not valid because it has changes to tables without YANG models"
