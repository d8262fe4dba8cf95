"""Getting the tables and the paragraphs out of a document, whatever its format, in one parse.

PDF, Word, Excel, HTML, LaTeX and what notebooks hold are parsed by other people's libraries, whose time and memory
nobody can promise. They are read by a child with limits (``seconds`` of processor time and ``memory`` of ``Limits``,
and ten times the seconds by the clock); its death is an error like any other, which says how it came about. A reader of
pages has the time anew for each of them; where it dies at one, the others are read without it.

What a grid holds in another shape becomes a table with a score in each column (``reshaped``). "Acc. 0.81" in a cell
names the score that other tables have in the header: each name becomes a column of its own. So do "P / R" over
"0.91 / 0.88", "Acc (F1)" over "0.91 (0.88)" and "Acc (train/test)" over "0.99/0.91". Two tables side by side under one
caption repeat their header: they are two tables.
"""

from __future__ import annotations

import importlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from scoreproof import errors
from scoreproof.documents.formats import FORMATS, Contents, Paragraph, Source, of_suffix, open_source, prose
from scoreproof.documents.readers.records import PandasFrame, is_frame, table_of
from scoreproof.documents.table import Table, Tables, looks_numeric, tallied
from scoreproof.errors import InvalidOption, LimitExceeded, NoTable, ScoreproofError, UnreadableInput, require_extra
from scoreproof.limits import Limits, current, within
from scoreproof.quantities.measures import measure
from scoreproof.work.subprocess_worker import BY_CLOCK, Died, SubprocessWorker, Tell, in_worker, unread


@dataclass(frozen=True, slots=True)
class PaperText:
    """The tables of a document, and its paragraphs with their places."""

    tables: Tables
    paragraphs: tuple[Paragraph, ...] = ()


def read_tables(path_or_text: str | os.PathLike[str] | PandasFrame, *, kind: str | None = None) -> Tables:
    """The tables of a document as grids of text cells, with captions and positions.

    A ``Path``, or a string of one line, names a file: CSV, TSV, Markdown, HTML, LaTeX, Excel, OpenDocument, Word, PDF,
    a notebook, plain text, or a model card. A string of several lines is the text itself, a pandas data frame one
    table. ``kind``, the name of a format, overrules what the file's name or the content suggests. Cells are never
    converted: "0.90" stays "0.90". PDF, Word, spreadsheets, HTML, LaTeX and notebooks are read in a process of their
    own, within the ``Limits``.

    >>> tables = read_tables("Method,Acc,Sens\\nA,0.90,80.0%\\nB,0.85 ± 0.10,n/a\\n")
    >>> tables[0].body
    (('A', '0.90', '80.0%'), ('B', '0.85 ± 0.10', 'n/a'))
    """
    if is_frame(path_or_text):
        if kind is not None:
            raise InvalidOption(f"kind: expected nothing beside a data frame, got {kind!r}")
        return Tables((table_of(cast("PandasFrame", path_or_text)),), "", "frame")
    return _read(cast("str | os.PathLike[str]", path_or_text), kind, paragraphs=False).tables


