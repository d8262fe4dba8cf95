"""Tables of plain text: values separated by commas, semicolons, tabs or bars, and columns made of blanks.

A file may hold several tables with blank lines between them, and lines of prose above a table, which become its
caption. Where columns are two or more blanks apart their places on the line tell them apart, also for empty cells.
Where one blank separates everything (copied from a PDF viewer) a line is a label followed by values, and it is a table
only if every line has the same number of values and the header names as many; otherwise the text is refused, not
guessed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace

from scoreproof.csv_reader import Content, Line, each_line, separator_of
from scoreproof.documents.formats import Contents, Paragraph, Source, looked_through
from scoreproof.documents.readers.printed_scores import score_lists
from scoreproof.documents.table import CAPTION, Span, Table, looks_numeric, rectangle, tidy
from scoreproof.limits import require_within


def read(source: Source) -> Contents:
    """Every table of a text, as its format says."""
    return _with_blanks(source) if source.format == "text" else _delimited(source)


def _delimited(source: Source) -> Contents:
    """The tables of a delimited text."""
    separator = "\t" if source.format == "tsv" else separator_of(source.text)
    text = source.text
    lines = list(each_line(Content(source.name or "text", text), separator))
    # Without quotes, odd characters and double blanks there is nothing to tidy inside the cells.
    if '"' in text or "  " in text or not text.isascii() or not text.replace("\n", "").isprintable():
        lines = [(number, list(map(tidy, cells))) for number, cells in lines]
    contents = Contents(source)
    for filled, block in itertools.groupby(lines, key=lambda line: any(line[1])):
        if filled:
            _add_table(contents, list(block))
    return contents


def _add_table(contents: Contents, block: list[Line]) -> None:
    """The table of consecutive lines; single cells before a wider row are its caption."""
    wide = max((at for at, (_, cells) in enumerate(block) if len(cells) > 1), default=-1)  # the last row of several
    single = itertools.takewhile(lambda line: line[1][0] and not any(line[1][1:]), block[: wide + 1])
    caption = [cells[0].lstrip("# ") for _, cells in single]
    block = block[len(caption) :]
    if len(block) >= 2:
        grid = rectangle(cells for _, cells in block)
        contents.add(grid, caption=" ".join(caption), notes=contents.source.notes, line=block[0][0])


_MOST_WORDS = 200  # a line of a table has fewer
_LONGEST_LINE = 5_000  # characters, tabs expanded
_MOST_IN_VALUE = 20  # words of one value, its bracket included
_LONGEST_VALUE = 200  # characters
_RULE = re.compile(r"[\s\-=_+|─━═┄·:]+")
_NUMBER = r"[<>≈~]?\s?[+\-−–]?(?:\d+(?:[.,]\d+)?|[.,]\d+)\s?%?"
_VALUE = re.compile(
    rf"{_NUMBER}(?:\s*(?:±|\+/-|\+-)\s*{_NUMBER})?(?:\s*[\[(][^\[\]()]*\d[^\[\]()]*[\])])?[†‡§¶*]*|[-–—]+|n/?a\.?|N/?A\.?|nan|NaN"
)
# Blanks between two names of a header, but for words that belong to the name before them.
_BETWEEN_NAMES = re.compile(r"\s+(?!(?:\(\S*\)|\[\S*\]|%|↑|↓|score|avg\.?|rate|index|measure)(?:\s|$))", re.IGNORECASE)

Place = tuple[int, int]  # from where to where something stands on a line


def _with_blanks(source: Source) -> Contents:
    """The tables of a pasted text; blank lines separate them."""
    contents = Contents(source, paragraphs=paragraphs(looked_through(source.text)))
    lines = source.text.split("\n")
    for start, end, scores, caption in list(score_lists(lines, printed=True)):
        contents.add(rectangle(scores, 1), caption=caption, line=start + 1)
        lines[start:end] = [""] * (end - start)
    pending = ""
    for start, block in _unwrapped(_blocks(lines)):
        above = sum(1 for _ in itertools.takewhile(_is_prose, block[:-1]))
        caption = tidy(" ".join([pending, *block[:above]]))
        rows = [line for line in block[above:] if not _RULE.fullmatch(line)]
        pending, start = "", start + above
        if len(rows) < 2:
            pending = tidy(" ".join([caption, *rows])) if rows and CAPTION.match(caption or rows[0]) else ""
            continue
        words = [len(row.split()) for row in rows]
        grid = None
        if max(map(len, rows)) <= _LONGEST_LINE and max(words) <= _MOST_WORDS:
            require_within("cells", sum(words), f"line {start}: a table", least=True)
            grid = _by_gaps(rows) or _by_values(rows)
        if grid is not None:
            contents.add(grid, caption=caption, line=start)
        elif any(map(str.isdigit, "".join(rows))):
            contents.problems.append(f"line {start}: these {len(rows)} lines do not fall into columns")
    return contents


def paragraphs(text: str) -> Iterator[Paragraph]:
    """The paragraphs of a text, without lines of bars."""
    for _, block in _blocks(text.split("\n")):
        kept = [line for line in block if line.count("|") < 2]
        if kept:
            yield tidy(" ".join(kept)), ""


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Lines without blank ones between them, and the number of the first."""
    for filled, block in itertools.groupby(enumerate(lines, 1), key=lambda line: bool(line[1].strip())):
        if filled:
            numbers, texts = zip(*block, strict=True)
            # a line of nothing but tabs would become eight times as long; no table has one
            yield numbers[0], [(t.expandtabs(8) if len(t) <= _LONGEST_LINE else t).rstrip() for t in texts]


