"""A folder of boards, model cards and results files as rows: one row is one document, decided by auditing it.

Model cards (Markdown with its ``model-index``), leaderboards (CSV, Parquet) and results of evaluation harnesses are
read as papers are; what their numbers say against each other, and shares of known numbers of cases, need no experiment.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scoreproof.batches.arrow import arrow, texts
from scoreproof.batches.deciding import RowAnswer
from scoreproof.batches.frame import ROWS, Chunk
from scoreproof.batches.store import MANIFEST
from scoreproof.checking import certificate_text
from scoreproof.documents.source import is_document
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within
from scoreproof.papers.auditing import audit
from scoreproof.papers.result import AuditResult

COLUMN = "document"
_SHOWN = 20  # findings in the notes of a row


@dataclass(frozen=True, slots=True)
class BoardsFrame:
    """The documents in a folder and those below it, by their names in order."""

    folder: Path
    documents: tuple[str, ...]
    columns: tuple[str, ...] = (COLUMN,)
    numbers: frozenset[str] = frozenset()

    @classmethod
    def of(cls, folder: Path) -> BoardsFrame:
        if (folder / MANIFEST).exists():
            raise UnreadableInput(f"{folder}: this is the folder of a batch; expected rows, or a folder of documents")
        names = sorted(_documents(folder))
        if not names:
            raise UnreadableInput(f"{folder}: there is no document with tables in this folder, nor in one below it")
        require_within("rows", len(names), str(folder))
        return cls(folder, tuple(names))

    @property
    def name(self) -> str:
        return str(self.folder)

    @property
    def notes(self) -> tuple[str, ...]:
        return ("every row is one document, whose tables are audited",)

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


def decide_document(folder: str, name: str, budget: float, seed: int) -> RowAnswer:
    """The answer on one document: its verdict, the first proof, and everything that does not fit in the notes."""
    result = audit(Path(folder) / name, jobs=1, budget=budget, seed=seed, explain=False, strength=False)
    told = [(check.words, check.answer) for table in result.tables for check in table.checks]
    told += [(row.reason, reading.answer) for row in result.rows() for reading in row.readings if not reading.assumed]
    refuted = [(words, answer, answer.proof) for words, answer in told if answer.proof is not None]
    if result.verdict != "inconsistent" or not refuted:
        return RowAnswer(str(result.verdict), _questions(result), notes=result.summary)
    words, answer, steps = refuted[0]
    problem = answer.problem
    proof, certificate = certificate_text(problem.kind, problem.to_dict(), steps, answer.version)
    notes = "; ".join([result.summary, *(more for more, _, _ in refuted[1:_SHOWN])])
    return RowAnswer("inconsistent", words, problem.kind, notes, proof=proof, certificate=certificate)


def _questions(result: AuditResult) -> str:
    asked = [str(question) for table in result.tables for question in table.questions]
    return "; ".join(asked[:_SHOWN])
