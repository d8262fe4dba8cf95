"""The record of finished trials, so that a long analysis can be stopped and taken up again.

A file of JSON lines: the first names the setting by its digest, each further one is a trial. A line is written as soon
as its trial is done; a last line cut short by a crash is dropped. Trials depend on their number and the seed alone, so
a record of 300 trials is the beginning of one of 1,000.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from scoreproof.asking import Verdict
from scoreproof.detectability.setting import Setting
from scoreproof.errors import InvalidOption, UnreadableInput

_KIND = "scoreproof power trials"


@dataclass(frozen=True, slots=True)
class Trial:
    """The outcome of one trial: what the check said, and whether the report had changed at all."""

    digits: int
    number: int
    verdict: Verdict
    changed: bool = True

    def to_dict(self) -> dict[str, Any]:
        return {"digits": self.digits, "trial": self.number, "verdict": str(self.verdict), "changed": self.changed}


class Journal:
    """Trials of one setting in a file; without a path nothing is kept.

    Used as a context manager; ``done`` holds the trials found in the file.
    """

    def __init__(self, path: str | os.PathLike[str] | None, setting: Setting) -> None:
        self._path = None if path is None else Path(path)
        self._setting = setting
        self._file: IO[str] | None = None
        self.done: dict[tuple[int, int], Trial] = {}

    def __enter__(self) -> Journal:
        if self._path is None:
            return self
        kept = self._read() if self._path.exists() and self._path.stat().st_size else None
        self._file = self._path.open("w" if kept is None else "r+", encoding="utf-8", newline="\n")
        if kept is None:
            self._line({"kind": _KIND, "digest": self._setting.digest, "setting": self._setting.to_dict()})
        else:
            self._file.truncate(kept)
            self._file.seek(0, os.SEEK_END)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def add(self, trials: Iterable[Trial]) -> None:
        """Keep finished trials."""
        for trial in trials:
            self.done[trial.digits, trial.number] = trial
            self._line(trial.to_dict())

    def _line(self, document: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(json.dumps(document) + "\n")
            self._file.flush()

    def _read(self) -> int | None:
        """Take in the trials of the file; the length in bytes of its whole lines, None if there are none."""
        assert self._path is not None
        content = self._path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if not whole:
            if not json.dumps({"kind": _KIND}).encode()[:9].startswith(content[:9]):
                raise self._unreadable(1, "no line of a record")
            return None
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                document = json.loads(line)
                if number == 1:
                    self._same_setting(document)
                else:
                    trial = Trial(
                        int(document["digits"]),
                        int(document["trial"]),
                        Verdict(document["verdict"]),
                        bool(document["changed"]),
                    )
                    self.done[trial.digits, trial.number] = trial
            except (KeyError, TypeError, UnicodeDecodeError, RecursionError) as error:
                raise self._unreadable(number, f"{type(error).__name__} {error}") from None
            except ValueError as error:
                if isinstance(error, (InvalidOption, UnreadableInput)):
                    raise
                raise self._unreadable(number, str(error)) from None
        return len(whole)

    def _same_setting(self, document: Any) -> None:
        if not isinstance(document, dict) or document.get("kind") != _KIND:
            raise self._unreadable(1, "not the first line of a record")
        if document.get("digest") != self._setting.digest:
            theirs, ours = document.get("setting"), self._setting.to_dict()
            other = [key for key in ours if not isinstance(theirs, dict) or theirs.get(key) != ours[key]]
            raise InvalidOption(
                f"resume: {self._path} holds the trials of another setting (other {', '.join(other) or 'digest'}); "
                "name another file, or ask for that setting"
            )

    def _unreadable(self, line: int, why: str) -> UnreadableInput:
        return UnreadableInput(
            f"resume: expected {self._path} to be a new file or a record of trials; line {line} is not ({why})"
        )
