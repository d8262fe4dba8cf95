"""One table of the paper as plain values: its grid, what was tested, the readings of its rows, how it was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from pathlib import PureWindowsPath
from typing import Any

from scoreproof.checking import Verdict, Witness
from scoreproof.findings.audits import comparisons, failing, row_headline, row_name
from scoreproof.findings.finding import Finding
from scoreproof.findings.words import (
    Speech,
    canonical,
    class_counts,
    counted,
    cut,
    headings,
    labels,
    sentence,
    text,
    title,
    told_apart,
    with_counts_in_words,
)
from scoreproof.pages.grid_view import MOST_LINES, GridCell, Places, grid, legend, places
from scoreproof.papers.result import Answered, Outcome, RowResult, TableResult
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
    sentence: str  # what was found, in a sentence
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


_MOST_ITEMS = 200
_MOST_COLUMNS = 24
_MOST_ROWS = 500  # that are listed with their readings
_CALM = (str(Outcome.CONSISTENT), str(Outcome.NOT_TESTED))


@dataclass(frozen=True, slots=True)
class ReadingsView:
    """Rows against the readings of their experiment: headings, for each row its signs, a key, and what is left out."""

    heads: tuple[str, ...]
    rows: tuple[tuple[RowView, tuple[str, ...]], ...]
    key: tuple[str, ...]
    left_out: str


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as it is told."""

    anchor: str
    name: str
    origin: str
    tested: str
    other_sizes: tuple[str, ...]  # where words name others than those it was tested with
    caption: str
    head: list[list[GridCell]]
    body: list[list[GridCell]]
    legend: list[tuple[str, str]]
    checks: tuple[tuple[str, str], ...]  # comparisons inside the table: verdict and words
    readings: ReadingsView | None
    reading_notes: tuple[tuple[str, list[str], int], ...]
    rows: tuple[RowView, ...]
    outcomes: Mapping[str, int]
    fits_all: tuple[str, ...]
    strength: str
    beyond: tuple[RowView, ...] = ()  # rows whose lines are not shown, but searched
    searched: int = -1  # under which number the page keeps them


def table_view(
    result: TableResult,
    place: int,
    findings: Sequence[tuple[str, Finding]],
    first_card: int = 0,
    most_lines: int = MOST_LINES,
    *,
    grids: bool = True,
) -> TableView:
    """The table at its place in the paper, with its findings and their anchors.

    ``first_card`` is the number of the first of its rows' cards; without ``grids`` the printed table is left out.
    """
    table, heads = result.table, headings(result.table)
    own = [(anchor, where) for anchor, finding in reversed(findings) for where in finding.at(place + 1)]
    anchors = {line: anchor for anchor, where in own for line in where.rows}
    rows = tuple(row_view(row, heads, anchor=anchors.get(row.row, ""), cards=grids) for row in result.rows)
    marked = places(result, place + 1, [finding for _, finding in findings]) if grids else Places()
    shown = table.header_rows + most_lines
    head, body = grid(table, marked, first_card, shown) if grids else ([], [])
    beyond = [view for row, view in zip(result.rows, rows, strict=True) if grids and row.row >= shown]
    return TableView(
        anchor=f"table-{place + 1}",
        name=cut(result.name, 120) or f"Table {place + 1}",
        origin=_origin(result),
        tested=_tested(result.rows),
        other_sizes=tuple(sentence(cut(words, 600)) for words in result.other_sizes[:_MOST_ITEMS]),
        caption=_caption(table.caption, result.name),
        head=head,
        body=body,
        legend=legend(marked),
        checks=tuple(
            (str(check.verdict), sentence(words))
            for check, words in zip(result.checks[:_MOST_ITEMS], comparisons(result), strict=False)
        ),
        readings=_readings(result, rows),
        reading_notes=tuple(_reading_notes(result)),
        rows=rows,
        outcomes=result.outcomes(),
        fits_all=tuple(cut(label, 120) for label in result.fits_all),
        strength=strength_of(rows),
        beyond=tuple(beyond),
    )


def strength_of(rows: Sequence[RowView]) -> str:
    """How strong the test is: once where it is the same, else of the strongest and of the weakest."""
    strong = sorted((row for row in rows if row.passing is not None), key=lambda row: row.passing or 0.0)
    if not strong:
        return ""
    first, last = strong[0], strong[-1]
    if first.strength == last.strength:
        return sentence(first.strength)
    return f"{sentence(f'strongest for {first.name}: {first.strength}')} Weakest for {last.name}: {last.strength}."


