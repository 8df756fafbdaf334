"""`show pfc`, `show pfcwd`, `show queue`, `show priority-group`: lossless state and counters.

Layouts: sonic-utilities scripts/pfcstat, queuestat, wredstat, watermarkstat, pg-drop and
pfcwd/main.py, and their tests. A counter moves only where a test moves it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nettool.fleet.mock.command import COMMANDS, Call, ok
from nettool.fleet.mock.network import port_number
from nettool.fleet.mock.tables import grouped, simple_table

if TYPE_CHECKING:
    from nettool.fleet.transport.transport import Reply

EIGHT = range(8)


@COMMANDS.add("show pfc counters")
async def pfc_counters(call: Call) -> Reply:
    """Pause frames received and sent, by port and priority."""
    both = [
        _eight(call, [f"Port {title}", *(f"PFC{n}" for n in EIGHT)], kind)
        for title, kind in (("Rx", "pfc_rx"), ("Tx", "pfc_tx"))
    ]
    return ok("\n\n".join(both))


@COMMANDS.add("show pfc priority")
async def pfc_priority(call: Call) -> Reply:
    """The lossless priorities of each port."""
    rows = [
        [port, row["pfc_enable"]]
        for port, row in _by_port(call, "PORT_QOS_MAP")
        if "pfc_enable" in row
    ]
    return ok(simple_table(["Interface", "Lossless priorities"], rows, right=False))


@COMMANDS.add("show pfcwd config")
async def pfcwd_config(call: Call) -> Reply:
    """The watchdog's polling interval and what it does on each port."""
    table = call.switch.store.running.get("PFC_WD", {})
    rows = [
        [
            port,
            row.get("action", "N/A"),
            row.get("detection_time", "N/A"),
            row.get("restoration_time", "infinite"),
            row.get("pfc_stat_history", "disable"),
        ]
        for port, row in _by_port(call, "PFC_WD")
        if port != "GLOBAL"
    ]
    header = ["PORT", "ACTION", "DETECTION TIME", "RESTORATION TIME", "HISTORY"]
    interval = table.get("GLOBAL", {}).get("POLL_INTERVAL")
    head = f"Changed polling interval to {interval}ms\n" if interval else ""
    return ok(head + simple_table(header, rows, right=True))


@COMMANDS.add("show pfcwd stats")
async def pfcwd_stats(call: Call) -> Reply:
    """Storms seen, by queue; only queues that had one."""
    count = call.switch.counters
    rows = []
    for port, row in _by_port(call, "PORT_QOS_MAP"):
        for queue in _digits(row.get("pfcwd_sw_enable", row.get("pfc_enable", ""))):
            seen = count.get("storm_detected", port, queue)
            ended = count.get("storm_restored", port, queue)
            state = "stormed" if seen > ended else "operational"
            if seen:
                rows.append([f"{port}:{queue}", state, f"{seen}/{ended}", *["0/0"] * 4])
    header = ["QUEUE", "STATUS", "STORM DETECTED/RESTORED", "TX OK/DROP", "RX OK/DROP"]
    return ok(simple_table([*header, "TX LAST OK/DROP", "RX LAST OK/DROP"], rows, right=True))


@COMMANDS.add("show queue counters")
async def queue_counters(call: Call) -> Reply:
    """Packets and drops by queue."""
    header = ["Port", "TxQ", "Counter/pkts", "Counter/bytes", "Drop/pkts", "Drop/bytes"]
    kinds = ("queue_pkts", "queue_bytes", "queue_drop_pkts", "queue_drop_bytes")
    return ok("For namespace :\n" + _by_queue(call, header, kinds))


@COMMANDS.add("show queue wredcounters")
async def wred_counters(call: Call) -> Reply:
    """WRED drops and ECN marks by queue; empty while their counter group is off."""
    group = call.switch.store.running.get("FLEX_COUNTER_TABLE", {}).get("WRED_ECN_QUEUE", {})
    if group.get("FLEX_COUNTER_STATUS") != "enable":
        return ok("Warning: WRED_ECN_QUEUE counter polling is disabled.")
    header = ["Port", "TxQ", "WredDrp/pkts", "WredDrp/bytes", "EcnMarked/pkts", "EcnMarked/bytes"]
    kinds = ("wred_drop_pkts", "wred_drop_bytes", "ecn_marked_pkts", "ecn_marked_bytes")
    return ok("For namespace :\n" + _by_queue(call, header, kinds))


@COMMANDS.add("show queue watermark unicast")
async def queue_watermark(call: Call) -> Reply:
    """The highest fill of each unicast queue."""
    header = ["Port", *(f"UC{n}" for n in EIGHT)]
    title = "Egress shared pool occupancy per unicast queue:\n"
    return ok(title + _eight(call, header, "queue_watermark"))


@COMMANDS.add("show priority-group watermark shared")
async def pg_watermark_shared(call: Call) -> Reply:
    """The highest shared fill of each priority group."""
    title = "Ingress shared pool occupancy per PG:\n"
    return ok(title + _eight(call, _groups(), "pg_watermark_shared"))


@COMMANDS.add("show priority-group watermark headroom")
async def pg_watermark_headroom(call: Call) -> Reply:
    """The highest headroom fill of each priority group."""
    return ok("Ingress headroom per PG:\n" + _eight(call, _groups(), "pg_watermark_headroom"))


@COMMANDS.add("show priority-group drop counters")
async def pg_drops(call: Call) -> Reply:
    """Packets dropped at each priority group."""
    return ok("Ingress PG dropped packets:\n" + _eight(call, _groups(), "pg_drop"))


@COMMANDS.add("sonic-clear")
async def clear(call: Call) -> Reply:
    """Put counters back to 0: all of them, or those of one subject."""
    kinds = {"pfccounters": ("pfc_rx", "pfc_tx"), "queuecounters": ("queue_pkts", "queue_bytes")}
    for kind in kinds.get(call.argv[1] if len(call.argv) > 1 else "", (None,)):
        call.switch.counters.clear(kind)
    return ok("Cleared counters")


def _eight(call: Call, header: list[str], kind: str) -> str:
    rows = [
        [port, *(grouped(call.switch.counters.get(kind, port, n)) for n in EIGHT)]
        for port in sorted(call.switch.store.running.get("PORT", {}), key=port_number)
    ]
    return simple_table(header, rows, right=True)


def _by_queue(call: Call, header: list[str], kinds: tuple[str, ...]) -> str:
    known = sorted(call.switch.store.running.get("PORT", {}), key=port_number)
    wanted = [port for port in call.operands("show", "queue", "counters") if port in known]
    rows = [
        [port, f"UC{n}", *(grouped(call.switch.counters.get(kind, port, n)) for kind in kinds)]
        for port in wanted or known
        for n in EIGHT
    ]
    return simple_table(header, rows, right=True)


def _by_port(call: Call, table: str) -> list[tuple[str, dict[str, str]]]:
    rows = call.switch.store.running.get(table, {})
    return [
        (key, rows[key]) for key in sorted(rows, key=port_number) if key not in {"global", "GLOBAL"}
    ]


def _groups() -> list[str]:
    return ["Port", *(f"PG{n}" for n in EIGHT)]


def _digits(text: str) -> list[int]:
    return [int(part) for part in text.split(",") if part.isdigit()]
