"""What a dialect is: one network operating system's (or one program's) way of saying a device.

To add one: write `nettool/config/nos/dialects/<name>/__init__.py` (or `<name>.py`) with a class
that has this protocol's attributes and methods, file an instance with `DIALECTS.add("<name>")`,
and put its templates into `templates/<name>/`. Nothing else is touched: rendering asks every
dialect whether it `serves` a device, so several may serve one (a switch gets its NOS's files and
its ptp4l.conf). A dialect does no I/O and knows no other dialect.

    class Linuxptp:
        name, releases, default_release = "linuxptp", ("3.1", "4.0"), "3.1"

        def serves(self, config: object) -> bool:
            return isinstance(config, DeviceConfig) and config.timing is not None
        ...

    DIALECTS.add("linuxptp")(Linuxptp())
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Protocol, TypeVar

from nettool.config.nos.artifact import Artifact, Explained, Tables
from nettool.core.registry import Registry

C_contra = TypeVar("C_contra", contravariant=True)


class Templates(Protocol):
    """What a dialect needs of the renderer: templates by name, and a memory for one run.

    `render` fills `<dialect>/<file>.j2`, found on the search path, with a view: names to str,
    None, lists of str and nested mappings or sequences of these. `additions` names the user's
    templates that add to what a dialect says (`extra/*.json.j2` adds to a CONFIG_DB). `memory` is
    the dialect's to use: file what equal devices can share under a key that begins with the
    dialect's name.
    """

    memory: dict[Hashable, Any]

    def render(self, name: str, view: Mapping[str, object]) -> str:
        """The text of one template with its view."""

    def additions(self, suffix: str) -> tuple[str, ...]:
        """Names of the user's additional templates that end in `suffix`, in order."""


class Dialect(Protocol[C_contra]):
    """One dialect. `C_contra` is the kind of device it serves (DeviceConfig, HostConfig).

    `releases` oldest first, empty where there are none; `default_release` is used where the
    intent names none.
    """

    name: str
    releases: tuple[str, ...]
    default_release: str

    def serves(self, config: object) -> bool:
        """Whether this dialect has files for this device."""

    def artifacts(self, config: C_contra, templates: Templates) -> tuple[Artifact, ...]:
        """Every file of the device. Raises FindingsError where the user's templates are wrong."""

    def explain(self, config: C_contra, path: str) -> Explained | None:
        """Where one value of the device's files comes from; None where there is no such value.

        `path` is `TABLE|key|field` (or `TABLE|key`) of a CONFIG_DB, or a line number of a text.
        """

    def parse(self, text: str) -> Tables:
        """The tables of one of its files. Raises FindingsError where the text is broken."""


DIALECTS: Registry[Dialect[Any]] = Registry("nettool.config.nos.dialects")
