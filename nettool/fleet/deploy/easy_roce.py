"""Easy RoCE profiles of an AsterNOS switch, by REST: read, compare, write, read back.

No guard stands behind REST: what goes wrong midway is taken back request by request, in reverse,
and told as it is. Whether a restart keeps what REST wrote is not public: save by klish as well.
Form of answers: docs.asternos.com/zh/aidc/restapi-manual/easy-roce/; that a profile which is not
there answers 404 is assumed. A profile lists the ports it is bound to (bind-interfaces, such as
Ethernet4:4: docs.asternos.com/aidc/v3zb-easy-roce); no page shows the body that binds one, so
ports that are not bound are named and left to whoever runs the switch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from nettool.config.diff.changeset import Change, ChangeKind, ChangeSet
from nettool.core.errors import DeviceError, NettoolError
from nettool.fleet.deploy.outcome import Outcome, Result, Step
from nettool.fleet.transport.rest import Answer, RestError

PROFILES = "/rest/v1/running/roce/roce-profiles"
TABLE = "roce-profiles"
NAME = "name"
BOUND = "bind-interfaces"
SHOWN = 6
Profile = Mapping[str, str]


class Rest(Protocol):
    """What is used of a REST transport."""

    def ask(self, method: str, path: str, body: object = None) -> Answer:
        """Send one request."""
        ...


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    path: str
    body: object = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def wanted_profiles(document: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The profiles of a rendered roce.json by name."""
    bodies = [each["body"] for each in document.get("requests", ())]
    return {body[NAME]: {k: str(v) for k, v in body.items()} for body in bodies}


