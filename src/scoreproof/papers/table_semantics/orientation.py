"""Which way a table is to be read, scores along the top or down the side, and the unit of each column.

The way that names more scores wins. Blank places in an upper header level are filled from the left where the table
does not say how far its headers span, as spreadsheets and Markdown leave them.

Percent or fraction is decided once per column, with the reason, and never for a cell that contradicts its column. A
header or a sign decides where there is one. Otherwise a value from 2 to 100 can only be a percentage of a score that is
at most 1, and a value up to 1 is taken for a fraction. Where a column holds both kinds, the cells of the rarer kind are
left unread.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import lru_cache

from scoreproof.documents.table import Table, looks_numeric
from scoreproof.papers.table_semantics.cells import CellKind, ReadCell
from scoreproof.papers.table_semantics.headings import Heading, Role, read_heading
from scoreproof.papers.table_semantics.headings_together import first_answers, numbers_folds, together, without_doubtful
from scoreproof.papers.table_semantics.rows import is_fold_header
from scoreproof.papers.table_semantics.words import LOSS, PATTERNS
from scoreproof.quantities import quantity
from scoreproof.reported.number import read_text

_SAYS = PATTERNS["orientation"]
NOT_FOLDS = "not the numbers of folds"
_MOST_LABELS = 4
_MOST_SCORES = 100  # a table with more rows than this does not list scores down its side


@dataclass(frozen=True, slots=True)
class Oriented:
    """A grid with scores along the top; ``place`` gives a cell's row and column in the table itself."""

    rows: tuple[tuple[str, ...], ...]
    header_rows: int
    headings: tuple[Heading, ...]
    transposed: bool

    def columns(self, *roles: Role) -> list[int]:
        """The places of the columns that hold one of these."""
        return [index for index, heading in enumerate(self.headings) if heading.role in roles]

    def counts(self) -> dict[str, int]:
        """The columns of counts by their names, if each belongs to a whole row and none is given twice; else none."""
        given = {self.headings[index].count: index for index in self.columns(Role.COUNT)}
        plain = all(not self.headings[index].group for index in given.values()) and "matrix" not in given
        return given if plain and len(given) == len(self.columns(Role.COUNT)) else {}

    def place(self, row: int, column: int) -> tuple[int, int]:
        return (column, row) if self.transposed else (row, column)


def orient(table: Table, transposed: bool | None, named: Mapping[str | int, str]) -> Oriented:
    """The table with its scores along the top."""
    told = _Said(named, table.caption, bool(table.spans))
    upright = _oriented(table.rows, table.header_rows, False, told)
    if transposed is False or not table.rows or len(table.rows[0]) < 2:
        return upright
    if transposed is None and len(table.body) > _MOST_SCORES:
        return upright
    turned_rows = tuple(zip(*table.rows, strict=True))
    labels = _label_columns(table)
    turned = _oriented(turned_rows, labels, True, told)
    if transposed:
        return turned
    return turned if _scores(turned) > _scores(upright) else upright


def _scores(oriented: Oriented) -> int:
    """How many scores and counts of the matrix the headings name; a lone match may be chance, so scores lead."""
    names = [heading for heading in oriented.headings if heading.role is Role.SCORE]
    if not names:
        return 0
    return 2 * len(names) + sum(heading.role is Role.COUNT for heading in oriented.headings)


def _label_columns(table: Table) -> int:
    """The leading columns without numbers in the body: at least one."""
    count = 0
    for column in range(min(_MOST_LABELS, table.shape[1] - 1)):
        if any(looks_numeric(row[column]) for row in table.body):
            break
        count += 1
    return max(1, count)


@dataclass(frozen=True, slots=True)
class _Said:
    """What holds for both ways round: names of columns that were told, the caption, whether spans are marked."""

    named: Mapping[str | int, str]
    caption: str
    spanned: bool


def _oriented(rows: tuple[tuple[str, ...], ...], headers: int, transposed: bool, told: _Said) -> Oriented:
    levels = [list(row) for row in rows[:headers]]
    if not told.spanned:
        fill_right(levels)
    width = len(rows[0]) if rows else 0
    body = [[row[column] for row in rows[headers:]] for column in range(width)]
    headings = [read_heading([level[column] for level in levels]) for column in range(width)]
    headings = without_doubtful(first_answers(together(headings), told.caption), body, told.caption)
    _mark_labels(headings, body)
    for column, heading in enumerate(headings):
        wanted = _wanted(column, heading, [level[column] for level in levels], told.named)
        if wanted is not None:
            headings[column] = _as(heading, wanted)
    return Oriented(rows, headers, tuple(headings), transposed)


