"""A page for each result but the audit: comparisons, recommended tests, metrics, re-interpretations, batches, papers.

The page of ``sota`` has sentences for the paper, figures, then tables for the curious; that of a batch how many rows
have which verdict, which sources, and the clearest refutations first. Many audited papers are a table that sorts
itself, each line leading to the paper's own report. One page re-checks certificates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from scoreproof.batches import BatchResult
from scoreproof.errors import InvalidOption
from scoreproof.figures import can_draw
from scoreproof.findings.collection import Collection, PaperLine
from scoreproof.findings.words import SIGNS, cut, known_sign, sentence
from scoreproof.insight.reinterpretation import Reinterpretation
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.unknown_classes.experiment import above, below
from scoreproof.pages.writer import Bars, Section, Sheet, document, picture, write
from scoreproof.results import Result
from scoreproof.statistics.comparison import Comparison
from scoreproof.statistics.recommend import Recommendation
from scoreproof.validation import declared, shown

if TYPE_CHECKING:
    from scoreproof.insight.rankings import Rank


@declared
def comparison_page(comparison: Comparison) -> str:
    """The whole report: words, figure, tables, the recommendation that was followed, LaTeX to copy."""
    models = " and ".join(comparison.names) if len(comparison.names) < 4 else f"{len(comparison.names)} models"
    sections = [
        *([Section("The figure", pictures=[picture(comparison.figure(), "The figure")])] if can_draw() else []),
        Section("Figures in full", ready=comparison.tables_html()),
        Section("Why this test", ready=comparison.recommendation._repr_html_()),
        Section("LaTeX", code=comparison.latex()),
    ]
    return document("Comparison", f"{models}: {comparison.test}", comparison.text, sections)


@declared
def recommendation_page(recommendation: Recommendation) -> str:
    """The recommendation and its reasons."""
    sections = [Section("What to do", ready=recommendation._repr_html_())]
    return document("Recommended test", f"Recommended: {recommendation.test}", "", sections)


@declared
def metrics_page(file: str, result: Result) -> str:
    """The tables of an evaluation, as a notebook shows them."""
    return document("Metrics", f"Metrics of {file}", str(result), [Section("Scores", ready=result._repr_html_())])


def verify_page() -> str:
    """One HTML file: drop a certificate on it, and it says whether the proof holds."""
    return write("verify")


_SHOWN = ("prevalence", "mcc", "bacc", "kappa", "bm", "mk", "sens", "spec", "ppv", "npv", "f1", "acc", "lrp", "lrn")
_DRAWN = ("mcc", "bacc", "kappa", "f1", "acc")
_MARKS = {"certainly": "yes", "possibly": "open", "certainly not": "no"}
_LEAD = "Every range holds for every confusion matrix that could have produced the reported numbers."


@declared
def reinterpretation_page(result: Reinterpretation) -> str:
    """The whole page."""
    return document("Re-interpretation", "A table re-read", _LEAD, list(_sections(result)))


def _sections(result: Reinterpretation) -> Iterator[Section]:
    points = [(sentence(finding.words), "no" if finding.grave else "") for finding in result.findings]
    yield Section("Findings", points=points)
    methods = [
        (
            reading.name,
            "unread" if reading.reconstruction is None else str(reading.reconstruction.verdict),
            *(_range(reading.reconstruction, name) for name in _SHOWN),
        )
        for reading in result.readings
    ]
    yield Section("What follows for each method", sheet=Sheet(("method", "verdict", *_SHOWN), methods))
    chance = [
        (name, line.against, line.score, line.value.text(3), line.lead.text(3), line.better)
        for name, baselines in result.baselines.items()
        for line in baselines
    ]
    if chance:
        head = ("method", "against", "by", "which has", "lead", "better?")
        yield Section("Better than chance?", sheet=Sheet(head, chance, _MARKS))
    if result.claim is not None:
        standing = [(score(name).title, word) for name, word in result.standing.items()]
        yield Section(f"The claim: {result.claim}", sheet=Sheet(("by", "best?"), standing, _MARKS))
    for name in _DRAWN:
        if name in result.ranks:
            title = score(name).title
            yield Section(title[:1].upper() + title[1:], bars=_bars(title, result.ranks[name]))
    if result.preferences:
        yield Section("Costs", points=[(str(preference), "") for preference in result.preferences])


def _range(reconstruction: object, name: str) -> str:
    span = getattr(reconstruction, "ranges", {}).get(name)
    return "" if span is None else str(span.text(3))


def _bars(title: str, ranks: tuple[Rank, ...]) -> Bars:
    """The ranges of one score on an axis that holds 0, 1 and all of them."""
    spans = [rank.value for rank in ranks]
    ends = [(float(span.low), float(span.low if span.high is None else span.high)) for span in spans]
    start, stop = min(0.0, *(low for low, _ in ends)), max(1.0, *(high for _, high in ends))
    rows = []
    for rank, (low, high) in zip(ranks, ends, strict=True):
        place = "-".join(map(str, dict.fromkeys(rank.rank)))
        words = f"rank {place}: {below(rank.value.low, 3)} to {above(rank.value.high, 3)}"
        rows.append((cut(rank.method, 28), (low - start) / (stop - start), (high - start) / (stop - start), words))
    return Bars(title, rows, (f"{start:.2g}", f"{stop:.2g}"))


@declared
def sota_page(answers: Sequence[Section], figures: Mapping[str, Any]) -> str:
    """The page of some answers; their tables stand below the figures."""
    for figure in figures.values():
        if not hasattr(figure, "savefig"):
            raise InvalidOption(f"figures: expected figures of matplotlib, got {shown(figure)}")
    answered = [Section(answer.title, answer.words) for answer in answers]
    drawn = [Section("Figures", pictures=[picture(figure, name.replace("_", " ")) for name, figure in figures.items()])]
    numbers = [Section(f"{answer.title}: the numbers", sheet=answer.sheet) for answer in answers if answer.sheet]
    sections = [*answered, *(drawn if figures else []), *numbers]
    return document("State of the art", "What is the state of the art worth?", "", sections)


_MEANINGS = {
    "inconsistent": "nothing can have produced what was printed; the part holds the proof",
    "consistent": "something can have produced it; the part holds an example",
    "undecided": "not decided in the time given, which is no sign of a mistake",
    "not tested": "no score is reported",
    "error": "the row cannot be read as a report; its reason says why",
}
_NO_SCORES = "no heading of its tables is known as a score; its report says how to name them"
_BARS = 30  # sources in the picture
_FINDINGS_SHOWN = 3  # findings of a paper on the index


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
    rows = [(own.source or "(none)", 0.0, bad / own.rows, f"{bad:,} of {own.rows:,} rows") for own, bad in counts]
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
    """A paper on the page; ``address`` is that of its report, empty if it has none; ``findings`` are what was found.

    ``reason`` says why nothing of it was tested.
    """

    paper: str
    address: str
    verdict: str
    word: str
    findings: list[tuple[str, str, str]]
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
        findings=[
            (
                known_sign(each["verdict"]),
                ", ".join(filter(None, (each["table"], cut(each["rows"], 80)))),
                sentence(cut(each["finding"], 300)),
            )
            for each in line.findings[:_FINDINGS_SHOWN]
        ],
        more=max(0, len(line.findings) - _FINDINGS_SHOWN),
        tested=f"{tested} of {len(line.rows)}" if line.rows else "",
        unread=line.unread,
        reason=cut(line.error or untested, 300),
    )
