"""A plan of several steps as one shell script that runs on the switch, under the guard.

Every command's exit status counts, and what a command claims is read back before the next one:
some print an error and exit 0. `<run>.progress` says which step is at work.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence

from nettool.config.diff.steps import PlanStep

CHILD_SECONDS = 60
GROUP_SECONDS = 30
MODE_SECONDS = 5
_HEAD = """umask 077
child=
trap 'kill $child 2>/dev/null; exit 143' TERM
give_up() {{ echo "step $said: $1" >&2; exit 1; }}
step() {{
  said="$1"; shift; echo "$said" >{run}.progress
  "$@" >{run}.step.log 2>&1 </dev/null & child=$!
  wait $child || give_up "`tail -n 1 {run}.step.log`"
}}
await() {{
  said="$1" left="$2" wanted="$3"; shift 3; echo "$said" >{run}.progress
  while have="`"$@" 2>/dev/null`"; [ -z "$have" ] || [ "$have" != "${{wanted:-$have}}" ]; do
    [ $left -gt 0 ] || give_up "not in time, it is '$have'"
    left=$((left - 1)); sleep 1
  done
}}
"""


def script(run: str, steps: Sequence[PlanStep]) -> str:
    """The script for a run. It is started in the folder of the run's files."""
    lines = [_HEAD.format(run=run)]
    for number, each in enumerate(steps, 1):
        said = f"{number} of {len(steps)}, {each.title}"
        lines.extend(_lines(run, number, each, shlex.quote(said)))
    return "\n".join([*lines, f"rm -f {run}.step?.json new_port_config.json", "exit 0", ""])


def _lines(run: str, number: int, step: PlanStep, said: str) -> Iterator[str]:
    match step.do:
        case "patch":
            name = f"{run}.step{number}.json"
            yield f"cat >{name} <<'PATCH'\n{json.dumps(step.operations)}\nPATCH"
            yield f"step {said} config apply-patch {name}"
        case "down" | "up":
            verb = "shutdown" if step.do == "down" else "startup"
            yield f"step {said} config interface {verb} {','.join(step.names)}"
        case "breakout":
            parent, mode = step.names[0], shlex.quote(step.mode)
            yield f"step {said} config interface breakout {parent} {mode} -y"
            row = shlex.quote(f"BREAKOUT_CFG|{parent}")
            read = f"sonic-db-cli CONFIG_DB HGET {row} brkout_mode"
            yield f"await {said} {MODE_SECONDS} {mode} {read}"
        case "wait":
            for port in step.names:
                row = shlex.quote(f"PORT_TABLE|{port}")
                yield f"await {said} {CHILD_SECONDS} ok sonic-db-cli STATE_DB HGET {row} state"
        case "check":
            for place in step.names:
                row = shlex.quote(f"BUFFER_PG_TABLE:{place.replace('|', ':')}")
                yield f"await {said} {GROUP_SECONDS} '' sonic-db-cli APPL_DB HGET {row} profile"
        case "reload":
            raise ValueError("a reload is no step of a script")
