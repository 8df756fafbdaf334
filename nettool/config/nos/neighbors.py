"""LLDP neighbours of a switch from whatever form they were saved in: text or JSON. No I/O.

JSON is `lldpctl -f json`, or plain: local port to [device, port], or a list of rows with local
port, device and port. Text is what each dialect prints.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from nettool.config.nos.dialects.asternos import printed as asternos
from nettool.config.nos.dialects.sonic import printed as sonic

Neighbors = dict[str, tuple[str, str]]
_LOCAL = ("local_port", "local-port", "localport", "LocalPort", "local", "interface")
_DEVICE = ("device", "remote_device", "remote-device", "RemoteDevice", "neighbor", "system_name")
_PORT = ("port-id", "port_id", "remote_port", "remote-port", "RemotePortID", "port")


def read_neighbors(text: str) -> Neighbors:
    """Remote device and port by local port. Raises ValueError where the text holds no table."""
    if text.lstrip().startswith(("{", "[")):
        return neighbors_of(json.loads(text))
    found = sonic.lldp_neighbors(text) or asternos.lldp_neighbors(text)
    if not found and "localport" not in text.casefold().replace(" ", ""):
        raise ValueError("neither an LLDP table with a LocalPort column nor JSON")
    return found


def neighbors_of(data: Any) -> Neighbors:
    """The same from JSON. Raises ValueError where its form is unknown."""
    try:
        return dict(
            _ctl(data["lldp"]) if isinstance(data, dict) and "lldp" in data else _rows(data)
        )
    except (KeyError, TypeError, AttributeError, StopIteration, IndexError) as exc:
        raise ValueError("neighbours in JSON are {port: [device, port]} or a list of rows") from exc


def _rows(data: Any) -> Iterator[tuple[str, tuple[str, str]]]:
    if isinstance(data, dict):
        for local, row in data.items():
            pair = (_value(row, _DEVICE), _value(row, _PORT)) if isinstance(row, dict) else row
            yield str(local), (str(pair[0]), str(pair[1]))
    else:
        for row in data:
            yield _value(row, _LOCAL), (_value(row, _DEVICE), _value(row, _PORT))


def _value(row: Any, names: tuple[str, ...]) -> str:
    found = [str(row[name]) for name in names if name in row]
    return found[0]


def _ctl(data: Any) -> Iterator[tuple[str, tuple[str, str]]]:
    interfaces = data.get("interface", [])
    for each in interfaces if isinstance(interfaces, list) else [interfaces]:
        for local, seen in each.items():
            device = next(iter(seen["chassis"]))
            yield local, (device, str(seen["port"]["id"]["value"]))
