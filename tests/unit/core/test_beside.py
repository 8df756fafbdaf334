"""A function in a second process gives what it gives here: its result, its error, or its end."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from nettool.core.beside import beside
from nettool.core.errors import FindingsError, UsageError
from nettool.core.finding import Finding, Report, Severity

REPORT = Report.of([Finding(rule="TPL002", severity=Severity.ERROR, message="broken")])
LARGE = {f"devices/{n}": "0" * 32 for n in range(20_000)}
"""More than a pipe holds, so that a process that nobody listens to would wait for ever."""


def children():
    """Processes that this one has started and not waited for."""
    return Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text().split()


def is_apart(apart):
    with beside(os.getpid, apart=apart) as number:
        return number() != os.getpid()


needs_two = pytest.mark.skipif(not is_apart(True), reason="one processor, threads, or no fork")


@pytest.mark.parametrize("apart", [False, True])
def test_the_result_is_that_of_the_work(apart):
    with beside(lambda: LARGE, apart=apart) as result:
        pass
    assert not children()
    with beside(lambda: LARGE, apart=apart) as result:
        assert result() == LARGE


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(
    "error",
    [UsageError("no"), FindingsError(REPORT), OSError(28, "No space left on device"), KeyError(1)],
)
def test_an_error_is_raised_here(error, apart):
    def fail():
        raise error

    with pytest.raises(type(error)) as caught, beside(fail, apart=apart) as result:
        result()
    assert str(caught.value) == str(error)
    assert getattr(caught.value, "report", REPORT) == REPORT
    assert not children()


@needs_two
def test_it_ends_without_being_asked_for_its_result():
    with beside(lambda: LARGE, apart=True):
        deadline = time.monotonic() + 20
        (child,) = children()
        while time.monotonic() < deadline and not is_zombie(child):
            time.sleep(0.01)
        assert is_zombie(child)
    assert not children()


def is_zombie(number):
    return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


@needs_two
def test_an_error_here_ends_it():
    with pytest.raises(KeyError), beside(lambda: time.sleep(60), apart=True):
        raise KeyError
    assert not children()


@needs_two
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.usefixtures("of_a_terminal")
def test_it_may_be_killed(number):
    def work():
        os.kill(os.getpid(), number)
        time.sleep(60)

    with pytest.raises(ChildProcessError, match="killed"), beside(work, apart=True) as result:
        result()
    assert not children()


@needs_two
def test_it_does_not_live_on_alone():
    code = (
        "import os, time\n"
        "from nettool.core.beside import beside\n"
        "def work():\n"
        "    print(os.getpid(), flush=True)\n"
        "    time.sleep(60)\n"
        "with beside(work, apart=True) as result:\n"
        "    result()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as run:
        child = int(run.stdout.readline())
        run.kill()
        start = time.monotonic()
        run.stdout.read()
        assert time.monotonic() - start < 20
    with pytest.raises(ProcessLookupError):
        wait_until_gone(child)


def wait_until_gone(number):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        os.kill(number, 0)
        time.sleep(0.01)


def test_beside_other_threads_it_is_done_here():
    halt = threading.Event()
    other = threading.Thread(target=halt.wait)
    other.start()
    try:
        assert not is_apart(True)
    finally:
        halt.set()
        other.join()
