"""Commands a mock switch answers itself: what one gets, how it is looked up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nettool.core.registry import Registry
from nettool.fleet.transport.transport import Reply

if TYPE_CHECKING:
    from nettool.fleet.mock.console import Console
    from nettool.fleet.mock.fault import Fault
    from nettool.fleet.mock.switch import MockSwitch


@dataclass(slots=True)
class Call:
    """One command: its words (without sudo), who runs it, what is fed to it."""

    switch: MockSwitch
    argv: tuple[str, ...]
    origin: str
    stdin: Callable[[], Awaitable[str]]
    sudo: bool = False
    cwd: str = "/"
    fault: Fault | None = None
    """Set where a fault wants to strike in the middle of the command."""
    console: Console | None = None
    """Where it was typed."""

    @property
    def text(self) -> str:
        """The command as one line, with `sudo` where it was given."""
        return ("sudo " if self.sudo else "") + " ".join(self.argv)

    @property
    def by(self) -> str:
        """Who writes, for the write log."""
        return f"{self.origin}: {' '.join(self.argv)}"

    def options(self, *after: str) -> tuple[str, ...]:
        """The words after the command's own ones that begin with a dash."""
        return tuple(w for w in self.argv[len(after) :] if w.startswith("-") and w != "-")

    def operands(self, *after: str) -> tuple[str, ...]:
        """The words after the command's own ones that are no options."""
        return tuple(w for w in self.argv[len(after) :] if not w.startswith("-") or w == "-")

    async def read(self, path: str) -> str:
        """The text of a file of the switch, or what is fed in for `/dev/stdin`."""
        if path in {"/dev/stdin", "-"}:
            return await self.stdin()
        return self.switch.folder.host(self.absolute(path)).read_text()

    def absolute(self, path: str) -> str:
        """A path from where the command runs."""
        return path if path.startswith("/") else f"{self.cwd.rstrip('/')}/{path}"


Handler = Callable[[Call], Awaitable[Reply]]
COMMANDS: Registry[Handler] = Registry("nettool.fleet.mock.commands")
LONGEST = 5


def lookup(argv: tuple[str, ...]) -> Handler | None:
    """The handler with the most leading words in common with `argv`."""
    for length in range(min(len(argv), LONGEST), 0, -1):
        name = " ".join(argv[:length])
        if name in COMMANDS:
            return COMMANDS[name]
    return None


def ok(stdout: str = "") -> Reply:
    """Exit status 0, with a line end where one is missing."""
    return Reply(0, stdout if not stdout or stdout.endswith("\n") else f"{stdout}\n")


def failed(stderr: str, status: int = 1) -> Reply:
    """A failure with its message."""
    return Reply(status, "", stderr if not stderr or stderr.endswith("\n") else f"{stderr}\n")
