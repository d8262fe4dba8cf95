"""The journal of a run: one JSON line per finished row, so that an interrupted audit goes on where it stopped.

A row is found again by a digest of everything its verdict depends on (texts, readings, options, settings, version). If
the specification changes, the rows it changes are audited again and the others are not.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from scoreproof._version import __version__
from scoreproof.audits.result import RowResult
from scoreproof.errors import UnreadableInput

_HEAD = {"journal": "scoreproof audit"}


class Journal:
    """An open journal; ``rows`` holds what earlier runs wrote."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.rows: dict[str, tuple[RowResult, bool]] = {}
        fresh = not self.path.exists() or self.path.stat().st_size == 0
        if not fresh:
            self._read()
        self._file: IO[str] = self.path.open("a", encoding="utf-8")
        if fresh:
            self._line({**_HEAD, "version": __version__})

    def _read(self) -> None:
        if not self.path.is_file():
            raise UnreadableInput(f"{self.path}: expected a file for the journal of the run, got a folder or a device")
        with self.path.open(encoding="utf-8", errors="replace") as lines:
            try:
                head = json.loads(lines.readline())
            except json.JSONDecodeError:
                head = None
            if not isinstance(head, dict) or head.get("journal") != _HEAD["journal"]:
                raise UnreadableInput(
                    f"{self.path}: expected the journal of an earlier run, or no file at all; choose another name"
                )
            for line in lines:
                try:
                    entry = json.loads(line)
                    self.rows[entry["key"]] = RowResult.from_dict(entry["row"]), bool(entry["followed"])
                except (ValueError, KeyError, TypeError):
                    continue  # the last line of a run that was killed may be cut off; its row is audited again
        text = self.path.read_bytes()
        if not text.endswith(b"\n"):
            with self.path.open("ab") as file:
                file.write(b"\n")

    def write(self, key: str, row: RowResult, *, followed: bool) -> None:
        """Keep a finished row."""
        self._line({"key": key, "followed": followed, "row": row.to_dict()})
        self.rows[key] = row, followed

    def _line(self, entry: dict[str, Any]) -> None:
        self._file.write(json.dumps(entry, ensure_ascii=False) + "\n")

    def flush(self) -> None:
        """Hand what was written to the operating system."""
        self._file.flush()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