def _unwrapped(blocks: Iterator[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    r"""pandas cuts a wide frame into blocks, a \ after the header of all but the last; here they stand side by side."""
    joined: list[tuple[int, list[str]]] = []
    for start, block in blocks:
        first, before = joined[-1] if joined else (0, [""])
        pairs = list(zip(before, block, strict=False)) if before[0].endswith("\\") and len(before) == len(block) else []
        labels = max((len(re.split(r"\s{2,}", line, maxsplit=1)[0]) for _, line in pairs[1:]), default=0)
        if pairs[1:] and all(left[:labels].strip() == right[:labels].strip() for left, right in pairs):
            width = max(map(len, before))
            lines = [f"{left.rstrip(chr(92)).ljust(width)}  {right[labels:]}".rstrip() for left, right in pairs]
            joined[-1] = (first, lines)
        else:
            joined.append((start, block))
    return joined


def _is_prose(line: str) -> bool:
    words = line.strip()
    if len(re.findall(r"\S\s{2,}(?=\S)", words)) > 1 and not CAPTION.match(line):
        return False  # cells, the last of which ends in a full stop
    return CAPTION.match(line) is not None or (len(words.split()) > 4 and words.endswith((".", ":")))


def _by_gaps(rows: list[str]) -> Table | None:
    """Columns by their places: a column ends where a blank stands in every line that has cells of its own."""
    cells = [[(match.start(), match.end()) for match in re.finditer(r"\S+(?: \S+)*", row)] for row in rows]
    widest = max(map(len, cells))
    full = [line for line in cells if len(line) == widest]
    if widest < 2 or len(full) < 2:
        return None
    columns = [(min(start for start, _ in column), max(end for _, end in column)) for column in zip(*full, strict=True)]
    if any(left[1] > right[0] for left, right in itertools.pairwise(columns)):
        texts = ([row[start:end] for start, end in line] for row, line in zip(rows, cells, strict=True))
        return rectangle(texts) if len(full) == len(cells) else None
    return _in_columns(rows, cells, columns)


def _in_columns(rows: list[str], cells: list[list[Place]], columns: list[Place]) -> Table | None:
    """The grid of cells whose columns are known; none where two of a line stand in one column."""
    grid: list[list[str]] = []
    spans: list[Span] = []
    for row, line in zip(rows, cells, strict=True):
        grid.append([""] * len(columns))
        for start, end in (part for cell in line for part in _parts(row, *cell, columns)):
            touched = [i for i, (left, right) in enumerate(columns) if start < right and left < end]
            nearest = min(range(len(columns)), key=lambda i: abs(sum(columns[i]) - start - end))
            first, last = (touched[0], touched[-1]) if touched else (nearest, nearest)
            if any(grid[-1][first : last + 1]):
                return None
            grid[-1][first : last + 1] = [row[start:end]] * (last + 1 - first)
            if last > first:
                spans.append(Span(len(grid) - 1, first, 1, last + 1 - first))
    return replace(rectangle(grid), spans=tuple(spans))


def _parts(row: str, start: int, end: int, columns: list[Place]) -> list[Place]:
    """A cell cut where one blank stands between two columns and a number follows: a label that fills its column."""
    for left, right in itertools.pairwise(columns):
        blank = right[0] - 1
        if start < left[1] <= blank < end and row[blank] == " " and looks_numeric(row[blank + 1 : end]):
            return [(start, blank), *_parts(row, blank + 1, end, columns)]
    return [(start, end)]


def _by_values(rows: list[str]) -> Table | None:
    """Lines of a label and values, one blank between; the header must name every column."""
    lines: list[list[str]] = []
    for row in rows:
        values: list[str] = []
        text = row.strip()
        while (match := _last_value(text)) is not None:
            text, value = match
            values.insert(0, value)
        lines.append([text, *values])
    header, *body = lines
    names = _BETWEEN_NAMES.split(rows[0].strip())
    width = len(body[0])
    names = ["", *names] if len(names) == width - 1 else names
    same = width > 1 and all(len(line) == width for line in body)
    return rectangle([names, *body]) if len(header) == 1 and same and len(names) == width else None


def _last_value(text: str) -> tuple[str, str] | None:
    """The longest value at the end of the text, with what stands before it."""
    starts = [match.end() for match in re.finditer(r"\s+", text)][-_MOST_IN_VALUE:]
    for start in starts:
        if len(text) - start <= _LONGEST_VALUE and _VALUE.fullmatch(text, start):
            return text[:start].rstrip(), text[start:]
    return None
