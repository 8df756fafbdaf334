"""JSON as it is told to people and programs."""

from __future__ import annotations

from typing import Any

import orjson

_OPTIONS = (
    orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS
)


def json_text(value: object) -> str:
    """Sorted, indented, with a line feed at its end; what a path holds that is no text becomes ?.

    Raises TypeError for what JSON cannot say.
    """
    try:
        return orjson.dumps(value, option=_OPTIONS).decode()
    except TypeError:  # half of a surrogate pair: a file's name of other bytes than UTF-8
        return orjson.dumps(_mended(value), option=_OPTIONS).decode()


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {_mended(key): _mended(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_mended(each) for each in value]
    return value
