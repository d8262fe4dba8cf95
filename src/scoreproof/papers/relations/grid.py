"""The numbers of a table as arrays: what stands in one cell is split, columns and rows are looked at alike.

"71.2 ± 0.4", "71.2 (0.4)", "71.2 / 68.0", "71.2 (+1.3)" and "95.0 (190/200)" are several numbers, each kind of them a
series of its own. A ``View`` has series (columns, or rows if it is turned) over lines, with the printed texts, their
values and the worth of their last digits; what it proposes in floats is proved from the texts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scoreproof.documents import Table

Floats = npt.NDArray[np.float64]
Place = tuple[int, int]
MOST_SERIES = 60  # rows that are compared with each other; those of longer tables are lines, and no series
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)"
_SIGNED = rf"[+\-−–]?\s*{_NUMBER}"
_UNIT = r"\s*(?:%|pp|pts?\b|[×x](?![a-z]))?"
_MARKS = "*∗⋆†‡§¶#★☆✝"
_MARKUP = re.compile(
    r"\\(?:textbf|underline|mathbf|textit|emph|bf|bfseries|boldsymbol|bm)\b\s*|\*\*|__|<[^<>]{1,20}>|[{}$`~]"
)
_FOOT = re.compile(rf"(?:\s*(?:[{_MARKS}]+|\^[\w,{_MARKS}]+|\[\d{{1,3}}(?:\s*,\s*\d{{1,3}})*\]))+$")
_CELL = re.compile(
    rf"[↑↓▲▼]?\s*(?P<main>{_SIGNED})(?P<unit>{_UNIT})[↑↓▲▼{_MARKS}]*"
    rf"(?:\s*(?:±|\+/-|\\pm)\s*(?P<spread>{_NUMBER}){_UNIT})?"
    rf"(?:\s*[(\[]?\s*(?P<change>(?:[↑↓▲▼△▽]\s*|[+\-−])\s*{_NUMBER}|{_NUMBER}\s*[↑↓▲▼△▽]){_UNIT}\s*[)\]]?)?"
    rf"(?:\s*[(\[]\s*(?P<hits>\d[\d,]*)\s*(?:/|of)\s*(?P<cases>\d[\d,]*)\s*[)\]])?"
    rf"(?:\s*[(\[]\s*(?:95\s*%\s*CI:?\s*)?(?P<low>{_SIGNED}){_UNIT}\s*(?:,\s|;|–|—|-|to|,(?=0\.))\s*(?P<high>{_SIGNED}){_UNIT}\s*[)\]])?"
    rf"(?:\s*[(\[]\s*(?:±\s*)?(?P<bracket>{_SIGNED}){_UNIT}\s*[)\]])?"
)
_COUNTED = re.compile(
    rf"(?P<hits>\d[\d,]*)\s*/\s*(?P<cases>\d[\d,]*)\s*[(\[]\s*(?P<main>{_NUMBER})\s*(?P<unit>%?)\s*[)\]]"
)
_PLAIN = re.compile(r"\d{1,12}(?:\.\d{1,12})?")
_COMMA = re.compile(r"(?:^|\D)(?:\d+,\d{1,2}|0,\d+)(?:\D|$)")
_COUNTING = re.compile(
    r"class|label|fold|run|seed|\bid\b|\bno\b|#|epoch|layer|\bk\b|step|size|year|dim|depth|top|rank", re.I
)
_DOWN = "↓▼▽-−–"
PARTS = ("main", "spread", "change", "bracket", "low", "high", "hits", "cases")


class Cell(NamedTuple):
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
def split_cell(text: str, *, comma: bool = False) -> Cell:
    """The numbers of a cell.

    >>> split_cell("**71.2** ± 0.4")[:2], split_cell("71.2 / 68.0").slashed, split_cell("95.0% (190/200)").cases
    (('71.2', '0.4'), ('71.2', '68.0'), '200')
    >>> split_cell("71.2 (↓1.3)").change, split_cell("0.91 [0.88, 0.94]")[4:6], split_cell("BERT 2").main
    ('-1.3', ('0.88', '0.94'), '')
    """
    if _PLAIN.fullmatch(text):
        return Cell(text)
    if not 0 < len(text) <= 60 or not any(char.isdigit() for char in text):
        return Cell()
    core = _MARKUP.sub("", text.replace("\\%", "%")).strip().lstrip(_MARKS).strip()
    if "/" in core:
        pieces = [_FOOT.sub("", piece).strip() for piece in core.split("/")]
        if 2 <= len(pieces) <= 6 and all(re.fullmatch(rf"{_SIGNED}\s*%?", piece) for piece in pieces):
            return Cell(slashed=tuple(_plain(piece, comma) for piece in pieces), percent="%" in core)
    match = _COUNTED.fullmatch(core) or _CELL.fullmatch(core) or _CELL.fullmatch(_FOOT.sub("", core))
    if match is None:
        return Cell()
    read = {name: _plain(value or "", comma) for name, value in match.groupdict().items() if name != "unit"}
    return Cell(**read, percent="%" in (match["unit"] or ""))


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
class Series:
    """One kind of number down a column, or along a row: its headings, and the texts line by line ("" for none)."""

    head: tuple[str, ...]
    part: str
    index: int  # the column, or the row, of the table
    texts: tuple[str, ...]
    percent: bool = False
    block: int = 0  # of a row: which of the parts of the table between headings inside it

    @property
    def name(self) -> str:
        sort = {"main": "", "spread": " (±)", "change": " (change)", "bracket": " (in brackets)"}.get(
            self.part, f" ({self.part})"
        )
        return (" / ".join(self.head) or f"number {self.index + 1}") + sort


@dataclass(frozen=True, slots=True)
class View:
    """Series over lines: values, worth of the last digits (both NaN where there is no number), labels and blocks."""

    series: tuple[Series, ...]
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


def views(table: Table) -> tuple[View, ...]:
    """The table upright and turned; none where there are no two numbers to compare."""
    comma = any(_COMMA.search(text) for row in table.body[:50] for text in row) and not any(
        re.search(r"\d\.\d", text) for row in table.body[:50] for text in row
    )
    first, covered = table.header_rows, _covered(table)
    cells = [
        [Cell() if (first + i, j) in covered else split_cell(text.strip(), comma=comma) for j, text in enumerate(row)]
        for i, row in enumerate(table.body)
    ]
    kept, blocks, block = [], [], 0
    for index, (row, texts) in enumerate(zip(cells, table.body, strict=True)):
        alike = len(texts) > 2 and len({text for text in texts if text}) == 1
        if alike or not any(cell.main or cell.slashed for cell in row):
            block += 1
        else:
            kept.append(index)
            blocks.append(block)
    if not kept:
        return ()
    labels = _label_columns(table, cells, kept)
    names = [_joined(table.body[i][j] for j in labels) for i in kept]
    heads = [
        tuple(dict.fromkeys(_clean(row[j]) for row in table.header if row[j].strip())) for j in range(table.shape[1])
    ]
    columns = [
        series
        for j in range(table.shape[1])
        if j not in labels
        for series in _column_series(j, heads[j], [cells[i][j] for i in kept])
    ]
    upright = _view(columns, names, [i + first for i in kept], blocks, turned=False)
    plain = [column for column in columns if column.part == "main"]
    if len(kept) > MOST_SERIES or len(plain) < 2:
        return (upright,)
    paths = [tuple(filter(None, (_clean(table.body[i][j]) for j in labels))) for i in kept]
    beside = {(column.index, column.part): column.texts for column in columns if column.part in ("change", "spread")}
    empty = ("",) * len(kept)
    rows = []
    for k, i in enumerate(kept):
        rows.append(Series(paths[k], "main", i + first, tuple(column.texts[k] for column in plain), block=blocks[k]))
        for part in ("change", "spread") if beside else ():
            texts = tuple(beside.get((column.index, part), empty)[k] for column in plain)
            if sum(map(bool, texts)) >= 2:
                rows.append(Series(paths[k], part, i + first, texts, block=blocks[k]))
    heads_of = [column.name for column in plain]
    turned = _view(rows, heads_of, [column.index for column in plain], [0] * len(plain), turned=True)
    return upright, turned


def _view(
    series: Sequence[Series], labels: Sequence[str], lines: Sequence[int], blocks: Sequence[int], *, turned: bool
) -> View:
    texts = [one.texts for one in series]
    values = np.array([[float(text) if text else np.nan for text in row] for row in texts], dtype=float)
    steps = np.array([[_step(text) for text in row] for row in texts], dtype=float)
    shape = (len(series), len(lines))
    largest = np.nan_to_num(np.abs(values.reshape(shape))).max(axis=1, initial=0)
    units = tuple(100 if one.percent or most > 1.5 else 1 for one, most in zip(series, largest, strict=True))
    return View(
        tuple(series), tuple(labels), tuple(lines), tuple(blocks), turned,
        np.ascontiguousarray(values.reshape(shape).T), np.ascontiguousarray(steps.reshape(shape).T), units,
    )  # fmt: skip


def _step(text: str) -> float:
    return float(10.0 ** -len(text.partition(".")[2])) if text else float("nan")


def _covered(table: Table) -> set[Place]:
    """Places that repeat the number of a cell which spans several."""
    return {
        (row, column)
        for span in table.spans
        for row in range(span.row, span.row + span.rows)
        for column in range(span.column, span.column + span.columns)
        if (row, column) != (span.row, span.column)
    }


def _column_series(column: int, head: tuple[str, ...], cells: Sequence[Cell]) -> list[Series]:
    """The kinds of numbers that at least two cells of a column have."""
    percent = any(cell.percent for cell in cells)
    most = max((len(cell.slashed) for cell in cells), default=0)
    if most and 2 * sum(len(cell.slashed) == most for cell in cells) >= sum(
        bool(cell.main or cell.slashed) for cell in cells
    ):
        parted = [piece.strip() for piece in (head[-1] if head else "").split("/")]
        names = parted if len(parted) == most else [f"{head[-1] if head else ''} [{k + 1}]" for k in range(most)]
        return [
            Series((*head[:-1], names[k]), "main", column, tuple(c.slashed[k] if len(c.slashed) == most else "" for c in cells), percent)
            for k in range(most)
        ]  # fmt: skip
    found = []
    for part in PARTS:
        texts = tuple(getattr(cell, part) for cell in cells)
        if sum(map(bool, texts)) >= 2 or (part == "main" and any(texts)):
            found.append(Series(head, part, column, texts, percent))
    return found


def _label_columns(table: Table, cells: Sequence[Sequence[Cell]], kept: Sequence[int]) -> list[int]:
    """Columns that are no numbers: mostly texts, or whole numbers that only count or name the rows."""
    labels = []
    for j in range(table.shape[1]):
        mains = [cells[i][j].main for i in kept]
        read = [main for main, i in zip(mains, kept, strict=True) if main or cells[i][j].slashed]
        if 3 * len(read) < len(kept):
            labels.append(j)
        elif all(main.isdigit() for main in read) and len(set(read)) == len(read):
            numbers = [int(main) for main in read]
            head = " ".join(row[j] for row in table.header)
            counting = len(numbers) > 2 and all(b - a == 1 for a, b in zip(numbers, numbers[1:], strict=False))
            mixed = any(not cells[i][j].main and any(map(str.isalpha, table.body[i][j])) for i in kept)
            if (j == 0 and (not head.strip() or mixed or _COUNTING.search(head))) or counting:
                labels.append(j)
    return labels


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", _MARKUP.sub("", text)).strip()


def _joined(texts: object) -> str:
    return " / ".join(dict.fromkeys(filter(None, map(_clean, texts))))  # type: ignore[call-overload]
