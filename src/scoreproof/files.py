"""Files of strangers read within limits, and files of ours written whole.

Only regular files are read: a pipe that nobody writes to would never end, and ``/dev/zero`` neither. What is written
goes to a temporary file beside its place and takes the place when it is complete, so that a full disk or a crash leaves
what was there before.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from scoreproof.errors import UnreadableInput
from scoreproof.limits import current, exceeded

_MEGABYTE = 2**20
_SHOWN = 300


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
