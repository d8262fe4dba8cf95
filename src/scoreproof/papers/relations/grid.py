"""The numbers of a table as arrays: what stands in one cell is split, columns and rows are looked at alike.

Of "71.2 ± 0.4", "71.2 / 68.0", "71.2 (+1.3)" or "95.0 (190/200)" each kind of number is a series of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scoreproof.documents import Table
from scoreproof.papers.table_semantics.words import Patterns, loaded

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Place = tuple[int, int]
MOST_SERIES = 60  # rows that are compared with each other; those of longer tables are lines, and no series
MOST_COLUMNS = 150  # that are compared with each other
#: What cells, headings, labels and captions say.
PATTERNS = {part: Patterns(written) for part, written in loaded(__package__, "patterns.toml").items()}
_SAYS = PATTERNS["cells"]
_DOWN = "↓▼▽-−–"
PARTS = ("main", "spread", "change", "bracket", "low", "high", "hits", "cases")


class SplitCell(NamedTuple):
    """The numbers of one cell, each as a plain text; empty where it has none."""

    main: str = ""
    spread: str = ""
    change: str = ""
    bracket: str = ""
    low: str = ""
    high: str = ""
    hits: str = ""
    cases: str = ""
    slashed: tuple[str, ...] = ()
    percent: bool = False


@lru_cache(maxsize=1 << 15)
def split_cell(text: str, *, comma: bool = False) -> SplitCell:
    """The numbers of a cell.

    >>> split_cell("**71.2** ± 0.4")[:2], split_cell("71.2 / 68.0").slashed, split_cell("95.0% (190/200)").cases
    (('71.2', '0.4'), ('71.2', '68.0'), '200')
    >>> split_cell("71.2 (↓1.3)").change, split_cell("0.91 [0.88, 0.94]")[4:6], split_cell("BERT 2").main
    ('-1.3', ('0.88', '0.94'), '')
    """
    if _SAYS["plain"].fullmatch(text):
        return SplitCell(text)
    if not 0 < len(text) <= 60 or not any(char.isdigit() for char in text):
        return SplitCell()
    core = _SAYS["markup"].sub("", text.replace("\\%", "%")).strip()
    core = _SAYS["leading"].sub("", core).strip()
    if "/" in core:
        pieces = [_SAYS["foot"].sub("", piece).strip() for piece in core.split("/")]
        if 2 <= len(pieces) <= 6 and all(map(_SAYS["piece"].fullmatch, pieces)):
            return SplitCell(slashed=tuple(_plain(piece, comma) for piece in pieces), percent="%" in core)
    tried = ("counted", core), ("cell", core), ("cell", _SAYS["foot"].sub("", core)), ("interval", core)
    match = next(filter(None, (_SAYS[name].fullmatch(text) for name, text in tried)), None)
    if match is None:
        return SplitCell()
    read = {name: _plain(match.groupdict().get(name) or "", comma) for name in PARTS}
    return SplitCell(percent="%" in (match.groupdict().get("unit") or ""))._replace(**read)  # type: ignore[arg-type]


def _plain(text: str, comma: bool) -> str:
    """A number without thousands, units and arrows; an arrow down is a minus."""
    if not text:
        return ""
    sign = "-" if any(char in _DOWN for char in text) else ""
    digits = re.sub(r"[^\d.,]", "", text)
    if re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", digits) and not comma:
        digits = digits.replace(",", "")
    digits = digits.replace(",", ".")
    return sign + (f"0{digits}" if digits.startswith(".") else digits)


@dataclass(frozen=True, slots=True)
class NumberSeries:
    """One kind of number down a column, or along a row: its headings, and the texts line by line ("" for none)."""

    head: tuple[str, ...]
    part: str
    index: int  # the column, or the row, of the table
    texts: tuple[str, ...]
    percent: bool = False
    block: int = 0  # of a row: which of the parts of the table between headings inside it

    @property
    def name(self) -> str:
        sort = {"main": "", "spread": " (±)", "bracket": " (in brackets)"}.get(self.part, f" ({self.part})")
        return (" / ".join(self.head) or f"number {self.index + 1}") + sort


@dataclass(frozen=True, slots=True)
class View:
    """Series over lines: values, worth of the last digits (both NaN where there is no number), labels and blocks."""

    series: tuple[NumberSeries, ...]
    labels: tuple[str, ...]
    lines: tuple[int, ...]
    blocks: tuple[int, ...]
    turned: bool
    values: Floats = field(repr=False)
    steps: Floats = field(repr=False)
    units: tuple[int, ...] = ()  # 100 for series of percentages, 1 for shares of one
    at: tuple[Place, ...] = ()  # where the first series of cells from several tables stands, line by line

    def place(self, line: int, series: int) -> Place:
        """Where a number stands in the table; of another table's the place is that of the first series."""
        if self.at:
            return self.at[line]
        own, across = self.series[series].index, self.lines[line]
        return (own, across) if self.turned else (across, own)

    def text(self, line: int, series: int) -> str:
        return self.series[series].texts[line]

    def is_statistic(self, line: int, series: int) -> bool:
        """Whether a number is the mean or the median of the others of its series, or of those before it."""
        values, before = self.values[:, series], self.values[:line, series]
        own, step = values[line], self.steps[line, series]
        others = (np.delete(values, line), before, before[:-1], before[:-2])
        known = [numbers[~np.isnan(numbers)] for numbers in others]
        return any(abs(of(x) - own) <= step for x in known if len(x) > 2 for of in (np.median, np.mean))


