"""What is asked of a switch: a command, and how its answer is read. Nothing is written by any.

SONiC's questions stand here; a dialect may put its own before them (`KLISH`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nettool.config.nos.dialects.asternos import printed as klish
from nettool.config.nos.dialects.sonic import asic, printed
from nettool.fleet.deploy.switch import CommandError, Switch, last_line
from nettool.fleet.transport.transport import Reply


@dataclass(frozen=True, slots=True)
class Question:
    """A command, how its answer is read, and a word that every answer holds.

    `in_klish`: it is asked in klish, not in bash.
    """

    command: str
    parse: Callable[[str], Any]
    holds: str = ""
    in_klish: bool = False

    def put(self, switch: Switch) -> Reply:
        """What a switch answers."""
        return switch.ask(self.command, in_klish=self.in_klish)

    def read(self, reply: Reply) -> Any:
        """What an answer says. Raises CommandError where it says nothing that can be read."""
        if reply.status:
            raise CommandError(f"{self.command}: exit status {reply.status}: {last_line(reply)}")
        if self.holds not in reply.stdout:
            raise CommandError(f"{self.command} shows no {self.holds!r}: {last_line(reply)}")
        try:
            return self.parse(reply.stdout)
        except (ValueError, KeyError) as exc:
            raise CommandError(f"{self.command}: nobody can read the answer ({exc})") from exc


PORTS = Question("show interfaces status", printed.port_states, "Oper")
SESSIONS = Question("sudo -n vtysh -c 'show bgp summary json'", printed.bgp_states)
AS_NUMBERS = Question(SESSIONS.command, printed.bgp_as_numbers)
STARTED = Question(
    "systemctl show swss.service --value"
    " --property ActiveEnterTimestamp --property ActiveEnterTimestampMonotonic",
    lambda text: " ".join(text.split()),
    ":",
)
"""With swss the chip is set up again, and its counters begin (sonic-utilities config/main.py)."""
COUNTERS: Mapping[str, Question] = {
    "pg_drop": Question(
        "show priority-group drop counters", lambda text: printed.by_index(text, "PG"), "PG0"
    ),
    "queue_drop": Question(
        "show queue counters", lambda text: printed.by_queue(text, "Drop/pkts"), "Drop/pkts"
    ),
    "ecn_marked": Question(
        "show queue wredcounters",
        lambda text: printed.by_queue(text, "EcnMarked/pkts"),
        "EcnMarked/pkts",
    ),
    "storm": Question("show pfcwd stats", printed.storms, "STORM DETECTED/RESTORED"),
    "rx_err": Question("show interfaces counters", printed.errors, "RX_ERR"),
    "pfc_rx": Question("show pfc counters", lambda t: printed.pfc_frames(t)["rx"], "Port Rx"),
    "pfc_tx": Question("show pfc counters", lambda t: printed.pfc_frames(t)["tx"], "Port Tx"),
    "pfc_enabled": Question(
        "show pfc priority", printed.lossless_priorities, "Lossless priorities"
    ),
}
LLDP = Question("show lldp table", printed.lldp_neighbors, "RemoteDevice")
OBJECTS = Question(asic.OBJECTS, asic.hashes)
NAMES = Question(asic.NAMES, asic.hashes)
KLISH: Mapping[str, Question] = {
    "lldp": Question("show lldp neighbor summary", klish.lldp_neighbors, "LocalPort", True),
    "pfc_enabled": Question(
        "show interface priority-flow-control",
        klish.lossless_priorities,
        "Lossless priorities",
        True,
    ),
}
"""What klish itself is known to show: operators' parsers, the vendor's page on PFC."""
TRUST = (
    "links, sessions, counters and the chip were read as on SONiC, which AsterNOS is taken to be "
    "below klish: assumed, not verified on hardware"
)
