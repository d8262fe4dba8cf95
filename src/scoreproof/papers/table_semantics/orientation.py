"""Which way a table is to be read, scores along the top or down the side, and the unit of each column.

The way that names more scores wins. Percent or fraction is decided once per column, with the reason, and never for a
cell that contradicts its column. A header or a sign decides where there is one. Otherwise a value from 2 to 100 can
only be a percentage of a score that is at most 1, and a value up to 1 is taken for a fraction. Where a column holds
both kinds, the cells of the rarer kind are left unread.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from scoreproof.documents.table import Table, looks_numeric
from scoreproof.papers.table_semantics.cells import CellKind, ReadCell
from scoreproof.papers.table_semantics.headings import Heading, Role, read_heading
from scoreproof.papers.table_semantics.headings_together import together, without_doubtful
from scoreproof.papers.table_semantics.rows import is_fold_header
from scoreproof.papers.table_semantics.words import LOSS, PATTERNS
from scoreproof.quantities import quantity
from scoreproof.reported.number import read_text

_SAYS = PATTERNS["orientation"]
NOT_FOLDS = "not the numbers of folds"
_MOST_LABELS = 4
_MOST_SCORES = 100  # a table with more rows than this does not list scores down its side
_COUNTS = ("p", "n", "total", "support", "tp", "fp", "fn", "tn")


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

    def place(self, row: int, column: int) -> tuple[int, int]:
        return (column, row) if self.transposed else (row, column)


def orient(table: Table, transposed: bool | None, named: Mapping[str | int, str]) -> Oriented:
    """The table with its scores along the top; ``named`` are columns that somebody says the meaning of."""
    upright = _oriented(table, table.rows, table.header_rows, named)
    if transposed is False or not table.rows or len(table.rows[0]) < 2:
        return upright
    if transposed is None and len(table.body) > _MOST_SCORES:
        return upright
    most = min(_MOST_LABELS, table.shape[1] - 1)  # of leading columns without numbers in the body
    numbers = (column for column in range(most) if any(looks_numeric(row[column]) for row in table.body))
    turned = _oriented(table, tuple(zip(*table.rows, strict=True)), max(1, next(numbers, most)), named)
    return replace(turned, transposed=True) if transposed or _scores(turned) > _scores(upright) else upright


def _scores(oriented: Oriented) -> int:
    """How many scores and counts the headings name; a lone match may be chance, so scores lead."""
    scores = len(oriented.columns(Role.SCORE))
    return 2 * scores + len(oriented.columns(Role.COUNT)) if scores else 0


def _oriented(
    table: Table, rows: tuple[tuple[str, ...], ...], headers: int, named: Mapping[str | int, str]
) -> Oriented:
    levels = [list(row) for row in rows[:headers]]
    if not table.spans:
        _fill_right(levels)
    tops = [[level[column] for level in levels] for column in range(len(rows[0]) if rows else 0)]
    body = [[row[column] for row in rows[headers:]] for column in range(len(tops))]
    headings = without_doubtful(together([read_heading(top) for top in tops]), body, table.caption)
    _mark_labels(headings, body)
    for column, (heading, top) in enumerate(zip(headings, tops, strict=True)):
        keys: list[str | int] = [column, heading.text, *reversed(top)]
        if (key := next((key for key in keys if key in named), None)) is not None:
            headings[column] = _as(heading, named[key])
    return Oriented(rows, headers, tuple(headings), False)


def _mark_labels(headings: list[Heading], body: Sequence[Sequence[str]]) -> None:
    """Columns of names are labels: the first, unless it is one of losses, those of folds, those without numbers."""
    losses = [heading.note == LOSS and not _is_label(cells) for heading, cells in zip(headings, body, strict=True)]
    first = losses.index(False) if False in losses else 0  # it may name the rows
    for column, heading in enumerate(headings):
        if heading.role is Role.OTHER:
            is_fold, numbered = is_fold_header(heading.text), _numbers_folds(body[column])
            if column == first or (is_fold and numbered) or _is_label(body[column]):
                note = NOT_FOLDS if is_fold and not numbered else ""
                headings[column] = Heading(heading.text, Role.LABEL, note=note)


def _numbers_folds(cells: Sequence[str]) -> bool:
    """Whether whole numbers under a header such as "run" number them: from 0 or 1 on, without a gap."""
    numbers = sorted({int(text) for text in cells if re.fullmatch(r"\d{1,6}", text.strip())})
    return not numbers or (numbers[0] in (0, 1) and numbers[-1] - numbers[0] == len(numbers) - 1)


def _fill_right(levels: list[list[str]]) -> None:
    """Fill blanks of the upper header levels from the left, never from a header that stands alone above blanks."""
    columns = list(zip(*levels, strict=True))
    lowest = [max((depth for depth, text in enumerate(texts) if text), default=-1) for texts in columns]
    for depth, level in enumerate(levels[:-1]):
        for column in range(1, len(level)):
            if level[column] or not level[column - 1] or min(lowest[column - 1 : column + 1]) <= depth:
                continue
            # two scores cannot stand above each other: "Pre." does not reach over "Youden"
            below = columns[column][depth + 1 :]
            if not (_names_score(level[column - 1]) and any(map(_names_score, below))):
                level[column] = level[column - 1]


def _names_score(text: str) -> bool:
    heading = read_heading(text)
    return heading.role is Role.SCORE or bool(heading.likely)


def _is_label(cells: Sequence[str]) -> bool:
    filled = [text for text in cells if text]
    numbers = sum(looks_numeric(text) or _SAYS["interval"].fullmatch(text[:60].strip()) is not None for text in filled)
    return not filled or numbers < 0.5 * len(filled)


def _as(heading: Heading, wanted: str) -> Heading:
    """The heading as the user says it is: a score's name, a count, 'label' or 'ignore'."""
    if wanted in ("label", "ignore"):
        return Heading(heading.text, Role.LABEL if wanted == "label" else Role.OTHER, note="as told")
    group = "" if heading.role is Role.OTHER else heading.group
    if wanted in _COUNTS:
        return Heading(heading.text, Role.COUNT, count=wanted, group=group, note="as told")
    stated = read_heading(wanted)
    score = stated.score or quantity(wanted).name  # which raises with the nearest names
    averaged, statistic = stated.qualifier or heading.qualifier, stated.statistic or heading.statistic
    percent = heading.percent or stated.percent
    return Heading(heading.text, Role.SCORE, score, averaged, statistic, percent=percent, group=group, note="as told")


