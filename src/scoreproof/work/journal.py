"""The journal of a long run: a JSON line for each finished result, so that an interrupted run goes on where it stopped.

The first line says what kind of run it is and what it is about; each further one has a key and a result. A line is
handed to the operating system as soon as it is written, and a last line cut short by a crash is dropped. A journal is
written by one run at a time. Whose keys are digests of everything a result depends on needs no more: what has changed
is not found. Whose keys are not gives ``about``, and a journal of another setting is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from scoreproof.errors import InvalidOption, ScoreproofError, UnreadableInput
from scoreproof.files import read_file, require_file, shown_path, unique

Result = TypeVar("Result", bound=Any)


class Journal(Generic[Result]):
    """Finished results by their keys, in a file; without a path they are kept in memory alone.

    Used as a context manager. ``read`` makes a result of what its ``to_dict`` gave.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        kind: str,
        read: Callable[[Any], Result],
        *,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        self._path = None if path is None else Path(path)
        self._head = json.loads(json.dumps({"journal": f"scoreproof {kind}", "about": about or {}}))
        self._read_result = read
        self._results: dict[str, Result] = {}
        self._unread: dict[str, tuple[int, Any]] = {}  # the line and the document of results nobody has asked for yet
        self._file: IO[str] | None = None

    def __enter__(self) -> Journal[Result]:
        if self._path is None:
            return self
        try:
            if self._path.exists():
                require_file(self._path, limit="data_megabytes")  # a pipe would be waited for
            self._file = self._path.open("a+", encoding="utf-8", newline="\n", buffering=1)
        except ScoreproofError:
            raise
        except (OSError, ValueError) as error:  # no such folder, a name that is none
            why = getattr(error, "strerror", None) or error
            raise UnreadableInput(f"{shown_path(self._path)}: cannot be opened as a journal ({why})") from None
        try:
            self._lock(self._file)  # before it is read: who wrote to it until now has ended
            whole = self._read(self._path)
            self._file.seek(whole)
            self._file.truncate(whole)
            if not whole:
                self._line(self._head)
        except BaseException:
            self._file.close()
            self._file = None
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def __contains__(self, key: str) -> bool:
        return key in self._results or key in self._unread

    def __getitem__(self, key: str) -> Result:
        if key not in self._results:
            line, document = self._unread[key]
            try:
                self._results[key] = self._read_result(document)
            except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
                raise self._foreign(line, _in_words(error)) from None
        return self._results[key]

    def __setitem__(self, key: str, result: Result) -> None:
        """Keep a finished result; a later one takes the place of an earlier one."""
        self._line({"key": key, "result": result.to_dict()})
        self._results[key] = result  # only now: a run stopped in between writes it again

    @property
    def earlier(self) -> bool:
        """Whether an earlier run left results in it."""
        return bool(self._unread)

    def _line(self, document: Mapping[str, Any]) -> None:
        if self._file is None:
            return
        try:
            self._file.write(json.dumps(document) + "\n")
        except OSError as error:  # a full disk: this line is dropped when the journal is read, those before it stand
            words = f"{error.strerror}; the results before it are kept"
            with suppress(OSError):
                self._file.close()  # which tries to write the line again
            raise OSError(error.errno, words, str(self._path)) from None

    def _lock(self, file: IO[str]) -> None:
        """Two runs that write to one journal would mix their lines."""
        try:
            import fcntl
        except ImportError:  # Windows, where a file that is open for writing is refused by other means
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InvalidOption(
                f"resume: {self._path} is being written by another run; wait for it, or name another file"
            ) from None

    def _read(self, path: Path) -> int:
        """Take in what earlier runs wrote; the length in bytes of the whole lines."""
        content = read_file(path, limit="data_megabytes")
        whole = content[: content.rfind(b"\n") + 1]
        if not whole:
            if not json.dumps(self._head).encode().startswith(content):
                raise self._foreign(1, "no line of a journal")
            return 0
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                document = json.loads(line, object_pairs_hook=unique)
                if number == 1:
                    self._check_head(document)
                else:
                    if not isinstance(document["key"], str):
                        raise TypeError("a key that is no text")
                    self._unread[document["key"]] = number, document["result"]
            except (InvalidOption, UnreadableInput):
                raise
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise self._foreign(number, _in_words(error)) from None
        return len(whole)

    def _check_head(self, head: Any) -> None:
        if not isinstance(head, dict) or head.get("journal") != self._head["journal"]:
            raise self._foreign(1, "not the first line of one")
        theirs, ours = head.get("about"), self._head["about"]
        other = [key for key in ours if not isinstance(theirs, dict) or theirs.get(key) != ours[key]]
        if other:
            raise InvalidOption(
                f"resume: {self._path} is the journal of another setting (other {', '.join(other)}); name another "
                "file, or ask for that setting"
            )

    def _foreign(self, line: int, why: str) -> UnreadableInput:
        return UnreadableInput(
            f"resume: expected {self._path} to be a new file or the journal of an earlier run ({self._head['journal']})"
            f"; line {line} is not of one ({why[:100]})"
        )


def _in_words(error: Exception) -> str:
    """Why a line could not be read, without the names that Python has for it.

    >>> _in_words(KeyError("result")), _in_words(RecursionError("maximum recursion depth exceeded"))
    ("'result' is missing", 'it is nested too deep')
    """
    if isinstance(error, json.JSONDecodeError):
        return f"broken JSON at column {error.colno}: {error.msg}"
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return f"{error} is missing" if isinstance(error, KeyError) else str(error) or "it has a wrong value"
