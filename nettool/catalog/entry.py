"""What one catalog file describes: a named thing, whose name is the name of its file."""

from __future__ import annotations

from pydantic import Field

from nettool.core.model import Model


class Entry(Model):
    """A thing of the catalog."""

    name: str = Field(description="its name, and the name of its file")
