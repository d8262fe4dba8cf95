"""Pages of comparisons, recommended tests, metrics and re-interpretations; and the page that re-checks certificates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scoreproof.figures import can_draw
from scoreproof.findings.words import cut, sentence
from scoreproof.insight.reinterpretation import Reinterpretation
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.unknown_classes.experiment import above, below
from scoreproof.pages.document import Bars, Section, Sheet, document, picture
from scoreproof.pages.writer import write
from scoreproof.results import Result
from scoreproof.statistics.comparison import Comparison
from scoreproof.statistics.recommend import Recommendation
from scoreproof.validation import declared

if TYPE_CHECKING:
    from scoreproof.insight.rankings import Rank


@declared
def comparison_page(found: Comparison) -> str:
    """The whole report: words, figure, tables, the recommendation that was followed, LaTeX to copy."""
    models = " and ".join(found.names) if len(found.names) < 4 else f"{len(found.names)} models"
    sections = [
        *([Section("The figure", pictures=[picture(found.figure(), "The figure")])] if can_draw() else []),
        Section("Figures in full", ready=found.tables_html()),
        Section("Why this test", ready=found.recommendation._repr_html_()),
        Section("LaTeX", code=found.latex()),
    ]
    return document("Comparison", f"{models}: {found.test}", found.text, sections)


@declared
def recommendation_page(found: Recommendation) -> str:
    """The recommendation and its reasons."""
    sections = [Section("What to do", ready=found._repr_html_())]
    return document("Recommended test", f"Recommended: {found.test}", "", sections)


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
