"""The printed table: for every cell what became of it, and the cards behind rows.

Further lines than are shown can be searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.documents import Span, Table
from scoreproof.findings.audits import comparisons
from scoreproof.findings.finding import Finding
from scoreproof.findings.words import SIGNS, canonical, cut, known_sign, sentence, text, visible
from scoreproof.papers.result import Outcome, TableResult

if TYPE_CHECKING:
    from scoreproof.pages.table_view import RowView

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Checked:
    """A cell of a row that was checked: the row among the audited ones, the cell in it, and its mark."""

    row: int
    cell: int
    kind: str


@dataclass(frozen=True, slots=True)
class Places:
    """Every cell of a table that has something to say.

    ``checked`` cells belong to audited rows; of ``compared`` ones a comparison inside the table says more than their
    row (verdict and words); ``unread`` and ``untested`` ones say why.
    """

    checked: Mapping[Place, Checked] = field(default_factory=dict)
    compared: Mapping[Place, tuple[str, str]] = field(default_factory=dict)
    unread: Mapping[Place, str] = field(default_factory=dict)
    untested: Mapping[Place, str] = field(default_factory=dict)


def places(result: TableResult, number: int, findings: Sequence[Finding]) -> Places:
    """The places of the table with this number, about which these are the findings."""
    faults = {place: finding for finding in reversed(findings) for where in finding.at(number) for place in where.cells}
    checked = _checked(result, faults)
    unread = {
        (entry["row"], entry["column"]): text(entry, "why") or "it could not be read as a number"
        for entry in result.unread
        if isinstance(entry.get("row"), int) and isinstance(entry.get("column"), int)
    }
    compared = _compared(result)
    compared |= {place: (str(finding.verdict), sentence(finding.headline)) for place, finding in faults.items()}
    compared = {
        place: remark
        for place, remark in compared.items()
        if place not in checked or _weight(remark[0]) > _weight(checked[place].kind)
    }
    checked = {place: here for place, here in checked.items() if place not in compared}
    taken = {*checked, *compared, *unread}
    return Places(checked, compared, unread, {k: v for k, v in _untested(result).items() if k not in taken})


def _checked(result: TableResult, faults: Mapping[Place, Finding]) -> dict[Place, Checked]:
    """The cells of audited rows; of two groups of columns that share a cell, the row that has more to say keeps it."""
    checked: dict[Place, Checked] = {}
    for index, row in enumerate(result.rows):
        refuted = row.outcome in (Outcome.INCONSISTENT, Outcome.QUESTION)
        told = refuted and any(cell.place in faults for cell in row.cells)
        for position, cell in enumerate(row.cells):
            kind = str(row.outcome)
            if told:
                kind = str(faults[cell.place].verdict) if cell.place in faults else "aside"
            known = checked.get(cell.place)
            if known is None or _weight(kind) > _weight(known.kind):
                checked[cell.place] = Checked(index, position, kind)
    return checked


def _weight(kind: str) -> int:
    """How much there is to say of a cell: nothing, if it is not at fault in a row where others are."""
    order = ("aside", "not tested", "consistent", "error", "undecided", "question", "inconsistent")
    return order.index(kind) if kind in order else 0


def _compared(result: TableResult) -> dict[Place, tuple[str, str]]:
    """Cells of a line that a comparison inside the table names by the line, the score and the printed text."""
    remarks: dict[Place, tuple[str, str]] = {}
    scores = _scores(result)
    for check, words in zip(result.checks, map(sentence, comparisons(result)), strict=True):
        verdict = str(check.verdict)
        printed = {(claim.quantity.name, claim.text.strip()) for claim in check.answer.claims}
        for line in check.rows:
            for column, cell in enumerate(result.table.rows[line] if line < len(result.table.rows) else ()):
                place = line, column
                # Another score may be printed with the same digits; where no row tells which it is, the text decides.
                known = scores.get(place) or scores.get((-1, column))
                named = any(cell.strip() == text and known in (None, score) for score, text in printed)
                if named and (place not in remarks or _weight(verdict) > _weight(remarks[place][0])):
                    remarks[place] = verdict, words
    return remarks


def _scores(result: TableResult) -> dict[Place, str]:
    """The score of every cell that a row uses; at line -1 that of a column, where it has only one."""
    scores = {cell.place: canonical(cell.score) for row in result.rows for cell in row.cells}
    columns: dict[int, set[str]] = {}
    for (_, column), score in scores.items():
        columns.setdefault(column, set()).add(score)
    return scores | {(-1, column): next(iter(names)) for column, names in columns.items() if len(names) == 1}


def _untested(result: TableResult) -> dict[Place, str]:
    """Cells of columns (or, in a transposed table, rows) whose header is named as untested, with the reason."""
    table = result.table
    lines, width = table.shape
    below = range(table.header_rows, lines)
    reasons: dict[Place, str] = {}
    for column in range(width):
        why = _reason(result.untested, [row[column] for row in table.header])
        if why:
            reasons |= {(line, column): why for line in below}
    for line in below:
        why = _reason(result.untested, [table.rows[line][0]]) if width else ""
        if why:
            reasons |= {(line, column): why for column in range(1, width)}
    return {place: why for place, why in reasons.items() if table.rows[place[0]][place[1]].strip()}


def _reason(untested: Sequence[str], levels: Sequence[str]) -> str:
    """Why a header is not tested; names are given as the header, or as header and reason with a colon between."""
    given = [level.strip() for level in levels if level.strip()]
    for header in dict.fromkeys([" / ".join(dict.fromkeys(given)), *given[-1:]]):
        for reason in untested if header else ():
            if _plain(reason) == _plain(header):
                return "no check uses it yet"
            if _plain(reason).startswith(_plain(header) + ": "):
                return reason.split(": ", header.count(": ") + 1)[-1]
    return ""


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


MOST_LINES = 2_000  # of all tables of a page that are shown as they stand


@dataclass(slots=True)
class Lines:
    """Sentences that many rows share, kept once and named by number."""

    numbers: dict[str, int] = field(default_factory=dict)

    def add(self, line: str) -> int:
        return self.numbers.setdefault(line, len(self.numbers))


@dataclass(slots=True)
class Deck:
    """What is shown when a cell is pointed at: a card per row, in it a line per cell; the script sets text."""

    cards: list[list[Any]] = field(default_factory=list)
    lines: Lines = field(default_factory=Lines)

    def add(self, row: RowView | None) -> None:
        """The card of a row; None for one that nothing on the page points to."""
        if row is None:
            self.cards.append([])
            return
        lines = [self.lines.add(cut(row.sentence, 400))] if row.sentence else []
        self.cards.append([row.outcome, row.name, lines, [self.lines.add(line) for line in row.cells], row.anchor])

    def to_dict(self) -> dict[str, Any]:
        return {"lines": list(self.lines.numbers), "cards": self.cards}


@dataclass(slots=True)
class Rest:
    """The rows of long tables by table: outcome, name, what is printed, why, and where its finding stands."""

    tables: list[list[list[Any]]] = field(default_factory=list)
    lines: Lines = field(default_factory=Lines)

    def add(self, rows: Iterable[RowView]) -> int:
        """The number under which the rows of a table are kept."""
        self.tables.append([self._entry(row) for row in rows])
        return len(self.tables) - 1

    def _entry(self, row: RowView) -> list[Any]:
        why = self.lines.add(visible(cut(row.sentence, 300)))
        return [row.outcome, visible(row.name), visible(cut(row.printed, 200)), why, row.anchor]

    def to_dict(self) -> dict[str, Any]:
        return {"lines": list(self.lines.numbers), "tables": self.tables}


LONGEST = 120  # characters of a cell in view


class GridCell(NamedTuple):  # a page may have many thousands of them
    """A cell: its text, its class, the number of its card or a note of its own, its reach, and how it is set."""

    text: str
    kind: str
    card: str
    note: str
    rows: int
    columns: int
    bold: bool
    scope: str


def grid(
    table: Table, marked: Places, first_card: int, most_lines: int
) -> tuple[list[list[GridCell]], list[list[GridCell]]]:
    """The header lines and the body; ``first_card`` is the number of the first of the rows' cards."""
    covered: dict[Place, Span] = {
        (row, column): span
        for span in table.spans
        for row in range(span.row, span.row + span.rows)
        for column in range(span.column, span.column + span.columns)
    }
    shown = range(min(len(table.rows), most_lines))
    lines = [list(_cells(table, marked, covered, first_card, line)) for line in shown]
    return lines[: table.header_rows], lines[table.header_rows :]


