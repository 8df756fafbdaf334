"""JSON Patch (RFC 6902) over a CONFIG_DB."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any


class PatchError(Exception):
    """The patch cannot be applied to this document."""


def apply_patch(document: Any, operations: Sequence[Mapping[str, Any]]) -> Any:
    """The document after all operations; the given one stays as it is."""
    result = copy.deepcopy(document)
    for operation in operations:
        result = _apply(result, operation)
    return result


def parts(pointer: str) -> list[str]:
    """The unescaped parts of a JSON pointer."""
    if not pointer:
        return []
    if not pointer.startswith("/"):
        raise PatchError("Location must start with /")
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def pointer(*names: str) -> str:
    """A JSON pointer out of plain names."""
    return "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in names)


def _apply(document: Any, operation: Mapping[str, Any]) -> Any:
    if not isinstance(operation, Mapping) or "path" not in operation:
        raise PatchError("Operation must have a 'path' member")
    path = parts(str(operation["path"]))
    match operation.get("op"):
        case "add":
            return _put(document, path, _value(operation), new=True)
        case "replace":
            return _put(document, path, _value(operation), new=False)
        case "remove":
            return _remove(document, path)
        case "test":
            if _get(document, path) != _value(operation):
                raise PatchError(f"test of {operation['path']} failed")
            return document
        case "copy" | "move" as op:
            source = parts(str(operation.get("from", "")))
            moved = copy.deepcopy(_get(document, source))
            document = _remove(document, source) if op == "move" else document
            return _put(document, path, moved, new=True)
        case unknown:
            raise PatchError(f"Unknown operation {unknown!r}")


def _value(operation: Mapping[str, Any]) -> Any:
    if "value" not in operation:
        raise PatchError("The operation does not contain a 'value' member")
    return copy.deepcopy(operation["value"])


def _get(document: Any, path: list[str]) -> Any:
    for part in path:
        document = _child(document, part)
    return document


def _child(document: Any, part: str) -> Any:
    if isinstance(document, dict):
        if part not in document:
            raise PatchError(f"member '{part}' not found in {_short(document)}")
        return document[part]
    if isinstance(document, list) and part.isdigit() and int(part) < len(document):
        return document[int(part)]
    raise PatchError(f"member '{part}' not found")


def _put(document: Any, path: list[str], value: Any, *, new: bool) -> Any:
    if not path:
        return value
    parent = _get(document, path[:-1])
    last = path[-1]
    if isinstance(parent, list):
        _put_in_list(parent, last, value, new=new)
    elif isinstance(parent, dict):
        if not new and last not in parent:
            raise PatchError(f"can't replace a non-existent object '{last}'")
        parent[last] = value
    else:
        raise PatchError(f"member '{last}' not found in {parent!r}")
    return document


def _put_in_list(parent: list[Any], last: str, value: Any, *, new: bool) -> None:
    if new and last == "-":
        parent.append(value)
        return
    if not last.isdigit() or int(last) > len(parent) - (not new):
        raise PatchError(f"can't set index {last} of a list of {len(parent)}")
    if new:
        parent.insert(int(last), value)
    else:
        parent[int(last)] = value


def _remove(document: Any, path: list[str]) -> Any:
    if not path:
        return {}
    parent, last = _get(document, path[:-1]), path[-1]
    if isinstance(parent, dict) and last in parent:
        del parent[last]
    elif isinstance(parent, list) and last.isdigit() and int(last) < len(parent):
        del parent[int(last)]
    else:
        raise PatchError(f"can't remove a non-existent object '{last}'")
    return document


def _short(document: Any) -> str:
    return "{" + ", ".join(list(document)[:3]) + (", …}" if len(document) > 3 else "}")
