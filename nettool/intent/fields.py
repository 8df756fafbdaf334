"""Kinds of values that keys of `fabric.yaml` take: names, addresses, pools, degrees."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from nettool.core.units import Whole


def _prefix(text: object) -> str:
    if not isinstance(text, str):
        raise ValueError(f"an address prefix such as 10.0.0.0/24 is expected, not {text!r}")
    return str(ipaddress.ip_network(text))


def _address(text: object) -> str:
    if not isinstance(text, str):
        raise ValueError(f"an address such as 192.0.2.1 is expected, not {text!r}")
    return str(ipaddress.ip_address(text))


def _like(pattern: str, example: str) -> Any:
    """What editors are told of a text that the program reads more closely."""
    return Field(examples=[example], json_schema_extra={"pattern": pattern})


_DIGITS = r"^(?=.*[.:])[0-9a-fA-F:.]+"
Prefix = Annotated[str, BeforeValidator(_prefix), _like(_DIGITS + r"(/\d{1,3})?$", "10.0.0.0/24")]
Address = Annotated[str, BeforeValidator(_address), _like(_DIGITS + "$", "192.0.2.1")]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
Degree = Annotated[Whole, Field(ge=1, le=1 << 24)]
"""Into how many parts a job is cut in one dimension."""
Switches = Annotated[Whole, Field(ge=1, le=100_000)]
"""A fixed number of switches of one tier."""
