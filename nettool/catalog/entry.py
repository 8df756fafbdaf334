"""What one catalog file describes: a named thing, whose name is the name of its file."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from nettool.core.model import Model

Fault = tuple[tuple[str | int, ...], str]
"""Where in its file an entry is wrong (a key path), and what is wrong there."""


class Entry(Model):
    """A thing of the catalog."""

    name: str = Field(description="its name, and the name of its file")

    def faults(self) -> Iterator[Fault]:
        """What makes it unusable although each field is well formed; nothing by default."""
        return iter(())
