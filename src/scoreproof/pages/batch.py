"""A batch as a page: how many rows have which verdict, which sources, and the clearest refutations first.

Many audited papers as one page: a table that sorts itself, each line leading to the paper's own report.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PureWindowsPath
from urllib.parse import quote

from scoreproof.batches import BatchResult
from scoreproof.findings.words import SIGNS, cut, known_sign, sentence
from scoreproof.pages.document import Bars, Section, Sheet, document
from scoreproof.pages.writer import write
from scoreproof.papers.collection import Collection, PaperLine
from scoreproof.validation import declared

_MEANINGS = {
    "inconsistent": "nothing can have produced what was printed; the part holds the proof",
    "consistent": "something can have produced it; the part holds an example",
    "undecided": "not decided in the time given, which is no sign of a mistake",
    "not tested": "no score is reported",
    "error": "the row cannot be read as a report; its reason says why",
}
_NO_SCORES = "no heading of its tables is known as a score; its report says how to name them"
_BARS = 30  # sources in the picture
_SHOWN = 3  # findings of a paper on the index


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
    counts = [(each, each.verdicts.get("inconsistent", 0)) for each in shown]
    rows = [(one.source or "(none)", 0.0, bad / one.rows, f"{bad:,} of {one.rows:,} rows") for one, bad in counts]
    more = len(result.sources) - len(shown) + result.more_sources
    words = f"The {len(shown)} sources with the most inconsistent rows, of {len(shown) + more:,}." if more else ""
    bars = Bars("the share of inconsistent rows by source", rows, ("0%", "100% of the source's rows"))
    return Section("Inconsistent rows by source", words, bars=bars)


def _refutations(result: BatchResult) -> Section:
    """The clearest ones first; columns that would be blank are left out."""
    columns = {
        "row": [f"{each.row:,}" for each in result.refutations],
        "source": [cut(each.source, 80) for each in result.refutations],
        "printed": [cut(each.printed, 200) for each in result.refutations],
        "experiment": [cut(each.experiment, 120) for each in result.refutations],
        "finding": [sentence(cut(each.finding, 300)) for each in result.refutations],
    }
    shown = {head: cells for head, cells in columns.items() if any(cells)}
    words = "The inconsistent rows with the shortest proofs."
    rows = list(zip(*shown.values(), strict=True))
    return Section("The clearest refutations", words, sheet=Sheet(tuple(shown), rows))


@dataclass(frozen=True, slots=True)
class LineView:
    """A paper on the page; ``address`` is that of its report, empty if it has none; ``said`` are its findings.

    ``reason`` says why nothing of it was tested.
    """

    paper: str
    address: str
    verdict: str
    word: str
    said: list[tuple[str, str, str]]
    more: int
    tested: str
    unread: int
    reason: str


@declared
def collection_page(collection: Collection) -> str:
    """The index of many papers, the worst first.

    >>> "2 papers" in collection_page(Collection((PaperLine("a.pdf", "consistent"), PaperLine("b.pdf", "error"))))
    True
    """
    lines = [_view(line) for line in sorted(collection.papers, key=lambda line: line.rank)]
    return write("collection", lead=str(collection), lines=lines)


def _view(line: PaperLine) -> LineView:
    verdict = known_sign(line.standing)
    tested = sum(number for name, number in line.outcomes.items() if name not in ("not tested", "error"))
    untested = (
        next((row["reason"] for row in line.rows if row["reason"]), _NO_SCORES) if verdict == "not tested" else ""
    )
    return LineView(
        paper=cut(line.paper, 160),
        address=quote(line.report),
        verdict=verdict,
        word=SIGNS[verdict].word,
        said=[
            (
                known_sign(each["verdict"]),
                ", ".join(filter(None, (each["table"], cut(each["rows"], 80)))),
                sentence(cut(each["finding"], 300)),
            )
            for each in line.findings[:_SHOWN]
        ],
        more=max(0, len(line.findings) - _SHOWN),
        tested=f"{tested} of {len(line.rows)}" if line.rows else "",
        unread=line.unread,
        reason=cut(line.error or untested, 300),
    )
