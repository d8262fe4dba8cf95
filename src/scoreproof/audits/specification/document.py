"""A YAML or JSON file as plain lists, mappings and *texts*, every one of which knows its line.

YAML would turn 0.90 into 0.9 and ``no`` into a boolean; here every scalar stays the text that was written, and what is
a number or a truth value is decided by the schema. The tree is built from the parser's events with limits on depth, on
size and on aliases, so that a hostile file ends in a message and not in a full memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scoreproof.errors import UnreadableInput

MOST_BYTES = 20 * 2**20
_DEEPEST = 40
_MOST_NODES = 2_000_000
_MOST_ALIASES = 100
_TAGS = ("", "!", *(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")))


@dataclass(slots=True)
class _Node:
    """A piece of the file: its value, its line, and (for mappings and lists) the pieces below it."""

    value: Any
    line: int
    below: dict[str, _Node] | list[_Node] | None = None
    key_lines: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a specification, and where each part of it stands."""

    source: str
    content: Any
    _root: _Node | None = None

    def line(self, path: Sequence[str | int]) -> int | None:
        """The line on which the part at ``path`` begins, or the nearest part above it."""
        node, line = self._root, None
        for step in path:
            if node is None:
                break
            below = node.below
            if isinstance(below, dict) and str(step) in below:
                line = node.key_lines[str(step)]
                node = below[str(step)]
            elif isinstance(below, list) and isinstance(step, int) and 0 <= step < len(below):
                node = below[step]
                line = node.line
            else:
                break
        return line if line is not None or self._root is None else self._root.line

    def where(self, path: Sequence[str | int]) -> str:
        """File and line, as editors understand them: ``paper.yaml:12``."""
        line = self.line(path)
        name = self.source or "specification"
        return name if line is None else f"{name}:{line}"


def open_document(spec: str | Path | Mapping[str, Any]) -> Document:
    """The document behind a path, a text (a string of several lines) or a mapping."""
    if isinstance(spec, Mapping):
        return Document("", dict(spec))
    if isinstance(spec, str) and ("\n" in spec or spec.lstrip().startswith("{")):
        if len(spec) > MOST_BYTES:
            raise UnreadableInput(_too_large("the specification", len(spec)))
        return _parse("", spec)
    return _parse(str(spec), _content(Path(spec)))


def _content(path: Path) -> str:
    if not path.is_file():
        what = "a folder or a device" if path.exists() else "no such file"
        raise UnreadableInput(f"{path}: {what}; expected a specification ('scoreproof init PAPER' drafts one)")
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise UnreadableInput(_too_large(str(path), size))
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableInput(
            f"{path}: expected a specification in YAML or JSON, got other bytes; for a paper run "
            f"'scoreproof init {path.name}' first"
        ) from None
    if not text.strip():
        raise UnreadableInput(f"{path}: the file is blank; expected a specification ('scoreproof init' drafts one)")
    return text


def _too_large(name: str, size: int) -> str:
    return (
        f"{name}: {size / 2**20:.0f} MB are too much for a specification (at most {MOST_BYTES // 2**20} MB); keep "
        "large tables in files of their own and name them with 'file:'"
    )


def _parse(source: str, text: str) -> Document:
    name = source or "specification"
    if text.lstrip().startswith("{"):
        return _parse_json(source, text)
    root = _compose(name, text)
    if root.below is None or isinstance(root.below, list):
        raise UnreadableInput(
            f"{name}:{root.line}: expected a mapping with title, datasets, experiments and tables; for a paper run "
            "'scoreproof init' first"
        )
    return Document(source, root.value, root)


