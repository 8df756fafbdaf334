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
    operations = _moved(list(difference(old, target)), old)
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


def branch(version: str) -> str:
    """The branch an image was built from: 202405.0-x, 20240510.12; without one, master."""
    found = re.search(r"(?<!\d)20\d{4}", version)
    known = [each for each in updater_rules()["branches"] if each.isdigit()]
    return max((each for each in known if found and each <= found[0]), default="master")


def _moved(operations: list[Op], old: ConfigDb) -> list[Op]:
    """What goes and comes with the same value is one move, as a JSON Patch has it."""
    gone = {op.path: _at(old, op.path) for op in operations if op.op == "remove"}
    result = []
    for op in operations:
        origin = next((path for path, value in gone.items() if value == op.value), None)
        if op.op == "add" and origin is not None:
            del gone[origin]
            result.append(Op("move", op.path))
        elif op.op != "remove":
            result.append(op)
    return [*(Op("remove", path) for path in gone), *result]


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def _field_rules(spec: SwitchSpec, old: ConfigDb, operations: list[Op]) -> str | None:
    spans = _spans(branch(spec.version))
    for op in operations:
        span = spans.get(op.path[0])
        if span is not None and not _allowed(spec, old, op, span):
            return (
                f"Modification of {op.path[0]} table is illegal- validating function "
                f"{VALIDATORS}.{span['validator']} returned False"
            )
    return None


def _spans(name: str) -> dict[str, Mapping[str, Any]]:
    """The rules of a branch by table."""
    rules = updater_rules()
    if name in rules["unchecked"]:
        return {}
    age = rules["branches"].index
    return {
        span["table"]: span
        for span in rules["field_rules"]
        if age(span["since"]) <= age(name) <= age(span["until"])
    }


def _allowed(spec: SwitchSpec, old: ConfigDb, op: Op, span: Mapping[str, Any]) -> bool:
    if span.get("whole_rows") and len(op.path) == 2 and op.op != "move":
        return True
    name = chip(spec, old)
    if name is None:
        return False
    fields = _fields(op, exact=span["exact"])
    return all(_field_allowed(field, op.op, name, spec, span) for field in fields)


def _field_allowed(
    field: str, operation: str, name: str, spec: SwitchSpec, span: Mapping[str, Any]
) -> bool:
    wanted = field if span["exact"] else field.rsplit("/", 1)[-1]
    rule = next((r for r in span["rules"] if wanted in r["fields"]), None)
    if rule is None or not rule["chips"].get(name) or operation not in rule["operations"]:
        return False
    rules = updater_rules()
    age = rules["branches"].index
    listed = {**rules["listed"], **rule.get("listed", {})}.get(name, rules["branches"][0])
    dated = next((p for p in spec.version.split(".") if re.fullmatch(r"\d{8}", p)), None)
    known = age(listed) <= age(branch(spec.version))
    return known and (dated is None or dated >= rule["chips"][name])


def _fields(op: Op, *, exact: bool) -> list[str]:
    """The fields an operation touches, ports left out where the path must match as a whole."""
    names = [n for n in op.path[1:] if not (exact and any(c.isdigit() for c in n))]
    prefix = "/".join(names).lower()
    if not isinstance(op.value, Mapping):
        return [prefix]
    return [f"{prefix}/{key}" if prefix else key for key in op.value]


def _port_values(spec: SwitchSpec, operations: list[Op]) -> str | None:
    age = updater_rules()["branches"].index
    if age(branch(spec.version)) < age(updater_rules()["ports_checked_since"]):
        return None
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
