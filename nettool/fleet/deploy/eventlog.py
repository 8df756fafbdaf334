"""What a playbook tells while it runs: each switch's last word, kept as it comes.

A line a switch goes to state.jsonl, Ansible's own words to ansible.log. Nothing is written by
halves: what finds no room is cut off again, kept in memory, and tried once more with the next line.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from nettool.fleet.deploy.far import far_end
from nettool.fleet.deploy.interrupts import Stop
from nettool.fleet.deploy.outcome import Outcome

STATE_LOG, WORDS_LOG = "state.jsonl", "ansible.log"
TASKS = frozenset(("nettool_sonic", "nettool_asternos"))
FAR = "nettool_far"
"""The action that looks at the far ends of a switch's cables."""
LOOK = "Look"
"""The play that reads before another one writes."""
LOOKED = "looked"
"""What happened to a switch that was looked at and may be written to."""
ALL = "in all"
"""What is told of all switches together."""
COUNTING = "Time to confirm"
"""The play in which the time to confirm begins, on each switch that waits."""
LEFT_OUT = "Left out"
"""The play that fails, at the very end, the switches that the look left out."""
LAST = frozenset((str(Outcome.UNCHANGED), str(Outcome.UNREACHABLE)))
"""Outcomes of a look that are a switch's last: nothing has to, or can be written."""
_ENDS = frozenset(("runner_on_ok", "runner_on_failed", "runner_on_unreachable"))
Progress = Callable[[str, str, str], None]
"""Called with a device, what happened (`start` or its outcome) and a sentence."""


