"""From a table of text to what it says.

The steps are those a reader takes: which way round the table is, what each column holds, what kind of row each row is,
whether commas are decimal, what every cell says, percent or fraction per column, and which counts belong to which row.
Each decision the table leaves open is recorded as an assumption.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.documents.table import Table
from scoreproof.errors import InvalidOption
from scoreproof.papers.table_semantics.cells import (
    DIFFERENCE,
    NO_COUNTS,
    CellKind,
    Counts,
    ReadCell,
    counts_in,
    counts_of_ratio,
    plain_cell,
    read_cell,
    read_count,
)
from scoreproof.papers.table_semantics.classes import averages_over_classes, class_report, with_classes
from scoreproof.papers.table_semantics.headings import Heading, Role
from scoreproof.papers.table_semantics.interpretation import (
    Column,
    Interpretation,
    Unread,
    fold_blocks,
    is_across,
    with_numbered,
)
from scoreproof.papers.table_semantics.orientation import NOT_FOLDS, Oriented, Scale, ScaleDecision, decide, orient
from scoreproof.papers.table_semantics.rows import Report, Row, RowKind, Value, classify, without_padding
from scoreproof.papers.table_semantics.words import PATTERNS
from scoreproof.quantities import quantity
from scoreproof.reported import Rounding
from scoreproof.validation import shown, truth

_SAYS = PATTERNS["interpret"]
_APART = (RowKind.SPREAD, RowKind.DIFFERENCE, RowKind.COUNT)  # numbers of another size than those of their column


def interpret(
    table: Table,
    *,
    columns: Mapping[str | int, str] | None = None,
    transposed: bool | None = None,
    decimal_comma: bool | None = None,
    percent: bool | None = None,
) -> Interpretation:
    """Say what a table's columns, rows and cells mean.

    ``columns`` maps headers (or column numbers from 0) to score names, counts (``p``, ``n``, ``total``, ``tp`` ...),
    ``label`` or ``ignore``, where the headers do not speak for themselves. ``transposed``, ``decimal_comma`` and
    ``percent`` overrule what the table suggests.

    >>> from scoreproof.documents import read_tables
    >>> table = read_tables("Method,N,pos,Acc (%),F1\\nA,200,80,90.0,0.873\\nB,200,80,n/a,0.9?\\n")[0]
    >>> found = interpret(table)
    >>> found.reports[0].scores, found.reports[0].counts.test_set()
    ({'acc': '90.0%', 'f1': '0.873'}, TestSet(p=80, n=120))
    >>> found.tally["unread"], str(found.unread[0])
    (1, "row 3, column 5: '0.9?' (a number with something else)")
    """
    if not isinstance(table, Table):
        raise InvalidOption(f"table: expected a Table such as read_tables gives, got {type(table).__name__}")
    if columns is not None and not isinstance(columns, Mapping):
        raise InvalidOption(f"columns: expected a mapping from headers to scores, got {shown(columns)}")
    for what, given in (("transposed", transposed), ("decimal_comma", decimal_comma), ("percent", percent)):
        if given is not None:
            truth(what, given)
    told = {"transposed": transposed, "decimal_comma": decimal_comma, "percent": percent}
    return understood(table, {"columns": tuple((columns or {}).items()), **told})


def understood(table: Table, options: Mapping[str, Any], units: Mapping[int, Scale] | None = None) -> Interpretation:
    """The same once what was told is checked; ``units`` are those of columns whose rows decide them."""
    named, told = dict(options["columns"]), options["transposed"]
    oriented = orient(table, told, named)
    _check_names(named, oriented)
    assumptions: list[str] = []
    if oriented.transposed and told is None:
        assumptions.append("the scores stand down the side: the table is read column by column")
    comma = options["decimal_comma"]
    if comma is None:
        comma = _decimal_comma(oriented, assumptions)
    rows, plain = _read_rows(oriented, comma)
    rows = with_classes(oriented.headings, _with_differences(oriented.headings, rows, plain))
    labels = [heading.text for heading in oriented.headings if heading.role is Role.LABEL]
    rows = with_numbered(labels[0] if len(labels) == 1 and not is_across(oriented.headings) else None, rows)
    rows = without_padding(oriented.headings, rows, assumptions)
    decisions = _scales(oriented, rows, table.caption, options["percent"])
    decisions |= {index: ScaleDecision(scale, "so more rows are possible") for index, scale in (units or {}).items()}
    rows = _with_unclear(rows, decisions)
    doubtful = {number for decision in decisions.values() for number in decision.unclear}
    odd = [row for number, row in enumerate(rows) if row.index not in plain or number in doubtful]
    scales = {index: (decision.scale, decision.why) for index, decision in decisions.items()}
    columns = tuple(Column(index, heading, *scales.get(index, ())) for index, heading in enumerate(oriented.headings))
    assumptions += _assumed(columns, odd)
    reports = _reports(oriented, rows, columns)
    return Interpretation(
        table,
        oriented.transposed,
        columns,
        tuple(rows),
        tuple(reports),
        fold_blocks(rows, reports),
        class_report(rows, columns, Rounding.NEAREST if table.format == "classification-report" else Rounding.ANY),
        tuple(dict.fromkeys(assumptions)),
        _unread(oriented, odd),
        comma,
        averages_over_classes(oriented.headings, reports, table.caption),
        options,
    )


def _unread(oriented: Oriented, rows: Sequence[Row]) -> tuple[Unread, ...]:
    return tuple(
        Unread(*oriented.place(row.index, column), cell.raw, cell.why)
        for row in rows
        for column, cell in enumerate(row.cells)
        if cell.kind is CellKind.UNREAD
    )


def _check_names(named: Mapping[str | int, str], oriented: Oriented) -> None:
    texts: set[str] = set()
    for row in oriented.rows[: oriented.header_rows]:
        texts.update(row)
    texts.update(heading.text for heading in oriented.headings)
    for key in named:
        known = 0 <= key < len(oriented.headings) if isinstance(key, int) else key in texts
        if not known:
            shown = ", ".join(heading.text for heading in oriented.headings if heading.text)
            raise InvalidOption(f"columns: no column is headed {str(key)[:100]!r}; the table has {shown[:300]}")


def _decimal_comma(oriented: Oriented, assumptions: list[str]) -> bool:
    """Commas are decimal if score columns have numbers with commas, none with points, and not all are thousands."""
    scores = oriented.columns(Role.SCORE)
    texts = [row[index] for row in oriented.rows[oriented.header_rows :] for index in scores if len(row[index]) < 200]
    commas = [text for text in texts if "," in text and _SAYS["comma"].search(text) and "[" not in text]
    if not commas or any(_SAYS["point"].search(text) for text in texts):
        return False
    if all(_SAYS["thousands"].fullmatch(text.strip()) for text in commas):
        return False
    assumptions.append("commas are read as decimal commas: no number of these columns has a point")
    return True


def _read_rows(oriented: Oriented, comma: bool) -> tuple[list[Row], set[int]]:
    """The rows, and the places of those in which every score and count is a plain number and nothing else stands."""
    roles = [heading.role for heading in oriented.headings]
    labels, used = oriented.columns(Role.LABEL), oriented.columns(Role.SCORE, Role.COUNT)
    counted, every, given = oriented.columns(Role.COUNT), range(len(roles)), oriented.counts()
    headers = tuple("" if (head := oriented.headings[index]).note == NOT_FOLDS else head.text for index in labels)
    rows: list[Row] = []
    plain: set[int] = set()
    section = ""
    unfinished: frozenset[int] = frozenset()
    carried: list[str] = [""] * len(labels)
    for index, texts in enumerate(oriented.rows[oriented.header_rows :], oriented.header_rows):
        cells, is_plain = _read_row(texts, roles, oriented, comma)
        if not is_plain or unfinished:
            cells, unfinished = _wrapped(cells, roles, unfinished)
            is_plain = is_plain and not any(cell.kind is CellKind.UNREAD for cell in cells)
        if is_plain:
            plain.add(index)
        own = [texts[i] for i in labels]
        shown = tuple([cells[i] for i in used])
        if not (is_plain and used) and (heading := _heading_inside(texts, own, shown)):
            section, carried = heading, [""] * len(labels)
            blank = tuple(ReadCell(text, CellKind.TEXT) for text in texts)
            rows.append(Row(index, RowKind.SECTION, (section,), blank))
            continue
        carried = _carried(own, carried) if len(own) > 1 else own
        kind, fold = classify(tuple(carried), headers, shown, with_scores=bool(used))
        if is_plain and given:
            counts = Counts.in_columns(cells, given)
        else:
            counts = _counts(oriented, cells, "", counted if is_plain else every)
        rows.append(Row(index, kind, tuple(carried), cells, counts, section, fold))
    return rows, plain


def _heading_inside(texts: Sequence[str], own: Sequence[str], shown: Sequence[ReadCell]) -> str:
    """What a row says that says one thing alone, and no result; nothing of other rows."""
    inside = {text for text in texts if text}
    is_result = any(cell.kind in (CellKind.NUMBER, CellKind.COUNTS) for cell in shown)
    return inside.pop() if len(inside) == 1 < len(texts) and (not own or own[0]) and not is_result else ""


def _carried(own: Sequence[str], above: Sequence[str]) -> list[str]:
    """A blank label under a filled one means "the same", where another label behind it tells the rows apart."""
    last = max((place for place, label in enumerate(own) if label), default=0)
    return [label or above[place] if place < last else label for place, label in enumerate(own)]


def _with_differences(headings: Sequence[Heading], rows: list[Row], plain: set[int]) -> list[Row]:
    """Rows with a plus sign, or a negative value where a score has none, compare other rows."""
    scores = [(i, quantity(heading.score).range[0]) for i, heading in enumerate(headings) if heading.role is Role.SCORE]

    def compares(row: Row) -> bool:
        return any(
            row.cells[i].why == DIFFERENCE or (least == 0 and row.cells[i].number[:1] in ("-", "−", "–"))
            for i, least in scores
        )

    return [
        replace(row, kind=RowKind.DIFFERENCE)
        if row.index not in plain and row.kind is RowKind.RESULT and compares(row)
        else row
        for row in rows
    ]


def _read_row(
    texts: Sequence[str], roles: Sequence[Role], oriented: Oriented, comma: bool
) -> tuple[tuple[ReadCell, ...], bool]:
    """The cells of a row, and whether all but its labels are plain numbers, which need no second look."""
    cells = []
    is_plain = True
    for column, (text, role) in enumerate(zip(texts, roles, strict=True)):
        cell = plain_cell(text) if role is Role.SCORE else None
        if cell is not None:
            cells.append(cell)
        elif role is Role.COUNT and len(text) <= 18 and text.isascii() and text.isdigit():
            cells.append(ReadCell(text, CellKind.NUMBER, text))
        else:
            cells.append(_read(text, oriented, column, comma))
            is_plain = is_plain and role is Role.LABEL
    return tuple(cells), is_plain


def _wrapped(
    cells: tuple[ReadCell, ...], roles: Sequence[Role], unfinished: frozenset[int]
) -> tuple[tuple[ReadCell, ...], frozenset[int]]:
    """Below a value that ends with a ± stands the rest of it, not a value of its own; and the columns left open."""
    read = list(cells)
    open_columns = set(unfinished)
    for column, cell in enumerate(cells):
        if roles[column] is not Role.SCORE or not cell.raw.strip():
            continue
        if column in open_columns:
            read[column] = ReadCell(cell.raw, CellKind.UNREAD, why="the rest of the value above, on a line of its own")
            open_columns.discard(column)
        if _SAYS["unfinished"].search(cell.raw):
            open_columns.add(column)
    return tuple(read), frozenset(open_columns)


def _read(text: str, oriented: Oriented, column: int, comma: bool) -> ReadCell:
    heading = oriented.headings[column]
    if heading.role is Role.LABEL:
        return ReadCell(text, CellKind.TEXT)
    if counts_in(text) is not NO_COUNTS:
        return ReadCell(text, CellKind.COUNTS)
    if heading.role is Role.COUNT:
        number = read_count(text, decimal_comma=comma)
        if number is not None:
            return ReadCell(text, CellKind.NUMBER, str(number))
        empty = read_cell(text)
        if empty.kind is CellKind.MISSING:
            return empty
        return ReadCell(text, CellKind.UNREAD, why="not a whole number")
    if heading.role is Role.OTHER:
        return ReadCell(text, CellKind.TEXT)
    return read_cell(text, decimal_comma=comma)


def _counts(oriented: Oriented, cells: Sequence[ReadCell], group: str, columns: Iterable[int]) -> Counts:
    """The counts of a row in some columns that belong to a group of them; those without a group belong to all."""
    counts = NO_COUNTS
    simple: dict[str, Any] = {}
    for heading, cell in ((oriented.headings[column], cells[column]) for column in columns):
        role = heading.role
        if role is Role.SCORE and cell.ratio is None and cell.kind is not CellKind.COUNTS:
            continue
        if role is not Role.LABEL and heading.group != group and role is not Role.OTHER:
            continue
        if cell.kind is CellKind.COUNTS:
            counts = counts.merged(counts_in(cell.raw))
        elif role is Role.COUNT and cell.kind is CellKind.NUMBER and heading.count != "matrix":
            if heading.count in simple:
                counts = counts.merged(Counts.of(heading.count, int(cell.number)))
            else:
                simple[heading.count] = int(cell.number)
        elif role is Role.SCORE and cell.ratio is not None and not heading.qualifier:
            counts = counts.merged(counts_of_ratio(heading.score, *cell.ratio))
    return Counts(**simple).merged(counts) if simple else counts


def _scales(oriented: Oriented, rows: Sequence[Row], caption: str, percent: bool | None) -> dict[int, ScaleDecision]:
    """Percent or fraction for every score column; a column of deviations follows the column of its means."""
    decisions: dict[int, ScaleDecision] = {}
    spreads: list[int] = []
    for index in oriented.columns(Role.SCORE):
        heading = oriented.headings[index]
        if percent is not None:
            decisions[index] = ScaleDecision(Scale.PERCENT if percent else Scale.FRACTION, "as told")
        elif heading.statistic in ("std", "sem"):
            spreads.append(index)
        else:
            cells = [row.cells[index] if row.kind not in _APART else ReadCell("", CellKind.MISSING) for row in rows]
            decisions[index] = decide(heading, cells, caption)
    for index in spreads:
        heading = oriented.headings[index]
        alike = [
            decisions[other].scale
            for other, same in enumerate(oriented.headings)
            if other in decisions
            and (same.score, same.group, same.qualifier) == (heading.score, heading.group, heading.qualifier)
        ]
        cells = [row.cells[index] for row in rows]
        decisions[index] = ScaleDecision(alike[0], "as the values") if alike else decide(heading, cells, caption)
    return decisions


def _with_unclear(rows: Sequence[Row], decisions: Mapping[int, ScaleDecision]) -> list[Row]:
    changed = []
    doubtful = {number for decision in decisions.values() for number in decision.unclear}
    for number, row in enumerate(rows):
        if number not in doubtful:
            changed.append(row)
            continue
        cells = list(row.cells)
        for index, decision in decisions.items():
            if number in decision.unclear:
                why = f"percent, fraction, or no score at all? the column is read as {decision.scale}"
                cells[index] = cells[index]._replace(kind=CellKind.UNREAD, why=why)
        changed.append(replace(row, cells=tuple(cells)))
    return changed


def _assumed(columns: Sequence[Column], rows: Sequence[Row]) -> list[str]:
    notes = []
    for column in columns:
        heading = column.heading
        if heading.note and heading.role in (Role.SCORE, Role.COUNT):
            notes.append(f"column {heading.text!r}: {heading.note}")
        if column.scale is not None and column.scale is not Scale.PLAIN and column.why != "the header says %":
            notes.append(f"column {heading.text!r}: read as {column.scale} ({column.why})")
        if heading.role is Role.COUNT and heading.count == "total":
            notes.append(f"column {heading.text!r}: read as the number of all cases")
    brackets = [cell.raw for row in rows for cell in row.cells if cell.kind is CellKind.NUMBER and cell.bracket]
    if brackets:
        notes.append(f"numbers in brackets, such as {brackets[0]!r}, are kept apart: they may be deviations or errors")
    return notes


def _reports(oriented: Oriented, rows: Sequence[Row], columns: Sequence[Column]) -> list[Report]:
    scored = [column for column in columns if column.heading.role is Role.SCORE]
    spreads = {_key(column.heading): column for column in scored if column.heading.statistic in ("std", "sem")}
    groups: dict[str, list[tuple[Column, Column | None]]] = {}
    for column in scored:
        if column.heading.statistic not in ("std", "sem", "interval"):
            groups.setdefault(column.heading.group, []).append((column, spreads.get(_key(column.heading))))
    reports = []
    for row in rows:
        if row.kind in (RowKind.SECTION, RowKind.EMPTY, RowKind.ACCURACY, RowKind.CLASS_AVERAGE):
            continue
        for group, wanted in groups.items():
            values = tuple(
                _value(oriented, row, column, beside)
                for column, beside in wanted
                if row.cells[column.index].kind is CellKind.NUMBER
            )
            if values:
                counts = row.counts
                if group:
                    counts = counts.merged(_counts(oriented, row.cells, group, range(len(row.cells))))
                reports.append(Report(row.index, row.label, row.kind, group, values, counts, row.fold, row.section))
    return reports


def _value(oriented: Oriented, row: Row, column: Column, beside: Column | None) -> Value:
    """One score of a row, with the deviation that stands in a column beside it."""
    heading, cell = column.heading, row.cells[column.index]
    width, kind = cell.spread, ""
    if beside is not None and not width and row.cells[beside.index].kind is CellKind.NUMBER:
        width, kind = row.cells[beside.index].number, beside.heading.statistic
    as_percent = column.scale is Scale.PERCENT or cell.percent
    text = cell.text(percent=as_percent, spread=width) if as_percent or width else cell.number
    place = oriented.place(row.index, column.index)
    return Value(place, heading.score, text, cell, heading.text, heading.qualifier, heading.statistic, kind)


def _key(heading: Heading) -> tuple[str, str, str]:
    """What a column of deviations shares with the column of its means."""
    return heading.score, heading.group, heading.qualifier
