"""From a table of text to what it says: which way round it is, what each column holds, what every row and cell is.

Each decision the table leaves open is recorded as an assumption.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.documents import Table, read_tables
from scoreproof.errors import InvalidOption, UnreadableInput
from scoreproof.kinds.multi_class.problem import ClassesProblem
from scoreproof.papers.table_semantics.cells import (
    DIFFERENCE,
    NO_COUNTS,
    CellKind,
    Counts,
    ReadCell,
    counts_of_ratio,
    read_cell,
    read_count,
)
from scoreproof.papers.table_semantics.classes import averages_over_classes, class_report, with_classes
from scoreproof.papers.table_semantics.columns import NOT_FOLDS, Oriented, Scale, ScaleDecision, decide, orient
from scoreproof.papers.table_semantics.headings import Heading, Role
from scoreproof.papers.table_semantics.interpretation import Column, Interpretation, Unread, fold_blocks, with_numbered
from scoreproof.papers.table_semantics.rows import Report, Row, RowKind, Value, classify, without_padding
from scoreproof.papers.table_semantics.words import PATTERNS
from scoreproof.quantities import quantity
from scoreproof.reported import Rounding
from scoreproof.validation import shown, truth

_SAYS = PATTERNS["interpret"]
_APART = (RowKind.SPREAD, RowKind.DIFFERENCE, RowKind.COUNT)  # numbers of another size than those of their column
_DEVIATIONS = ("std", "sem")
_BARE = ReadCell("", CellKind.TEXT)[3:]
_NO_REPORT = (RowKind.SECTION, RowKind.EMPTY, RowKind.ACCURACY, RowKind.CLASS_AVERAGE)
_SIGNS = ("±", "+/-", "+-", "\\pm")


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
    ``label`` or ``ignore``; ``transposed``, ``decimal_comma`` and ``percent`` overrule what the table suggests.

    >>> from scoreproof.documents import read_tables
    >>> table = read_tables("Method,N,pos,Acc (%),F1\\nA,200,80,90.0,0.873\\nB,200,80,n/a,0.9?\\n")[0]
    >>> result = interpret(table)
    >>> result.reports[0].scores, result.reports[0].counts.test_set()
    ({'acc': '90.0%', 'f1': '0.873'}, TestSet(p=80, n=120))
    >>> result.tally["unread"], str(result.unread[0])
    (1, "row 3, column 5: '0.9?' (a number with something else)")
    """
    if not isinstance(table, Table):
        raise InvalidOption(f"table: expected a Table such as read_tables gives, got {type(table).__name__}")
    if columns is not None and not isinstance(columns, Mapping):
        raise InvalidOption(f"columns: expected a mapping from headers to scores, got {shown(columns)}")
    told = {"transposed": transposed, "decimal_comma": decimal_comma, "percent": percent}
    for what, given in told.items():
        if given is not None:
            truth(what, given)
    return understood(table, {"columns": tuple((columns or {}).items()), **told})


def understood(table: Table, options: Mapping[str, Any], units: Mapping[int, Scale] | None = None) -> Interpretation:
    """The same once what was told is checked; ``units`` are those of columns whose rows decide them."""
    named = dict(options["columns"])
    oriented = orient(table, options["transposed"], named)
    _check_names(named, oriented)
    assumptions: list[str] = []
    if oriented.transposed and options["transposed"] is None:
        assumptions.append("the scores stand down the side: the table is read column by column")
    comma = options["decimal_comma"]
    if comma is None and (comma := _decimal_comma(oriented)):
        assumptions.append("commas are read as decimal commas: no number of these columns has a point")
    rows = with_classes(oriented.headings, _read_rows(oriented, comma))
    rows = without_padding(oriented.headings, with_numbered(oriented.headings, rows), assumptions)
    decisions = _scales(oriented, rows, table.caption, options["percent"])
    decisions |= {index: ScaleDecision(scale, "so more rows are possible") for index, scale in (units or {}).items()}
    if any(decision.unclear for decision in decisions.values()):
        rows = [_with_unclear(row, number, decisions) for number, row in enumerate(rows)]
    made = ((index, heading, *decisions.get(index, ())[:2]) for index, heading in enumerate(oriented.headings))
    columns = tuple(Column(*column) for column in made)
    assumptions += _assumed(columns)
    reports = _reports(oriented, rows, columns)
    rounding = Rounding.NEAREST if table.format == "classification-report" else Rounding.ANY
    folds, classes = fold_blocks(rows, reports), class_report(rows, columns, rounding)
    averages, turned = averages_over_classes(oriented.headings, reports, table.caption), oriented.transposed
    kind = CellKind.UNREAD
    lost = ((row.index, at, cell) for row in rows for at, cell in enumerate(row.cells) if cell.kind is kind)
    unread = tuple(Unread(*((j, i) if turned else (i, j)), cell.raw, cell.why) for i, j, cell in lost)
    notes = tuple(dict.fromkeys(assumptions))
    return Interpretation(
        table, turned, columns, tuple(rows), tuple(reports), folds, classes, notes, unread, comma, averages, options
    )


