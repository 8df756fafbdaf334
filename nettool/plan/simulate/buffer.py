"""The buffer of a switch as frames come and go: what a group may hold, and when it pauses.

A frame is taken whole into a group's own and shared part while it fits below the threshold there,
else into the group's headroom, else it is lost. What leaves frees headroom first. A group is
paused as soon as the next frame would not fit below its threshold, and resumes when its headroom
is empty, it is down to its resume point, and a frame fits again.
"""

from __future__ import annotations

from collections.abc import Iterator

from nettool.plan.simulate.setup import Feed, Setup


class Group:
    """The priority group of one ingress port: bytes in its own and shared part, and in headroom."""

    __slots__ = ("feed", "headroom", "is_paused", "peak", "use")

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self.use = 0
        self.headroom = 0
        self.peak = 0
        self.is_paused = False

    @property
    def excess(self) -> int:
        """Bytes beyond what the group holds outright; below nothing while there is room there."""
        return self.use - self.feed.own


class Buffer:
    """All groups that feed one queue. `used` bytes of the shared part, `spare` of all headroom."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.groups = tuple(map(Group, setup.feeds))
        self.used = 0
        self.spare = sum(each.xoff for each in setup.feeds)
        if setup.headroom is not None:
            self.spare = min(self.spare, setup.headroom)
        self._frame = setup.occupied
        self._highest = 0
        self._open = dict.fromkeys(range(len(self.groups)))

    @property
    def threshold(self) -> float:
        """Bytes that a group may hold beyond its own."""
        if self.setup.fixed is not None:
            return self.setup.fixed
        return (self.setup.alpha or 0.0) * (self.setup.shared - self.used)

    def admit(self, number: int) -> bool:
        """Take a frame from an ingress port; False where it is lost."""
        group, frame = self.groups[number], self._frame
        if self._fits(group):
            self.used += self._growth(group)
            group.use += frame
            self._highest = max(self._highest, group.excess)
            return True
        if group.headroom + frame > group.feed.xoff or frame > self.spare:
            return False
        group.headroom += frame
        self.spare -= frame
        group.peak = max(group.peak, group.headroom)
        return True

    def release(self, number: int) -> None:
        """A frame of an ingress port left the queue."""
        group, frame = self.groups[number], self._frame
        if group.headroom:
            group.headroom -= frame
            self.spare += frame
        else:
            group.use -= frame
            self.used -= self._growth(group)

    def to_pause(self) -> Iterator[int]:
        """The ports whose group has no room for another frame; each is named once."""
        top = self._highest + self._frame
        if top <= self.threshold and self.used + self._frame <= self.setup.shared:
            return
        self._highest = 0
        for number in tuple(self._open):
            group = self.groups[number]
            if self._fits(group):
                self._highest = max(self._highest, group.excess)
            else:
                group.is_paused = True
                del self._open[number]
                yield number

    def resumes(self, number: int) -> bool:
        """Whether a paused port may send again; then it is no longer paused."""
        group = self.groups[number]
        if not group.is_paused or group.headroom or not self._fits(group):
            return False
        feed = group.feed
        if group.use > feed.xon and group.excess > self.threshold - feed.xon_offset:
            return False
        group.is_paused = False
        self._open[number] = None
        self._highest = max(self._highest, group.excess)
        return True

    def _fits(self, group: Group) -> bool:
        return (
            group.excess + self._frame <= max(self.threshold, 0)
            and self.used + self._growth(group) <= self.setup.shared
        ) or group.excess + self._frame <= 0

    def _growth(self, group: Group) -> int:
        """Bytes of the shared part that the group's next frame takes, or its last one gave back."""
        return max(0, group.excess + self._frame) - max(0, group.excess)
