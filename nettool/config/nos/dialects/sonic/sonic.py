"""Community SONiC: a whole config_db.json by release, and where each of its values comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from nettool.config.device.device import DeviceConfig
from nettool.config.nos.artifact import Artifact, Explained, Tables
from nettool.config.nos.dialect import DIALECTS, Templates
from nettool.config.nos.dialects.sonic.fragment import Fragment, merge
from nettool.config.nos.dialects.sonic.groups import GROUPS, Group
from nettool.config.nos.dialects.sonic.release import Release, releases
from nettool.config.nos.dialects.sonic.tables import format_file, parse_config_db
from nettool.config.nos.dialects.sonic.views.device import device_view
from nettool.core.errors import UsageError
from nettool.core.provenance import Provenance, Traced

FILE = "config_db.json"
_A_WORD = "a name or a word, not a figure"
_A_ROW = "a whole row: `TABLE|key|field` tells where one of its values comes from"


class Sonic:
    """The dialect of community SONiC. PTP and SyncE have no table there, so none is emitted."""

    name = "sonic"
    releases = tuple(releases())
    default_release = "202505"

    def serves(self, config: object) -> TypeGuard[DeviceConfig]:
        """True for a switch whose NOS is sonic."""
        return isinstance(config, DeviceConfig) and config.identity.nos == self.name

    def artifacts(self, config: DeviceConfig, templates: Templates) -> tuple[Artifact, ...]:
        """The config_db.json. Raises FindingsError where a template says something twice."""
        release = self._release(config)
        fragments = [_fragment(each, config, release, templates) for each in GROUPS]
        added = list(_additions(config, templates))
        tables = merge([*fragments, *added], config.name)
        return (
            Artifact(
                device=config.name,
                nos=self.name,
                path=FILE,
                text=format_file(each.text for each in tables),
                tables={each.name: each.rows for each in tables},
                unverified=tuple(_unverified(config)),
                notes=tuple(_notes(config, fragments)),
            ),
        )

    def explain(self, config: DeviceConfig, path: str) -> Explained | None:
        """Where `TABLE|key|field`, or the row `TABLE|key`, of the config_db.json comes from."""
        table, _, rest = path.partition("|")
        release = self._release(config)
        for group in GROUPS:
            rows = release.trim(group.view(config)).get(table) or {}
            row = next((each for each in rows if each == rest), None)
            if row is not None:
                why = _why(row, group, _A_ROW)
                return Explained(config.name, path, _row(rows[row]) or row, why)
            key, _, field = rest.rpartition("|")
            found = rows.get(key, {}).get(field)
            if found is not None:
                return Explained(config.name, path, _shown(found), _why(found, group))
        return None

    def parse(self, text: str) -> Tables:
        """The tables of a config_db.json, duplicates refused."""
        return parse_config_db(text, FILE)

    def _release(self, config: DeviceConfig) -> Release:
        name = config.identity.release or self.default_release
        if name not in self.releases:
            known = ", ".join(self.releases)
            raise UsageError(f"SONiC release {name!r} is not known: known are {known}")
        return releases()[name]


def _fragment(
    group: Group, config: DeviceConfig, release: Release, templates: Templates
) -> Fragment:
    if group.depends is None:
        return _rendered(group, config, release, templates)
    key = ("sonic", group.name, release.name, group.depends(config))
    if key not in templates.memory:
        templates.memory[key] = _rendered(group, config, release, templates)
    found: Fragment = templates.memory[key]
    return found


def _rendered(
    group: Group, config: DeviceConfig, release: Release, templates: Templates
) -> Fragment:
    whole = group.view(config)
    notes = release.notes(whole)
    view = release.trim(whole)
    if not any(view.values()):
        return Fragment((), tuple(notes))
    text = templates.render(group.template, view)
    return Fragment.of(text, group.template, notes, shared=group.depends is not None)


def _additions(config: DeviceConfig, templates: Templates) -> Iterator[Fragment]:
    for name in templates.additions(".json.j2"):
        yield Fragment.of(templates.render(name, device_view(config)), name)


def _notes(config: DeviceConfig, fragments: list[Fragment]) -> Iterator[str]:
    for each in fragments:
        yield from each.notes
    if config.timing:
        yield "PTP and SyncE are not in this file: community SONiC has no table for them"


def _unverified(config: DeviceConfig) -> Iterator[str]:
    layout, qos = config.ports.layout, config.qos
    guessed = sorted(str(each) for each in layout.lane_trusts if not each.is_firm)
    if guessed:
        yield f"PORT lanes, index and alias ({', '.join(guessed)}): a push takes the switch's own"
    if qos and not qos.switch.trust.is_firm:
        yield f"BUFFER_PROFILE and BUFFER_POOL sizes of {qos.switch.asic} ({qos.switch.trust})"


def _row(row: dict[str, object]) -> str:
    """A row's fields in a line; `TABLE|key|field` tells where one of them comes from."""
    return " ".join(f"{name}={_shown(value)}" for name, value in row.items() if value is not None)


def _shown(found: object) -> str:
    return ",".join(found) if isinstance(found, list) else str(found)


def _why(found: object, group: Group, formula: str = _A_WORD) -> Provenance:
    one = found[0] if isinstance(found, list) and found else found
    if isinstance(one, Traced):
        return one.why
    return Provenance(formula, source=f"templates/{group.template}")


DIALECTS.add("sonic")(Sonic())
