"""`sonic-db-cli` and `sonic-db-dump` on the databases behind CONFIG_DB. Read only.

Layout of a dump: redis-dump-load's JSON, which sonic-db-dump prints.
"""

from __future__ import annotations

import fnmatch
import json
from typing import TYPE_CHECKING

from nettool.fleet.mock.command import COMMANDS, Call, failed, ok
from nettool.fleet.mock.databases import database

if TYPE_CHECKING:
    from nettool.fleet.transport.transport import Reply

_VALUED = {"-n": "database", "-k": "keys", "--keys": "keys"}


async def _cli(call: Call) -> Reply:
    name, words = call.argv[1], call.argv[2:]
    hashes = database(call.switch, name) or {}
    verb, key = words[0].lower(), words[1] if len(words) > 1 else "*"
    row = hashes.get(key, {})
    match verb:
        case "keys":
            return ok("\n".join(sorted(k for k in hashes if fnmatch.fnmatchcase(k, key))))
        case "hgetall":
            return ok(str(row))
        case "hget":
            return ok(row.get(words[2], ""))
        case "exists":
            return ok(str(int(key in hashes)))
        case _:
            return failed(f"ERR unknown command '{verb}'")


for _name in ("APPL_DB", "STATE_DB", "COUNTERS_DB", "ASIC_DB"):
    COMMANDS.add(f"sonic-db-cli {_name}")(_cli)


@COMMANDS.add("sonic-db-dump")
async def dump(call: Call) -> Reply:
    """The hashes of a database whose key matches, as JSON."""
    given, rest = {"keys": "*"}, list(call.argv[1:])
    while rest:
        word = rest.pop(0)
        if word in _VALUED and rest:
            given[_VALUED[word]] = rest.pop(0)
    hashes = database(call.switch, given.get("database", ""))
    if hashes is None:
        return failed(f"Namespace or database {given.get('database', '')} not found")
    found = {
        key: {"type": "hash", "value": row}
        for key, row in hashes.items()
        if fnmatch.fnmatchcase(key, given["keys"])
    }
    return ok(json.dumps(found, indent=2, sort_keys=True))
