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
        said = "every row is one document, whose tables are audited"
        return (said, _left_out(self.left)) if self.left else (said,)

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
