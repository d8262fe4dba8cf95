"""YAML and JSON of strangers: one reader, with limits on depth and size that are checked while reading.

YAML would turn 0.90 into 0.9 and ``no`` into a truth value; here every scalar stays the text that was written unless
numbers are asked for. References (``&a``, ``*a``), merging (``<<``), tags and keys given twice are refused: a file of a
few lines could stand for billions of values with the first, and mean two things with the last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scoreproof.errors import UnreadableInput
from scoreproof.limits import current, exceeded, require_within

_TAGS = ("", "!", *(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")))
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_REAL = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]{1,4})?")
_WORDS = {"true": True, "false": False, "null": None, "~": None}
_SHOWN = 60


@dataclass(slots=True)
class Piece:
    """A piece of a file: its value, its line, and (for mappings and lists) the pieces below it."""

    value: Any
    line: int
    below: dict[str, Piece] | list[Piece] | None = None
    key_lines: dict[str, int] = field(default_factory=dict)


def read_json(name: str, text: str, *, numbers: bool = False) -> Any:
    """The value of a JSON text; numbers stay texts unless they are asked for.

    >>> read_json("a.json", '{"p": 0.90}'), read_json("a.json", '{"p": 30}', numbers=True)
    ({'p': '0.90'}, {'p': 30})
    """
    _measure(name, text)
    read: dict[str, Any] = {} if numbers else {"parse_float": str, "parse_int": str, "parse_constant": str}
    if numbers:
        read = {"parse_int": _whole}
    try:
        return json.loads(text, object_pairs_hook=unique, **read)
    except json.JSONDecodeError as error:
        raise UnreadableInput(f"{name}:{error.lineno}: broken JSON at column {error.colno}: {error.msg}") from None
    except Twice as error:
        raise UnreadableInput(f"{name}: {error}") from None


def read_yaml(name: str, text: str, *, numbers: bool = False) -> Piece | None:
    """The tree of a YAML text; None if it holds nothing but comments.

    >>> read_yaml("a.yaml", "p: 0.90").value, read_yaml("a.yaml", "p: 30", numbers=True).value
    ({'p': '0.90'}, {'p': 30})
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Composer(name, numbers).compose(yaml.parse(text, Loader=loader))
    except yaml.YAMLError as error:
        raise UnreadableInput(_broken(name, text, error)) from None


def _measure(name: str, text: str) -> None:
    """How deep and how large a JSON text is, before anything is built."""
    depth = deepest = 0
    bare = _STRING.sub("", text)
    for bracket in _BRACKET.findall(bare):
        depth += 1 if bracket in "[{" else -1
        if depth > deepest:
            deepest = depth
            require_within("depth", deepest, name, least=True)
    require_within("values", bare.count(",") + bare.count("[") + bare.count("{"), name)


