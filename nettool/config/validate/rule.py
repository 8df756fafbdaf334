"""What a rule is: one thing that can be wrong with a configuration, why, and how to mend it.

Members live in `rules/`, one file a subject; each files its rules with `@device_rule(...)`,
`@table_rule(...)` or `@fabric_rule(...)`. To add a rule, write one function there and a row that
passes and a row that fails in tests/unit/config/validate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from nettool.config.nos.models import written_on
from nettool.core.finding import Severity
from nettool.core.registry import Registry

if TYPE_CHECKING:
    from nettool.config.validate.declared import Traffic
    from nettool.config.validate.fabric import FabricConfigs
    from nettool.config.validate.platform import Platform
    from nettool.config.validate.tables import Config, Table


@dataclass(frozen=True, slots=True)
class Fault:
    """What a rule says of one place in one device's tables; the engine adds device and file.

    `severity` None is the rule's own; a rule may lower it, never raise it. `device` is set by
    fabric rules only.
    """

    table: str | None
    key: str | None
    field: str | None
    message: str
    hint: str | None = None
    severity: Severity | None = None
    device: str | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """What is known beside the file: the platform, what hosts send, the SONiC branch if planned."""

    platform: Platform | None = None
    traffic: Traffic | None = None
    branch: str = ""

    def branch_of(self, config: Config) -> str:
        """The SONiC branch of a device: the planned one, else the file's own; empty if unknown."""
        version = config.row("VERSIONS", "DATABASE").get("VERSION")
        return self.branch or written_on(str(version))

    def lacks(self, need: str) -> bool:
        """True where a rule's need (`platform.buffer`, `traffic`) is not met."""
        known = self._known(need)
        return known is None or known is False or known in ((), {})

    def excludes(self, need: str) -> bool:
        """True where it is known that a rule with this need has no place here."""
        return "." in need and self._known(need) is False

    def _known(self, need: str) -> object:
        whole, _, fact = need.partition(".")
        value: object = getattr(self, whole)
        return value if value is None or not fact else getattr(value, fact)


DeviceCheck = Callable[["Config", Context], Iterable[Fault]]
TableCheck = Callable[["Table"], Iterable[Fault]]
FabricCheck = Callable[["FabricConfigs", Context], Iterable[Fault]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule's page in the catalogue: id, title, level, why, fix and public source.

    `needs` names what must be known for it to run (`platform.breakout_modes`, `traffic`). Rules
    without a check are the reader's own (broken JSON).
    """

    id: str
    title: str
    severity: Severity
    why: str
    fix: str
    source: str
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRule(Rule):
    """A rule on one device. It sees only the tables it `reads`, so equal tables are asked once.

    An empty `reads` means every table; `DEVICE_METADATA.buffer_model` is one field of the row
    that differs on every device. A rule with `of_table` looks at each table alone, and its
    `check` at all of them. A rule `port_by_port` looks at each port alone, beside rows that ports
    name: where one port of each class has no fault, none has.
    """

    reads: tuple[str, ...]
    port_by_port: bool = False
    check: DeviceCheck = field(repr=False)
    of_table: TableCheck | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricRule(Rule):
    """A rule across devices, on all configurations and links at once."""

    check: FabricCheck = field(repr=False)


EACH_TABLE = ("*",)
"""What a rule reads that looks at every table, without the others."""
RULES: Registry[Rule] = Registry("nettool.config.validate.rules")


def device_rule(  # noqa: PLR0913 - a rule's page has that many lines
    rule_id: str,
    title: str,
    severity: Severity,
    *,
    reads: tuple[str, ...],
    why: str,
    fix: str,
    source: str,
    needs: tuple[str, ...] = (),
    port_by_port: bool = False,
) -> Callable[[DeviceCheck], DeviceCheck]:
    """File a check of one device under its id."""

    def file_under(check: DeviceCheck) -> DeviceCheck:
        RULES.add(rule_id)(
            DeviceRule(
                id=rule_id, title=title, severity=severity, why=why, fix=fix, source=source,
                needs=needs, reads=reads, port_by_port=port_by_port, check=check,
            )
        )  # fmt: skip
        return check

    return file_under


def table_rule(
    rule_id: str, title: str, severity: Severity, *, why: str, fix: str, source: str
) -> Callable[[TableCheck], TableCheck]:
    """File a check of each table alone under its id."""

    def file_under(of_table: TableCheck) -> TableCheck:
        def check(config: Config, _context: Context) -> Iterable[Fault]:
            return chain.from_iterable(map(of_table, config.tables.values()))

        RULES.add(rule_id)(
            DeviceRule(
                id=rule_id, title=title, severity=severity, why=why, fix=fix, source=source,
                reads=EACH_TABLE, check=check, of_table=of_table,
            )
        )  # fmt: skip
        return of_table

    return file_under


def fabric_rule(
    rule_id: str,
    title: str,
    severity: Severity,
    *,
    why: str,
    fix: str,
    source: str,
    needs: tuple[str, ...] = (),
) -> Callable[[FabricCheck], FabricCheck]:
    """File a check across devices under its id."""

    def file_under(check: FabricCheck) -> FabricCheck:
        RULES.add(rule_id)(
            FabricRule(
                id=rule_id, title=title, severity=severity, why=why, fix=fix, source=source,
                needs=needs, check=check,
            )
        )  # fmt: skip
        return check

    return file_under


def reading_rules(pages: Mapping[str, tuple[str, Severity, str, str]], source: str) -> None:
    """File the reader's own rules: id to title, level, why and fix."""
    for rule_id, (title, severity, why, fix) in pages.items():
        RULES.add(rule_id)(
            Rule(id=rule_id, title=title, severity=severity, why=why, fix=fix, source=source)
        )
