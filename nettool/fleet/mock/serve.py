"""A mock fleet as a service: start it, tell where it listens, run until told to stop."""

from __future__ import annotations

import json
import os
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nettool.core.errors import RefusedError
from nettool.fleet.mock.alive import hold
from nettool.fleet.mock.fleet import MockFleet
from nettool.fleet.mock.spec import Cable, spec_from_json

_SERVED_BY = ".served-by"

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


def serve(
    fleet: MockFleet,
    ready: Path,
    stop: threading.Event | None = None,
    *,
    on_ready: Callable[[Mapping[str, Any]], None] | None = None,
) -> None:
    """Run a fleet until SIGTERM, SIGINT, SIGHUP or `stop`; write `ready` once all switches listen.

    `on_ready` is called first, with what is written. See `alone_in` for the folder.

    `ready` is JSON: `switches` by name with address, port, user, host_key, known_hosts and
    folder; `known_hosts`, the lines of all; `control`, the unix socket for faults.
    """
    halt = stop or threading.Event()
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: halt.set())
    with fleet:
        partial = ready.with_suffix(".partial")
        listening = where(fleet)
        if on_ready is not None:
            on_ready(listening)
        partial.write_text(json.dumps(listening, indent=2, sort_keys=True))
        partial.replace(ready)
        halt.wait()
    ready.unlink(missing_ok=True)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Serve into a folder. Raises RefusedError while another fleet that is alive does.

    Its inventory and key would be overwritten, and it could never be reached again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    held = hold(folder)
    if held is None:
        who = (folder / _SERVED_BY).read_text().strip()
        raise RefusedError(
            f"a mock fleet is served into {folder} already (process {who}): end it, or name "
            "another folder with -o"
        )
    with held:
        (folder / _SERVED_BY).write_text(f"{os.getpid()}\n")
        yield
        (folder / _SERVED_BY).unlink(missing_ok=True)


def fleet_from_json(data: Mapping[str, Any], **options: Any) -> MockFleet:
    """A fleet from a description: `switches`, a list of `SwitchSpec` fields, and `cables`.

    A cable is a pair of `device:port`. `options` go to `MockFleet`.
    """
    specs = [spec_from_json(row) for row in data["switches"]]
    cables = [Cable(str(a), str(b)) for a, b in data.get("cables", [])]
    return MockFleet(specs, cables, **options)


def where(fleet: MockFleet) -> dict[str, Any]:
    """Where each switch of a running fleet listens and how to trust it."""
    return {
        "schema_version": 1,
        "switches": {switch.name: switch.where() for switch in fleet},
        "known_hosts": fleet.known_hosts.splitlines(),
        "control": fleet.control,
    }