class Twice(ValueError):
    """A key that stands twice in one JSON object."""


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of a JSON text (``object_pairs_hook``): readers take the first or the last of equal keys."""
    table = dict(pairs)
    if len(table) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise Twice(f"the key {key[:_SHOWN]!r} is given twice in one place; keep one")
            seen.add(key)
    return table


def _whole(text: str) -> int:
    require_within("digits", len(text), "a whole number")
    return int(text)


def _broken(name: str, text: str, error: Any) -> str:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return f"{name}: broken YAML: {' '.join(str(error).split())[:200]}"
    lines = text.split("\n", mark.line + 1)
    shown = lines[mark.line] if mark.line < len(lines) else ""
    problem = getattr(error, "problem", None) or "it cannot be read"
    began = getattr(error, "context_mark", None)
    since = f", in what began on line {began.line + 1}" if began is not None and began.line != mark.line else ""
    hint = "indent with blanks, put texts that contain ': ' or begin with a sign in quotes, and close every bracket"
    if "\t" in shown[: mark.column + 1]:
        hint = "replace the tab by blanks"
    elif "%" in shown[mark.column : mark.column + 1] or "@" in shown[mark.column : mark.column + 1]:
        hint = "put the text in quotes"
    return f"{name}:{mark.line + 1}: broken YAML at column {mark.column + 1} ({problem}{since}); {hint}"


@dataclass(slots=True)
class _Open:
    """A mapping or list that is being read."""

    node: Piece
    key: str | None = None


class _Composer:
    """The tree that a parser's events describe."""

    def __init__(self, name: str, numbers: bool) -> None:
        self.name, self.numbers = name, numbers
        self.root: Piece | None = None
        self.stack: list[_Open] = []

    def compose(self, events: Iterator[Any]) -> Piece | None:
        import yaml

        ends, starts = (yaml.MappingEndEvent, yaml.SequenceEndEvent), (yaml.MappingStartEvent, yaml.SequenceStartEvent)
        limits, count = current(), 0
        for event in events:
            line = event.start_mark.line + 1
            if isinstance(event, ends):
                self.stack.pop()
                continue
            if isinstance(event, yaml.DocumentStartEvent) and self.root is not None:
                raise UnreadableInput(f"{self.name}:{line}: a second document ('---') begins; expected one")
            if not isinstance(event, yaml.NodeEvent):
                continue
            if isinstance(event, yaml.AliasEvent):
                raise UnreadableInput(
                    f"{self.name}:{line}: the reference *{str(event.anchor)[:_SHOWN]} is not read; write the values out"
                )
            count += 1
            if count > limits.values:
                raise exceeded("values", None, f"{self.name}:{line}")
            node = self._node(event, line)
            if self.stack:
                self._place(self.stack[-1], node, line)
            else:
                self.root = node
            if isinstance(event, starts):
                self.stack.append(_Open(node))
                if len(self.stack) > limits.depth:
                    raise exceeded("depth", len(self.stack), f"{self.name}:{line}", least=True)
        return self.root

    def _node(self, event: Any, line: int) -> Piece:
        import yaml

        tag = getattr(event, "tag", None) or ""
        if tag not in _TAGS:
            raise UnreadableInput(f"{self.name}:{line}: the tag {tag[:_SHOWN]!r} is not read; leave it out")
        if isinstance(event, yaml.ScalarEvent):
            if not event.style and event.value == "":  # "key:" with nothing behind it
                return Piece(None if self.numbers else "", line)
            return Piece(self._number(event.value) if self.numbers and not event.style else event.value, line)
        if isinstance(event, yaml.MappingStartEvent):
            return Piece({}, line, {})
        return Piece([], line, [])

    def _number(self, text: str) -> Any:
        """What an unquoted scalar says: a number, a truth value, nothing, or a text."""
        if text.lower() in _WORDS:
            return _WORDS[text.lower()]
        if _WHOLE.fullmatch(text):
            return _whole(text)
        return float(text) if _REAL.fullmatch(text) else text

    def _place(self, parent: _Open, node: Piece, line: int) -> None:
        owner = parent.node
        if isinstance(owner.below, list):
            owner.below.append(node)
            owner.value.append(node.value)
            return
        assert owner.below is not None
        if parent.key is None:
            parent.key = self._key(owner, node, line)
            return
        owner.below[parent.key] = node
        owner.value[parent.key] = node.value
        parent.key = None

    def _key(self, owner: Piece, node: Piece, line: int) -> str:
        where = f"{self.name}:{line}"
        if node.below is not None or node.value in (None, ""):
            what = "a list or a mapping" if node.below is not None else "nothing"
            raise UnreadableInput(f"{where}: a key must be a text, got {what}")
        key = str(node.value)
        if key == "<<":
            raise UnreadableInput(f"{where}: merging with '<<' is not read; write the values out")
        if key in owner.key_lines:
            first = owner.key_lines[key]
            raise UnreadableInput(f"{where}: the key {key[:_SHOWN]!r} is given twice (first on line {first}); keep one")
        owner.key_lines[key] = line
        return key
