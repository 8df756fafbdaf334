"""Where a command of a mock switch reads from and writes to."""

from __future__ import annotations

from typing import Protocol


class Console(Protocol):
    """Where a command's input comes from and its output goes to."""

    async def chunk(self) -> str:
        """The next piece of input; empty at its end."""
        ...

    def out(self, text: str) -> bool:
        """Write to standard output; False once nobody listens."""
        ...

    def err(self, text: str) -> bool:
        """Write to standard error; False once nobody listens."""
        ...

    def abort(self) -> None:
        """Cut the connection without a word."""
        ...


class Silent:
    """The console of a timer: no input, output to nowhere."""

    async def chunk(self) -> str:
        """Nothing is fed in."""
        return ""

    def out(self, text: str) -> bool:  # noqa: ARG002  # a protocol's signature
        """Goes nowhere."""
        return True

    def err(self, text: str) -> bool:  # noqa: ARG002  # a protocol's signature
        """Goes nowhere."""
        return True

    def abort(self) -> None:
        """There is nothing to cut."""


async def read_all(console: Console) -> str:
    """Everything that is fed in."""
    pieces = []
    while piece := await console.chunk():
        pieces.append(piece)
    return "".join(pieces)