def read_paper(
    path_or_text: str | os.PathLike[str],
    *,
    kind: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PaperText:
    """The tables of a document as ``read_tables`` gives them, and what is written beside them.

    ``progress`` hears which page is read, and of how many, where there are pages.

    >>> paper = read_paper("# Data\\n\\nWe tested on 12 images.\\n\\n| Acc |\\n|---|\\n| 0.9 |\\n", kind="markdown")
    >>> len(paper.tables), paper.paragraphs
    (1, (('We tested on 12 images.', "section 'Data'"),))
    """
    return _read(path_or_text, kind, paragraphs=True, progress=progress)


def _read(
    path_or_text: str | os.PathLike[str],
    kind: str | None,
    *,
    paragraphs: bool,
    progress: Callable[[int, int], None] | None = None,
) -> PaperText:
    source = open_source(path_or_text, kind)
    source = source if progress is None else replace(source, tell=progress)
    known = FORMATS[source.format]
    read = read_sandboxed if known.sandboxed else read_here
    contents = read(known.reader, source, paragraphs=paragraphs)
    tables, problems, texts = contents.tables, contents.problems, tuple(contents.paragraphs)
    if not tables:
        name = source.name or "the text"
        why = f": {'; '.join(problems[:3])}" if problems else f" (read as {source.format})"
        beyond = any("--allow" in problem for problem in problems)  # a limit, which names its option
        if beyond:
            raise LimitExceeded(f"{name}: no table was found{why}")
        raise NoTable(f"{name}: no table was found{why}", texts)
    return PaperText(Tables(tuple(reshaped(tables)), source.name, source.format, tuple(problems)), texts)


_PLAIN = ("csv", "tsv")
_TOLD = ("name", "format", "notes", "inserted", "skipped_pages")  # of a source, to the process that reads it
_MOST_DEATHS = 3  # pages of one document at which its reader may die


def read_here(reader: str, source: Source, *, paragraphs: bool = True) -> Contents:
    """What a document holds, read in this process; its ``paragraphs`` only where they are wanted."""
    module = importlib.import_module(f"scoreproof.documents.readers.{reader}")
    with tallied("data_cells" if source.format in _PLAIN else "cells"):
        contents: Contents = module.read(source)
        contents.paragraphs = prose(contents.paragraphs) if paragraphs else []
        return contents


def begin(path: str | os.PathLike[str]) -> None:
    """Start the process that will read a file, which loads its library while this process loads its own."""
    named = of_suffix(Path(path).suffix)
    if named is not None and named.sandboxed and not in_worker():
        _READER.start("sys" if named.extra is None else named.extra[0])


def read_sandboxed(reader: str, source: Source, *, paragraphs: bool = True) -> Contents:
    """What a document holds, read in a process of its own; its ``paragraphs`` only where they are wanted."""
    if (extra := FORMATS[source.format].extra) is not None:
        require_extra(*extra)
    told = _asked(reader, source, paragraphs)
    paragraphs_read = [(text, place) for text, place in told["paragraphs"]]
    return Contents(
        source, [Table.from_dict(table) for table in told["tables"]], list(told["problems"]), paragraphs_read
    )


def _asked(reader: str, source: Source, paragraphs: bool) -> Any:
    limits = current()
    request = {
        **{name: getattr(source, name) for name in _TOLD},
        "reader": reader,
        "binary": bool(source.data),
        "paragraphs": paragraphs,
        "limits": limits.to_dict(),
    }
    data = source.data or source.text.encode("utf-8", "surrogatepass")
    at = 0

    def heard(place: tuple[int, int]) -> None:
        nonlocal at
        at = place[0]
        source.tell(*place)

    try:
        if in_worker():
            told = answer(request, data, heard)
        else:
            time = {"seconds": BY_CLOCK * limits.seconds, "processor": limits.seconds}
            told = _READER(request, data, megabytes=limits.memory, told=heard, **time)
    except Died as end:
        if at and len(source.skipped_pages) < _MOST_DEATHS:
            return _asked(reader, replace(source, skipped_pages=(*source.skipped_pages, at)), paragraphs)
        raise unread(str(end), source.name or "the text") from None
    if "error" in told:
        kind = getattr(errors, told["error"], UnreadableInput)
        raise kind(told["words"])
    return told


def answer(request: Any, data: bytes, tell: Tell) -> Any:
    """What the worker does with one document."""
    content: Any = {"data": data} if request["binary"] else {"text": data.decode("utf-8", "surrogatepass")}
    told = {name: request[name] for name in _TOLD}
    source = Source(**told, **content, tell=lambda page, pages: tell((page, pages)))
    try:
        with within(Limits(**request["limits"])):
            contents = read_here(request["reader"], source, paragraphs=request["paragraphs"])
    except ScoreproofError as error:
        return {"error": type(error).__name__, "words": str(error)}
    tables = [table.to_dict() for table in contents.tables]
    return {"tables": tables, "problems": contents.problems, "paragraphs": contents.paragraphs}


_READER = SubprocessWorker("scoreproof.documents.read:answer")


_NAMED = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z0-9 ²^@/.-]{0,20}?)\s*[:=]?\s+"
    r"(?P<value>[<>~≈]?\d[\d.,]*\s?%?(?:\s*(?:±|\+/-)\s*[\d.]+\s?%?)?)"
)
_MOST_NAMES = 6  # in one column
_SHARE = 0.7  # of the cells of a column that have a name in them
_NUMBER = r"[\s*_$]*(\d*\.?\d+\s*(?:\\?%)?(?:\s*(?:±|\+/-)\s*[\d.]+\s*%?)?)[\s*_$†‡]*"
_PAIR = re.compile(rf"{_NUMBER}[(\[]{_NUMBER}[)\]]\s*")
_UNIT = re.compile(r"\s*(?:[(\[]\s*(?:in\s+)?%\s*[)\]]|%|[↑↓])\s*")
_INSIDE = re.compile(r"([^()\[\]]+?)\s*[(\[]([^()\[\]]+)[)\]]")
_SET = re.compile(r"\b(?:train|val|dev|test)(?:id(?:ation)?|ing)?\b\.?", re.I)
_LETTER = re.compile(r"[PRF]|Pre|Rec|mean|avg|std|sd", re.I)


