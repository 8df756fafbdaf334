"""Types: what each field of each table may hold, and names that nobody reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from nettool.config.nos.models import first_branch, modelled, modelled_on, unmodelled
from nettool.config.validate.constraints import Constraints, Values, constraints
from nettool.config.validate.rule import Context, Fault, device_rule, table_rule
from nettool.config.validate.spelling import is_digits, items_of, nearest, span_of
from nettool.config.validate.tables import Config, Table
from nettool.core.finding import Severity

_YANG = "sonic-buildimage 086b03bd src/sonic-yang-models/yang-models"


@table_rule(
    "TYP001",
    "a value outside its type or range",
    Severity.ERROR,
    why="The daemon that reads it drops the value or the whole row, and a configuration reload or "
    "patch that checks the schema refuses the file.",
    fix="Write a value of the range given.",
    source=_YANG,
)
def value_is_of_its_type(table: Table) -> Iterable[Fault]:
    """Fields whose text is none of what the schema takes."""
    known = constraints().get(table.name)
    if known is None or (table.pairs is not None and _all_good(table.pairs, known)):
        return ()
    return _wrong(table, known)


@device_rule(
    "TYP002",
    "a required field is missing",
    Severity.ERROR,
    reads=(),
    why="Without it the row is dropped: a port without lanes or speed is never created.",
    fix="Add the field.",
    source=f"{_YANG}; sonic-buildimage#9553",
)
def required_field_is_there(config: Config, _context: Context) -> Iterator[Fault]:
    """Rows without a field that they must have; a warning in a fragment, which may be merged."""
    for name in config:
        for fault in config.table(name).once("TYP002", _missing):
            yield fault if config.is_whole else replace(fault, severity=Severity.WARNING)


@table_rule(
    "TYP003",
    "a field's name is misspelt",
    Severity.WARNING,
    why="A field that no daemon looks for is ignored in silence, so its default is in force.",
    fix="Correct the name.",
    source=_YANG,
)
def field_is_known(table: Table) -> tuple[Fault, ...]:
    """Unknown fields that look like a known one; others may belong to a newer release."""
    known = constraints().get(table.name)
    if known is None or not known.fields:
        return ()
    if not set().union(*table.different).difference(known.names):
        return ()
    strange: dict[str, str] = {}
    for key, row in table.rows.items():
        for name in row:
            if name not in known.fields:
                strange.setdefault(name, key)
    return tuple(_named(table, known, name, key) for name, key in strange.items()
                 if _near(known, name))  # fmt: skip


@device_rule(
    "TYP004",
    "a table without a SONiC model",
    Severity.WARNING,
    reads=(),
    why="It is a vendor's own, its name is misspelt, or the release of the file (its VERSIONS row) "
    "is older than the model. `config reload` of the default file and `config apply-patch` refuse "
    "such tables, also the few that SONiC's own programs use.",
    fix="Nothing to do for a table of your vendor; otherwise correct the name.",
    source="sonic-utilities 691b1bbc config/main.py; sonic-utilities generic_config_updater; "
    "sonic-buildimage src/sonic-yang-models of every release branch",
)
def table_is_known(config: Config, context: Context) -> Iterator[Fault]:
    """Tables without a model on the file's release: a warning where a name is nearly a known."""
    branch = context.branch_of(config)
    there = modelled_on(branch) if branch else modelled()
    for name in config:
        if name not in there:
            yield _unmodelled(name, branch)


@device_rule(
    "TYP005",
    "a VLAN's number is not that of its name",
    Severity.ERROR,
    reads=("VLAN",),
    why="The switch makes the VLAN of the name; tools that read vlanid see another one.",
    fix="Let vlanid be the number in the name.",
    source=f"{_YANG}/sonic-vlan.yang",
)
def vlan_is_named_by_its_number(config: Config, _context: Context) -> Iterator[Fault]:
    """VLAN names that are not Vlan2 to Vlan4094, and vlanid that differs."""
    for key, row in config.rows("VLAN").items():
        number = key.removeprefix("Vlan")
        if not (number != key and is_digits(number) and 2 <= int(number) <= 4094):
            yield Fault("VLAN", key, None, f"{key} is no VLAN name; Vlan2 to Vlan4094 are")
        elif row.get("vlanid", number) != number:
            message = f"vlanid {row['vlanid']} in {key}; {number} is expected"
            yield Fault("VLAN", key, "vlanid", message, f'write "{number}"')


def _unmodelled(name: str, branch: str) -> Fault:
    message = f"SONiC has no model of table {name}"
    if name in unmodelled():
        message += ", which its own programs use"
    elif name in modelled():
        message = f"SONiC {branch} has no model of table {name}; {first_branch(name)} has"
    elif near := nearest(name, modelled()):
        return Fault(name, None, None, f"{message}; {near} was meant?", f"rename it to {near}")
    return Fault(name, None, None, message, severity=Severity.INFO)


def _all_good(pairs: Iterable[tuple[str, object]], known: Constraints) -> bool:
    """True where no pair of field and value needs a closer look."""
    if known.entry_names is not None:
        return False
    for name, value in pairs:
        fields = known.fields.get(name, known.entries)
        if fields is None:
            continue
        if not (fields.takes(value) if isinstance(value, str) else not any(_bad(fields, value))):
            return False
    return True


def _wrong(table: Table, known: Constraints) -> Iterator[Fault]:
    for key, row in table.rows.items():
        for name, value in row.items():
            fields = known.fields.get(name, known.entries)
            if fields is not None:
                for text in _bad(fields, value):
                    message = f"{name} is {text!r}; {fields.shown} is expected"
                    yield Fault(table.name, key, name, message, _meant(fields, text))
            if known.entry_names is not None and not known.entry_names.takes(name):
                message = f"{name!r} is no entry; {known.entry_names.shown} is expected"
                yield Fault(table.name, key, name, message)


def _meant(fields: Values, text: str) -> str | None:
    near = nearest(text, fields.words)
    if near:
        return f"{near} was meant?"
    spelt = _respelt(fields, text)
    return f'write "{spelt}"' if spelt is not None else None


def _respelt(fields: Values, text: str) -> str | None:
    """The right spelling where only blanks, capitals or a range are in the way."""
    bare = text.replace(" ", "")
    span = span_of(bare)
    listed = ",".join(str(each) for each in span) if span and "-" in bare else None
    tries = (bare, bare.lower(), listed)
    return next((each for each in tries if each and each != text and fields.takes(each)), None)


def _bad(fields: Values, value: object) -> Iterator[str]:
    if isinstance(value, str):
        if not fields.takes(value):
            yield value
        return
    for item in items_of(value):
        if not fields.takes(item):
            yield item


def _missing(table: Table) -> tuple[Fault, ...]:
    known = constraints().get(table.name)
    if known is None or not known.required:
        return ()
    return tuple(
        Fault(table.name, key, name, f"{key} has no {name}", f"add {name}")
        for key, row in table.rows.items()
        for name in known.required
        if name not in row
    )


def _near(known: Constraints, name: str) -> str | None:
    if name in known.names or len(name) < 3:
        return None
    return nearest(name.lower(), known.names) or (
        nearest(name, known.names) if name.lower() != name else None
    )


def _named(table: Table, known: Constraints, name: str, key: str) -> Fault:
    near = _near(known, name)
    message = f"field {name} is unknown to {table.name}; {near} was meant?"
    return Fault(table.name, key, name, message, f"rename it to {near}")