def _parse_json(source: str, text: str) -> Document:
    name = source or "specification"
    try:
        content = json.loads(text, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise UnreadableInput(f"{name}:{error.lineno}: broken JSON at column {error.colno}: {error.msg}") from None
    except _Twice as error:
        raise UnreadableInput(f"{name}: the key {error.args[0]!r} is given twice in one place; keep one") from None
    except RecursionError:
        raise UnreadableInput(f"{name}: nested more than {_DEEPEST} levels deep; this is no specification") from None
    try:
        # JSON is YAML but for tabs between tokens: the same composer tells the lines.
        root = _compose(name, text.replace("\t", " "))
    except UnreadableInput:
        root = None
    return Document(source, content, root)


class _Twice(Exception):
    """A key that stands twice in one JSON object."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _Twice(next(key for key in keys if keys.count(key) > 1))
    return found


def _compose(name: str, text: str) -> _Node:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        root = _tree(name, yaml.parse(text, Loader=loader))
    except yaml.YAMLError as error:
        raise UnreadableInput(_broken(name, text, error)) from None
    if root is None:
        raise UnreadableInput(f"{name}: nothing but comments; expected a specification ('scoreproof init' drafts one)")
    return root


def _broken(name: str, text: str, error: Any) -> str:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return f"{name}: broken YAML: {' '.join(str(error).split())[:200]}"
    lines = text.split("\n")
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

    node: _Node
    anchor: str | None
    key: str | None = None


def _tree(name: str, events: Iterator[Any]) -> _Node | None:
    """The tree the parser's events describe; loops and floods of aliases are refused."""
    import yaml

    root: _Node | None = None
    stack: list[_Open] = []
    anchors: dict[str, tuple[_Node, int]] = {}
    count = aliases = 0
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent) and root is not None:
            raise UnreadableInput(f"{name}:{line}: a second document ('---') begins; expected one specification")
        if isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            done = stack.pop()
            if done.anchor is not None:
                anchors[done.anchor] = done.node, _size(done.node)
            continue
        if isinstance(event, yaml.AliasEvent):
            aliases += 1
            if event.anchor not in anchors:
                raise UnreadableInput(f"{name}:{line}: *{event.anchor} refers to no finished part with &{event.anchor}")
            node, size = anchors[event.anchor]
            count += size
            if aliases > _MOST_ALIASES or count > _MOST_NODES:
                raise UnreadableInput(f"{name}:{line}: too many references (*{event.anchor}); write the values out")
        elif isinstance(event, yaml.NodeEvent):
            tag = getattr(event, "tag", None)
            if (tag or "") not in _TAGS:
                raise UnreadableInput(f"{name}:{line}: the tag {tag!r} is not read; leave it out")
            node = _node(event, line)
            count += 1
        else:
            continue
        if count > _MOST_NODES:
            raise UnreadableInput(f"{name}:{line}: more than {_MOST_NODES:,} values; keep large tables in files")
        if not stack:
            root = root or node
        else:
            _place(name, stack[-1], node, line)
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            stack.append(_Open(node, event.anchor))
            if len(stack) > _DEEPEST:
                raise UnreadableInput(f"{name}:{line}: nested more than {_DEEPEST} levels deep")
        elif isinstance(event, yaml.ScalarEvent) and event.anchor is not None:
            anchors[event.anchor] = node, 1
    return root


def _node(event: Any, line: int) -> _Node:
    import yaml

    if isinstance(event, yaml.ScalarEvent):
        empty = event.value == "" and event.style is None  # "key:" with nothing behind it
        return _Node(None if empty else event.value, line)
    if isinstance(event, yaml.MappingStartEvent):
        return _Node({}, line, {})
    return _Node([], line, [])


def _place(name: str, parent: _Open, node: _Node, line: int) -> None:
    owner = parent.node
    if isinstance(owner.below, list):
        owner.below.append(node)
        owner.value.append(node.value)
        return
    assert owner.below is not None
    if parent.key is None:
        if node.below is not None or node.value is None:
            raise UnreadableInput(
                f"{name}:{line}: a key must be a text, got {'nothing' if node.value is None else 'a list or a mapping'}"
            )
        if node.value == "<<":
            raise UnreadableInput(f"{name}:{line}: merging with '<<' is not read; write the values out")
        if node.value in owner.below:
            first = owner.key_lines[node.value]
            raise UnreadableInput(
                f"{name}:{line}: the key {node.value!r} is given twice (first on line {first}); keep one"
            )
        parent.key = node.value
        owner.key_lines[node.value] = line
        return
    owner.below[parent.key] = node
    owner.value[parent.key] = node.value
    parent.key = None


def _size(node: _Node) -> int:
    """How many pieces a finished part holds, aliases inside counted in full up to the limit."""
    total, stack = 0, [node]
    while stack and total <= _MOST_NODES:
        one = stack.pop()
        total += 1
        if one.below is not None:
            stack.extend(one.below.values() if isinstance(one.below, dict) else one.below)
    return total
