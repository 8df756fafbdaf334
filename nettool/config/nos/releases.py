"""The release that the intent names, held against those that its dialect knows."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from nettool.config.nos.dialect import DIALECTS
from nettool.core.finding import Finding, Severity
from nettool.intent.intent import NosIntent
from nettool.intent.load import FILE_NAME


def sonic_branch(nos: NosIntent) -> str:
    """The SONiC branch that the intent plans for; empty for another NOS."""
    return (nos.release or DIALECTS[nos.name].default_release) if nos.name == "sonic" else ""


def check_release(nos: NosIntent) -> Iterator[Finding]:
    """An error, placed at `nos.release`, where the dialect does not know the release."""
    known = DIALECTS[nos.name].releases
    if nos.release is None or nos.release in known:
        return
    close = get_close_matches(nos.release, known, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}? " if close else ""
    yield Finding(
        rule="INT004",
        severity=Severity.ERROR,
        message=f"{nos.name} release {nos.release!r} is not known: known are {', '.join(known)}",
        hint=f"{hint}without the key it is {DIALECTS[nos.name].default_release}",
        table=FILE_NAME,
        key="nos.release",
    )
