"""A sender and its rate: at line rate until told of congestion, then as DCQCN has it.

Zhu and others, "Congestion Control for Large-Scale RDMA Deployments" (SIGCOMM 2015), section 3.
"""

from __future__ import annotations

from nettool.plan.simulate.setup import Reaction


class Sender:
    """One sender: its rate (Mb/s), when its next frame may start (ps), and what became of it."""

    __slots__ = (
        "alpha",
        "alpha_due",
        "by_bytes",
        "by_time",
        "bytes_left",
        "delivered",
        "feed",
        "line",
        "marked",
        "notified",
        "number",
        "rate",
        "ready",
        "target",
        "timer_due",
        "was_told",
    )  # fmt: skip

    def __init__(self, number: int, feed: int, line: int, ready: int, marked: float) -> None:
        self.number = number
        self.feed = feed
        self.line = float(line)
        self.rate = self.target = self.line
        self.ready = ready
        self.marked = marked
        """What is owed of the next mark: marking is dealt out evenly, not drawn."""
        self.delivered = 0
        self.notified = -1
        self.was_told = False
        self.alpha = 1.0
        self.alpha_due = self.timer_due = 0
        self.by_time = self.by_bytes = self.bytes_left = 0

    def slow_down(self, now: int, how: Reaction) -> None:
        """A congestion notification arrived."""
        self.catch_up(now, how)
        self.was_told = True
        self.target = self.rate
        self.rate = max(how.least, self.rate * (1 - self.alpha / 2))
        self.alpha = (1 - how.gain) * self.alpha + how.gain
        self.alpha_due = now + how.alpha_ps
        self.timer_due = now + how.timer_ps
        self.by_time = self.by_bytes = 0
        self.bytes_left = how.counter

    def catch_up(self, now: int, how: Reaction) -> None:
        """Whatever the timers did until now."""
        if not self.was_told:
            return
        while self.alpha_due <= now:
            self.alpha *= 1 - how.gain
            self.alpha_due += how.alpha_ps
        while self.timer_due <= now:
            self.by_time += 1
            self.timer_due += how.timer_ps
            self._speed_up(how)

    def sent(self, size: int, how: Reaction) -> None:
        """A frame left: every so many bytes the rate grows."""
        if not self.was_told:
            return
        self.bytes_left -= size
        if self.bytes_left <= 0:
            self.bytes_left += how.counter
            self.by_bytes += 1
            self._speed_up(how)

    def _speed_up(self, how: Reaction) -> None:
        """Fast recovery towards the target, then additive, then hyper increase of it."""
        if min(self.by_time, self.by_bytes) > how.recoveries:
            self.target += how.hyper
        elif max(self.by_time, self.by_bytes) > how.recoveries:
            self.target += how.additive
        self.target = min(self.target, self.line)
        self.rate = min(self.line, (self.rate + self.target) / 2)
