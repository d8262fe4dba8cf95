"""Getting the tables and the paragraphs out of a document, whatever its format, in one parse.

What other people's libraries parse is read by a child with limits of time and memory, whose death is an error like any
other; where it dies at a page, the others are read without it. What a grid holds in another shape becomes a table with
a score in each column: "P / R" over "0.91 / 0.88"; a table whose header says everything twice is two.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, cast

from scoreproof import errors
from scoreproof.documents.formats import FORMATS, Contents, Paragraph, Progress, Source, of_suffix, open_source, prose
from scoreproof.documents.readers.records import PandasFrame, is_frame, table_of
from scoreproof.documents.table import Table, Tables, looks_numeric
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
    converted: "0.90" stays "0.90".

    >>> tables = read_tables("Method,Acc,Sens\\nA,0.90,80.0%\\nB,0.85 ± 0.10,n/a\\n")
    >>> tables[0].body
    (('A', '0.90', '80.0%'), ('B', '0.85 ± 0.10', 'n/a'))
    """
    if is_frame(path_or_text):
        if kind is not None:
            raise InvalidOption(f"kind: expected nothing beside a data frame, got {kind!r}")
        return Tables((table_of(path_or_text),), "", "frame")
    return _read(open_source(cast("str | os.PathLike[str]", path_or_text), kind), paragraphs=False).tables


def read_paper(
    path_or_text: str | os.PathLike[str], *, kind: str | None = None, progress: Progress | None = None
) -> PaperText:
    """The tables of a document as ``read_tables`` gives them, and what is written beside them.

    >>> paper = read_paper("# Data\\n\\nWe tested on 12 images.\\n\\n| Acc |\\n|---|\\n| 0.9 |\\n", kind="markdown")
    >>> len(paper.tables), paper.paragraphs
    (1, (('We tested on 12 images.', "section 'Data'"),))
    """
    source = open_source(path_or_text, kind)
    return _read(source if progress is None else replace(source, tell=progress), paragraphs=True)


def _read(source: Source, *, paragraphs: bool) -> PaperText:
    known = FORMATS[source.format]
    contents = (read_sandboxed if known.sandboxed else read_here)(known.reader, source, paragraphs=paragraphs)
    problems, texts = tuple(contents.problems), tuple(contents.paragraphs)
    if not contents.tables:
        why = f": {'; '.join(problems[:3])}" if problems else f" (read as {source.format})"
        words = f"{source.name or 'the text'}: no table was found{why}"
        limited = any("--allow" in problem for problem in problems)  # which names its option
        raise LimitExceeded(words) if limited else NoTable(words, texts)
    return PaperText(Tables(tuple(reshaped(contents.tables)), source.name, source.format, problems), texts)


_TOLD = ("name", "format", "notes", "inserted", "skipped_pages")  # of a source, to the process that reads it
_MOST_DEATHS = 3  # pages of one document at which its reader may die


def read_here(reader: str, source: Source, *, paragraphs: bool = True) -> Contents:
    """What a document holds, read in this process."""
    module = importlib.import_module(f"scoreproof.documents.readers.{reader}")
    contents: Contents = module.read(source)
    contents.paragraphs = prose(contents.paragraphs) if paragraphs else []
    return contents


def begin(path: str | os.PathLike[str]) -> None:
    """Start the process that will read a file, which loads its library while this process loads its own."""
    named = of_suffix(Path(path).suffix)
    if named is not None and named.sandboxed and not in_worker():
        _READER.start("sys" if named.extra is None else named.extra[0])


def read_sandboxed(reader: str, source: Source, *, paragraphs: bool = True) -> Contents:
    """What a document holds, read in a process of its own."""
    if (extra := FORMATS[source.format].extra) is not None:
        require_extra(*extra)
    limits = current()
    request = {name: getattr(source, name) for name in _TOLD} | {"reader": reader, "paragraphs": paragraphs}
    request |= {"binary": bool(source.data), "limits": limits.to_dict()}
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
        if not at or len(source.skipped_pages) >= _MOST_DEATHS:
            raise unread(str(end), source.name or "the text") from None
        rest = replace(source, skipped_pages=(*source.skipped_pages, at))
        return read_sandboxed(reader, rest, paragraphs=paragraphs)
    if "error" in told:
        raise getattr(errors, told["error"], UnreadableInput)(told["words"])
    texts = [(text, place) for text, place in told["paragraphs"]]
    return Contents(source, [Table.from_dict(table) for table in told["tables"]], told["problems"], texts)


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

_MOST_NAMES = 6  # in one column
_MARKED, _WORD = re.compile(r"[/(\[]"), re.compile(r"^(?!n/a$).*[^\W_]", re.IGNORECASE)
_SHARE = 0.7  # of the cells of a column that have as many numbers as their header has names
_NUMBER = re.compile(r"[\s*_$]*(\d*\.?\d+\s*(?:\\?%)?(?:\s*(?:±|\+/-)\s*[\d.]+\s*%?)?)[\s*_$†‡]*")
_UNIT = re.compile(r"\s*(?:[(\[]\s*(?:in\s+)?%\s*[)\]]|%|[↑↓])\s*")
_INSIDE = re.compile(r"([^()\[\]]+?)\s*[(\[]([^()\[\]]+)[)\]]\s*")
_SET = re.compile(r"\b(?:train|val|dev|test)(?:id(?:ation)?|ing)?\b\.?", re.I)
_LETTER = re.compile(r"[PRF]|Pre|Rec|mean|avg|std|sd", re.I)


class _Parts(NamedTuple):
    """What one column stands for: the headers of several, at a level of the header, and their cells."""

    names: list[str]
    cells: list[tuple[str, ...]]
    level: int


