"""The lock beside a fabric: read before the design, written where the design grew."""

from __future__ import annotations

from pathlib import Path

from nettool.core.finding import Finding, Report, Severity
from nettool.core.source import read_text
from nettool.core.written import replace_file
from nettool.plan.design.design import lock_of
from nettool.plan.design.fabric import Fabric
from nettool.plan.design.lock import LOCK_FILE, Lock, lock_text, parse_lock


def read_lock(fabric_file: Path) -> Lock | None:
    """The lock of a fabric, None where it has none yet. Raises FindingsError for a damaged one."""
    file = fabric_file.with_name(LOCK_FILE)
    return parse_lock(read_text(file), str(file)) if file.exists() else None


def keep_lock(fabric_file: Path, fabric: Fabric) -> tuple[Path | None, Report]:
    """Write the lock where the design grew; its path, or None, and what went wrong."""
    file = fabric_file.with_name(LOCK_FILE)
    text = lock_text(lock_of(fabric))
    if file.is_file() and read_text(file) == text:
        return None, Report()
    try:
        replace_file(file, text.encode())
    except OSError as exc:
        return None, Report.of([_not_kept(file, exc)])
    return file, Report()


def unkept(fabric_file: Path, fabric: Fabric) -> Report:
    """An info finding where the lock is missing, or does not tell of the design as it is now."""
    file = fabric_file.with_name(LOCK_FILE)
    if not file.is_file():
        return Report.of([_unkept(file, "there is no lock")])
    if read_text(file) != lock_text(lock_of(fabric)):
        return Report.of([_unkept(file, "the lock is older than this design")])
    return Report()


def _unkept(file: Path, said: str) -> Finding:
    return Finding(
        rule="LCK002",
        severity=Severity.INFO,
        message=f"{said}: a later change of the fabric may move cables and addresses that are on "
        "switches by then, and nothing would tell",
        hint="`nettool plan` writes it, and tells what moves; commit it beside the fabric",
        file=str(file),
    )


def _not_kept(file: Path, exc: OSError) -> Finding:
    return Finding(
        rule="LCK001",
        severity=Severity.WARNING,
        message=f"the lock was not written ({exc.strerror or exc}): names and addresses of this "
        "plan are not kept",
        hint="make the folder writable, or plan with --no-lock where nothing is to be kept",
        file=str(file),
    )
