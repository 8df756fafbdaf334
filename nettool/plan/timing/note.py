"""Findings of the timing plan, placed at a key of `timing` in fabric.yaml."""

from __future__ import annotations

from nettool.core.finding import Finding, Severity

FILE = "fabric.yaml"
GIVEN = "the operator's intent"


def error(rule: str, message: str, hint: str, key: str) -> Finding:
    """Something that must not be configured."""
    return _at(rule, Severity.ERROR, message, hint, key)


def warning(rule: str, message: str, hint: str, key: str) -> Finding:
    """Something that deserves a look."""
    return _at(rule, Severity.WARNING, message, hint, key)


def info(rule: str, message: str, hint: str, key: str) -> Finding:
    """Something the reader should know."""
    return _at(rule, Severity.INFO, message, hint, key)


def _at(rule: str, severity: Severity, message: str, hint: str, key: str) -> Finding:
    return Finding(
        rule=rule, severity=severity, message=message, hint=hint, table=FILE, key=f"timing.{key}"
    )
