"""One table of the paper as plain values: its grid, what was tested, the readings of its rows, how it was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PureWindowsPath
from typing import Any

from scoreproof.findings.audits import comparisons
from scoreproof.findings.finding import Finding
from scoreproof.findings.labels import headings
from scoreproof.findings.words import class_counts, counted, cut, sentence, text, told_apart, with_counts_in_words
from scoreproof.pages.grid_view import GridCell, grid, legend
from scoreproof.pages.places import MOST_LINES, Places, places
from scoreproof.pages.row_view import RowView, row_view
from scoreproof.papers.result import Outcome, RowResult, TableResult
from scoreproof.results import listed

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
    counts = list(dict.fromkeys(found for reading in row.readings for found in class_counts(reading.words)))
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