def _check_names(named: Mapping[str | int, str], oriented: Oriented) -> None:
    headings = [heading.text for heading in oriented.headings]
    known = {*headings, *range(len(headings)), *(text for row in oriented.rows[: oriented.header_rows] for text in row)}
    for key in named:
        if key not in known:
            shown = ", ".join(filter(None, headings))
            raise InvalidOption(f"columns: no column is headed {str(key)[:100]!r}; the table has {shown[:300]}")


def _decimal_comma(oriented: Oriented) -> bool:
    """Commas are decimal if score columns have numbers with commas, none with points, and not all are thousands."""
    scores = oriented.columns(Role.SCORE)
    body = oriented.rows[oriented.header_rows :]
    if "," not in "".join(map("".join, body)):
        return False
    texts = [row[index] for row in body for index in scores if len(row[index]) < 200]
    commas = [text for text in texts if _SAYS["comma"].search(text) and "[" not in text]
    thousands = all(_SAYS["thousands"].fullmatch(text.strip()) for text in commas)
    return bool(commas) and not thousands and not any(_SAYS["point"].search(text) for text in texts)


class _ReadTexts(dict[str, ReadCell]):
    """What each different text of the columns of one role says, read once."""

    def __init__(self, role: Role, comma: bool) -> None:
        self._role, self._comma = role, comma

    def __missing__(self, text: str) -> ReadCell:
        self[text] = cell = _read(text, self._role, self._comma)
        return cell


def _read_rows(oriented: Oriented, comma: bool) -> list[Row]:
    headings = oriented.headings
    labels, used = oriented.columns(Role.LABEL), oriented.columns(Role.SCORE, Role.COUNT)
    headers = tuple("" if headings[index].note == NOT_FOLDS else headings[index].text for index in labels)
    scores = oriented.columns(Role.SCORE)
    body = oriented.rows[oriented.header_rows :]
    read = {role: _ReadTexts(role, comma) for role in Role}
    every = _cells(body, [read[heading.role] for heading in headings])
    # Few tables have any of what follows, and what they have is seen in their different texts.
    ending = any(text.rstrip(" $").endswith(_SIGNS) for text in read[Role.SCORE])
    differing = _differing(headings, read[Role.SCORE].values())
    ratios = any(cell.ratio is not None for cell in read[Role.SCORE].values())
    counting = used if ratios else oriented.columns(Role.COUNT)
    rows: list[Row] = []
    section = ""
    unfinished: set[int] = set()  # columns whose last value ends with its ±
    carried: list[str] = [""] * len(labels)
    for index, (texts, cells) in enumerate(zip(body, every, strict=True), oriented.header_rows):
        if ending:
            cells, unfinished = _wrapped(texts, cells, scores, unfinished)
        own, shown = [texts[i] for i in labels], tuple([cells[i] for i in used])
        if inside := _heading_inside(texts, own, shown):
            section, carried = inside, [""] * len(labels)
            blank = tuple(ReadCell(text, CellKind.TEXT) for text in texts)
            rows.append(Row(index, RowKind.SECTION, (section,), blank))
            continue
        carried = _carried(own, carried) if len(own) > 1 else own
        kind, fold = classify(tuple(carried), headers, shown, with_scores=bool(used))
        if kind is RowKind.RESULT and differing and any(cells[i] in own for i, own in differing.items()):
            kind = RowKind.DIFFERENCE
        counts = _counts(headings, cells, "", counting)
        rows.append(Row(index, kind, tuple(carried), cells, counts, section, fold))
    return rows


def _cells(body: Sequence[Sequence[str]], columns: Sequence[_ReadTexts]) -> list[tuple[ReadCell, ...]]:
    below = zip(columns, zip(*body, strict=True), strict=True) if body else ()
    return list(zip(*(map(column.__getitem__, texts) for column, texts in below), strict=True))


