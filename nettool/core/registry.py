"""One registry for every plural package: state per instance, no name twice."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(Generic[T]):
    """Members of one plural package by name, loaded on first use.

    `package` is imported with all its modules the first time something is asked for; each
    module adds itself with `@REGISTRY.add("name")`. An import error in a member propagates.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._members: dict[str, T] = {}
        self._loaded = False

    def add(self, name: str) -> Callable[[T], T]:
        """A decorator that files a member under `name`; a second one of that name raises."""

        def file_under(member: T) -> T:
            if name in self._members:
                raise ValueError(f"{self._package}: {name!r} is registered twice")
            self._members[name] = member
            return member

        return file_under

    def __getitem__(self, name: str) -> T:
        self._load()
        return self._members[name]

    def __contains__(self, name: object) -> bool:
        self._load()
        return name in self._members

    def __iter__(self) -> Iterator[str]:
        self._load()
        return iter(sorted(self._members))

    def __len__(self) -> int:
        self._load()
        return len(self._members)

    def _load(self) -> None:
        if self._loaded:
            return
        package = importlib.import_module(self._package)
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{self._package}.{module.name}")
        self._loaded = True
