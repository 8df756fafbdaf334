"""Frames through one queue, event by event: no randomness, so the same setup runs the same.

Every frame is of one size. It is taken in, or lost, as its first byte comes, and leaves no earlier
than its last. A pause leaves behind the longest frame that may just be going out, crosses the
cable, and is obeyed after the longest legal response, once the frame that the peer has started is
out; a resume takes as long.
"""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush

from nettool.plan.qos.wire import PFC_FRAME_BYTES
from nettool.plan.simulate.buffer import Buffer
from nettool.plan.simulate.sender import Sender
from nettool.plan.simulate.setup import PS_PER_MS, Setup, byte_time

_SEND, _ARRIVE, _DEPART, _HOLD, _LET_GO, _NOTIFY = range(6)
_GOLDEN = (5**0.5 - 1) / 2
"""Multiples of it, less their whole part, fill 0..1 evenly and without a period."""


class Run:
    """One run: `step` until it says False. Frames are counted; times are in ps."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.buffer = Buffer(setup)
        self.now = 0
        self.sent = self.delivered = self.dropped = self.on_wire = 0
        self.marks = self.pauses = self.queue_peak = 0
        self.first_arrival = self.first_mark = self.first_pause = self.first_drop = -1
        self.is_cut = False
        self.senders = tuple(_senders(setup))
        self.queue: deque[tuple[Sender, bool]] = deque()
        self._events: list[tuple[int, int, int, int]] = []
        self._number = self._resumes = 0
        self._held = [False] * len(setup.feeds)
        self._waiting = [False] * len(setup.feeds)
        self._obeyed = [0] * len(setup.feeds)
        self._behind = _by_feed(self.senders, len(setup.feeds))
        self._drain_ps = setup.frame * byte_time(setup.speed)
        fed = sum(each.speed for each in setup.feeds)
        self._congests = fed > setup.speed or not setup.drains
        for number, waiting in enumerate(self._behind):
            self._at(waiting[0][0], _SEND, number)

    def finish(self) -> Run:
        """Run to the end."""
        while self.step():
            pass
        return self

    def step(self) -> bool:
        """The next event; False once the run is over."""
        if not self._events:
            return False
        if self.sent >= self.setup.most:
            self.is_cut = True
            return False
        if self._events[0][0] > self._end:
            self.now = self._end
            return False
        self.now, _, kind, number = heappop(self._events)
        _ACTIONS[kind](self, number)
        return True

    @property
    def _end(self) -> int:
        """When it is over: as told, a millisecond, or one after the first pause of PFC alone."""
        if self.setup.end_ps is not None:
            return self.setup.end_ps
        if self.setup.reaction or not self._congests:
            return PS_PER_MS
        if self.first_pause < 0:
            return self.now + PS_PER_MS
        return self.first_pause + PS_PER_MS

    def _at(self, time: int, kind: int, number: int) -> None:
        self._number += 1
        heappush(self._events, (time, self._number, kind, number))

    def _send(self, number: int) -> None:
        """The port starts a frame of the sender that is ready, or waits until one is."""
        if self._held[number]:
            self._waiting[number] = True
            return
        behind, feed = self._behind[number], self.setup.feeds[number]
        ready, who = behind[0]
        if ready > self.now:
            self._at(ready, _SEND, number)
            return
        heappop(behind)
        sender, frame = self.senders[who], self.setup.frame
        out = self.now + frame * feed.byte_ps
        heappush(behind, (self._paced(sender, out), who))
        self.sent += 1
        self.on_wire += 1
        self._at(self.now + feed.cable_ps, _ARRIVE, who)
        self._at(out, _SEND, number)

    def _paced(self, sender: Sender, out: int) -> int:
        """When the sender may start its next frame."""
        how = self.setup.reaction
        if how is None or not sender.was_told:
            return out
        sender.catch_up(self.now, how)
        sender.sent(self.setup.frame, how)
        return max(out, self.now + round(self.setup.frame * 8_000_000 / sender.rate))

    def _arrive(self, who: int) -> None:
        sender = self.senders[who]
        self.on_wire -= 1
        if self.first_arrival < 0:
            self.first_arrival = self.now
        if self.buffer.admit(sender.feed):
            self._enqueue(sender)
        else:
            self.dropped += 1
            self.first_drop = self.now if self.first_drop < 0 else self.first_drop
        for number in self.buffer.to_pause():
            self.pauses += 1
            self.first_pause = self.now if self.first_pause < 0 else self.first_pause
            self._signal(number, _HOLD)

    def _enqueue(self, sender: Sender) -> None:
        self.queue.append((sender, self._is_marked(sender)))
        length = len(self.queue)
        self.queue_peak = max(self.queue_peak, length)
        if length == 1 and self.setup.drains:
            whole = self.setup.frame * self.setup.feeds[sender.feed].byte_ps
            self._at(self.now + max(self._drain_ps, whole), _DEPART, 0)

    def _is_marked(self, sender: Sender) -> bool:
        """Whether the frame is marked, at the length that the queue has with it."""
        length = (len(self.queue) + 1) * self.setup.frame
        kmin, kmax = self.setup.kmin, self.setup.kmax
        if length < kmin:
            return False
        sure = length >= kmax
        sender.marked += 1.0 if sure else self.setup.pmax * (length - kmin) / (kmax - kmin)
        if sender.marked < 1:
            return False
        sender.marked -= 1
        self.marks += 1
        self.first_mark = self.now if self.first_mark < 0 else self.first_mark
        return True

    def _depart(self, _: int) -> None:
        sender, is_marked = self.queue.popleft()
        self.delivered += 1
        sender.delivered += 1
        if self.queue:
            self._at(self.now + self._drain_ps, _DEPART, 0)
        self.buffer.release(sender.feed)
        if self.buffer.resumes(sender.feed):
            self._signal(sender.feed, _LET_GO)
        how = self.setup.reaction
        if is_marked and how and self.now >= sender.notified:
            sender.notified = self.now + how.cnp_ps
            self._at(self.now + how.feedback_ps, _NOTIFY, sender.number)

    def _signal(self, number: int, kind: int) -> None:
        """A pause or a resume on its way to the port's peer.

        A pause finds the longest frame just begun; resumes find each part of one in turn, so that
        alike ports do not fall into step.
        """
        feed, before = self.setup.feeds[number], self.setup.mtu
        if kind == _LET_GO:
            self._resumes += 1
            before = int(before * (self._resumes * _GOLDEN % 1))
        late = (before + PFC_FRAME_BYTES + feed.response) * feed.byte_ps
        obeyed = max(self._obeyed[number], self.now + late + feed.cable_ps)
        self._obeyed[number] = obeyed
        self._at(obeyed, kind, number)

    def _hold(self, number: int) -> None:
        self._held[number] = True

    def _let_go(self, number: int) -> None:
        self._held[number] = False
        if self._waiting[number]:
            self._waiting[number] = False
            self._send(number)

    def _notify(self, who: int) -> None:
        if self.setup.reaction:
            self.senders[who].slow_down(self.now, self.setup.reaction)


_ACTIONS = (Run._send, Run._arrive, Run._depart, Run._hold, Run._let_go, Run._notify)


def _senders(setup: Setup) -> list[Sender]:
    """All senders, their starts spread evenly over the time of one frame, so are their marks."""
    count = sum(each.senders for each in setup.feeds)
    made: list[Sender] = []
    for feed, each in enumerate(setup.feeds):
        spread = setup.frame * each.byte_ps
        for _ in range(each.senders):
            place = len(made)
            made.append(
                Sender(place, feed, each.speed, place * spread // count, (place + 0.5) / count)
            )
    return made


def _by_feed(senders: tuple[Sender, ...], feeds: int) -> list[list[tuple[int, int]]]:
    """Of each port the senders behind it, by when they are ready; a heap."""
    behind: list[list[tuple[int, int]]] = [[] for _ in range(feeds)]
    for each in senders:
        behind[each.feed].append((each.ready, each.number))
    return behind
