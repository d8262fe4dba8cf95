"""Many audited papers as one page: a table that sorts itself, each line leading to the paper's own report."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from scoreproof.pages.texts import cut
from scoreproof.pages.words import SIGNS, known_sign
from scoreproof.pages.writer import write
from scoreproof.papers.collection import Collection, PaperLine
from scoreproof.papers.result import Outcome
from scoreproof.validation import declared


@dataclass(frozen=True, slots=True)
class LineView:
    """A paper on the page; ``address`` is that of its report, empty if it has none."""

    paper: str
    address: str
    verdict: str
    word: str
    tables: int
    rows: int
    outcomes: dict[str, int]
    cells: int
    unread: int
    error: str


@declared
def collection_page(collection: Collection) -> str:
    """The index of many papers.

    >>> "2 papers" in collection_page(Collection((PaperLine("a.pdf", "consistent"), PaperLine("b.pdf", "error"))))
    True
    """
    shown = [name for name in map(str, Outcome) if any(line.outcomes.get(name) for line in collection.papers)]
    return write("collection", lead=str(collection), lines=[_view(line) for line in collection.papers], shown=shown)


def _view(line: PaperLine) -> LineView:
    verdict = known_sign(line.verdict)
    return LineView(
        paper=cut(line.paper, 160),
        address=quote(line.report),
        verdict=verdict,
        word=SIGNS[verdict].word,
        tables=line.tables,
        rows=len(line.rows),
        outcomes={name: line.outcomes.get(name, 0) for name in map(str, Outcome)},
        cells=line.cells,
        unread=line.unread,
        error=cut(line.error, 300),
    )