def reshaped(tables: Iterable[Table]) -> list[Table]:
    """The tables, those in another shape as the tables that they stand for, counted anew."""
    made = [part for table in tables for part in _side_by_side(_with_parted_columns(table))]
    return [replace(table, position=replace(table.position, index=index)) for index, table in enumerate(made)]


def _with_parted_columns(table: Table) -> Table:
    """The table with a column for every score that shares one with others.

    >>> _with_parted_columns(Table((("Model", "P/R (%)"), ("A", "91.2 / 88.0"), ("B", "n/a")))).rows
    (('Model', 'P (%)', 'R (%)'), ('A', '91.2', '88.0'), ('B', 'n/a', ''))
    """
    body, width = table.header_rows, table.shape[1]
    parted = {column: part for column in range(1, width) if table.body and (part := _parted(table, column))}
    if not parted:
        return table
    repeated = [column for column in range(width) for _ in (parted[column].names if column in parted else ("",))]
    told = {(part.level, column) for column, part in parted.items()}
    own = (s for s in table.spans if not told & {(s.row, s.column + k) for k in range(s.columns)})
    wide = replace(table, spans=tuple(own)).part(range(len(table.rows)), repeated)
    rows = list(map(list, wide.rows))
    for column, part in parted.items():
        here = slice(first := repeated.index(column), first + len(part.names))
        rows[part.level][here] = part.names
        for row, cells in zip(rows[body:], part.cells, strict=True):
            row[here] = cells
    bold, underlined = (frozenset((r, c) for r, c in marks if rows[r][c]) for marks in (wide.bold, wide.underlined))
    return replace(wide, rows=tuple(map(tuple, rows)), bold=bold, underlined=underlined)


def _parted(table: Table, column: int) -> _Parts | None:
    """What a column stands for, if a level of its header lists scores and enough of its cells as many numbers."""
    texts = [row[column] for row in table.body]
    filled = [text for text in texts if _WORD.search(text)] if _MARKED.search("".join(texts)) else []
    least, marked = _SHARE * len(filled), sum(1 for text in filled if _MARKED.search(text))
    levels = reversed(range(table.header_rows)) if marked and marked >= least else ()
    made = (_by_header(table.header[level][column], texts, level, least) for level in levels)
    return next(filter(None, made), None)


def _by_header(header: str, texts: Sequence[str], level: int, least: float) -> _Parts | None:
    names, separated = _listed(_UNIT.sub(" ", header).strip())
    read = [_numbers(text, separated) for text in texts]
    if not _are_scores(names, texts) or sum(len(numbers) == len(names) for numbers in read) < least:
        return None
    unit = "".join(dict.fromkeys(mark.strip() for mark in _UNIT.findall(header)))
    blank = ("",) * (len(names) - 1)
    cells = [own if len(own) == len(names) else (text, *blank) for own, text in zip(read, texts, strict=True)]
    return _Parts([f"{name} {unit}".strip() for name in names], cells, level)


def _listed(header: str) -> tuple[list[str], bool]:
    """The names that a header lists with the words that they share, and whether slashes separate them.

    >>> _listed("Train/Test accuracy"), _listed("Clinic A P/R"), _listed("Acc (F1)")
    ((['Train accuracy', 'Test accuracy'], True), (['Clinic A P', 'Clinic A R'], True), (['Acc', 'F1'], False))
    """
    inside = _INSIDE.fullmatch(header)
    names = [name.strip() for name in (inside[2] if inside else header).split("/")]
    if len(names) == 1:
        scores = [*inside.groups()] if inside and measure(inside[1]) and measure(inside[2]) else []
        return scores, False
    before, _, first = names[0].rpartition(" ")
    last, _, rest = names[-1].partition(" ")
    if len(names) > _MOST_NAMES or not all(names):
        return [], True
    if _SET.fullmatch(first):  # also "Accuracy (train/test)"
        names = [f"{before} {name} {inside[1] if inside else rest}".strip() for name in (first, *names[1:-1], last)]
    elif inside:
        names = [f"{inside[1]} {name}" for name in names]
    elif before and not measure(names[0]) and not any(" " in name for name in names[1:]):
        names = [f"{before} {name}" for name in (first, *names[1:])]
    return names, True


def _are_scores(names: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether names are those of scores or parts of the data, or at least no counts: "12/20" under "n/N"."""
    known = (measure(name) or _LETTER.fullmatch(name.rpartition(" ")[2]) or _SET.search(name) for name in names)
    return bool(names) and (any("." in text for text in texts) or all(known))


def _numbers(text: str, separated: bool) -> tuple[str, ...]:
    """The numbers of a cell that slashes part, or that in brackets behind another; none if something else is there."""
    inside = None if separated else _INSIDE.fullmatch(text)
    read = [_NUMBER.fullmatch(piece) for piece in (inside.groups() if inside else text.split("/"))]
    return tuple(match[1].strip() for match in read if match) if all(read) else ()


def _side_by_side(table: Table) -> Iterator[Table]:
    """The left and the right half of a table whose header says everything twice, each with its own labels."""
    half = table.shape[1] // 2
    names = table.header[-1][:half] if table.header else ("",)
    twice = half >= 2 and 2 * half == table.shape[1] and all(row[:half] == row[half:] for row in table.header)
    crossing = any(span.column < half < span.column + span.columns for span in table.spans)
    numeric = [looks_numeric(row[place]) for row in table.body for place in (0, half)] if twice else []
    if not twice or crossing or not names[0] or len({*names}) < half or 2 * sum(numeric) > len(numeric):
        yield table
        return
    for start in (0, half):
        kept = [k for k, row in enumerate(table.rows) if k < table.header_rows or any(row[start : start + half])]
        yield table.part(kept, range(start, start + half))