def _mark_labels(headings: list[Heading], body: Sequence[Sequence[str]]) -> None:
    """Columns of names are labels: the first, unless it is one of losses, those of folds, those without numbers."""
    values = (heading.note == LOSS and not _is_label(cells) for heading, cells in zip(headings, body, strict=True))
    first = next((column for column, of_loss in enumerate(values) if not of_loss), 0)  # it may name the rows
    for column, heading in enumerate(headings):
        if heading.role is not Role.OTHER:
            continue
        is_fold = is_fold_header(heading.text)
        if column == first or (is_fold and numbers_folds(body[column])) or _is_label(body[column]):
            note = NOT_FOLDS if is_fold and not numbers_folds(body[column]) else ""
            headings[column] = Heading(heading.text, Role.LABEL, note=note)


def fill_right(levels: list[list[str]]) -> None:
    """Fill blanks of the upper header levels from the left, never from a header that stands alone above blanks.

    >>> levels = [["", "DRIVE", "", "STARE", ""], ["Method", "Acc", "F1", "Acc", "F1"]]
    >>> fill_right(levels)
    >>> levels[0]
    ['', 'DRIVE', 'DRIVE', 'STARE', 'STARE']
    """
    columns = list(zip(*levels, strict=True))  # as they were: a level is filled before the ones below it are looked at
    lowest = [max((depth for depth, text in enumerate(texts) if text), default=-1) for texts in columns]
    lowest_score: dict[int, int] = {}
    for depth, level in enumerate(levels[:-1]):
        for column in range(1, len(level)):
            if level[column] or not level[column - 1] or lowest[column] <= depth or lowest[column - 1] <= depth:
                continue
            if _names_score(level[column - 1]):
                if column not in lowest_score:
                    named = (at for at, text in enumerate(columns[column]) if text and _names_score(text))
                    lowest_score[column] = max(named, default=-1)
                if lowest_score[column] > depth:
                    continue
            level[column] = level[column - 1]


def _names_score(text: str) -> bool:
    """Two scores cannot stand above each other: "Pre." does not reach over "Youden"."""
    heading = read_heading(text)
    return heading.role is Role.SCORE or bool(heading.likely)


def _is_label(cells: Sequence[str]) -> bool:
    filled = [text for text in cells if text]
    numbers = sum(looks_numeric(text) or _SAYS["interval"].fullmatch(text[:60].strip()) is not None for text in filled)
    return not filled or numbers < 0.5 * len(filled)


def _wanted(column: int, heading: Heading, levels: list[str], named: Mapping[str | int, str]) -> str | None:
    keys: list[str | int] = [column, heading.text, *reversed(levels)]
    for key in keys:
        if key in named:
            return named[key]
    return None


def _as(heading: Heading, wanted: str) -> Heading:
    """The heading as the user says it is: a score's name, a count, 'label' or 'ignore'."""
    if wanted in ("label", "ignore"):
        return Heading(heading.text, Role.LABEL if wanted == "label" else Role.OTHER, note="as told")
    if wanted in ("p", "n", "total", "support", "matrix", "tp", "fp", "fn", "tn"):
        group = "" if heading.role is Role.OTHER else heading.group
        return Heading(heading.text, Role.COUNT, count=wanted, group=group, note="as told")
    stated = read_heading(wanted)
    name = stated.score or quantity(wanted).name  # which raises with the nearest names
    return Heading(
        heading.text,
        Role.SCORE,
        name,
        stated.qualifier or heading.qualifier,
        stated.statistic or heading.statistic,
        percent=heading.percent or stated.percent,
        group="" if heading.role is Role.OTHER else heading.group,
        note="as told",
    )


_UNITS = PATTERNS["scale"]


class Scale(StrEnum):
    """The unit of a column."""

    FRACTION = "fraction"
    PERCENT = "percent"
    PLAIN = "plain"  #: the score has no upper bound: the number is taken as it stands


@dataclass(frozen=True, slots=True)
class ScaleDecision:
    """The scale of a column, why, and which of its cells contradict it."""

    scale: Scale
    why: str
    unclear: frozenset[int] = frozenset()


