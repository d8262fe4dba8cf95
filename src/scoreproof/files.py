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
        return _Composer(name, yaml.parse(text, Loader=loader), numbers).compose()
    except yaml.YAMLError as error:
        raise UnreadableInput(_broken(name, text, error)) from None
    except RecursionError:
        raise exceeded("depth", None, name) from None


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


class _Composer:
    """The tree that a parser's events describe, by recursive descent."""

    def __init__(self, name: str, events: Iterator[Any], numbers: bool) -> None:
        self.name, self.events, self.numbers = name, events, numbers
        self.count = 0

    def compose(self) -> Piece | None:
        import yaml

        root = None
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent) and root is not None:
                raise UnreadableInput(f"{self._place(event)}: a second document ('---') begins; expected one")
            if isinstance(event, yaml.NodeEvent):
                root = self._piece(event, 1)
        return root

    def _place(self, event: Any) -> str:
        return f"{self.name}:{event.start_mark.line + 1}"

    def _piece(self, event: Any, depth: int) -> Piece:
        import yaml

        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            anchor = str(event.anchor)[:_CUT]
            raise UnreadableInput(f"{self._place(event)}: the reference *{anchor} is not read; write the values out")
        self.count += 1
        if self.count > current().values:
            raise exceeded("values", None, self._place(event))
        tag = event.tag or ""
        if tag not in _TAGS:
            raise UnreadableInput(f"{self._place(event)}: the tag {tag[:_CUT]!r} is not read; leave it out")
        if isinstance(event, yaml.ScalarEvent):
            if not event.style and event.value == "":  # "key:" with nothing behind it
                return Piece(None if self.numbers else "", line)
            return Piece(_number(event.value) if self.numbers and not event.style else event.value, line)
        require_within("depth", depth, self._place(event), least=True)
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(line, depth)
        parts = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            parts.append(self._piece(event, depth + 1))
        return Piece([part.value for part in parts], line, parts)

    def _mapping(self, line: int, depth: int) -> Piece:
        import yaml

        below: dict[str, Piece] = {}
        key_lines: dict[str, int] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self._key(self._piece(event, depth + 1), key_lines)
            below[key] = self._piece(next(self.events), depth + 1)
        return Piece({key: piece.value for key, piece in below.items()}, line, below, key_lines)

    def _key(self, piece: Piece, key_lines: dict[str, int]) -> str:
        where = f"{self.name}:{piece.line}"
        if piece.below is not None or piece.value in (None, ""):
            what = "a list or a mapping" if piece.below is not None else "nothing"
            raise UnreadableInput(f"{where}: a key must be a text, got {what}")
        key = str(piece.value)
        if key == "<<":
            raise UnreadableInput(f"{where}: merging with '<<' is not read; write the values out")
        if key in key_lines:
            first = key_lines[key]
            raise UnreadableInput(f"{where}: the key {key[:_CUT]!r} is given twice (first on line {first}); keep one")
        key_lines[key] = piece.line
        return key


def _number(text: str) -> Any:
    """What an unquoted scalar says: a number, a truth value, nothing, or a text."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _WHOLE.fullmatch(text):
        return _whole(text)
    return float(text) if _REAL.fullmatch(text) else text