def chosen_cells(view: View, cells: Sequence[Place], head: str, names: Sequence[str]) -> View:
    """A view of one series whose lines are cells of another view, each with a name."""
    texts, count = tuple(view.text(*cell) for cell in cells), len(cells)
    at = tuple(view.place(*cell) for cell in cells)
    values, steps = (np.array([[array[cell]] for cell in cells]) for array in (view.values, view.steps))
    series = (NumberSeries((head,), "chosen", -1, texts),)
    return View(series, tuple(names), tuple(range(count)), (0,) * count, False, values, steps, (1,), at)


def views(table: Table) -> tuple[View, ...]:
    """The table upright and turned; none where there are no two numbers to compare, or too many series of them."""
    cells, first, body = _split(table), table.header_rows, table.body
    kept, blocks = _result_rows(table, cells)
    if not kept:
        return ()
    labels, columns = _columns(table, cells, kept)
    paths = [tuple(filter(None, (_clean(body[i][j]) for j in labels))) for i in kept]
    names, lines = [" / ".join(dict.fromkeys(path)) for path in paths], [i + first for i in kept]
    upright = [_view(columns, names, lines, blocks, turned=False)] if len(columns) <= MOST_COLUMNS else []
    plain = [column for column in columns if column.part == "main"]
    if len(kept) > MOST_SERIES or len(plain) < 2:
        return tuple(upright)
    rows: list[NumberSeries] = []
    for k, (path, line) in enumerate(zip(paths, lines, strict=True)):
        own = [cells[line - first][column.index] for column in plain]
        texts = {"main": tuple(column.texts[k] for column in plain)} | _beside(own)
        rows += [NumberSeries(path, part, line, each, block=blocks[k]) for part, each in texts.items()]
    return *upright, _view(rows, [c.name for c in plain], [c.index for c in plain], [0] * len(plain), turned=True)


def _columns(
    table: Table, cells: Sequence[Sequence[SplitCell]], kept: Sequence[int]
) -> tuple[list[int], list[NumberSeries]]:
    """The columns that are labels, and the series of the others."""
    labels: list[int] = []
    columns: list[NumberSeries] = []
    for j in range(table.shape[1]):
        own = [cells[i][j] for i in kept]
        if _is_label(table, j, own, kept):
            labels.append(j)
        else:
            columns += _column_series(table, j, own)
    return labels, columns


def _beside(cells: Sequence[SplitCell]) -> dict[str, tuple[str, ...]]:
    """What at least two cells of a row have beside their numbers."""
    texts = {part: tuple(getattr(cell, part) for cell in cells) for part in ("change", "spread")}
    return {part: each for part, each in texts.items() if sum(map(bool, each)) >= 2}


def _split(table: Table) -> list[list[SplitCell]]:
    """The cells below the header; a number that spans several places counts once."""
    texts = [text for row in table.body[:50] for text in row]
    comma = any(map(_SAYS["comma"].search, texts)) and not any(re.search(r"\d\.\d", text) for text in texts)
    covered = {
        place for span in table.spans
        for place in product(range(span.row, span.row + span.rows), range(span.column, span.column + span.columns))
    } - {(span.row, span.column) for span in table.spans}  # fmt: skip
    return [
        [SplitCell() if (i, j) in covered else split_cell(text.strip(), comma=comma) for j, text in enumerate(row)]
        for i, row in enumerate(table.body, table.header_rows)
    ]


def _result_rows(table: Table, cells: Sequence[Sequence[SplitCell]]) -> tuple[list[int], list[int]]:
    """The rows with numbers, and in which block between headings inside the table each stands."""
    kept, blocks, block = [], [], 0
    for index, (row, texts) in enumerate(zip(cells, table.body, strict=True)):
        alike = len(texts) > 2 and len({text for text in texts if text}) == 1
        if alike or not any(cell.main or cell.slashed for cell in row):
            block += 1
        else:
            kept.append(index)
            blocks.append(block)
    return kept, blocks


