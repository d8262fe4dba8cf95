"""The messages of an assistant, made such that each is answered.

The library that speaks the protocol drops a message it cannot read, and whoever asked waits for ever. So what it would
drop is mended first: what nests too deeply is cut, texts that are no characters and numbers without end are replaced;
the tools then say what is wrong with it. What is no message at all becomes a request that is refused.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import AsyncIterator
from typing import Any, BinaryIO

import anyio.to_thread
from mcp_types import jsonrpc_message_adapter

from scoreproof.limits import current

_PIECES = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]|[^"\[\]{}]++', re.DOTALL)
_ID = re.compile(r'"id"\s*+:\s*+(-?[0-9]{1,18}|"[^"\\]{1,100}")')
_DEEPEST = 100  # levels of JSON, of which an experiment takes two for each of its own
_LONGEST_NUMBER = 1_000
_HEAD = 100_000  # characters of a broken message in which its number is looked for


class Messages:
    """The lines of standard input, one message each, as something that ``stdio_server`` reads."""

    def __init__(self, source: BinaryIO | None = None) -> None:
        self._source = source or sys.stdin.buffer

    async def __aiter__(self) -> AsyncIterator[str]:
        most = current().certificate_megabytes * 2**20
        while line := await anyio.to_thread.run_sync(self._source.readline, most, abandon_on_cancel=True):
            if len(line) < most or line.endswith(b"\n"):
                yield readable(line.decode("utf-8", "replace"))
                continue
            yield refusal(line[:_HEAD].decode("utf-8", "replace"))
            while line and not line.endswith(b"\n"):  # the rest of it
                line = await anyio.to_thread.run_sync(self._source.readline, most, abandon_on_cancel=True)


def readable(line: str) -> str:
    """The message itself, or one that is answered in its place."""
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        pass
    else:
        return line
    try:
        mended = json.dumps(_clean(json.loads(_pruned(line), parse_int=_whole)))
        jsonrpc_message_adapter.validate_json(mended, by_name=False)
    except (ValueError, RecursionError):
        return refusal(line[:_HEAD])
    return mended


def refusal(line: str) -> str:
    """A request of the same number for what there is not; nothing where no number is found."""
    number = _ID.search(line)
    return f'{{"jsonrpc": "2.0", "id": {number[1]}, "method": "unreadable"}}' if number is not None else "{}"


def _pruned(text: str) -> str:
    """The text without what nests deeper than is read."""
    kept, depth = [], 0
    for piece in _PIECES.findall(text):
        depth += piece in ("[", "{")
        if depth <= _DEEPEST:
            kept.append(piece)
        elif depth == _DEEPEST + 1 and piece in ("[", "{"):
            kept.append('"..."')
        depth -= piece in ("]", "}")
    return "".join(kept)


def _whole(text: str) -> int | str:
    return int(text) if len(text) <= _LONGEST_NUMBER else text


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(inner) for key, inner in value.items()}
    return value