@dataclass(frozen=True, slots=True)
class _Parts:
    """What one column stands for: the headers of several, at a level of the header, and their cells."""

    names: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    level: int


def reshaped(tables: Iterable[Table]) -> list[Table]:
    """The tables, those in another shape as the tables that they stand for, counted anew."""
    made = [part for table in tables for part in _side_by_side(_with_parted_columns(table))]
    return [
        table if table.position.index == index else replace(table, position=replace(table.position, index=index))
        for index, table in enumerate(made)
    ]


def _with_parted_columns(table: Table) -> Table:
    """The table with a column for every score that shares one with others.

    >>> table = Table((("Data", "Metric"), ("A", "Acc. 0.81"), ("A", "AUC 0.87"), ("B", "RMSE 0.51")))
    >>> _with_parted_columns(table).rows[:3]
    (('Data', 'Acc.', 'AUC', 'RMSE'), ('A', '0.81', '', ''), ('A', '', '0.87', ''))
    >>> _with_parted_columns(Table((("Model", "P/R (%)"), ("A", "91.2 / 88.0"), ("B", "n/a")))).rows
    (('Model', 'P (%)', 'R (%)'), ('A', '91.2', '88.0'), ('B', 'n/a', ''))
    """
    if not table.header_rows or not table.body:
        return table
    parts = [_parted(table, column) if column else None for column in range(table.shape[1])]
    if not any(parts):
        return table
    spans = [
        span
        for span in table.spans
        if not any(part and part.level == span.row for part in parts[span.column : span.column + span.columns])
    ]
    repeated = [column for column, part in enumerate(parts) for _ in (part.names if part else ("",))]
    wide = replace(table, spans=tuple(spans)).part(range(len(table.rows)), repeated)
    rows = tuple(_row(table, number, parts) for number in range(len(table.rows)))
    bold, underlined = (frozenset((r, c) for r, c in marks if rows[r][c]) for marks in (wide.bold, wide.underlined))
    return replace(wide, rows=rows, bold=bold, underlined=underlined)


def _row(table: Table, number: int, parts: Sequence[_Parts | None]) -> tuple[str, ...]:
    cells: list[str] = []
    for text, part in zip(table.rows[number], parts, strict=True):
        if part is None:
            cells.append(text)
        elif number >= table.header_rows:
            cells += part.cells[number - table.header_rows]
        else:
            cells += part.names if number == part.level else [text] * len(part.names)
    return tuple(cells)


def _parted(table: Table, column: int) -> _Parts | None:
    """What a column stands for, if several scores share it."""
    texts = [row[column] for row in table.body]
    named = _names(texts)
    if named:
        return _by_names(table, column, named)
    filled = [text for text in texts if any(map(str.isalnum, text)) and text.lower() != "n/a"]
    if sum(any(mark in text for mark in "/([") for text in filled) < max(1, _SHARE * len(filled)):
        return None
    for level in reversed(range(table.header_rows)):
        names, values = _reading(table.header[level][column], texts)
        told = sum(len(value) == len(names) for value in values)
        if names and told >= max(1, _SHARE * len(filled)):
            blank = [""] * (len(names) - 1)
            cells = [v if len(v) == len(names) else (t, *blank) for v, t in zip(values, texts, strict=True)]
            return _Parts(names, tuple(cells), level)
    return None


def _by_names(table: Table, column: int, names: list[str]) -> _Parts:
    """The columns of the scores that the cells of one name."""
    named = [_named_values(row[column]) or {names[0]: row[column]} for row in table.body]
    cells = tuple(tuple(values.get(name, "") for name in names) for values in named)
    others = [_names([row[other] for row in table.body]) for other in range(table.shape[1]) if other != column]
    of_data = f"{table.header[-1][column]} " if names in others else ""  # the same scores of several data sets
    return _Parts(tuple(f"{of_data}{name}" for name in names), cells, table.header_rows - 1)