def _wrapped(
    texts: Sequence[str], cells: tuple[ReadCell, ...], scores: Iterable[int], unfinished: set[int]
) -> tuple[tuple[ReadCell, ...], set[int]]:
    """Below a value that ends with its ± stands the rest of it, not a value of its own; and the columns left open."""
    filled = {i for i in scores if texts[i].strip()}
    rest = ReadCell("", CellKind.UNREAD, why="the rest of the value above, on a line of its own")
    read = [rest._replace(raw=cell.raw) if i in filled & unfinished else cell for i, cell in enumerate(cells)]
    return tuple(read), (unfinished - filled) | {i for i in filled if texts[i].rstrip(" $").endswith(_SIGNS)}


def _heading_inside(texts: Sequence[str], own: Sequence[str], shown: Sequence[ReadCell]) -> str:
    """What a row says that says one thing alone, and no result; nothing of other rows."""
    for cell in shown:
        if cell.kind is CellKind.NUMBER:  # a result
            return ""
    inside = {text for text in texts if text}
    return inside.pop() if len(inside) == 1 < len(texts) and (not own or own[0]) else ""


def _carried(own: Sequence[str], above: Sequence[str]) -> list[str]:
    """A blank label under a filled one means "the same", where another label behind it tells the rows apart."""
    last = max((place for place, label in enumerate(own) if label), default=0)
    return [label or above[place] if place < last else label for place, label in enumerate(own)]


def _differing(headings: Sequence[Heading], read: Collection[ReadCell]) -> dict[int, set[ReadCell]]:
    """The cells of score columns that compare other rows: with a plus sign, or negative where a score never is."""
    signed = {cell for cell in read if cell.why == DIFFERENCE}
    negative = signed | {cell for cell in read if cell.number[:1] in ("-", "−", "–")}
    scores = [(i, quantity(heading.score)) for i, heading in enumerate(headings) if heading.role is Role.SCORE]
    return {i: own for i, score in scores if (own := negative if score.range[0] == 0 else signed)}


def _read(text: str, role: Role, comma: bool) -> ReadCell:
    if role is Role.SCORE:
        return read_cell(text, decimal_comma=comma)
    number = read_count(text, decimal_comma=comma) if role is Role.COUNT else None
    if role is not Role.COUNT or number is not None:
        kind, shown = (CellKind.TEXT, "") if number is None else (CellKind.NUMBER, str(number))
        return tuple.__new__(ReadCell, (text, kind, shown, *_BARE))  # faster, as in ``_values``
    empty = read_cell(text)
    return empty if empty.kind is CellKind.MISSING else ReadCell(text, CellKind.UNREAD, why="not a whole number")


def _counts(headings: Sequence[Heading], cells: Sequence[ReadCell], group: str, columns: Iterable[int]) -> Counts:
    """The counts of a row in some columns that belong to a group of them; those without a group belong to all."""
    named: list[tuple[str, int]] = []
    for column in columns:
        heading, cell = headings[column], cells[column]
        if heading.group == group and cell.kind is CellKind.NUMBER:
            if heading.role is Role.COUNT:
                named.append((heading.count, int(cell.number)))
            elif cell.ratio is not None and not heading.qualifier:
                named += counts_of_ratio(heading.score, cell.ratio).named()
    return Counts.of(named) if named else NO_COUNTS


def _scales(oriented: Oriented, rows: Sequence[Row], caption: str, percent: bool | None) -> dict[int, ScaleDecision]:
    """Percent or fraction for every score column; a column of deviations follows the column of its means."""
    decisions: dict[int, ScaleDecision] = {}
    headings, columns = oriented.headings, list(zip(*[row.cells for row in rows], strict=True))
    others = {number for number, row in enumerate(rows) if row.kind in _APART}
    for index in sorted(oriented.columns(Role.SCORE), key=lambda index: headings[index].statistic in _DEVIATIONS):
        spread = headings[index].statistic in _DEVIATIONS
        means = (own.scale for other, own in decisions.items() if _key(headings[other]) == _key(headings[index]))
        if percent is not None:
            decisions[index] = ScaleDecision(Scale.PERCENT if percent else Scale.FRACTION, "as told")
        elif spread and (alike := next(means, None)) is not None:
            decisions[index] = ScaleDecision(alike, "as the values")
        else:
            blank, cells = ReadCell("", CellKind.MISSING), columns[index] if rows else ()
            if others and not spread:
                cells = tuple(blank if number in others else cell for number, cell in enumerate(cells))
            decisions[index] = decide(headings[index], cells, caption)
    return decisions