def _caption(caption: str, name: str) -> str:
    """The caption without the table's name, which stands above it.

    >>> _caption("Table 1. Results", "Table 1"), _caption("Table 12: Results", "Table 1")
    ('Results', 'Table 12: Results')
    """
    words = caption.strip()
    rest = words[len(name) :] if name and words.startswith(name) else ""
    return rest.lstrip(" .:|–—-") if rest[:1] in tuple(" .:|") else words


def _origin(result: TableResult) -> str:
    source = result.table.source
    if not source.strip():
        return ""
    # A report is sent to others: where the file lies on this machine is nobody's business.
    path = PureWindowsPath(source)
    name = path.name if path.is_absolute() or source.startswith("/") else source
    return f"Read from {cut(name)}: {cut(result.table.position)}."


def _tested(rows: Sequence[RowResult]) -> str:
    """What the rows were held against, in words: so many rows, the experiment, its class counts and its readings."""
    against: dict[str, int] = {}
    for row in rows:
        if row.readings:
            words = _experiment(row)
            against[words] = against.get(words, 0) + 1
    if not against:
        return "no row was tested"
    told = [f"{counted(number, 'row')} against {words}" for words, number in list(against.items())[:3]]
    more = [counted(len(against) - 3, "further experiment")] if len(against) > 3 else []
    return "; ".join([*told, *more])


def _experiment(row: RowResult) -> str:
    if len(row.readings) == 1:
        only = row.readings[0]
        return cut(with_counts_in_words(only.words or only.label or row.experiment), 300)
    shared = told_apart([reading.label for reading in row.readings])[0]
    counts = list(dict.fromkeys(counts for reading in row.readings for counts in class_counts(reading.words)))
    name = shared or row.experiment or row.readings[0].label
    sizes = f", with {' or '.join(counts[:2])}{' or others' * (len(counts) > 2)}" if counts else ""
    return f"{cut(name, 200)}{sizes}, read in {len(row.readings)} ways"


def _readings(result: TableResult, rows: Sequence[RowView]) -> ReadingsView | None:
    """Each row with its verdict, what was found, and the sign of each reading; of many rows those that are not calm."""
    every = [pair for pair in zip(result.rows, rows, strict=True) if pair[1].readings or pair[1].outcome not in _CALM]
    shown = every if len(every) <= _MOST_ROWS else [pair for pair in every if pair[1].outcome not in _CALM][:_MOST_ROWS]
    if not shown:
        return None
    labels = list(dict.fromkeys(reading.label for row, _ in shown for reading in row.readings))
    columns = labels[:_MOST_COLUMNS] if len(labels) > 1 else []
    shared, names = told_apart(columns)
    # A long reading has a number in the header and its words below; short ones speak for themselves.
    numbered = any(len(name) > 18 for name in names)
    key = [f"({place}) {cut(name)}" for place, name in enumerate(names, 1)] if numbered else []
    key += [f"In all: {cut(shared)}."] if shared else []
    verdicts = [{reading.label: str(reading.verdict) for reading in row.readings} for row, _ in shown]
    lines = [
        (view, tuple(own.get(label, "") for label in columns)) for (_, view), own in zip(shown, verdicts, strict=True)
    ]
    left = [counted(len(rows) - len(shown), "more row")] if len(shown) < len(rows) else []
    left += [counted(len(labels) - len(columns), "further reading")] if len(labels) > len(columns) > 0 else []
    heads = tuple(f"({place})" for place in range(1, len(names) + 1)) if numbered else tuple(map(cut, names))
    words = f"{sentence(listed(left)).rstrip('.')} in the JSON report." if left else ""
    return ReadingsView(heads, tuple(lines), tuple(key), words)


def _reading_notes(result: TableResult) -> Iterator[tuple[str, list[str], int]]:
    """What was assumed, left unread, and not tested: title, items, and how many more there are."""
    for heading, items in (
        ("Assumed when reading", [sentence(cut(note, 600)) for note in result.assumptions]),
        ("Unread cells", [_unread(entry) for entry in result.unread]),
        ("Columns not tested", [cut(column, 200) for column in result.untested]),
        ("Notes of the reader", [sentence(cut(note, 600)) for note in result.table.notes]),
    ):
        if items:
            yield heading, items[:_MOST_ITEMS], max(0, len(items) - _MOST_ITEMS)


def _unread(entry: Mapping[str, Any]) -> str:
    row, column = entry.get("row"), entry.get("column")
    where = f"row {row + 1}, column {column + 1}: " if isinstance(row, int) and isinstance(column, int) else ""
    return f"{where}“{cut(text(entry, 'raw'), 80)}” ({cut(text(entry, 'why'), 200)})"