def _reading(header: str, texts: Sequence[str]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The names that a header lists, with the numbers of the cells that would be theirs; none if it lists none."""
    unit = "".join(dict.fromkeys(mark.strip() for mark in _UNIT.findall(header)))
    plain = _UNIT.sub(" ", header).strip()
    inside = _INSIDE.fullmatch(plain)
    names = [name.strip() for name in (inside[2] if inside else plain).split("/")]
    if 1 < len(names) <= _MOST_NAMES and all(names):
        names = _whole_names(names, inside[1] if inside else "")
        shares = not all(map(_is_known, names)) and not any("." in text for text in texts)  # "12/20" under "n/N"
        names, values = [] if shares else names, [_between_slashes(text) for text in texts]
    elif inside and measure(inside[1]) and measure(inside[2]):
        names, values = list(inside.groups()), [_with_bracket(text) for text in texts]
    else:
        names, values = [], []
    return tuple(f"{name} {unit}".strip() for name in names), values


def _whole_names(names: list[str], of_all: str) -> list[str]:
    """The names of a list with the words that they share: before the first, behind the last, or outside brackets.

    >>> _whole_names(["Train", "Test accuracy"], ""), _whole_names(["Clinic A P", "R"], "")
    (['Train accuracy', 'Test accuracy'], ['Clinic A P', 'Clinic A R'])
    """
    before, _, first = names[0].rpartition(" ")
    last, _, rest = names[-1].partition(" ")
    if _SET.fullmatch(first):  # also "Accuracy (train/test)"
        return [f"{before} {name} {of_all or rest}".strip() for name in (first, *names[1:-1], last)]
    if of_all:
        return [f"{of_all} {name}" for name in names]
    if not measure(names[0]) and measure(rest):  # "A/B accuracy" of two models
        return [f"{name} {rest}" for name in (*names[:-1], last)]
    shared = before and not measure(names[0]) and not any(" " in name for name in names[1:])
    return [f"{before} {name}" for name in (first, *names[1:])] if shared else names


def _is_known(name: str) -> bool:
    """Whether a name is that of a score, a part of the data, or a letter for a score."""
    return bool(measure(name) or _LETTER.fullmatch(name.rpartition(" ")[2]) or _SET.search(name))


def _with_bracket(text: str) -> tuple[str, ...]:
    """The number of a cell and the one in brackets behind it; none if something else stands there."""
    match = _PAIR.fullmatch(text)
    return (match[1].strip(), match[2].strip()) if match else ()


def _between_slashes(text: str) -> tuple[str, ...]:
    """The numbers of a cell that slashes part; none if something else stands there."""
    read = [re.fullmatch(_NUMBER, piece) for piece in text.split("/")]
    return tuple(match[1].strip() for match in read if match) if all(read) else ()


def _names(cells: Sequence[str]) -> list[str]:
    """The scores that the cells of a column name, if nearly all of them do; none otherwise."""
    filled = [cell for cell in cells if cell]
    named = [list(values) for values in map(_named_values, filled) if values]
    names = [name for name in Counter(name for own in named for name in own) if measure(name) is not None]
    told = sum(all(name in names for name in own) for own in named)
    return names if len(names) <= _MOST_NAMES and told == len(named) >= max(2, _SHARE * len(filled)) else []


def _named_values(text: str) -> dict[str, str]:
    """The scores that a cell names, with their values: "Acc. 0.81", "Acc: 0.81, F1: 0.80"."""
    read = [_NAMED.fullmatch(piece) for piece in re.split(r"[,;]\s+|\s+/\s+", text[:200])]
    return {match["name"]: match["value"] for match in read if match} if all(read) else {}


def _side_by_side(table: Table) -> Iterator[Table]:
    """The left and the right half of a table whose header says everything twice, each with its own labels.

    >>> rows = (("Model", "Acc", "Model", "Acc"), ("A", "0.81", "C", "0.87"), ("B", "0.79", "D", "0.90"))
    >>> [half.rows for half in _side_by_side(Table(rows))]
    [(('Model', 'Acc'), ('A', '0.81'), ('B', '0.79')), (('Model', 'Acc'), ('C', '0.87'), ('D', '0.90'))]
    """
    half = table.shape[1] // 2
    if _says_twice(table, half):
        yield from (_part(table, start, half) for start in (0, half))
    else:
        yield table


def _says_twice(table: Table, half: int) -> bool:
    """Whether the halves of a table have the same headers, labels in their first columns, and nothing across both."""
    if half < 2 or 2 * half != table.shape[1] or any(row[:half] != row[half:] for row in table.header):
        return False
    names = table.header[-1][:half] if table.header else ()
    crossing = any(span.column < half < span.column + span.columns for span in table.spans)
    labels = [row[place] for row in table.body for place in (0, half)]
    told = len(set(names)) == half and bool(names[0])
    return told and not crossing and 2 * sum(map(looks_numeric, labels)) <= len(labels)


def _part(table: Table, start: int, width: int) -> Table:
    """Some columns of a table, without the rows in which they are empty."""
    kept = [k for k, row in enumerate(table.rows) if k < table.header_rows or any(row[start : start + width])]
    return table.part(kept, range(start, start + width))
