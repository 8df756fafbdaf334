"""The switches cabled to those that a wave changes: what their ports lost meanwhile.

A change can cost packets at the far end of its cables, where the changed switch itself sees none.
So each of these is looked at once before a wave and once after it, by one host of the wave. They
are only read, never locked or written. Of one that cannot be read before the wave there is no
verdict, which is said and holds nothing up: it was so without us. One that cannot be read any more
after it is no good end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nettool.core.errors import DeviceError, NettoolError, UsageError
from nettool.core.order import natural
from nettool.fleet.deploy.lossless_health import KINDS, counts, started, what_is_lost
from nettool.fleet.deploy.outcome import Outcome
from nettool.fleet.deploy.questions import COUNTERS
from nettool.fleet.deploy.switch import Switch
from nettool.fleet.deploy.waiting import not_waiting
from nettool.fleet.verify.verdict import Counts

Ports = Mapping[str, str]
"""The near end (`device:port`) by port of a far switch."""
_KEPT = "the change is kept: mend the far end, or `nettool rollback`"
POLL_SECONDS = 10.0
"""How old counters may be: drops of queues and groups are polled that often (sonic-swss)."""


@dataclass(frozen=True, slots=True)
class FarLook:
    """What the ports of a far switch had lost at one time, of its lossless `port|priority`."""

    counts: Mapping[str, Counts]
    lossless: tuple[str, ...]
    started: str


def shares(
    build: Path, changing: Iterable[str], known: Iterable[str]
) -> dict[str, dict[str, dict[str, str]]]:
    """Who looks at whom: by host of the wave, the far switches with their ports and near ends.

    `changing` are the switches that the wave changes, `known` those of the inventory. Each far
    switch has one host, and the hosts have about as many each. Raises UsageError where the build's
    model of a switch cannot be read; a build without models names no far ends.
    """
    wave, others = sorted(changing, key=natural), set(known)
    cables = [each for name in wave for each in _cables(build, name)]
    found: dict[str, dict[str, str]] = {}
    lookers: dict[str, set[str]] = {}
    for near, port, far, far_port in cables:
        if far in others and far not in wave:
            found.setdefault(far, {})[far_port] = f"{near}:{port}"
            lookers.setdefault(far, set()).add(near)
    made: dict[str, dict[str, dict[str, str]]] = {name: {} for name in wave}
    for far in sorted(found, key=natural):
        least = min(sorted(lookers[far], key=natural), key=lambda name: len(made[name]))
        made[least][far] = found[far]
    return made


def far_look(switch: Switch, ports: Ports) -> FarLook:
    """Look at these ports of a switch. Raises DeviceError, CommandError."""
    question = COUNTERS["pfc_enabled"]
    paused = question.read(question.put(switch))
    places = {place for place in paused if place.partition("|")[0] in ports}
    seen = {
        kind: {place: n for place, n in each.items() if place in places}
        for kind, each in counts(switch).items()
    }
    return FarLook(seen, tuple(sorted(places)), started(switch))


def far_lost(before: FarLook, now: FarLook, ports: Ports) -> Iterator[str]:
    """A sentence for each place of a far switch that lost something between two looks."""
    if before.started != now.started:
        yield f"its services began again by themselves ({now.started}): no verdict on counters"
        return
    places = frozenset(now.lossless)
    for kind, what in KINDS.items():
        for said in what_is_lost(kind, what, places, before.counts[kind], now.counts[kind]):
            yield f"{said} (towards {ports[said.partition('|')[0]]})"


def look_before(device: str, switch: Switch, ports: Ports) -> dict[str, Any]:
    """What Ansible is told of a look before the wave: the look, or that there is no verdict."""
    try:
        return _answer(device, "", far_look(switch, ports))
    except (DeviceError, NettoolError) as exc:
        ends = sorted(ports.values(), key=natural)
        more = f" and {len(ends) - 3} more" if len(ends) > 3 else ""
        near = f"{', '.join(ends[:3])}{more}"
        why = f"no verdict on {device}, cabled to {near}: it cannot be looked at ({exc})"
        return {**_answer(device, ""), "warnings": [why]}


def look_after(
    device: str, switch: Switch, ports: Ports, before: Mapping[str, Any]
) -> dict[str, Any]:
    """What Ansible is told of a look after the wave: fine, or what was lost meanwhile."""
    try:
        was = FarLook(**{**before, "lossless": tuple(before["lossless"])})
        now = far_look(switch, ports)
        lost = list(far_lost(was, now, ports))
        if was.started != now.started and (own := not_waiting(switch)):
            lost = [own[1]]
    except (DeviceError, NettoolError) as exc:
        lost = [f"cannot be looked at any more: {exc}"]
    more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
    return _answer(device, f"{device}: {'; '.join(lost[:3])}{more}" if lost else "")


def far_end(had: Mapping[str, Any] | None, result: Mapping[str, Any]) -> dict[str, Any]:
    """A host's last word once a look at its far ends went wrong: `had` is what it was before that.

    `result` is Ansible's, of one look or of a loop of them.
    """
    each = [one for one in result.get("results", [result]) if one.get("failed")]
    messages = [str((one.get("nettool") or {}).get("message") or one.get("msg")) for one in each]
    message = "; ".join(messages) or str(result.get("msg", "no message"))
    if had is None:
        return {"outcome": str(Outcome.REFUSED), "message": message}
    was = Outcome(had["outcome"])
    outcome = Outcome.FAR_WORSE if was.has_changed else Outcome.FAILED
    next_step = _KEPT if was is Outcome.CHANGED else ""
    said = "; ".join(filter(None, (str(had.get("message") or ""), message, next_step)))
    return {**had, "outcome": str(outcome), "message": said}


def _answer(device: str, wrong: str, look: FarLook | None = None) -> dict[str, Any]:
    about: dict[str, Any] = {"device": device, "message": wrong, "outcome": str(Outcome.REFUSED)}
    if look is not None:
        about["look"] = asdict(look)
    return {"changed": False, "failed": bool(wrong), "msg": wrong or "fine", "nettool": about}


def _cables(build: Path, name: str) -> Iterator[tuple[str, str, str, str]]:
    """Both ends of each cable of a switch, as the build's model has them."""
    path = build / "devices" / name / "device.json"
    if not path.is_file():
        return
    try:
        links = json.loads(path.read_text())["interfaces"]["links"]
        for port, far in sorted(links.items()):
            yield name, port, str(far["device"]), str(far["port"])
    except (ValueError, KeyError, TypeError, AttributeError) as exc:
        raise UsageError(f"{path}: not a device of nettool's ({exc!r})") from exc