def _with_unclear(row: Row, number: int, decisions: Mapping[int, ScaleDecision]) -> Row:
    cells = list(row.cells)
    for index, decision in decisions.items():
        if number in decision.unclear:
            why = f"percent, fraction, or no score at all? the column is read as {decision.scale}"
            cells[index] = cells[index]._replace(kind=CellKind.UNREAD, why=why)
    return replace(row, cells=tuple(cells))


def _assumed(columns: Sequence[Column]) -> Iterator[str]:
    for column in columns:
        heading, name = column.heading, f"column {column.heading.text!r}"
        if heading.note and heading.role in (Role.SCORE, Role.COUNT):
            yield f"{name}: {heading.note}"
        if column.scale not in (None, Scale.PLAIN) and column.why != "the header says %":
            yield f"{name}: read as {column.scale} ({column.why})"
        if heading.role is Role.COUNT and heading.count == "total":
            yield f"{name}: read as the number of all cases"


def _reports(oriented: Oriented, rows: Sequence[Row], columns: Sequence[Column]) -> list[Report]:
    scored = [column for column in columns if column.heading.role is Role.SCORE]
    spreads = {_key(column.heading): column for column in scored if column.heading.statistic in _DEVIATIONS}
    groups: dict[str, list[tuple[Column, Column | None]]] = {}
    for column in scored:
        if column.heading.statistic not in _DEVIATIONS:
            groups.setdefault(column.heading.group, []).append((column, spreads.get(_key(column.heading))))
    used = oriented.columns(Role.SCORE, Role.COUNT)
    reports = []
    for row in rows:
        if row.kind is not RowKind.RESULT and row.kind in _NO_REPORT:
            continue
        for group, wanted in groups.items():
            values = tuple(_values(row, wanted, oriented.transposed))
            if values:
                counts = row.counts
                if group:
                    counts = counts.merged(_counts(oriented.headings, row.cells, group, used))
                reports.append(Report(row.index, row.label, row.kind, group, values, counts, row.fold, row.section))
    return reports


def _values(row: Row, wanted: Sequence[tuple[Column, Column | None]], transposed: bool) -> Iterator[Value]:
    """The scores of a row, each with the deviation that stands in a column beside it."""
    cells, line, number, made = row.cells, row.index, CellKind.NUMBER, tuple.__new__
    for column, beside in wanted:
        index, own = column.index, column.heading
        cell = cells[index]
        if cell.kind is not number:
            continue
        width, kind = cell.spread, ""
        if beside is not None and not width and cells[beside.index].kind is number:
            width, kind = cells[beside.index].number, beside.heading.statistic
        as_percent = column.scale is Scale.PERCENT or cell.percent
        text = cell.text(percent=as_percent, spread=width) if as_percent or width else cell.number
        place = (index, line) if transposed else (line, index)
        # By hand: a named tuple's own way of making it takes twice as long, and a table has more of these than rows.
        yield made(Value, (place, own.score, text, cell, own.text, own.qualifier, own.statistic, kind))


def _key(heading: Heading) -> tuple[str, str, str]:
    """What a column of deviations shares with the column of its means."""
    return heading.score, heading.group, heading.qualifier


def report_problem(text: str, **options: Any) -> ClassesProblem:
    """The problem of the one classification report in a text; options are those of reports on several classes.

    >>> report_problem('''            precision    recall  f1-score   support
    ...      cat       0.50      1.00      0.67        10
    ...      cow          ?      1.00         ?        10
    ... accuracy                           1.00        20''').classes
    ('cat', 'cow')
    """
    tables = read_tables(f"{text}\n", kind="classification-report")
    report = interpret(tables[0]).class_report if len(tables) == 1 else None
    rounding = options.pop("rounding", None) or ("nearest" if options.get("eps") is None else None)
    problem = None if report is None or tables.problems else report.coupled(rounding=rounding, **options)
    if problem is None:
        why = "expected the supports of two classes at least, and averages of these"
        why = why if len(tables) == 1 else f"expected one, found {len(tables)}; give them one by one"
        raise UnreadableInput(f"report: {'; '.join([*tables.problems, *(report.doubts if report else ())]) or why}")
    return problem
