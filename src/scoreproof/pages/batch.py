"""A batch as a page: how many rows have which verdict, which sources, and the clearest refutations first.

Many audited papers as one page: a table that sorts itself, each line leading to the paper's own report.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PureWindowsPath
from urllib.parse import quote

from scoreproof.batches import BatchResult, SourceCount
from scoreproof.pages.document import Bars, Section, Sheet, document
from scoreproof.pages.words import SIGNS, counted, cut, known_sign
from scoreproof.pages.writer import write
from scoreproof.papers.collection import Collection, PaperLine
from scoreproof.papers.result import Outcome
from scoreproof.validation import declared

_MEANINGS = {
    "inconsistent": "nothing can have produced what was printed; the part holds the proof",
    "consistent": "something can have produced it; the part holds an example",
    "undecided": "not decided in the time given, which is no sign of a mistake",
    "not tested": "no score is reported",
    "error": "the row cannot be read as a report; its reason says why",
}
_BARS = 30  # sources in the picture


@declared
def batch_page(result: BatchResult) -> str:
    """The page."""
    sections = [_verdicts(result)]
    if result.sources:
        sections.append(_sources(result))
    if result.refutations:
        sections.append(_refutations(result))
    points = [(note, "") for note in result.notes]
    kinds = ", ".join(f"{kind} ({count:,})" for kind, count in result.kinds.items())
    sections.append(Section("How it was read", f"Kinds of problems: {kinds}." if kinds else "", points))
    sections.append(
        Section(
            "Checking the proofs again",
            "Every inconsistent row has a certificate in its part. It is re-derived from the certificate alone, with "
            "code that shares nothing with the search that found it.",
            code="scoreproof batch FOLDER --proof ROW",
        )
    )
    name = PureWindowsPath(result.input).name  # where a file lies is nobody's business
    return document("Batch", name, str(result).removeprefix(f"{result.input}: "), sections)


def _verdicts(result: BatchResult) -> Section:
    rows = [
        (verdict, f"{result.verdicts[verdict]:,}", f"{result.verdicts[verdict] / result.rows:.1%}", words)
        for verdict, words in _MEANINGS.items()
        if result.verdicts.get(verdict)
    ]
    return Section("Verdicts", sheet=Sheet(("verdict", "rows", "share", "meaning"), rows))


def _sources(result: BatchResult) -> Section:
    """The sources with the most inconsistent rows, as bars: how large a share of their rows is inconsistent."""
    shown = result.sources[:_BARS]
    rows = [(each.source or "(none)", 0.0, _share(each), _words(each)) for each in shown]
    more = len(result.sources) - len(shown) + result.more_sources
    words = f"The {len(shown)} sources with the most inconsistent rows, of {len(shown) + more:,}." if more else ""
    bars = Bars("the share of inconsistent rows by source", rows, ("0%", "100% of the source's rows"))
    return Section("Inconsistent rows by source", words, bars=bars)


def _share(each: SourceCount) -> float:
    return each.verdicts.get("inconsistent", 0) / each.rows


def _words(each: SourceCount) -> str:
    return f"{each.verdicts.get('inconsistent', 0):,} of {each.rows:,} rows"


def _refutations(result: BatchResult) -> Section:
    """The clearest ones first; columns that would be blank are left out."""
    found = result.refutations
    columns = {
        "row": [f"{each.row:,}" for each in found],
        "off by more than": ["" if each.slack is None else counted(each.slack, "unit") for each in found],
        "source": [cut(each.source, 80) for each in found],
        "printed": [cut(each.printed, 200) for each in found],
        "experiment": [cut(each.experiment, 120) for each in found],
        "why": [cut(each.reason, 200) for each in found],
    }
    shown = {head: cells for head, cells in columns.items() if any(cells)}
    words = (
        "Of the inconsistent rows with the shortest proofs those that are furthest off: nothing fits even if every "
        "value were off by so many units of its last printed digit."
    )
    rows = list(zip(*shown.values(), strict=True))
    return Section("The clearest refutations", words, sheet=Sheet(tuple(shown), rows))


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
