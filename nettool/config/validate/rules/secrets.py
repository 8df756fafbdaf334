"""Secrets in a configuration file; their text never reaches a report."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.secrets import SECRET_FIELDS, SECRET_KEYS, secrets
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

_TABLES = (*sorted(SECRET_KEYS), *SECRET_FIELDS)


@device_rule(
    "SEC001",
    "a secret in clear",
    Severity.INFO,
    reads=_TABLES,
    why="Whoever reads the file, a backup of it or a repository with it has the secret.",
    fix="Keep the file out of repositories, and the secret in a vault that fills it in.",
    source="sonic-net/sonic-buildimage#13846; sonic-net/sonic-buildimage#22276",
)
def secrets_are_in_clear(config: Config, _context: Context) -> Iterator[Fault]:
    """Every field or key that holds a secret, by its place; key_encrypt rows are left out."""
    for table, key, field, _ in secrets(config):
        if config.row(table, key).get("key_encrypt") != "true":
            what = field or "the community name"
            yield Fault(table, key, field, f"{what} in {table} is a secret in clear")


@device_rule(
    "SEC002",
    "a community name that everyone tries first",
    Severity.WARNING,
    reads=("SNMP_COMMUNITY",),
    why="Scanners try the two default names first; with them anyone reads the switch.",
    fix="Choose another name, or use SNMPv3.",
    source="CWE-1392 (default credentials); RFC 3414 section 11.2",
)
def community_is_not_default(config: Config, _context: Context) -> Iterator[Fault]:
    """The two names that agents used to ship with."""
    for key in config.rows("SNMP_COMMUNITY"):
        if key in {"public", "private"}:
            yield Fault("SNMP_COMMUNITY", key, None, "a default community name is set")
