"""Cages and kinds of cages from the interfaces of a platform."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nettool.catalog.cage import Cage, CageKind
from nettool.catalog.platform_files import PlatformPort
from nettool.core.breakout import read_mode
from nettool.core.order import natural
from nettool.core.provenance import Trust

_FORM_FACTORS = {
    (8, 1_600_000): "OSFP1600",
    (8, 800_000): "OSFP",
    (8, 400_000): "QSFP-DD",
    (4, 400_000): "QSFP112",
    (4, 200_000): "QSFP56",
    (4, 100_000): "QSFP28",
    (4, 40_000): "QSFP+",
    (2, 100_000): "SFP-DD",
    (1, 25_000): "SFP28",
    (1, 10_000): "SFP+",
}
_MOST_EXTRAS = 4


def cages_and_kinds(
    ports: Mapping[str, PlatformPort], source: str, trust: Trust
) -> tuple[tuple[Cage, ...], tuple[Cage, ...], dict[str, CageKind]]:
    """Data cages, extra ports, and their kinds, in the natural order of port names.

    A cage's number is its index where indexes are unique and start from 1, else its place. Up
    to four one-lane ports beside wider cages are taken for extra (SFP+ or service) ports.
    """
    kinds: dict[str, CageKind] = {}
    cages: list[Cage] = []
    ordered = sorted(ports.values(), key=lambda each: natural(each.name))
    numbers = _numbers(ordered)
    for number, port in zip(numbers, ordered, strict=True):
        stem = _beginning([each for names in port.modes.values() for each in names])
        kind = _kind(port, stem, source, trust)
        cages.append(
            Cage(
                cage=number,
                label=_label(port, stem),
                port=port.name,
                lanes=port.lanes,
                index=_index(port),
                alias=stem,
                kind=_file_kind(kinds, kind),
            )
        )
    narrow = [each for each in cages if len(each.lanes) == 1]
    widest = max(len(each.lanes) for each in cages)
    extras = tuple(narrow) if widest >= 4 and len(narrow) <= _MOST_EXTRAS else ()
    return tuple(each for each in cages if each not in extras), extras, kinds


def form_factor(lanes: int, speed: int) -> str:
    """The usual cage of so many lanes and this top speed (Mb/s), or `unknown`."""
    fitting = [top for width, top in _FORM_FACTORS if width == lanes and top >= speed]
    return _FORM_FACTORS[lanes, min(fitting)] if fitting else "unknown"


def _beginning(words: Sequence[str]) -> str:
    first, last = min(words), max(words)
    same = (place for place, letter in enumerate(first) if not last.startswith(letter, place))
    return first[: next(same, len(first))]


def _numbers(ports: Sequence[PlatformPort]) -> Sequence[int]:
    indexes = [each.indexes[0] for each in ports]
    return (
        indexes
        if len(set(indexes)) == len(ports) and min(indexes) > 0
        else range(1, len(ports) + 1)
    )


def _label(port: PlatformPort, stem: str) -> str:
    whole = [names[0] for names in port.modes.values() if len(names) == 1]
    return (whole or [stem])[0] or port.name


def _index(port: PlatformPort) -> int | tuple[int, ...]:
    return port.indexes[0] if len(set(port.indexes)) == 1 else port.indexes


def _kind(port: PlatformPort, stem: str, source: str, trust: Trust) -> CageKind:
    modes = {
        mode: tuple(each.removeprefix(stem) for each in names) for mode, names in port.modes.items()
    }
    top = max(term.speed for mode in modes for term in read_mode(mode)[0].terms)
    return CageKind(
        form_factor=form_factor(len(port.lanes), top), modes=modes, source=source, trust=trust
    )


def _file_kind(kinds: dict[str, CageKind], kind: CageKind) -> str:
    for name, known in kinds.items():
        if known == kind:
            return name
    stem = kind.form_factor.lower()
    taken = sum(name == stem or name.startswith(f"{stem}-") for name in kinds)
    name = f"{stem}-{taken + 1}" if taken else stem
    kinds[name] = kind
    return name