def wanted_ports(document: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The ports that a rendered roce.json plans for each profile."""
    return {each["profile"]: tuple(each["ports"]) for each in document.get("bindings", ())}


def push_profiles(
    rest: Rest,
    device: str,
    wanted: Mapping[str, Profile],
    *,
    check: bool,
    ports: Mapping[str, Iterable[str]] | None = None,
) -> Result:
    """Bring the named profiles to what is wanted; others are left alone. Never raises for a switch.

    A second run finds nothing to do and writes nothing. `ports` are those planned for each
    profile: which of them it does not list as bound is read and told.
    """
    steps: list[Step] = []
    try:
        have = {name: _read(rest, name) for name in wanted}
    except (DeviceError, RestError) as exc:
        outcome = Outcome.UNREACHABLE if isinstance(exc, DeviceError) else Outcome.FAILED
        return Result(device, outcome, f"{exc}; nothing was written")
    changes = ChangeSet(device, tuple(_changes(have, wanted)))
    steps.append(Step("read", f"{len(changes.changes)} changes"))
    outcome, message = Outcome.UNCHANGED, ""
    if not changes.is_empty:
        outcome, message = Outcome.WOULD_CHANGE, ""
    if not changes.is_empty and not check:
        outcome, message = _written(rest, have, wanted, steps)
    if outcome.is_good and ports:
        message = "; ".join(filter(None, (message, _unbound(rest, ports))))
    way = "" if changes.is_empty else "rest"
    return Result(device, outcome, message, way, changes, tuple(steps))


def _unbound(rest: Rest, ports: Mapping[str, Iterable[str]]) -> str:
    """Which planned ports no profile of theirs lists as bound."""
    said = []
    try:
        for name, planned in ports.items():
            listed = (_found(rest, name) or {}).get(BOUND) or ()
            bound = {str(each).partition(":")[0] for each in listed}
            left = [port for port in planned if port not in bound]
            more = f" and {len(left) - SHOWN} more" if len(left) > SHOWN else ""
            said += [f"{name} to {', '.join(left[:SHOWN])}{more}"] if left else []
    except (DeviceError, RestError) as exc:
        return f"which ports are bound could not be read: {exc}"
    if not said:
        return ""
    return f"no public page shows how to bind a port by REST, so bind by klish: {'; '.join(said)}"


def _read(rest: Rest, name: str) -> Profile | None:
    found = _found(rest, name)
    if found is None:
        return None
    return {k: str(v) for k, v in found.items() if isinstance(v, str | int)}


def _found(rest: Rest, name: str) -> Mapping[str, Any] | None:
    """A profile as the switch shows it, None where it has none of that name."""
    answer = rest.ask("GET", f"{PROFILES}/{name}")
    if answer.status == 404:
        return None
    found = next((each for each in _objects(answer.data) if each.get(NAME) == name), None)
    if found is None:
        raise RestError(f"GET {PROFILES}/{name}: the answer holds no profile of that name")
    return found


def _objects(data: Any) -> Iterator[dict[str, Any]]:
    """Every object in an answer, whatever it is wrapped in."""
    if isinstance(data, dict):
        yield data
    for each in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from _objects(each)


def _changes(have: Mapping[str, Profile | None], wanted: Mapping[str, Profile]) -> Iterator[Change]:
    for name, fields in wanted.items():
        before = have[name]
        if before is None:
            yield Change(ChangeKind.ADD, TABLE, name, None, None, dict(fields))
            continue
        for field, value in _differing(before, fields).items():
            kind = ChangeKind.REPLACE if field in before else ChangeKind.ADD
            yield Change(kind, TABLE, name, field, before.get(field), value)


def _differing(before: Profile, fields: Profile) -> dict[str, str]:
    return {field: value for field, value in fields.items() if before.get(field) != value}


def _written(
    rest: Rest,
    have: Mapping[str, Profile | None],
    wanted: Mapping[str, Profile],
    steps: list[Step],
) -> tuple[Outcome, str]:
    undo: list[_Request] = []
    try:
        for name, fields in wanted.items():
            request, back = _requests(name, have[name], fields)
            if request is not None and back is not None:
                undo.append(back)
                rest.ask(request.method, request.path, request.body)
                steps.append(Step(str(request)))
        left = [name for name, fields in wanted.items() if _still_differs(rest, name, fields)]
        steps.append(Step("read back", f"{len(left)} differ"))
    except (DeviceError, RestError) as exc:
        return _taken_back(rest, have, undo, str(exc), steps)
    if left:
        why = f"{', '.join(left)}: the switch took it and shows something else"
        return _taken_back(rest, have, undo, why, steps)
    return Outcome.CHANGED, "whether a restart keeps it is not public: save it by klish (`write`)"


def _requests(
    name: str, before: Profile | None, fields: Profile
) -> tuple[_Request | None, _Request | None]:
    """The request that makes a profile as wanted, and the one that takes it back."""
    path = f"{PROFILES}/{name}"
    if before is None:
        return _Request("POST", PROFILES, dict(fields)), _Request("DELETE", path)
    differing = _differing(before, fields)
    if not differing:
        return None, None
    old = {field: before[field] for field in differing if field in before}
    return _Request("PATCH", path, differing), _Request("PATCH", path, old)


def _still_differs(rest: Rest, name: str, fields: Profile) -> bool:
    now = _read(rest, name)
    return now is None or bool(_differing(now, fields))


def _taken_back(
    rest: Rest,
    have: Mapping[str, Profile | None],
    undo: Iterable[_Request],
    why: str,
    steps: list[Step],
) -> tuple[Outcome, str]:
    """Take everything back that may have been written, look, and say how it is."""
    said = []
    try:
        if all(_read(rest, name) == before for name, before in have.items()):
            return Outcome.FAILED, why
    except NettoolError as exc:
        steps.append(Step("look", str(exc)))
    for request in reversed(list(undo)):
        try:
            rest.ask(request.method, request.path, request.body)
            steps.append(Step(f"back: {request}"))
        except NettoolError as exc:
            said.append(str(exc))
            steps.append(Step(f"back: {request}", str(exc)))
    try:
        left = [name for name, before in have.items() if _read(rest, name) != before]
    except DeviceError as exc:
        return Outcome.UNKNOWN, f"{why}; then the way back could not be looked at: {exc}"
    except RestError as exc:
        return Outcome.ROLLBACK_FAILED, f"{why}; then {exc}"
    if left:
        more = f" ({'; '.join(said)})" if said else ""
        return Outcome.ROLLBACK_FAILED, f"{why}; then {', '.join(left)} is not as it was{more}"
    return Outcome.ROLLED_BACK, why
