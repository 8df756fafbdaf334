"""A fabric with other timing, and the sections of a daemon's file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import yaml

from nettool.config.device.device import DeviceConfig, HostConfig, build_hosts
from nettool.intent.load import find_fabric

Config = DeviceConfig | HostConfig


@pytest.fixture(scope="session")
def timed(plan_intent: Any) -> Callable[..., dict[str, Config]]:
    """The switches and the first host of the shipped fabric, by name, with other timing."""

    def plan(**timing: object) -> dict[str, Config]:
        data = yaml.safe_load(find_fabric("rail-optimized-256").read_text())
        data["timing"] = {**data["timing"], "domain": None, **timing}
        done = plan_intent(data)
        hosts = build_hosts(done.intent, done.fabric, done.qos, done.timing)
        return {each.name: each for each in (*done.configs, hosts[0])}

    return plan


@pytest.fixture
def blocks_of() -> Callable[[str], dict[str, dict[str, str]]]:
    """Sections of a daemon's file with their options."""

    def read(text: str) -> dict[str, dict[str, str]]:
        blocks: dict[str, dict[str, str]] = {}
        for line in text.splitlines():
            if line.startswith("["):
                blocks[line.strip("[]")] = {}
            elif line and not line.startswith("#"):
                key, _, value = line.partition(" ")
                blocks[list(blocks)[-1]][key] = value
        return blocks

    return read
