"""Frames in which a line is no report: long frames, and folders of boards, model cards and results files.

Each line of a long frame has one score of a report; neighbouring lines that agree in all else are one report and become
a row with a column for every score. Lines of a report that do not stand together are refused, since each group of them
would be checked without the others' scores.

Of a folder one document is one row, decided by auditing it. Model cards (Markdown with its ``model-index``),
leaderboards (CSV, Parquet) and results of evaluation harnesses are read as papers are; what their numbers say against
each other, and shares of known numbers of cases, need no experiment.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoreproof.batches.deciding import RowAnswer
from scoreproof.batches.frame import ROWS, Chunk, Frame, arrow, texts
from scoreproof.batches.row import is_blank
from scoreproof.batches.running import MANIFEST
from scoreproof.checking import certificate_text
from scoreproof.documents.formats import is_document
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within
from scoreproof.papers.auditing import audit
from scoreproof.validation import shown

_SCORE = ("score", "metric", "measure")
_VALUE = ("value", "reported")
_LONGEST = 200  # characters of a score's name


def is_long(columns: Sequence[str]) -> bool:
    """Whether there is a column of names of scores and one of their values."""
    return _column(columns, _SCORE) is not None and _column(columns, _VALUE) is not None


def _column(columns: Sequence[str], words: tuple[str, ...]) -> str | None:
    return next((name for name in columns if name.lower() in words), None)


@dataclass(frozen=True, slots=True)
class LongFrame:
    """A long frame as one row per report."""

    base: Frame
    score: str
    value: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, base: Frame) -> LongFrame:
        score, value = _column(base.columns, _SCORE), _column(base.columns, _VALUE)
        if score is None or value is None:
            raise UnreadableInput(
                f"{base.name}: expected the columns score and value in a long frame, got {', '.join(base.columns)}"
            )
        names: dict[str, None] = {}
        for chunk in base.chunks():
            for name in chunk.table.column(score).unique().to_pylist():
                if not is_blank(name):
                    names[str(name)[:_LONGEST]] = None
            require_within("columns", len(names), base.name)
        taken = set(names) & set(base.columns)
        if taken:
            raise UnreadableInput(f"{base.name}: {shown(min(taken))} is a column and a score in the column {score}")
        return cls(base, score, value, tuple(names))

    @property
    def name(self) -> str:
        return self.base.name

    @property
    def decimal_comma(self) -> bool:
        return bool(getattr(self.base, "decimal_comma", False))

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns in which the lines of a report agree."""
        return tuple(column for column in self.base.columns if column not in (self.score, self.value))

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.keys, *self.names)

    @property
    def numbers(self) -> frozenset[str]:
        of_values = self.names if self.value in self.base.numbers else ()
        return (self.base.numbers - {self.value}) | frozenset(of_values)

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.base.notes, "neighbouring lines that agree in all but score and value were read as one report")

    def digest(self) -> str:
        return self.base.digest()

    def chunks(self, rows: int = ROWS) -> Iterator[Chunk]:
        waiting: list[tuple[dict[str, Any], str]] = []
        for report in self._reports():
            waiting.append(report)
            if len(waiting) == rows:
                yield self._chunk(waiting)
                waiting = []
        if waiting:
            yield self._chunk(waiting)

    def _reports(self) -> Iterator[tuple[dict[str, Any], str]]:
        """The rows, each with what is wrong with it."""
        seen: set[bytes] = set()
        latest: tuple[Any, ...] | None = None
        row: dict[str, Any] = {}
        flaw = ""
        for line, wrong in self._lines():
            key = tuple(line[name] for name in self.keys)
            if key != latest:
                if latest is not None:
                    yield row, flaw
                digest = hashlib.blake2b(repr(key).encode("utf-8", "backslashreplace"), digest_size=8).digest()
                if digest in seen:
                    words = ", ".join(f"{name} {value}" for name, value in zip(self.keys, key, strict=True))[:200]
                    raise UnreadableInput(
                        f"{self.name}: the lines of a report must stand together, those of {words} do not; sort them"
                    )
                seen.add(digest)
                latest, row, flaw = key, dict(zip(self.keys, key, strict=True)), ""
            flaw = flaw or wrong or self._added(row, line)
        if latest is not None:
            yield row, flaw

    def _added(self, row: dict[str, Any], line: dict[str, Any]) -> str:
        name, value = line[self.score], line[self.value]
        if is_blank(name):
            return "" if is_blank(value) else f"the value {shown(value)} stands beside no score"
        if str(name)[:_LONGEST] in row:
            return f"{shown(name)} is given twice"
        row[str(name)[:_LONGEST]] = value
        return ""

    def _lines(self) -> Iterator[tuple[dict[str, Any], str]]:
        for chunk in self.base.chunks():
            for place, line in enumerate(chunk.table.to_pylist()):
                yield line, chunk.flaws.get(place, "")

    def _chunk(self, reports: list[tuple[dict[str, Any], str]]) -> Chunk:
        pa = arrow()
        first = next(iter(self.base.chunks(1))).table.schema
        types = {name: first.field(name).type for name in self.keys}
        value = first.field(self.value).type
        columns = [pa.array([row.get(name) for row, _ in reports], types.get(name, value)) for name in self.columns]
        flaws = {place: flaw for place, (_, flaw) in enumerate(reports) if flaw}
        return Chunk(pa.table(columns, names=list(self.columns)), flaws)


