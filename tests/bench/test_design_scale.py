"""From fabric.yaml to a written build at 8,192 to 131,072 GPUs: time, memory, how both grow.

Each size runs in a process of its own. The limits are the project's: 60 s and 2 GiB for the whole
of 5,120 switches on two cores, 15 ms of CPU a device, and time over devices with an exponent of
at most 1.1. Run with `make bench`.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from nettool.intent.load import find_fabric

pytestmark = pytest.mark.bench

SMALL, MIDDLE, LARGE = 8_192, 32_768, 131_072
SWITCHES = {SMALL: 320, MIDDLE: 1280, LARGE: 5120}
SECONDS, MEBIBYTES, MS_A_DEVICE, EXPONENT = 60, 2048, 15, 1.1
CABLES = "spine_core: 300m"


def fabric(folder, gpus, cables=CABLES):
    """The shipped fabric of 131,072 GPUs with fewer nodes, its job as many replicas less."""
    text = find_fabric("scale-131072").read_text()
    for old, new in {
        "nodes: 16384": f"nodes: {gpus // 8}", "dp: 1024": f"dp: {gpus // 128}",
        "batch: 65536": f"batch: {gpus // 2}", CABLES: cables,
    }.items():  # fmt: skip
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = Path(folder) / "fabric.yaml"
    path.write_text(text)
    return path


def build(path, out, *flags):
    """`nettool render` in processes of its own: what it says, wall and CPU seconds, peak MiB.

    Memory is the largest sum over its processes, what they share counted once.
    """
    words = [sys.executable, "-m", "nettool", "render", path, "-o", out, "--format", "json", *flags]
    start = time.perf_counter()
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as made:
        with watched(made.pid) as seen:
            said = json.loads(made.stdout.read())
            _, status, spent = os.wait4(made.pid, 0)
            wall = time.perf_counter() - start
        made.returncode = os.waitstatus_to_exitcode(status)
    assert made.returncode == 0, said
    cpu = spent.ru_utime + spent.ru_stime
    return said | {"wall": wall, "cpu": cpu, "mib": max(spent.ru_maxrss / 1024, *seen)}


@contextmanager
def watched(process):
    """The memory of a process and its children, MiB, looked at four times a second."""
    seen, halt = [0.0], threading.Event()

    def look():
        while not halt.wait(0.25):
            seen.append(sum(map(memory, [process, *children(process)])))

    looker = threading.Thread(target=look)
    looker.start()
    try:
        yield seen
    finally:
        halt.set()
        looker.join()


def children(process):
    with suppress(OSError):
        return Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return []


def memory(process):
    """MiB of one process: its own, and its part of what it shares; 0 where it is gone."""
    with suppress(OSError, ValueError):
        words = Path(f"/proc/{process}/smaps_rollup").read_text().split()
        return int(words[words.index("Pss:") + 1]) / 1024
    return 0.0


@cache
def whole(gpus):
    """One build of so many GPUs, measured once a session."""
    with TemporaryDirectory() as folder:
        return build(fabric(folder, gpus), Path(folder) / "out")


def speak(*lines):
    sys.stdout.write("\n".join(["", *lines, ""]))


def table(sizes):
    columns = f"{'GPUs':>9}{'switches':>9}{'files':>8}{'wall s':>8}{'CPU s':>8}"
    rows = [f"{columns}{'ms/switch':>11}{'MiB':>7}"]
    for gpus in sizes:
        got = whole(gpus)
        each = got["cpu"] / got["devices"] * 1e3
        rows.append(
            f"{gpus:>9,}{got['devices']:>9}{got['files']:>8}{got['wall']:>8.2f}"
            f"{got['cpu']:>8.2f}{each:>11.2f}{got['mib']:>7.0f}"
        )
    low, high = whole(sizes[0]), whole(sizes[-1])
    grown = math.log(high["cpu"] / low["cpu"]) / math.log(high["devices"] / low["devices"])
    return [*rows, f"exponent of CPU time over switches: {grown:.3f}"], grown


def test_growth_up_to_a_quarter():
    """As far as a short run goes."""
    check([SMALL, MIDDLE])


@pytest.mark.slow
def test_growth_up_to_the_largest():
    check([SMALL, MIDDLE, LARGE])
    assert whole(LARGE)["wall"] <= SECONDS
    assert whole(LARGE)["mib"] <= MEBIBYTES


def check(sizes):
    lines, grown = table(sizes)
    speak(*lines)
    for gpus in sizes:
        assert whole(gpus)["devices"] == SWITCHES[gpus]
        assert whole(gpus)["cpu"] / SWITCHES[gpus] * 1e3 <= MS_A_DEVICE
    assert grown <= EXPONENT


@pytest.mark.parametrize("gpus", [SMALL, pytest.param(LARGE, marks=pytest.mark.slow)])
def test_one_cable_renders_what_it_touches(tmp_path, gpus):
    """A longer cable of two legs: a leaf and two spines, and the same bytes as a full build."""
    longer = (
        f"{CABLES}, own: [{{port: 'leaf{'7':0>{len(str(gpus // 64))}}:Ethernet264', length: 80m}}]"
    )
    build(fabric(tmp_path, gpus), tmp_path / "out", "--only-changed")
    path = fabric(tmp_path, gpus, longer)
    changed = build(path, tmp_path / "out", "--only-changed")
    full = build(path, tmp_path / "full")
    assert digests(tmp_path / "out") == digests(tmp_path / "full")
    made = changed["devices"] + gpus // 8 - changed["taken_over"]
    speak(
        f"{gpus:,} GPUs, one cable of two legs: {made} of {changed['devices']} switches rendered, "
        f"{changed['wall']:.1f} s (CPU {changed['cpu']:.1f}) against {full['wall']:.1f} s "
        f"(CPU {full['cpu']:.1f}) for all"
    )
    assert made == 3
    assert changed["cpu"] < full["cpu"]


def digests(folder):
    return {
        str(path.relative_to(folder)): blake2b(path.read_bytes()).digest()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }
