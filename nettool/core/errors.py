"""What cannot go on. Findings are for the user's data; exceptions are for the rest.

NettoolError
├── UsageError        the call itself is wrong, or a file is missing or unreadable   exit 64
├── FindingsError     the data is wrong: carries the whole report                    exit 1
│   └── WarningsError  warnings alone, where whoever asks wants none                 exit 3
├── RefusedError      lock held, changed since read, consent missing                 exit 7
└── DeviceError       a device could not be reached, or its state is unknown         exit 4
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nettool.core.finding import Report


class NettoolError(Exception):
    """An error with a sentence for the user and the exit code of the contract."""

    exit_code = 70


class UsageError(NettoolError):
    """The call is wrong, or a file it names is missing or unreadable."""

    exit_code = 64


class FindingsError(NettoolError):
    """The user's data cannot be used; `report` holds every finding at once."""

    exit_code = 1

    def __init__(self, report: Report) -> None:
        super().__init__(f"{len(report.findings)} findings")
        self.report = report

    def __reduce__(self) -> tuple[type[FindingsError], tuple[Report]]:
        return type(self), (self.report,)


class WarningsError(FindingsError):
    """Only warnings are left, under --strict."""

    exit_code = 3


class RefusedError(NettoolError):
    """Something that must not be done now: a lock, a changed device, a missing consent."""

    exit_code = 7


class DeviceError(NettoolError):
    """A device cannot be reached, or what it is doing is unknown."""

    exit_code = 4
