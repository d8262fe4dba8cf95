"""A confusion matrix of several classes that shows a report possible, as a table shaded by the share of each row.

One audited row as plain texts: verdict, readings, conflict, repairs, other assumptions, strength, drawing.

Here and in ``table_view`` and ``audit_view`` is all that the reports know of an audit's results; the templates, the
LaTeX snippet and the paragraph for a review are written from these values. What is proved and what is conjectured are
kept apart, in words that accuse nobody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from scoreproof.checking import Verdict, Witness
from scoreproof.insight.explanation import Explanation
from scoreproof.insight.hypotheses import Fit, Tried
from scoreproof.insight.repairs import Repair
from scoreproof.kinds import kind_named
from scoreproof.kinds.multi_class.witness import ClassesWitness
from scoreproof.pages.cards import card_lines
from scoreproof.pages.certificates import Proof, Shelf
from scoreproof.pages.figure import FigureView, figure
from scoreproof.pages.labels import Speech, canonical, in_the_papers_words, labels
from scoreproof.pages.words import counted, cut, listed, sentence, told_apart
from scoreproof.papers.result import Answered, Outcome, RowResult

_LEVELS = 9
_MOST_CLASSES = 30  # of a matrix that is drawn


@dataclass(frozen=True, slots=True)
class MatrixView:
    """Names of the classes; for each true class its cells, a count and how dark it is (0 to 9)."""

    names: tuple[str, ...]
    rows: tuple[tuple[tuple[str, int], ...], ...]
    caption: str


def matrix_view(witness: object, names: Sequence[str]) -> MatrixView | None:
    """The first matrix of a witness of several classes; None of others, and where there are too many classes.

    >>> from scoreproof.kinds.multi_class.witness import matrix_with
    >>> matrix_view(ClassesWitness((matrix_with([(3, 1), (0, 0)], [3, 1]),)), ["a", "b"]).rows
    ((('3', 9), ('0', 0)), (('1', 9), ('0', 0)))
    """
    if not isinstance(witness, ClassesWitness) or not witness.matrices:
        return None
    first, more = witness.matrices[0], len(witness.matrices) - 1
    if first.k > _MOST_CLASSES:
        return None
    rows = tuple(
        tuple((f"{cases:,}", -(-_LEVELS * cases // max(sum(row), 1))) for cases in row) for row in first.matrix
    )
    caption = "A confusion matrix that gives these scores; darker cells hold more of their row's cases."
    if more:
        caption = f"The first of {more + 1} confusion matrices whose scores have these means; darker is more of a row."
    return MatrixView(tuple(cut(name, 40) for name in names), rows, caption)


_MOST_ITEMS = 12
_MOST_CONFLICTS = 3
_LONG = 1200
_NOTHING = Explanation(Verdict.UNDECIDED, "", "")


@dataclass(frozen=True, slots=True)
class ReadingView:
    """A reading of the experiment: what tells it from the others, in full, its verdict, a note, and its proof."""

    label: str
    words: str
    verdict: str
    note: str
    proof: Proof | None


@dataclass(frozen=True, slots=True)
class RepairView:
    """Changes (score, from, to) that would make a row possible."""

    changes: tuple[tuple[str, str, str], ...]
    because: str
    words: str


@dataclass(frozen=True, slots=True)
class RowView:
    """A row as it is told. ``anchor`` is where, empty if it has no text of its own."""

    anchor: str
    name: str
    outcome: str
    said: str  # the verdict in a sentence
    why: str  # the most telling sentence about it
    summary: str
    printed: str
    experiment: str
    read_as: str
    readings: tuple[ReadingView, ...]
    shared: str  # what all readings have in common
    conflict: frozenset[str]  # the scores of the conflict that is told
    aside: frozenset[str]  # the scores that no proof of it uses
    conflicts: tuple[str, ...]
    more_conflicts: int
    repairs: tuple[RepairView, ...]
    assumptions: tuple[tuple[str, str], ...]  # other assumptions: sign and words
    proved: tuple[str, ...]
    guesses: tuple[str, ...]  # what may lie behind it, for a review
    strength: str
    passing: float | None  # the share of similar reports that would pass
    notes: tuple[str, ...]
    untried: tuple[str, ...]
    error: str
    cells: tuple[str, ...]  # a line for the card of each cell
    figure: FigureView | None
    matrix: MatrixView | None  # of several classes

    @property
    def fitting(self) -> list[str]:
        return [reading.label for reading in self.readings if reading.verdict == "consistent"]


def row_name(row: RowResult, most: int = 80) -> str:
    """The row's label with its group of columns."""
    label = cut(row.label, most) or f"row {row.row + 1}"
    return f"{label} ({cut(row.group, most)})" if row.group else label