def _view(
    series: Sequence[NumberSeries], labels: Sequence[str], lines: Sequence[int], blocks: Sequence[int], *, turned: bool
) -> View:
    texts, shape = [own.texts for own in series], (len(series), len(lines))
    values = np.array([[float(text or "nan") for text in own] for own in texts], dtype=float).reshape(shape)
    digits = [[len(text.partition(".")[2]) if text else np.nan for text in own] for own in texts]
    steps = 10.0 ** -np.array(digits, dtype=float).reshape(shape)
    steps[[own.part in ("hits", "cases") for own in series]] *= 0  # counts
    largest = np.nan_to_num(np.abs(values)).max(axis=1, initial=0)
    units = tuple(100 if own.percent or most > 1.5 else 1 for own, most in zip(series, largest, strict=True))
    values, steps = np.ascontiguousarray(values.T), np.ascontiguousarray(steps.T)
    return View(tuple(series), tuple(labels), tuple(lines), tuple(blocks), turned, values, steps, units)


def _column_series(table: Table, column: int, cells: Sequence[SplitCell]) -> list[NumberSeries]:
    """The kinds of numbers that at least two cells of a column have; those between slashes by pieces of its heading."""
    head = tuple(dict.fromkeys(_clean(row[column]) for row in table.header if row[column].strip()))
    percent = any(cell.percent for cell in cells)
    most = max((len(cell.slashed) for cell in cells), default=0)
    if not most or 2 * sum(len(cell.slashed) == most for cell in cells) < sum(map(_has_number, cells)):
        by_part = {part: tuple(getattr(cell, part) for cell in cells) for part in PARTS}
        kept = [part for part in PARTS if sum(map(bool, by_part[part])) >= (1 if part == "main" else 2)]
        return [NumberSeries(head, part, column, by_part[part], percent) for part in kept]
    last = "".join(head[-1:])
    names = [piece.strip() for piece in last.split("/")]
    names = names if len(names) == most else [f"{last} [{k + 1}]" for k in range(most)]
    texts = zip(*(cell.slashed if len(cell.slashed) == most else ("",) * most for cell in cells), strict=True)
    return [
        NumberSeries((*head[:-1], name), "main", column, own, percent) for name, own in zip(names, texts, strict=True)
    ]


def _has_number(cell: SplitCell) -> bool:
    return bool(cell.main or cell.slashed or cell.high)


def _is_label(table: Table, column: int, cells: Sequence[SplitCell], kept: Sequence[int]) -> bool:
    """Whether a column is no numbers: mostly texts, or whole numbers that only count or name the rows."""
    read, body = [cell.main for cell in cells if _has_number(cell)], table.body
    texts = [body[i][column] for i in kept]
    filled = sum(any(map(str.isalnum, text)) for text in texts)  # a dash is a number that is missing
    if not read or 3 * len(read) < filled:
        return True
    if not all(map(str.isdigit, read)) or len(set(read)) < len(read):
        return False
    if len(read) > 2 and all(int(b) - int(a) == 1 for a, b in pairwise(read)):
        return True
    head = " ".join(row[column] for row in table.header)
    mixed = len(read) < len(texts) and any(any(map(str.isalpha, text)) for text in texts)
    return column == 0 and (not head.strip() or mixed or _SAYS["counting"].search(head) is not None)


UNITS = re.compile(r"[↑↓%()\s]+$")


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", _SAYS["markup"].sub("", text)).strip()


def last_heading(series: NumberSeries) -> str:
    return UNITS.sub("", series.head[-1]).strip() if series.head else ""


def plain_series(view: View) -> list[int]:
    return [place for place, series in enumerate(view.series) if series.part == "main" and series.head]


_CENTERED = 0.25  # of its width may the middle of an interval in a column of its own be off


def column_of_middles(view: View, low: int, high: int) -> int | None:
    """Of the columns before one of intervals the one whose values lie nearest to their middles."""
    first, last = view.values[:, low], view.values[:, high]
    before = [place for place in plain_series(view) if place < low][-4:]
    known = [place for place in before if not np.isnan(view.values[:, place] + first + last).all()]
    far = [np.abs(view.values[:, place] - (first + last) / 2) / (last - first + 1e-9) for place in known]
    near = [(float(np.nanmedian(each)), place) for each, place in zip(far, known, strict=True)]
    off, nearest = min(near, default=(_CENTERED, 0))
    return nearest if off < _CENTERED else None
