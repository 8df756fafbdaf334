"""Findings of the QoS plan, placed at a key path of fabric.yaml or at a device's table row."""

from __future__ import annotations

from nettool.core.finding import Finding, Severity
from nettool.plan.qos.trace import FILE


def error(rule: str, message: str, hint: str, *path: str | int) -> Finding:
    """Something that must not be configured, at a key path of fabric.yaml."""
    return _at(rule, Severity.ERROR, message, hint, path)


def warning(rule: str, message: str, hint: str, *path: str | int) -> Finding:
    """Something that deserves a look, at a key path of fabric.yaml."""
    return _at(rule, Severity.WARNING, message, hint, path)


def info(rule: str, message: str, hint: str, *path: str | int) -> Finding:
    """Something the reader should know, at a key path of fabric.yaml."""
    return _at(rule, Severity.INFO, message, hint, path)


def _at(
    rule: str, severity: Severity, message: str, hint: str, path: tuple[str | int, ...]
) -> Finding:
    return Finding(
        rule=rule,
        severity=severity,
        message=message,
        hint=hint,
        table=FILE,
        key=".".join(map(str, path)),
    )
