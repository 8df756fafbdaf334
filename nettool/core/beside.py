"""Work on a second core: a function in a copy of this process, where that can be had.

The copy (a fork) sees everything that was made before it, without a copy of the memory; of what
it makes, only the function's result or its error comes back. It must not print. Fork is used on
Linux, with a second processor, from a process of one thread; elsewhere the function runs here.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, NoReturn, TypeVar

from nettool.core.collector import uncollected

T = TypeVar("T")


@contextmanager
def beside(work: Callable[[], T], *, apart: bool) -> Iterator[Callable[[], T]]:
    """Run `work` while the body of the `with` runs; what is yielded waits for its result.

    It raises what `work` raised, and ChildProcessError where the second process was killed. That
    one is gone when the body is left, however it is left. Not `apart`, or where there can be no
    second process, `work` is done before the body.
    """
    with uncollected():  # the collector writes into all it walks, and what is written is copied
        second = _forked(work) if apart and _is_possible() else None
        if second is None:
            found = work()
            yield lambda: found
            return
        try:
            yield second.result
        finally:
            second.end()


def _is_possible() -> bool:
    if sys.platform != "linux" or threading.active_count() > 1:
        return False
    return len(os.sched_getaffinity(0)) > 1


def _forked(work: Callable[[], T]) -> _Second[T] | None:
    """The second process; None where the system has no room for one."""
    answer = os.memfd_create("answer")
    this = os.getpid()
    try:
        number = os.fork()
    except OSError:
        os.close(answer)
        return None
    if number == 0:
        _serve(work, answer, this)
    return _Second(number, answer)


class _Second(Generic[T]):
    """The second process as the first one sees it: its number, and where it leaves its answer.

    That is a file in memory: it ends, and gives its own memory back, without being waited for.
    """

    def __init__(self, number: int, answer: int) -> None:
        self._number = number
        self._answer = answer
        self._status: int | None = None

    def result(self) -> T:
        """What the work returned. Raises what it raised."""
        if self._wait():
            raise ChildProcessError("the second process was killed (out of memory?)")
        with open(self._answer, "rb", closefd=False) as answer:
            answer.seek(0)
            is_good, found = pickle.load(answer)  # noqa: S301 - our own process wrote it
        if not is_good:
            raise found
        return found  # type: ignore[no-any-return] # the work's own result

    def end(self) -> None:
        """Stop it where it still runs."""
        if self._status is None:
            os.kill(self._number, signal.SIGKILL)
            self._wait()
        os.close(self._answer)

    def _wait(self) -> int:
        if self._status is None:
            self._status = os.waitpid(self._number, 0)[1]
        return self._status


def _serve(work: Callable[[], object], writing: int, parent: int) -> NoReturn:
    """The life of the second process: work, answer, end at once without any clean-up of ours."""
    code = 1
    try:
        _live_with(parent)
        with open(writing, "wb") as answer:
            pickle.dump(_answer(work), answer)
        code = 0
    finally:
        os._exit(code)


def _live_with(parent: int) -> None:
    """Die by Ctrl-C and SIGTERM without a word, and soon after the first process is gone."""

    def look(_number: int, _frame: object) -> None:
        if os.getppid() != parent:
            os._exit(1)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)


def _answer(work: Callable[[], object]) -> tuple[bool, object]:
    """Whether it went well, and the result or the error."""
    try:
        return True, work()
    except Exception as exc:  # noqa: BLE001 - whatever it is, it is raised in the first process
        exc.add_note("".join(traceback.format_exception(exc)))
        return False, exc