def row_view(
    row: RowResult, heads: tuple[list[str], list[str]], *, anchor: str, drawn: bool, cards: bool, shelf: Shelf
) -> RowView:
    """The row; certificates of a row with a text go to the shelf, ``drawn`` rows have a figure if they can.

    ``cards`` says whether the lines of its cells' cards are wanted.
    """
    names = labels(row.cells, row.label, heads)
    say = Speech(names)
    told = row.explanation or _NOTHING
    # What stands above in its own place is not said twice.
    shown = [conflict.words for conflict in told.conflicts[:_MOST_CONFLICTS]]
    known = [words for words in told.identities if not any(words in other for other in shown)]
    conflict = conflict_told(row)
    shared, apart = told_apart([reading.label for reading in row.readings])
    return RowView(
        anchor=anchor,
        name=row_name(row),
        outcome=str(row.outcome),
        said=_verdict(row),
        why=say(_why(row), 600),
        summary="" if row.explanation is None else say(told.summary),
        printed=cut(", ".join(f"{say.name(cell.score)} {cut(cell.text, 40)}" for cell in row.cells), 600),
        experiment=cut(row.experiment or told.experiment, _LONG),
        read_as=cut(in_the_papers_words(told.reading, names), _LONG),
        readings=tuple(
            _reading(reading, label, f"{anchor}{f'-{place}' * (place > 1)}" if anchor else "", shelf)
            for place, (reading, label) in enumerate(zip(row.readings, apart, strict=True), 1)
        ),
        shared=shared,
        conflict=conflict,
        aside=scores_aside(row),
        conflicts=tuple(map(say, shown)),
        more_conflicts=max(0, len(told.conflicts) - _MOST_CONFLICTS),
        repairs=tuple(_repair(repair, say) for repair in told.repairs[:_MOST_ITEMS]),
        assumptions=_assumptions(told.hypotheses, say),
        proved=tuple(say(words) for words in (*told.proved[:1], *known[:_MOST_ITEMS])),
        guesses=tuple(say(words, 300) for words in told.conjectured[:2]),
        strength="" if row.strength is None else cut(row.strength.words, 300).rstrip("."),
        passing=None if row.strength is None else row.strength.fraction,
        notes=tuple(sentence(cut(note, _LONG)) for note in row.notes[:_MOST_ITEMS]),
        untried=tuple(map(say, told.untried)),
        error=cut(row.error, 160),
        cells=card_lines(row, say) if cards else (),
        figure=_figure(row, conflict, say) if drawn else None,
        matrix=_matrix(row) if drawn else None,
    )


def conflict_told(row: RowResult) -> frozenset[str]:
    """The scores of the conflict that the summary tells (else of the smallest one), so that words and marks agree.

    >>> from scoreproof.papers.result import CellText
    >>> said = Explanation(Verdict.INCONSISTENT, "", "", ("F1 lies between, which sens = 0.75, f1 = 0.46 excludes",))
    >>> cells = tuple(CellText((1, k), name, "", "") for k, name in enumerate(("sens", "f1", "mcc")))
    >>> row = RowResult(0, 1, "", "", "", cells, Outcome.INCONSISTENT, explanation=said)
    >>> sorted(conflict_told(row))
    ['f1', 'sens']
    """
    if row.explanation is None:
        return frozenset()
    names = {canonical(cell.score) for cell in row.cells}
    told = row.explanation.summary.split("; it would fit")[0]
    for pattern in (r"(?<![\w-])([\w-]+) = ", r"[\w-]+"):
        said = names & set(re.findall(pattern, told))
        if len(said) > 1 or (said and pattern.endswith(" = ")):
            return frozenset(said)
    conflicts = row.explanation.conflicts
    return frozenset(map(canonical, conflicts[0].scores)) if conflicts else frozenset()


def scores_aside(row: RowResult) -> frozenset[str]:
    """The scores of an impossible row that none of its proofs uses; a row without proofs has none.

    Averages over classes have other names in a proof than in a table: these are known by their texts.
    """
    if row.outcome not in (Outcome.INCONSISTENT, Outcome.QUESTION):
        return frozenset()
    used = [claim for reading in row.readings for claim in reading.answer.used]
    names = {name for claim in used for name in (claim.quantity.name, canonical(claim.name))}
    scores = {canonical(cell.score) for cell in row.cells}
    texts = {claim.text for claim in used if scores.isdisjoint((claim.quantity.name, canonical(claim.name)))}
    unused = (canonical(cell.score) for cell in row.cells if used and cell.text not in texts)
    return frozenset(unused) - names


