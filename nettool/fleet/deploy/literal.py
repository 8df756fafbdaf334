"""Texts that Ansible takes as they are: a path may hold braces, and is no template."""

from __future__ import annotations

import re
from collections.abc import Mapping

_TEMPLATE = re.compile(r"{{|{%|{#")


def literal(value: object) -> object:
    """A value for Ansible's JSON, in which no text is a template, whatever braces it holds."""
    if isinstance(value, Mapping):
        return {name: literal(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [literal(each) for each in value]
    if isinstance(value, str) and _TEMPLATE.search(value):
        return {"__ansible_unsafe": value}
    return value
