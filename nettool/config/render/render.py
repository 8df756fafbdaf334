"""Devices to files: every dialect that serves a device, filled through one set of templates."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path

import orjson

from nettool.config.device.device import SCHEMA_VERSION, DeviceConfig, HostConfig
from nettool.config.nos.artifact import Artifact
from nettool.config.nos.dialect import DIALECTS
from nettool.config.render.environment import TemplateSet
from nettool.core.resources import shipped

DEVICE_FILE = "device.json"


def render(
    configs: Iterable[DeviceConfig | HostConfig],
    *,
    templates: Sequence[Path] = (),
    extra: Path | None = None,
    states: bool = True,
) -> Iterator[Artifact]:
    """The files of each device, one device after the other; `states` says whether device.json too.

    `templates` are folders whose files replace ours of the same name (`sonic/ports.json.j2`);
    `extra` is a folder whose `*.json.j2` add rows and fields. Raises FindingsError where a
    template is wrong or says a field twice.
    """
    found = TemplateSet([*templates, shipped("templates")], extra)
    dialects = [DIALECTS[name] for name in DIALECTS]
    for config in configs:
        for dialect in dialects:
            if dialect.serves(config):
                yield from dialect.artifacts(config, found)
        if states and isinstance(config, DeviceConfig):
            yield _state(config, found.memory)


def device_states(configs: Iterable[DeviceConfig]) -> Iterator[Artifact]:
    """The device.json of each switch: it needs no template."""
    memory: dict[Hashable, str] = {}
    return (_state(config, memory) for config in configs)


def _state(config: DeviceConfig, memory: dict[Hashable, str]) -> Artifact:
    return Artifact(config.name, "", DEVICE_FILE, device_json(config, memory))


def device_json(config: DeviceConfig, memory: dict[Hashable, str]) -> str:
    """The NOS-neutral intended state as text; parts that devices share are written once."""
    parts = {name: _text(part, memory) for name, part in config.parts().items() if part}
    parts["device"] = orjson.dumps(config.name).decode()
    parts["schema_version"] = str(SCHEMA_VERSION)
    return "{\n" + ",\n".join(f'  "{name}": {parts[name]}' for name in sorted(parts)) + "\n}\n"


def _text(part: object, memory: dict[Hashable, str]) -> str:
    """A part's JSON, set in by one level."""
    key = ("device.json", part) if type(part).__hash__ is object.__hash__ else None
    if key and key in memory:
        return memory[key]
    options = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS
    shown = part.as_json()  # type: ignore[attr-defined] # every feature has it
    text = orjson.dumps(shown, option=options).decode().replace("\n", "\n  ")
    if key:
        memory[key] = text
    return text
