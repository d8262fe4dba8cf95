"""Files of strangers read within limits, as bytes, YAML and JSON; and files of ours written whole.

Only regular files are read: a pipe that nobody writes to would never end, and ``/dev/zero`` neither. What is written
goes to a temporary file beside its place and takes the place when it is complete, so that a full disk or a crash leaves
what was there before.

Depth and size of YAML and JSON are checked while reading. YAML would turn 0.90 into 0.9 and ``no`` into a truth value;
here every scalar stays the text that was written unless numbers are asked for. References (``&a``, ``*a``), merging
(``<<``), tags and keys given twice are refused: a file of a few lines could stand for billions of values with the
first, and mean two things with the last.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from scoreproof.errors import UnreadableInput
from scoreproof.limits import current, exceeded, require_within

_MEGABYTE = 2**20
_SHOWN = 300  # characters of a path in a message


def read_file(path: str | os.PathLike[str], *, limit: str = "megabytes", advice: str = "") -> bytes:
    """The bytes of a regular file that is no larger than the limit of this name.

    >>> read_file("/")
    Traceback (most recent call last):
    ...
    scoreproof.errors.UnreadableInput: /: expected a file, got a folder
    """
    with _opened(path, limit, advice) as handle:
        most = getattr(current(), limit) * _MEGABYTE
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(most + 1)
    if len(data) > most:  # it grew meanwhile, or did not say its size
        raise exceeded(limit, None, shown_path(path))
    return data


def require_file(path: str | os.PathLike[str], *, limit: str = "megabytes") -> None:
    """The errors of ``read_file`` for a file that is read by somebody else, piece by piece."""
    with _opened(path, limit, ""):
        pass


@contextmanager
def _opened(path: str | os.PathLike[str], limit: str, advice: str) -> Iterator[int]:
    """The handle of a regular file within the limit."""
    if not isinstance(path, (str, os.PathLike)):
        raise UnreadableInput(f"path: expected the path of a file, got {type(path).__name__}")
    name = shown_path(path)
    try:
        # a pipe is opened without waiting for who writes to it, and then refused
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        if getattr(error, "errno", None) == errno.ENOENT or isinstance(error, ValueError):
            raise UnreadableInput(f"{name}: no such file{advice}") from None
        what = getattr(error, "strerror", None) or error
        raise UnreadableInput(f"{name}: cannot be read ({what})") from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            what = "a folder" if stat.S_ISDIR(status.st_mode) else "a pipe or a device"
            raise UnreadableInput(f"{name}: expected a file, got {what}{advice}")
        if status.st_size > getattr(current(), limit) * _MEGABYTE:
            raise exceeded(limit, -(-status.st_size // _MEGABYTE), name)
        yield handle
    except OSError as error:
        raise UnreadableInput(f"{name}: cannot be read ({error.strerror or error})") from None
    finally:
        os.close(handle)


def shown_path(path: str | os.PathLike[str]) -> str:
    """A path for a message, cut where it is long; bytes that are no text are escaped."""
    name = str(path).encode("utf-8", "backslashreplace").decode("utf-8")
    return name if len(name) <= _SHOWN else name[: _SHOWN - 3] + "..."


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file so that it is either as it was or complete; surrogates of odd names are escaped in texts."""
    with writing(path) as file:
        file.write(content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace"))


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to piece by piece; it takes its place when the block ends well, and leaves nothing otherwise."""
    target = Path(path)
    real = Path(os.path.realpath(target))  # of links in a circle as they stand
    if target.exists() and not target.is_file():  # /dev/stdout, a pipe of the user's own
        with target.open("wb") as file:
            yield file
        return
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:50]}.", dir=real.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(handle)
        Path(name).chmod(mode)
        Path(name).replace(real)
    except BaseException as error:
        Path(name).unlink(missing_ok=True)
        if isinstance(error, OSError):  # a full disk does not say which file it was
            error.filename = error.filename or str(target)
        raise


def _umask() -> int:
    before = os.umask(0o022)
    os.umask(before)
    return before


_TAGS = ("", "!", *(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")))
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_REAL = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]{1,4})?")
_WORDS = {"true": True, "false": False, "null": None, "~": None}
_CUT = 60  # characters of a key or a tag in a message


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
                raise Twice(f"the key {key[:_CUT]!r} is given twice in one place; keep one")
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
                    f"{self.name}:{line}: the reference *{str(event.anchor)[:_CUT]} is not read; write the values out"
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
            raise UnreadableInput(f"{self.name}:{line}: the tag {tag[:_CUT]!r} is not read; leave it out")
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
            raise UnreadableInput(f"{where}: the key {key[:_CUT]!r} is given twice (first on line {first}); keep one")
        owner.key_lines[key] = line
        return key
