"""What is wrong with a YAML file of ours, as findings at the lines where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ValidationError

from nettool.core.finding import Finding, Severity
from nettool.core.model import problem_of
from nettool.core.source import KeyPath, SourceMap


@dataclass(frozen=True, slots=True)
class Located:
    """Makes the errors of one file, all of one rule and with one hint.

    `whole` names the file where a fault is in no key of it.
    """

    places: SourceMap
    rule: str
    hint: str
    whole: str = "the file"

    def each(self, error: ValidationError) -> Iterator[Finding]:
        """Everything that a model refused; an unknown key at the key, other faults at the value."""
        for one in error.errors(include_url=False):
            said = problem_of(one)
            yield self.at(one["loc"], said, key=one["type"] == "extra_forbidden")

    def at(self, path: KeyPath, text: str, *, key: bool = False) -> Finding:
        """One error of the value at a key path, or, with `key`, of the key."""
        return self.said(f"{'.'.join(map(str, path)) or self.whole}: {text}", path, key=key)

    def said(self, message: str, path: KeyPath, *, key: bool = False) -> Finding:
        """One error in words of its own."""
        place = self.places.place(path, key=key)
        return Finding(
            rule=self.rule,
            severity=Severity.ERROR,
            message=message,
            hint=self.hint,
            file=place.file,
            line=place.line,
            column=place.column,
        )
