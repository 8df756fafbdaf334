"""A mock switch's own folder, which stands for its file system.

There is no chroot: a shell line's absolute paths are rewritten into the folder and what
comes out is rewritten back, so that a script finds its `/etc/sonic` where a switch has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_MAPPED = (
    "/etc/sonic",
    "/etc/ssh",
    "/etc/frr",
    "/var/lib/nettool",
    "/var/log",
    "/usr/share/sonic",
    "/host",
    "/run",
    "/tmp",  # noqa: S108  # the name on the switch, not a file of ours
)
_WATCHED = ("etc/sonic", "var/lib/nettool", "run", "host")

Stamp = tuple[int, int, int]


class Folder:
    """The tree under `root` and the way between its paths and the switch's."""

    def __init__(self, root: Path, user: str) -> None:
        self.root = root.resolve()
        self.home = self.root / "home" / user
        mapped = "|".join(re.escape(p) for p in (*_MAPPED, f"/home/{user}"))
        self._paths = re.compile(rf"(?<![\w./~}})*-])(?:{mapped})(?![\w.-])")
        self._tilde = re.compile(rf"(?<![\w./-])~(?:{re.escape(user)})?(?=/|\s|$|['\";)])")
        for name in (*_MAPPED, f"/home/{user}", "/etc/sonic/checkpoints"):
            self.host(name).mkdir(parents=True, exist_ok=True)
        self._known: dict[str, Stamp] = dict(self._stamps())

    def host(self, path: str) -> Path:
        """Where the switch's absolute `path` lies here; a path of ours stays as it is."""
        if path.startswith(str(self.root)):
            return Path(path)
        return self.root / path.lstrip("/")

    def inward(self, text: str) -> str:
        """A shell text with the switch's paths turned into ours."""
        text = self._tilde.sub(str(self.home), text)
        return self._paths.sub(lambda m: f"{self.root}{m.group()}", text)

    def outward(self, text: str) -> str:
        """A text with our paths turned into the switch's."""
        return text.replace(str(self.root), "")

    def changed(self) -> list[str]:
        """The switch's files written or removed since the last call, apart from settled ones."""
        before, self._known = self._known, dict(self._stamps())
        paths = set(before) | set(self._known)
        return sorted(path for path in paths if before.get(path) != self._known.get(path))

    def settle(self, path: str) -> None:
        """Take a file as it is now for known: whoever wrote it has noted that already."""
        self._known.pop(path, None)
        if self.host(path).is_file():
            self._known[path] = _stamp(self.host(path))

    def wipe_run(self) -> None:
        """Empty /run, as a restart does."""
        for path in sorted(self.host("/run").rglob("*"), reverse=True):
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink()

    def _stamps(self) -> Iterator[tuple[str, Stamp]]:
        for top in _WATCHED:
            for path in (self.root / top).rglob("*"):
                if path.is_file():
                    yield f"/{path.relative_to(self.root)}", _stamp(path)


class Outward:
    """Rewrites a stream outward; a path cut by a chunk's end is kept back until it is whole."""

    def __init__(self, folder: Folder) -> None:
        self._root = str(folder.root)
        self._rest = ""

    def feed(self, text: str) -> str:
        """What can be passed on of the stream so far."""
        text = (self._rest + text).replace(self._root, "")
        keep = next(
            (n for n in range(min(len(text), len(self._root)), 0, -1) if self._ends(text, n)), 0
        )
        self._rest = text[len(text) - keep :]
        return text[: len(text) - keep]

    def flush(self) -> str:
        """The rest, at the end of the stream."""
        rest, self._rest = self._rest, ""
        return rest

    def _ends(self, text: str, length: int) -> bool:
        return text.endswith(self._root[:length])


def _stamp(path: Path) -> Stamp:
    stat = path.stat()
    return stat.st_size, stat.st_ino, stat.st_mtime_ns
