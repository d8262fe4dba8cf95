"""One audited row as plain texts: what was found, under which readings, and the lines of its cells' cards.

What is wrong about a row is said by its finding; here is what the table's view, the search and the LaTeX snippet show.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from scoreproof.checking import Verdict, Witness
from scoreproof.findings.audits import failing, row_headline, row_name
from scoreproof.findings.labels import Speech, canonical, labels, title
from scoreproof.findings.words import counted, cut, sentence, told_apart, with_counts_in_words
from scoreproof.papers.result import Answered, Outcome, RowResult
from scoreproof.results import listed

_MOST_NOTES = 12


@dataclass(frozen=True, slots=True)
class ReadingView:
    """A reading of the experiment: what tells it from the others, in full, its verdict, and a note."""

    label: str
    words: str
    verdict: str
    note: str


@dataclass(frozen=True, slots=True)
class RowView:
    """A row as it is shown. ``anchor`` is where its finding stands, empty without one."""

    anchor: str
    name: str
    outcome: str
    said: str  # what was found, in a sentence
    printed: str
    readings: tuple[ReadingView, ...]
    strength: str
    passing: float | None  # the share of similar reports that would pass
    error: str
    notes: tuple[str, ...]
    cells: tuple[str, ...]  # a line for the card of each cell

    @property
    def fitting(self) -> list[str]:
        return [reading.label for reading in self.readings if reading.verdict == "consistent"]


def row_view(row: RowResult, heads: tuple[list[str], list[str]], *, anchor: str, cards: bool) -> RowView:
    """The row; ``cards`` says whether the lines of its cells' cards are wanted."""
    say = Speech(labels(row.cells, row.label, heads))
    _, apart = told_apart([reading.label for reading in row.readings])
    return RowView(
        anchor,
        row_name(row),
        str(row.outcome),
        _said(row, heads),
        cut(", ".join(f"{say.name(cell.score)} {cut(cell.text, 40)}" for cell in row.cells), 600),
        tuple(_reading(reading, label) for reading, label in zip(row.readings, apart, strict=True)),
        "" if row.strength is None else cut(row.strength.words, 300).rstrip("."),
        None if row.strength is None else row.strength.fraction,
        cut(row.error, 160),
        tuple(sentence(cut(note, 1200)) for note in row.notes[:_MOST_NOTES]),
        _card_lines(row, say) if cards else (),
    )


def _said(row: RowResult, heads: tuple[list[str], list[str]]) -> str:
    """What was found about a row, in one sentence that claims no more than is proved."""
    if row.outcome in (Outcome.INCONSISTENT, Outcome.QUESTION):
        told = failing(row)
        condition = f" (only if {told.assumed})" if told is not None and told.assumed else ""
        return sentence(cut(f"{row_headline(row, heads)}{condition}", 800))
    if row.outcome is Outcome.CONSISTENT:
        fitting = [reading for reading in row.readings if reading.verdict is Verdict.CONSISTENT]
        shown = _reading(fitting[0], "") if fitting else None
        return "" if shown is None else sentence(f"possible: {shown.words}{f', {shown.note}' if shown.note else ''}")
    if row.outcome is Outcome.UNDECIDED:
        late = (reading.answer.reason for reading in row.readings if reading.verdict is Verdict.UNDECIDED)
        reasons = listed(dict.fromkeys(filter(None, late)))
        because = f" ({cut(reasons, 300)})" if reasons else ""
        return f"No answer was reached within the time allowed{because}. This is no sign of a mistake."
    if row.outcome is Outcome.ERROR:
        return sentence(f"the row could not be checked: {cut(row.error, 400) or 'no reason was given'}")
    return sentence(cut(row.error or next(iter(row.notes), "nothing in this row can be tested"), 400))


def _reading(reading: Answered, label: str) -> ReadingView:
    note = _witness(reading) if reading.verdict is Verdict.CONSISTENT else reading.answer.reason
    # A label is often the beginning of the words; the longer of the two then says it all.
    words = with_counts_in_words(reading.words)
    full = words if words.startswith(label) or not label else f"{label} ({words})"
    return ReadingView(cut(label, 300), cut(full if words else label, 700), str(reading.verdict), cut(note, 600))


def _witness(reading: Answered) -> str:
    """What shows a reading possible; of a matrix the positives' row before the negatives'."""
    witness = reading.answer.witness
    matrices = witness.matrices if isinstance(witness, Witness) else ()
    if not matrices:
        return f"for example {witness}" if witness is not None else ""
    first = ", ".join(f"{name} {getattr(matrices[0], name)}" for name in ("tp", "fn", "fp", "tn"))
    if len(matrices) > 1:
        return f"for example, in the first of {counted(len(matrices), 'evaluation set')}, {first}"
    return f"for example {first}"


def _card_lines(row: RowResult, say: Speech) -> tuple[str, ...]:
    """For each cell its score, its text and the true values that the text stands for."""
    claims = row.readings[0].answer.claims if row.readings else ()
    spans = {claim.quantity.name: f", a true value from {span(claim.low, claim.high)}" for claim in claims}
    lines = []
    for cell in row.cells:
        name, full = say.name(cell.score), title(cell.score)
        named = full if name in (full, cell.score) else f"{name} ({full})"
        lines.append(cut(f"{named}: {cut(cell.text, 60)}{spans.get(canonical(cell.score), '')}", 400))
    return tuple(lines)


def span(low: Fraction, high: Fraction) -> str:
    """Two ends as decimals with the same digits, exact where twelve suffice.

    >>> span(Fraction(68, 100), Fraction(6802, 10000)), span(Fraction(1, 3), Fraction(1, 2))
    ('0.6800 to 0.6802', '0.333333 to 0.5')
    """
    parts = lcm(low.denominator, high.denominator)
    for digits in range(13):
        if 10**digits % parts == 0:
            return f"{float(low):.{digits}f} to {float(high):.{digits}f}"
    return f"{float(low):.6g} to {float(high):.6g}"
