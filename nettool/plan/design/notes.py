"""Findings and origins of the design: everything is located by its key path in `fabric.yaml`."""

from __future__ import annotations

from nettool.core.finding import Finding, Severity
from nettool.core.provenance import Input, Origin
from nettool.core.source import KeyPath

FILE_NAME = "fabric.yaml"


def error(rule: str, path: KeyPath, message: str, hint: str) -> Finding:
    """An error at a key path of `fabric.yaml`; the edge adds file, line and column."""
    return _finding(rule, Severity.ERROR, path, message, hint)


def warning(rule: str, path: KeyPath, message: str, hint: str) -> Finding:
    """A warning at a key path of `fabric.yaml`."""
    return _finding(rule, Severity.WARNING, path, message, hint)


def _finding(rule: str, severity: Severity, path: KeyPath, message: str, hint: str) -> Finding:
    key = ".".join(map(str, path))
    return Finding(
        rule=rule, severity=severity, message=message, hint=hint, table=FILE_NAME, key=key
    )


def origin(*path: str | int) -> Origin:
    """A place in `fabric.yaml`."""
    return Origin(FILE_NAME, path)


def given(name: str, value: float | str, path: KeyPath, unit: str = "") -> Input:
    """An input of a formula that the operator gave, or that a default stands for."""
    return Input(name, value, unit, Origin(FILE_NAME, path))
