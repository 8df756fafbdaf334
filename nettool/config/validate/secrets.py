"""Where a CONFIG_DB holds secrets, and how a report speaks of them: never by their text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from nettool.config.validate.tables import Config
from nettool.core.finding import Finding

MASK = "<secret>"
SECRET_KEYS = frozenset({"SNMP_COMMUNITY"})
"""Tables whose key is itself the secret."""
SECRET_FIELDS = {
    "TACPLUS": ("passkey",),
    "TACPLUS_SERVER": ("passkey",),
    "RADIUS": ("passkey",),
    "RADIUS_SERVER": ("passkey",),
    "LDAP": ("bind_password",),
    "SNMP_USER": ("SNMP_USER_AUTH_PASSWORD", "SNMP_USER_ENCRYPTION_PASSWORD"),
    "NTP_KEY": ("value",),
    "MACSEC_PROFILE": ("primary_cak", "fallback_cak"),
    "BGP_NEIGHBOR": ("auth_password",),
    "BGP_PEER_GROUP": ("auth_password",),
    "RESTAPI": ("client_key",),
    "KUBERNETES_MASTER": ("token",),
}


def secrets(config: Config) -> Iterator[tuple[str, str, str | None, str]]:
    """Every secret: table, key, field (None where the key is it), text."""
    for table in SECRET_KEYS:
        for key in config.rows(table):
            yield table, key, None, key
    for table, fields in SECRET_FIELDS.items():
        for key, row in config.rows(table).items():
            for field in fields:
                value = row.get(field)
                if isinstance(value, str) and value:
                    yield table, key, field, value


def masked(findings: Iterable[Finding], config: Config) -> list[Finding]:
    """The findings with every secret of the configuration replaced by a mark."""
    found = list(findings)
    texts = {text for *_, text in secrets(config)} if found else set()
    known = sorted(texts, key=len, reverse=True)
    return [_masked(each, known) for each in found] if known else found


def _masked(finding: Finding, known: list[str]) -> Finding:
    message, hint, key = finding.message, finding.hint, finding.key
    if finding.table in SECRET_KEYS and key:
        key = MASK
    for text in known:
        message = (
            message.replace(text, MASK)
            if len(text) > 2 or finding.table in SECRET_KEYS
            else message
        )
        hint = hint.replace(text, MASK) if hint else hint
    return replace(finding, message=message, hint=hint, key=key)