class Scale(StrEnum):
    """The unit of a column."""

    FRACTION = "fraction"
    PERCENT = "percent"
    PLAIN = "plain"  #: the score has no upper bound: the number is taken as it stands


class ScaleDecision(NamedTuple):
    """The scale of a column, why, and which of its cells contradict it."""

    scale: Scale
    why: str
    unclear: frozenset[int] = frozenset()


@lru_cache(maxsize=1 << 16)
def _size(number: str) -> str:
    """Where a bare number lies, which says what unit it allows: only a page number or a count is above 100."""
    printed = read_text("cell", number).number
    units, scale = abs(printed.units), printed.scale
    small = "zero" if units == 0 else "below" if units <= scale else "between"
    return small if units < 2 * scale else "above" if units <= 100 * scale else "beyond"


def decide(heading: Heading, cells: Sequence[ReadCell], caption: str = "") -> ScaleDecision:
    """The scale of one column of scores."""
    if quantity(heading.score).range[1] != 1:
        return ScaleDecision(Scale.PLAIN, "the score has no upper bound")
    sizes: dict[str, set[int]] = defaultdict(set)
    for number, cell in enumerate(cells):
        if cell.kind is CellKind.NUMBER:
            size = _size(cell.number)
            sizes["signed" if cell.percent and size != "beyond" else size].add(number)
    above, below, beyond = sizes["above"], sizes["below"], frozenset(sizes["beyond"])
    if heading.percent:
        # Fractions under a percent sign, or shares below one percent? Nothing tells.
        small = below and not sizes["signed"] | sizes["between"] | above | beyond
        return ScaleDecision(Scale.PERCENT, "the header says %", frozenset(below | sizes["zero"]) if small else beyond)
    if not above:
        if sizes["signed"] and not below | sizes["zero"] | sizes["between"]:
            return ScaleDecision(Scale.PERCENT, "every value carries %", beyond)
        return ScaleDecision(Scale.FRACTION, "values up to 1" if sizes["between"] else "no value is above 1", beyond)
    if not below or _SAYS["percent"].search(caption):
        return ScaleDecision(Scale.PERCENT, "the caption speaks of percent" if below else "values above 1", beyond)
    if len(above) > len(below):
        return ScaleDecision(Scale.PERCENT, "most values are above 1", beyond | below)
    if len(above) < len(below):
        return ScaleDecision(Scale.FRACTION, "most values are not above 1", beyond | above)
    return ScaleDecision(Scale.FRACTION, "as many values above 1 as below", beyond | above | below)
