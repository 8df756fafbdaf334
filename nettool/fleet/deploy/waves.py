"""Waves of a rollout: one switch first, then growing, never two of one redundancy group."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from nettool.core.order import natural
from nettool.plan.design.fabric import Device

SHARES = (0.1, 0.3, 1.0)
"""How much of the fleet the second, third and every later wave may take."""


def plan_waves(devices: Iterable[Device]) -> tuple[tuple[Device, ...], ...]:
    """The switches in waves. The first holds one alone; no wave two of one redundancy group."""
    waiting = sorted(devices, key=lambda each: (each.tier, natural(each.name)))
    total = len(waiting)
    waves: list[tuple[Device, ...]] = []
    for number in count():
        if not waiting:
            return tuple(waves)
        share = SHARES[min(number - 1, len(SHARES) - 1)]
        wave = _fill(waiting, 1 if number == 0 else max(1, int(share * total)))
        taken = {id(each) for each in wave}
        waiting = [each for each in waiting if id(each) not in taken]
        waves.append(wave)
    raise AssertionError("counting does not end")


def _fill(waiting: list[Device], room: int) -> tuple[Device, ...]:
    """As many as there is room for, one of each redundancy group, in order."""
    taken: dict[str, Device] = {}
    for device in waiting:
        if len(taken) == room:
            break
        taken.setdefault(device.redundancy or device.name, device)
    return tuple(taken.values())
