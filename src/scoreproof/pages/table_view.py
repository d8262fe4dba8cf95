"""One table of the paper as plain values: its grid, what was tested, the readings of its rows, the rows in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PureWindowsPath
from typing import Any

from scoreproof.insight.table_explanation import TableExplanation
from scoreproof.pages.certificates import Proof, Shelf
from scoreproof.pages.grid_view import GridCell, grid, legend
from scoreproof.pages.labels import Speech, headings, labels
from scoreproof.pages.places import MOST_LINES, Extent, Places, places
from scoreproof.pages.row_view import RowView, row_view
from scoreproof.pages.words import (
    class_counts,
    counted,
    cut,
    listed,
    sentence,
    text,
    told_apart,
    with_counts_in_words,
)
from scoreproof.papers.result import Outcome, RowResult, TableResult

_MOST_ITEMS = 200
_MOST_COLUMNS = 24
_CALM = (str(Outcome.CONSISTENT), str(Outcome.NOT_TESTED))


@dataclass(frozen=True, slots=True)
class CheckView:
    """A comparison inside a table: an average against rows, a class report against itself, scores against counts."""

    kind: str
    verdict: str
    words: str
    proofs: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class ReadingsView:
    """Rows against the readings of their experiment: headings, for each row its signs, a key, and remarks."""

    heads: tuple[str, ...]
    rows: tuple[tuple[RowView, tuple[str, ...]], ...]
    key: tuple[str, ...]
    fits_all: str
    none_fits: bool
    left_out: str


@dataclass(frozen=True, slots=True)
class TogetherView:
    """What would explain all inconsistent rows at once."""

    words: str
    items: tuple[str, ...]
    explains_all: bool


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
    checks: tuple[CheckView, ...]
    questions: tuple[str, ...]
    more_checks: int
    together: TogetherView | None
    readings: ReadingsView | None
    reading_notes: tuple[tuple[str, list[str], int], ...]
    rows: tuple[RowView, ...]
    outcomes: Mapping[str, int]
    tally: Mapping[str, int]
    fits_all: tuple[str, ...]
    untested: tuple[str, ...]
    left: int
    beyond: tuple[RowView, ...] = ()  # rows whose lines are not shown, but searched
    searched: int = -1  # under which number the page keeps them

    @property
    def findings(self) -> list[RowView]:
        return [row for row in self.rows if row.anchor and row.outcome not in _CALM]

    @property
    def others(self) -> list[RowView]:
        return [row for row in self.rows if row.anchor and row.outcome in _CALM]

    @property
    def broken(self) -> list[CheckView]:
        return [check for check in self.checks if check.verdict == "inconsistent"]

    @property
    def cells_read(self) -> int:
        return self.tally.get("number", 0) + self.tally.get("counts", 0)


def table_view(
    result: TableResult, place: int, first_card: int, extent: Extent | None, shelf: Shelf, most_lines: int = MOST_LINES
) -> TableView:
    """The table at its place in the paper; ``first_card`` is the number of the first of its rows' cards.

    Without an extent no row is told by itself, and the grid is left out. At most so many lines are shown as they stand.
    """
    table, heads = result.table, headings(result.table)
    checks = tuple(_checks(result, heads, place, shelf))
    told: dict[int, RowView] = {}
    # The shelf has room for so many proofs: those of findings come first.
    for index in sorted(range(len(result.rows)), key=lambda index: str(result.rows[index].outcome) in _CALM):
        anchor, drawn = ("", False) if extent is None else extent.place(place, index)
        cards = extent is not None
        told[index] = row_view(result.rows[index], heads, anchor=anchor, drawn=drawn, cards=cards, shelf=shelf)
    rows = tuple(told[index] for index in range(len(result.rows)))
    marked = Places() if extent is None else places(result, rows, [check.words for check in checks])
    shown = table.header_rows + most_lines
    head, body = ([], []) if extent is None else grid(table, marked, first_card, shown)
    beyond = [view for row, view in zip(result.rows, rows, strict=True) if extent is not None and row.row >= shown]
    findings = [row for row in rows if row.outcome not in _CALM]
    return TableView(
        anchor=f"table-{place + 1}",
        name=cut(result.name, 120) or f"Table {place + 1}",
        origin=_origin(result),
        tested=_tested(result.rows),
        other_sizes=tuple(sentence(cut(words, 600)) for words in result.other_sizes[:_MOST_ITEMS]),
        caption=table.caption if table.caption.strip() else "",
        head=head,
        body=body,
        legend=legend(marked),
        checks=checks,
        questions=tuple(sentence(cut(str(question), 600)) for question in result.questions[:_MOST_ITEMS]),
        more_checks=max(0, len(result.checks) - _MOST_ITEMS),
        together=_together(result.explanation),
        readings=_readings(result, rows),
        reading_notes=tuple(_reading_notes(result)),
        rows=rows,
        outcomes=result.outcomes(),
        tally=result.tally,
        fits_all=tuple(cut(label, 120) for label in result.fits_all),
        untested=tuple(cut(column, 60) for column in result.untested),
        left=sum(not row.anchor for row in findings),
        beyond=tuple(beyond),
    )


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
    counts = list(dict.fromkeys(found for reading in row.readings for found in class_counts(reading.words)))
    name = shared or row.experiment or row.readings[0].label
    sizes = f", with {' or '.join(counts[:2])}{' or others' * (len(counts) > 2)}" if counts else ""
    return f"{cut(name, 200)}{sizes}, in {len(row.readings)} readings"


def _checks(result: TableResult, heads: tuple[list[str], list[str]], place: int, shelf: Shelf) -> Iterator[CheckView]:
    named = {name: label for row in result.rows[:50] for name, label in labels(row.cells, row.label, heads).items()}
    say = Speech(named)
    for number, check in enumerate(result.checks[:_MOST_ITEMS], 1):
        proof = shelf.keep(check.certificate, f"certificate-table-{place + 1}-check-{number}.json", check.what)
        yield CheckView(check.kind, str(check.verdict), say(check.words, 600), tuple(filter(None, (proof,))))


def _together(explanation: TableExplanation | None) -> TogetherView | None:
    if explanation is None:
        return None
    asked = counted(len(explanation.rows), "row")
    items = [
        f"{cut(hypothesis.label, 300)}: fits {len(hypothesis.fits):,} of {asked}"
        f"{f', {len(hypothesis.open):,} open' if hypothesis.open else ''}."
        for hypothesis in explanation.hypotheses[:20]
    ]
    return TogetherView(cut(sentence(str(explanation)), 800), tuple(items), bool(explanation.explains_all))


def _readings(result: TableResult, rows: Sequence[RowView]) -> ReadingsView | None:
    shown = [
        (row, view) for row, view in zip(result.rows, rows, strict=True) if view.anchor or view.outcome not in _CALM
    ]
    if len(shown) > MOST_LINES:  # those without a text of their own are searched
        shown = [(row, view) for row, view in shown if view.anchor]
    if not shown:
        return None
    every = list(dict.fromkeys(reading.label for row, _ in shown for reading in row.readings))
    columns = every[:_MOST_COLUMNS] if len(every) > 1 else []
    shared, names = told_apart(columns)
    # A long reading has a number in the header and its words below; short ones speak for themselves.
    numbered = any(len(name) > 18 for name in names)
    key = [f"({place}) {cut(name)}" for place, name in enumerate(names, 1)] if numbered else []
    lines = []
    for row, view in shown:
        verdicts = {reading.label: str(reading.verdict) for reading in row.readings}
        lines.append((view, tuple(verdicts.get(label, "") for label in columns)))
    left = []
    if len(shown) < len(rows):
        left.append(f"{counted(len(rows) - len(shown), 'row')} without findings not listed here")
    if columns and len(every) > len(columns):
        left.append(f"{counted(len(every) - len(columns), 'further reading')} in the JSON report")
    return ReadingsView(
        tuple(f"({place})" for place in range(1, len(names) + 1)) if numbered else tuple(map(cut, names)),
        tuple(lines),
        (*key, *([f"All readings: {cut(shared)}."] if shared else [])),
        cut(listed(f"“{label}”" for label in result.fits_all[:6]), 600),
        len(every) > 1 and not result.fits_all,
        f"{'; '.join(left)}." if left else "",
    )


def _reading_notes(result: TableResult) -> Iterator[tuple[str, list[str], int]]:
    """What was assumed, left unread, and not tested: title, items, and how many more there are."""
    for title, items in (
        ("Assumed when reading", [sentence(cut(note, 600)) for note in result.assumptions]),
        ("Unread cells", [_unread(entry) for entry in result.unread]),
        ("Columns not tested", [cut(column, 200) for column in result.untested]),
        ("Notes of the reader", [sentence(cut(note, 600)) for note in result.table.notes]),
    ):
        if items:
            yield title, items[:_MOST_ITEMS], max(0, len(items) - _MOST_ITEMS)


def _unread(entry: Mapping[str, Any]) -> str:
    row, column = entry.get("row"), entry.get("column")
    where = f"row {row + 1}, column {column + 1}: " if isinstance(row, int) and isinstance(column, int) else ""
    return f"{where}“{cut(text(entry, 'raw'), 80)}” ({cut(text(entry, 'why'), 200)})"