COLUMN = "document"
_SHOWN = 20  # findings in the notes of a row


@dataclass(frozen=True, slots=True)
class BoardsFrame:
    """The documents in a folder and those below it, by their names in order."""

    folder: Path
    documents: tuple[str, ...]
    left: tuple[str, ...] = ()  # links that lead out of the folder
    columns: tuple[str, ...] = (COLUMN,)
    numbers: frozenset[str] = frozenset()

    @classmethod
    def of(cls, folder: Path) -> BoardsFrame:
        if (folder / MANIFEST).exists():
            raise UnreadableInput(f"{folder}: this is the folder of a batch; expected rows, or a folder of documents")
        every, root = sorted(_documents(folder)), folder.resolve()
        odd = next((name for name in every if os.fsencode(name) != name.encode("utf-8", "replace")), None)
        if odd is not None:
            raise UnreadableInput(f"{folder}: the name of {odd!r} is not written in UTF-8; rename it")
        within = {name: (folder / name).resolve().is_relative_to(root) for name in every}
        names, left = [name for name in every if within[name]], tuple(name for name in every if not within[name])
        if not names:
            but = f"; {_left_out(left)}" if left else ""
            raise UnreadableInput(f"{folder}: there is no document with tables in this folder or below it{but}")
        require_within("rows", len(names), str(folder))
        return cls(folder, tuple(names), left)

    @property
    def name(self) -> str:
        return str(self.folder)

    @property
    def notes(self) -> tuple[str, ...]:
        note = "every row is one document, whose tables are audited"
        return (note, _left_out(self.left)) if self.left else (note,)

    def digest(self) -> str:
        made = hashlib.sha256()
        for name in self.documents:
            made.update(f"{name}\0{hashlib.sha256((self.folder / name).read_bytes()).hexdigest()}\0".encode())
        return made.hexdigest()

    def chunks(self, rows: int = ROWS) -> Iterator[Chunk]:
        for start in range(0, len(self.documents), rows):
            yield Chunk(arrow().table([texts(list(self.documents[start : start + rows]))], names=[COLUMN]))


def _documents(folder: Path) -> Iterator[str]:
    for home, below, names in os.walk(folder):
        below[:] = [] if MANIFEST in names else [name for name in below if not name.startswith((".", "__"))]
        if MANIFEST not in names:
            paths = (Path(home) / name for name in names if not name.startswith("."))
            yield from (str(path.relative_to(folder)) for path in paths if path.is_file() and is_document(path))


def _left_out(links: tuple[str, ...]) -> str:
    more = f" and {len(links) - _SHOWN} more" if len(links) > _SHOWN else ""
    return f"not read, because they are links that lead out of the folder: {', '.join(links[:_SHOWN])}{more}"


def decide_document(folder: str, name: str, budget: float, seed: int) -> RowAnswer:
    """The answer on one document: its verdict, the first finding with its proof, the others in the notes."""
    result = audit(Path(folder) / name, jobs=1, budget=budget, seed=seed, explain=False, strength=False)
    findings = result.findings
    headlines = [f"{finding.where}: {finding.headline}" for finding in findings[:_SHOWN]]
    notes = "; ".join([result.summary, *headlines[1:]])
    refuted = [finding.answer for finding in findings if str(finding.verdict) == "inconsistent"]
    if result.verdict != "inconsistent" or not refuted or refuted[0] is None or refuted[0].proof is None:
        return RowAnswer(str(result.verdict), "; ".join(headlines[:1]), notes=notes)
    problem = refuted[0].problem
    proof, certificate = certificate_text(problem.kind, problem.to_dict(), refuted[0].proof, refuted[0].version)
    return RowAnswer("inconsistent", headlines[0], problem.kind, notes, proof=proof, certificate=certificate)