class EventLog:
    """Takes the runner's events: a line each in state.jsonl, the last result of each device.

    `looked` holds what was said of devices that were only looked at so far. A disk that is full
    stops no switch: `unwritten` says that lines are missing.
    """

    def __init__(self, folder: Path, progress: Progress | None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._state, self._words = _Lines(folder / STATE_LOG), _Lines(folder / WORDS_LOG)
        self._progress = progress
        self.results: dict[str, Mapping[str, Any]] = {}
        self.looked: dict[str, Mapping[str, Any]] = {}
        self.started: set[str] = set()
        self.complaint = ""

    @property
    def unwritten(self) -> str:
        """Why a log has gaps; empty where it has none."""
        return self._state.fault or self._words.fault

    def taken(self, stop: Stop) -> dict[str, Any]:
        """How the runner calls this, and when it ends the playbook."""
        return {"event_handler": self.take, "cancel_callback": stop.is_asked}

    def take(self, event: Mapping[str, Any]) -> bool:
        """Note one event; False: the runner keeps no copy of its own."""
        self._words.append(str(event.get("stdout") or ""))
        name, data = event.get("event"), event.get("event_data", {})
        host, result = data.get("host"), data.get("res", {})
        if data.get("play") == LEFT_OUT:
            return False
        if name == "runner_on_start" and host and data.get("task_action") in TASKS:
            self._started(host, data, event)
        elif data.get("task_action") == FAR or data.get("play") == COUNTING:
            self._beside(str(name), data, event)
        elif name in _ENDS and host:
            self._ended(str(name), host, result, event)
        elif name == "runner_on_skipped" and host and data.get("task_action") in TASKS:
            self._skipped(host, event)
        elif name in {"playbook_on_play_start", "playbook_on_stats"} and self.looked:
            self._sum_up(data)
        elif name in {"error", "warning", None} or (name == "verbose" and not self.results):
            text = str(event.get("stdout", "")).strip()
            self.complaint = text if "ERROR" in text else self.complaint
        return False

    def _started(self, host: str, data: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """A look begins nothing; what is done, or the other dialect's, starts to be skipped."""
        writes = data.get("play") not in {LOOK, COUNTING}
        if writes and host not in self.started and host not in self.results:
            self.started.add(host)
            self._say(host, "start", data.get("task", ""), event)

    def _ended(
        self, name: str, host: str, result: Mapping[str, Any], event: Mapping[str, Any]
    ) -> None:
        told = result.get("nettool")
        if told is None and name == "runner_on_ok" and "nettool" not in result:
            if "changed" not in result or result.get("msg") == "All assertions passed":
                return
            told = {"outcome": "changed" if result.get("changed") else "unchanged"}
        if told is None:
            told = {"outcome": _outcome_of(name), "message": last_words(str(result.get("msg", "")))}
        outcome = str(told.get("outcome") or ("failed" if result.get("failed") else "ok"))
        message = str(told.get("message") or result.get("msg", ""))
        if told.get(LOOKED):
            self.looked[host] = told
            said = f"{outcome} {_cost(told)}".rstrip()
            self._say(host, LOOKED, "; ".join(filter(None, (said, told.get("message")))), event)
            return
        self.results[host] = told
        self._say(host, outcome, message, event)

    def _beside(self, name: str, data: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """What comes around a host's change: looks at its far ends, its time to confirm."""
        host, result = data.get("host"), data.get("res", {})
        if host and data.get("play") == COUNTING and name in _ENDS:
            self._counting(host, result, event)
        elif host and data.get("play") != COUNTING and name in _ENDS - {"runner_on_ok"}:
            self._far_end(host, result, event)

    def _far_end(self, host: str, result: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """What is wrong at the far end of a host's cables ends it, before its change or after."""
        told = far_end(self.results.get(host), result)
        self.results[host] = told
        self._say(host, str(told["outcome"]), str(told["message"]), event)

    def _counting(self, host: str, result: Mapping[str, Any], event: Mapping[str, Any]) -> None:
        """The time to confirm counts now, or it came to another end: the rest stays as told."""
        had = self.results.get(host, {})
        unknown = {"outcome": Outcome.UNKNOWN, "message": last_words(str(result.get("msg", "")))}
        now = result.get("nettool") or unknown
        last = {name: now[name] for name in ("outcome", "message", "due") if name in now}
        self.results[host] = {**had, **last}
        self._say(host, str(last["outcome"]), str(last["message"]), event)

    def _skipped(self, host: str, event: Mapping[str, Any]) -> None:
        """A switch whose look found nothing to be written; else it was the other dialect's task."""
        looked = self.looked.get(host, {})
        outcome = str(looked.get("outcome"))
        if host in self.started and outcome in LAST:
            self.results.setdefault(host, looked)
            self._say(host, outcome, str(looked.get("message") or ""), event)
            del self.looked[host]

    def _sum_up(self, data: Mapping[str, Any]) -> None:
        """Say once what all looks came to, before anything is written."""
        if data.get("name") == LOOK or self._progress is None or self.started:
            return
        seen = Counter(str(each["outcome"]) for each in self.looked.values())
        seen.update(str(told["outcome"]) for told in self.results.values())
        self._progress(ALL, LOOKED, ", ".join(f"{n} {what}" for what, n in seen.items()))

    def _say(self, host: str, what: str, message: str, event: Mapping[str, Any]) -> None:
        line = {"at": event.get("created"), "device": host, "event": what, "message": message}
        self._state.append(json.dumps(line))
        if self._progress is not None:
            self._progress(host, what, message)


class _Lines:
    """A file that grows by whole lines. `fault` says why some are missing."""

    def __init__(self, path: Path) -> None:
        self._path, self._waiting, self.fault = path, "", ""

    def append(self, text: str) -> None:
        """Add a line, after those that found no room before."""
        self._waiting += f"{text}\n" if text else ""
        try:
            _append_whole(self._path, self._waiting.encode())
        except OSError as exc:
            self.fault = f"{self._path}: {exc.strerror}"
        else:
            self._waiting = self.fault = ""


def _append_whole(path: Path, content: bytes) -> None:
    """Append all of it or nothing. Raises OSError."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        before, written = os.fstat(file).st_size, 0
        try:
            while written < len(content):
                written += os.write(file, content[written:])
        except OSError:
            with suppress(OSError):
                os.ftruncate(file, before)
            raise
    finally:
        os.close(file)


def last_words(text: str) -> str:
    """The last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def _outcome_of(name: str) -> str:
    return "unreachable" if name == "runner_on_unreachable" else "failed, nothing changed"


def _cost(told: Mapping[str, Any]) -> str:
    """What a change would disturb, and how long it takes."""
    return f"({told['impact']}, about {told['estimate_s']:.0f} s)" if told.get("impact") else ""