def legend(marked: Places) -> list[tuple[str, str]]:
    """The marks that occur, with their words."""
    seen = {checked.kind for checked in marked.checked.values()}
    seen |= {known_sign(verdict) for verdict, _ in marked.compared.values()}
    return [(name, SIGNS[name].word) for name in SIGNS if name in seen] + [
        (kind, word)
        for kind, word, occurs in (
            ("aside", "not at fault", "aside" in seen),
            ("unread", "unread", marked.unread),
            ("skipped", "not tested", marked.untested),
        )
        if occurs
    ]


def _cells(table: Table, marked: Places, covered: dict[Place, Span], first_card: int, line: int) -> Iterator[GridCell]:
    lines, width = table.shape
    head = line < table.header_rows
    for column, cell in enumerate(table.rows[line]):
        place = line, column
        span = covered.get(place)
        if span is not None and (span.row, span.column) != place:
            continue
        rows, columns = (1, 1) if span is None else (min(span.rows, lines - line), min(span.columns, width - column))
        kind, card, note = _marks(place, marked, first_card)
        wide = "w" if len(cell) > LONGEST else ""
        scope = ("colgroup" if columns > 1 else "col") if head else ""
        yield GridCell(
            cell, " ".join(filter(None, (kind, wide))), card, note, rows, columns, place in table.bold, scope
        )


def _marks(place: Place, marked: Places, first_card: int) -> tuple[str, str, str]:
    """The class of a cell, and for a checked one the number of its card and of the cell on it; or its note."""
    checked = marked.checked.get(place)
    if checked is not None:
        return f"c {checked.kind}", f"{first_card + checked.row}.{checked.cell}", ""
    if place in marked.unread:
        return "unread", "", f"Unread: {cut(marked.unread[place], 300)}"
    if place in marked.compared:
        verdict, words = marked.compared[place]
        return f"c {known_sign(verdict)}", "", cut(sentence(words), 500)
    if place in marked.untested:
        return "skipped", "", f"Not tested: {cut(marked.untested[place], 300)}"
    return "", "", ""
