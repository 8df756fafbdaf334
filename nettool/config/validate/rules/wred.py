"""WRED and ECN: thresholds, colours, and the profiles of lossless queues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nettool.config.validate.qos import TC_TO_QUEUE, mapped, name_in, ports_qos
from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.spelling import number_of
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity

_COLOURS = ("green", "yellow", "red")
_MODEL = "sonic-buildimage 086b03bd sonic-wred-profile.yang; sonic-swss qosorch.cpp"
_QUEUES = ("PORT_QOS_MAP", "QUEUE", TC_TO_QUEUE)


@device_rule(
    "WRD001",
    "a marking threshold's high end below its low end",
    Severity.ERROR,
    reads=("WRED_PROFILE",),
    why="The chip refuses the profile, so the queue marks nothing and fills until it pauses.",
    fix="Let the minimum be below the maximum.",
    source=f"{_MODEL}; sonic-net/sonic-utilities#579",
)
def thresholds_are_in_order(config: Config, _context: Context) -> Iterator[Fault]:
    """Maximum below minimum of one colour; a warning where they are equal."""
    for key, row in config.rows("WRED_PROFILE").items():
        for colour in _COLOURS:
            low = number_of(row.get(f"{colour}_min_threshold"))
            high = number_of(row.get(f"{colour}_max_threshold"))
            if low is None or high is None or high > low:
                continue
            level = Severity.ERROR if high < low else Severity.WARNING
            message = f"{colour} of {key}: max {high} is not above min {low}"
            field = f"{colour}_max_threshold"
            yield Fault("WRED_PROFILE", key, field, message, f"above {low}", level)


@device_rule(
    "WRD002",
    "a lossless queue without an ECN profile",
    Severity.WARNING,
    reads=_QUEUES,
    port_by_port=True,
    why="Senders learn of congestion only by pause frames, which stop innocent flows as well.",
    fix="Set wred_profile of the queue to a profile with ECN.",
    source="Zhu et al., DCQCN, SIGCOMM 2015; sonic-net/sonic-buildimage#21891",
)
def lossless_queues_mark(config: Config, _context: Context) -> Iterator[Fault]:
    """Rows of QUEUE for classes of pfc_enable that name no WRED profile."""
    for key in _lossless_rows(config):
        if "wred_profile" not in config.row("QUEUE", key):
            message = f"queue {key} is lossless and has no wred_profile"
            yield Fault("QUEUE", key, "wred_profile", message)


@device_rule(
    "WRD003",
    "a lossless queue that drops instead of marking",
    Severity.ERROR,
    reads=(*_QUEUES, "WRED_PROFILE"),
    port_by_port=True,
    why="WRED without ECN drops packets early, in a queue whose traffic must not be dropped.",
    fix='Set ecn of the profile to "ecn_all".',
    source=f"{_MODEL}; RFC 3168",
)
def lossless_queues_do_not_drop(config: Config, _context: Context) -> Iterator[Fault]:
    """Profiles bound to lossless queues with ecn off and a colour enabled; said once a profile."""
    said: set[str] = set()
    for key in _lossless_rows(config):
        name = name_in(config.row("QUEUE", key), "wred_profile") or ""
        row = config.row("WRED_PROFILE", name)
        drops = any(row.get(f"wred_{each}_enable") == "true" for each in _COLOURS)
        if drops and row.get("ecn", "ecn_none") == "ecn_none" and name not in said:
            said.add(name)
            message = f"{name} has ecn {row.get('ecn', 'unset')} and serves lossless queue {key}"
            yield Fault("WRED_PROFILE", name, "ecn", message, 'set "ecn_all"')


@device_rule(
    "WRD004",
    "ECN for a colour whose WRED is off",
    Severity.WARNING,
    reads=("WRED_PROFILE",),
    why="Marking follows the WRED curve of the colour; with WRED off there is nothing to mark by.",
    fix="Enable WRED for the colour, or leave the colour out of ecn.",
    source=_MODEL,
)
def marked_colours_are_on(config: Config, _context: Context) -> Iterator[Fault]:
    """Profiles that mark green packets (those of end hosts) with wred_green_enable not true."""
    for key, row in config.rows("WRED_PROFILE").items():
        ecn = row.get("ecn", "")
        marks = isinstance(ecn, str) and (ecn == "ecn_all" or "green" in ecn)
        if marks and row.get("wred_green_enable") != "true":
            message = f"{key} has ecn {ecn}; wred_green_enable is not true, so nothing is marked"
            yield Fault("WRED_PROFILE", key, "wred_green_enable", message, 'set "true"')


@device_rule(
    "WRD005",
    "a lossless queue left out of QUEUE",
    Severity.WARNING,
    reads=_QUEUES,
    port_by_port=True,
    why="Without its row the queue has no ECN profile and no scheduler: it marks nothing, and its "
    "share of bandwidth is another one than on the other ports.",
    fix="Add the row that the other ports have.",
    source="Zhu et al., DCQCN, SIGCOMM 2015; sonic-swss qosorch.cpp",
)
def lossless_queues_are_there(config: Config, _context: Context) -> Iterator[Fault]:
    """Queues of pfc_enable without a row, where other ports have that row."""
    rows = config.table("QUEUE").by_index
    having: Counter[int] = Counter()
    lacking: list[tuple[str, int]] = []
    for port, queues in _lossless_queues(config):
        own = rows.get(port, {})
        having.update(each for each in queues if each in own)
        lacking.extend((port, each) for each in sorted(queues) if each not in own)
    for port, index in lacking:
        if having[index]:
            message = (
                f"queue {index} of {port} is lossless and has no row in QUEUE; "
                f"of the other ports {having[index]} have one"
            )
            yield Fault("PORT_QOS_MAP", port, "pfc_enable", message, f"add QUEUE|{port}|{index}")


def _lossless_rows(config: Config) -> Iterator[str]:
    by_port = config.table("QUEUE").by_index
    for port, queues in _lossless_queues(config):
        rows = by_port.get(port, {})
        yield from dict.fromkeys(key for index, key in rows.items() if index in queues)


def _lossless_queues(config: Config) -> Iterator[tuple[str, frozenset[int]]]:
    """Ports with the queues of their paused classes."""
    numbers: dict[tuple[str | None, tuple[int, ...]], frozenset[int]] = {}
    for each in ports_qos(config):
        name = name_in(each.row, "tc_to_queue_map")
        if (name, each.pfc) not in numbers:
            found = (mapped(config, TC_TO_QUEUE, name, tc) for tc in each.pfc)
            numbers[name, each.pfc] = frozenset(queue for queue in found if queue is not None)
        yield each.port, numbers[name, each.pfc]
