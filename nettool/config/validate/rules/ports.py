"""Ports: lanes, speeds, FEC and names."""

from __future__ import annotations

from collections.abc import Iterator

from nettool.config.validate.rule import Context, Fault, device_rule
from nettool.config.validate.spelling import lanes_of
from nettool.config.validate.tables import Config
from nettool.core.finding import Severity


@device_rule(
    "PRT001",
    "a lane belongs to two ports",
    Severity.ERROR,
    reads=("PORT",),
    why="A SerDes lane can serve one port. The second port is not created, and the switch's port "
    "daemon may stop; the schema does not see it.",
    fix="Give each port its own lanes: those of its slice of the cage.",
    source="sonic-net/sonic-buildimage#10131; sonic-utilities generic_config_updater gu_common.py",
)
def lanes_are_shared(config: Config, _context: Context) -> Iterator[Fault]:
    """Lanes that stand in two rows of PORT; said once, at the port that has too many."""
    owners: dict[int, list[str]] = {}
    for port, row in config.rows("PORT").items():
        for lane in lanes_of(row.get("lanes")) or ():
            owners.setdefault(lane, []).append(port)
    clashes: dict[tuple[str, str], list[int]] = {}
    for lane, ports in owners.items():
        if len(ports) > 1:
            clashes.setdefault((ports[0], ports[1]), []).append(lane)
    for (first, second), lanes in clashes.items():
        wider, other = sorted((first, second), key=lambda each: -_width(config, each))
        listed = ",".join(str(each) for each in sorted(set(lanes)))
        hint = None
        if wider != other:
            rest = sorted(set(lanes_of(config.row("PORT", wider).get("lanes")) or ()) - set(lanes))
            hint = f'lanes of {wider} without them: "{",".join(str(each) for each in rest)}"'
        yield Fault(
            "PORT", wider, "lanes", f"lanes {listed} of {wider} are also lanes of {other}", hint
        )


def _width(config: Config, port: str) -> int:
    return len(lanes_of(config.row("PORT", port).get("lanes")) or ())
