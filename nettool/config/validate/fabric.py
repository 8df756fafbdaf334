"""Several configurations as one fabric: devices, links between them, addresses, sessions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from nettool.config.validate.classes import port_classes
from nettool.config.validate.declared import DeclaredEnd, DeclaredLink, Links
from nettool.config.validate.tables import Config, Row, Table
from nettool.core.quick import lazy

T = TypeVar("T")
_OF_PORTS = (
    "PORT", "PORTCHANNEL", "PORTCHANNEL_MEMBER", "VLAN_MEMBER", "PORT_QOS_MAP", "DSCP_TO_TC_MAP",
    "TC_TO_QUEUE_MAP", "QUEUE", "WRED_PROFILE", "BUFFER_PG", "BUFFER_PROFILE",
)  # fmt: skip
"""Tables that say what a port does, apart from its addresses."""
Vlans = frozenset[tuple[str, str]]
"""VLANs of a port, each with its tagging_mode."""
_NO_VLANS: Vlans = frozenset()


class LinkEnd(NamedTuple):
    """One end of a link with its configuration; `row` is its PORT row, None where unknown."""

    end: DeclaredEnd
    config: Config | None
    row: Row | None

    @property
    def place(self) -> tuple[str, str]:
        """Device and port."""
        return self.end.device, self.end.port


@dataclass(frozen=True)
class FabricConfigs:
    """All devices with a file, and the links between them.

    `declared` is what the user gave. Where nothing was given, links are taken from
    DEVICE_NEIGHBOR, and `inferred` is true.
    """

    devices: Mapping[str, Config]
    declared: Links
    inferred: bool = False
    notes: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, configs: Sequence[Config], links: Links) -> FabricConfigs:
        """The fabric of these configurations."""
        devices = {each.device: each for each in configs}
        if links.links:
            return cls(devices, links)
        found = tuple(_from_neighbors(devices))
        return cls(devices, replace(links, links=found), inferred=True)

    @lazy
    def ends(self) -> tuple[tuple[DeclaredLink, LinkEnd, LinkEnd], ...]:
        """Every link with the configuration of both ends, where there is one."""
        return tuple((each, self._end(each.a), self._end(each.b)) for each in self.declared.links)

    @lazy
    def inside(self) -> tuple[tuple[LinkEnd, LinkEnd], ...]:
        """Links whose both ends are ports of devices with a file."""
        return tuple((a, b) for _, a, b in self.ends if a.row is not None and b.row is not None)

    @lazy
    def kinds(self) -> Mapping[str, int]:
        """A number for each device: equal where all tables of ports are the same."""
        known: dict[tuple[int, ...], int] = {}
        return {
            name: known.setdefault(tuple(id(each.tables.get(t)) for t in _OF_PORTS), len(known))
            for name, each in self.devices.items()
        }

    @lazy
    def alike(self) -> tuple[tuple[tuple[LinkEnd, LinkEnd], ...], ...]:
        """The links inside, those together whose ends are of the same kind.

        Fabrics repeat themselves: what a rule finds on the first of a group holds for all of it.
        """
        groups: dict[Hashable, list[tuple[LinkEnd, LinkEnd]]] = {}
        for a, b in self.inside:
            groups.setdefault((self.kind(a), self.kind(b)), []).append((a, b))
        return tuple(tuple(each) for each in groups.values())

    def kind(self, end: LinkEnd) -> Hashable:
        """What stands for all that the tables of ports say of an end: equal ends have it equal."""
        device, port = end.place
        kind = self.kinds[device]
        ports = self._port_kinds.get(kind)
        if ports is None:
            ports = self._port_kinds[kind] = _port_kinds(self.devices[device])
        return kind, ports.get(port, port)

    @lazy
    def _port_kinds(self) -> dict[int, Mapping[str, Hashable]]:
        return {}

    @lazy
    def beyond(self) -> tuple[tuple[LinkEnd, DeclaredEnd], ...]:
        """Ports of devices with a file, and what they face that has none: hosts mostly.

        From the cables, and from DEVICE_NEIGHBOR for ports that no cable names.
        """
        found = [
            (here, there.end)
            for _, a, b in self.ends
            for here, there in ((a, b), (b, a))
            if here.row is not None and there.config is None
        ]
        cabled = {end.place for _, *ends in self.ends for end in ends}
        found.extend(self._told_by_neighbors(cabled))
        return tuple(found)

    @lazy
    def across(self) -> dict[tuple[str, str], tuple[str, str]]:
        """Device and port of one end of a link to those of the other, both with a file.

        A bundle stands for its members.
        """
        bundles = {
            name: found for name, each in self.devices.items() if (found := bundles_of(each))
        }
        pairs = [(_bundled(a, bundles), _bundled(b, bundles)) for a, b in self.inside]
        return {**dict(pairs), **{b: a for a, b in pairs}}

    @lazy
    def _derived(self) -> dict[str, Any]:
        return {}

    def once(self, name: str, make: Callable[[FabricConfigs], T]) -> T:
        """`make(fabric)`, worked out at the first call under this name."""
        if name not in self._derived:
            self._derived[name] = make(self)
        found: T = self._derived[name]
        return found

    def _told_by_neighbors(
        self, cabled: set[tuple[str, str]]
    ) -> Iterator[tuple[LinkEnd, DeclaredEnd]]:
        for name, config in self.devices.items():
            ports = config.rows("PORT")
            for key, row in config.rows("DEVICE_NEIGHBOR").items():
                port, other = str(row.get("local_port", key)), str(row.get("name", ""))
                if port in ports and other not in self.devices and (name, port) not in cabled:
                    here = LinkEnd(DeclaredEnd(name, port), config, ports[port])
                    yield here, DeclaredEnd(other, str(row.get("port", "")))

    def _end(self, end: DeclaredEnd) -> LinkEnd:
        config = self.devices.get(end.device)
        row = config.rows("PORT").get(end.port) if config else None
        return LinkEnd(end, config, row)


def _port_kinds(config: Config) -> Mapping[str, Hashable]:
    """The class of each port with the bundles and VLANs that it is a member of."""
    classes = port_classes(config)
    if classes is None:
        return {}
    bundle, vlans = bundles_of(config), vlans_of(config)
    return {
        port: (number, bundle.get(port), vlans.get(port)) for port, number in classes.of.items()
    }


def _from_neighbors(devices: Mapping[str, Config]) -> Iterator[DeclaredLink]:
    seen: set[frozenset[tuple[str, str]]] = set()
    for config in devices.values():
        for key, row in config.rows("DEVICE_NEIGHBOR").items():
            here = (config.device, str(row.get("local_port", key)))
            there = (str(row.get("name", "")), str(row.get("port", "")))
            pair = frozenset({here, there})
            if there[0] in devices and there[1] and len(pair) == 2 and pair not in seen:
                seen.add(pair)
                yield DeclaredLink(DeclaredEnd(*here), DeclaredEnd(*there))


def bundles_of(config: Config) -> Mapping[str, str]:
    """Member port to its bundle."""
    if "PORTCHANNEL_MEMBER" not in config:
        return {}
    return config.table("PORTCHANNEL_MEMBER").once("bundles_of", _bundles)


def _bundles(table: Table) -> Mapping[str, str]:
    keys = (key.partition("|") for key in table.rows)
    return {port: bundle for bundle, bar, port in keys if bar}


def vlans_of(config: Config) -> Mapping[str, Vlans]:
    """Member port, or bundle, to its VLANs with their tagging."""
    if "VLAN_MEMBER" not in config:
        return {}
    return config.table("VLAN_MEMBER").once("vlans_of", _vlans)


def _vlans(table: Table) -> Mapping[str, Vlans]:
    found: dict[str, Vlans] = {}
    for key, row in table.rows.items():
        vlan, _, port = key.partition("|")
        found[port] = found.get(port, _NO_VLANS) | {(vlan, str(row.get("tagging_mode")))}
    return found


def mtu_row(end: LinkEnd) -> tuple[str, str, Row]:
    """Table, key and row that set the MTU of a port: its bundle's, where it is in one."""
    bundle = bundles_of(end.config).get(end.end.port) if end.config else None
    row = end.config.rows("PORTCHANNEL").get(bundle or "") if end.config else None
    if bundle is not None and row is not None:
        return "PORTCHANNEL", bundle, row
    return "PORT", end.end.port, end.row or {}


def _bundled(end: LinkEnd, bundles: Mapping[str, Mapping[str, str]]) -> tuple[str, str]:
    place = end.place
    found = bundles.get(place[0])
    return (place[0], found.get(place[1], place[1])) if found else place
