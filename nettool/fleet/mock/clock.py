"""A mock switch's time: one second on the switch lasts `scale` seconds here."""

from __future__ import annotations

import asyncio


class Clock:
    """Waits in the switch's seconds; a scale of 0.01 makes its minutes pass in 0.6 s."""

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale

    async def sleep(self, seconds: float) -> None:
        """Wait that many of the switch's seconds."""
        await asyncio.sleep(seconds * self.scale)

    def now(self) -> float:
        """The switch's monotonic seconds."""
        return asyncio.get_running_loop().time() / self.scale if self.scale else 0.0