class _Size(Enum):
    """Where a bare number lies: which unit it allows."""

    ZERO = 0
    BELOW = 1  #: up to 1: a fraction, or less than one percent
    BETWEEN = 2
    ABOVE = 3  #: from 2 to 100: only a percentage
    BEYOND = 4


@lru_cache(maxsize=1 << 16)
def _size(number: str) -> _Size:
    printed = read_text("cell", number).number
    units = abs(printed.units)
    if units == 0:
        return _Size.ZERO
    if units <= printed.scale:
        return _Size.BELOW
    if units < 2 * printed.scale:
        return _Size.BETWEEN
    return _Size.ABOVE if units <= 100 * printed.scale else _Size.BEYOND


_NONE_ABOVE, _UP_TO = "no value is above 1", "values up to 1"


def decide(heading: Heading, cells: Sequence[ReadCell], caption: str = "") -> ScaleDecision:
    """The scale of one column of scores.

    >>> from scoreproof.papers.table_semantics.cells import read_cell
    >>> from scoreproof.papers.table_semantics.headings import read_heading
    >>> decide(read_heading("Acc"), [read_cell("95.40"), read_cell("94.9"), read_cell("0.93")]).unclear
    frozenset({2})
    """
    if quantity(heading.score).range[1] != 1:
        return ScaleDecision(Scale.PLAIN, "the score has no upper bound")
    sizes = {i: _size(cell.number) for i, cell in enumerate(cells) if cell.kind is CellKind.NUMBER}
    signed = {i for i in sizes if cells[i].percent}
    if sizes and not signed and not heading.percent and {*sizes.values()} <= {_Size.ZERO, _Size.BELOW}:
        return ScaleDecision(Scale.FRACTION, _NONE_ABOVE if heading.statistic not in ("std", "sem") else _UP_TO)
    beyond = frozenset(i for i, size in sizes.items() if size is _Size.BEYOND)  # a page number, a year, a count
    if heading.percent:
        # Fractions under a percent sign, or shares below one percent? Nothing tells.
        small = not signed and {_Size.BELOW} <= {*sizes.values()} <= {_Size.ZERO, _Size.BELOW}
        return ScaleDecision(Scale.PERCENT, "the header says %", frozenset(sizes) if small else beyond)
    return _by_sizes(heading, cells, sizes, signed, beyond, caption)


def _by_sizes(
    heading: Heading,
    cells: Sequence[ReadCell],
    sizes: Mapping[int, _Size],
    signed: set[int],
    beyond: frozenset[int],
    caption: str,
) -> ScaleDecision:
    """The scale of a column whose header does not say it, by what stands in it."""
    bare = sizes.keys() - signed - beyond
    above = {i for i in bare if sizes[i] is _Size.ABOVE}
    below = {i for i in bare if sizes[i] in (_Size.BELOW, _Size.ZERO)}
    if not bare and signed:
        return ScaleDecision(Scale.PERCENT, "every value carries %", beyond)
    if not above:
        plain = below == bare and heading.statistic not in ("std", "sem")
        why = "values up to 1, and values with %" if signed else _NONE_ABOVE if plain else _UP_TO
        return ScaleDecision(Scale.FRACTION, why if bare else "no values", beyond)
    if not below or _UNITS["caption"].search(caption):
        why = "the caption speaks of percent" if below else "values above 1"
        return ScaleDecision(Scale.PERCENT, why, beyond)
    length = _places(cells[min(above)])
    zeros = {i for i in below if sizes[i] is _Size.ZERO and _places(cells[i]) == length}
    return _by_most(above, below, zeros, beyond)


def _by_most(above: set[int], below: set[int], zeros: set[int], beyond: frozenset[int]) -> ScaleDecision:
    """The scale of most values; those of the other are unclear, but for zeros written as percentages are."""
    if len(above) > len(below - zeros):
        return ScaleDecision(Scale.PERCENT, "most values are above 1", beyond | (below - zeros))
    if len(above) < len(below):
        return ScaleDecision(Scale.FRACTION, "most values are not above 1", beyond | above)
    return ScaleDecision(Scale.FRACTION, "as many values above 1 as below", beyond | above | below)


def _places(cell: ReadCell) -> int:
    return len(re.sub(r"^[^.,]*[.,]?", "", cell.number))