def _verdict(row: RowResult) -> str:
    """What was found about a row, in one sentence that claims no more than is proved."""
    tried = len(row.readings)
    if row.outcome is Outcome.INCONSISTENT:
        under = "the experiment as described" if tried <= 1 else f"any of the {tried} readings of the experiment"
        return f"These numbers cannot come from {under}."
    if row.outcome is Outcome.QUESTION:
        return cut(
            f"{row.condition[:1].upper()}{row.condition[1:]}, these numbers cannot come from it. Nobody has "
            "confirmed this; another test set, or means that the text does not speak of, would explain them.",
            800,
        )
    if row.outcome is Outcome.CONSISTENT:
        if tried <= 1:
            return "These numbers can come from the experiment as described."
        return f"These numbers can come from {len(row.fitting())} of {counted(tried, 'reading')} of the experiment."
    if row.outcome is Outcome.UNDECIDED:
        open_ones = dict.fromkeys(
            reading.answer.reason for reading in row.readings if reading.verdict is Verdict.UNDECIDED
        )
        because = f" ({cut(listed(filter(None, open_ones)), 300)})" if any(open_ones) else ""
        return f"No answer was reached within the time allowed{because}. This is no sign of a mistake."
    if row.outcome is Outcome.ERROR:
        return sentence(f"the row could not be checked: {cut(row.error, 400) or 'no reason was given'}")
    return sentence(cut(row.error, 400)) if row.error else "Nothing in this row can be tested."


def _why(row: RowResult) -> str:
    """The explanation's summary, the smallest conflict, or a reason."""
    if row.explanation is not None:
        return row.explanation.summary
    if row.outcome is Outcome.QUESTION:
        return row.reason
    reasons = [reading.answer.reason for reading in row.readings if reading.verdict is Verdict.INCONSISTENT]
    return reasons[0] if len(row.readings) == len(reasons) == 1 else ""


def _reading(reading: Answered, label: str, name: str, shelf: Shelf) -> ReadingView:
    note = _witness(reading) if reading.verdict is Verdict.CONSISTENT else reading.answer.reason
    # A label is often the beginning of the words; the longer of the two then says it all.
    words = reading.words if reading.words.startswith(label) or not label else f"{label} ({reading.words})"
    proof = shelf.keep(reading.certificate, f"certificate-{name}.json", label or reading.words) if name else None
    return ReadingView(
        cut(label, 300), cut(words if reading.words else label, 700), str(reading.verdict), cut(note, 600), proof
    )


def _witness(reading: Answered) -> str:
    """What shows a reading possible; of a matrix the positives' row before the negatives'."""
    witness = reading.answer.witness
    matrices = witness.matrices if isinstance(witness, Witness) else ()
    if not matrices:
        return f"for example {witness}" if witness is not None else ""
    first = ", ".join(f"{name} {getattr(matrices[0], name)}" for name in ("tp", "fn", "fp", "tn"))
    if len(matrices) > 1:
        return f"for example, in the first of {len(matrices)} evaluation sets, {first}"
    return f"for example {first}"


def _repair(repair: Repair, say: Speech) -> RepairView:
    changes = tuple(
        (say.name(change.score), cut(change.printed, 60), cut(change.repaired, 60))
        for change in repair.changes[:_MOST_ITEMS]
    )
    return RepairView(changes, cut(str(repair.slip), 120), "" if changes else say(str(repair)))


def _assumptions(hypotheses: Sequence[Tried], say: Speech) -> tuple[tuple[str, str], ...]:
    """Those that fit or are open one by one, those that do not fit together."""
    told, failed = [], []
    for tried in hypotheses:
        if tried.answer is Fit.DOES_NOT_FIT:
            failed.append(cut(tried.label, 200))
        else:
            told.append(("consistent" if tried.answer is Fit.FITS else "undecided", say(str(tried))))
    if failed:
        told.append(("inconsistent", cut(f"Would not explain it: {'; '.join(failed[:_MOST_ITEMS])}.", _LONG)))
    return tuple(told)


def _matrix(row: RowResult) -> MatrixView | None:
    """The matrix of several classes that shows a reading possible."""
    for reading in row.readings:
        view = matrix_view(reading.answer.witness, getattr(reading.answer.problem, "classes", ()))
        if view is not None:
            return view
    return None


def _figure(row: RowResult, conflict: frozenset[str], say: Speech) -> FigureView | None:
    """The first reading with one confusion matrix, drawn."""
    if row.outcome in (Outcome.NOT_TESTED, Outcome.ERROR):
        return None
    for reading in row.readings:
        wrong = reading.verdict is Verdict.INCONSISTENT
        problem = reading.answer.problem
        drawing = kind_named(problem.kind).drawing(problem, conflict if wrong and len(row.readings) == 1 else ())
        if drawing is not None:
            reads = f"{sentence(reading.label or reading.words)} " if len(row.readings) > 1 else ""
            return figure(drawing, row_name(row), str(reading.verdict), say.name, reads)
    return None
