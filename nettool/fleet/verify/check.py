"""A check: from what was seen on one switch to findings. One file a check, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from nettool.core.finding import Finding, Report, Severity
from nettool.core.registry import Registry
from nettool.fleet.verify.observed import Seen

Check = Callable[[Seen], Iterable[Finding]]
CHECKS: Registry[Check] = Registry("nettool.fleet.verify.checks")


def verify(seen: Iterable[Seen]) -> Report:
    """Every check on every switch, in a stable order."""
    switches = list(seen)
    findings = [each for one in switches for each in verify_one(one)]
    return Report.of(findings, devices=len(switches), checks=len(CHECKS))


def verify_one(seen: Seen) -> Iterator[Finding]:
    """Every check on one switch."""
    for name in CHECKS:
        yield from CHECKS[name](seen)


def wrong(  # noqa: PLR0913  # one finding has this many places
    rule: str,
    seen: Seen,
    message: str,
    hint: str,
    *,
    severity: Severity = Severity.ERROR,
    table: str | None = None,
    key: str | None = None,
    field: str | None = None,
) -> Finding:
    """A finding about the switch that was seen."""
    return Finding(
        rule=rule,
        severity=severity,
        message=f"{seen.device}: {message}",
        hint=hint,
        device=seen.device,
        table=table,
        key=key,
        field=field,
    )
