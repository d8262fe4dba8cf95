"""Tables of plain text: values separated by commas, semicolons, tabs or bars, and columns made of blanks.

Blank lines part the tables of a file; lines of prose above one are its caption. Where columns are two or more blanks
apart their places on the line tell them apart, also for empty cells. Where one blank separates everything (copied from
a PDF viewer) a line is a label followed by values, and it is a table only if every line has the same number of values
and the header names as many; otherwise the text is refused, not guessed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace

from scoreproof.csv_reader import Content, Line, each_line, separator_of
from scoreproof.documents.formats import Contents, Source, looked_through
from scoreproof.documents.readers.printed_scores import score_lists
from scoreproof.documents.table import CAPTION, Span, Table, rectangle, tidy
from scoreproof.limits import require_within


def read(source: Source) -> Contents:
    """Every table of a text, as its format says."""
    return _with_blanks(source) if source.format == "text" else _delimited(source)


def _delimited(source: Source) -> Contents:
    text = source.text
    separator = "\t" if source.format == "tsv" else separator_of(text)
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


_MOST_WORDS, _LONGEST_LINE = 200, 5_000  # words and characters of a line of a table
_MOST_IN_VALUE, _LONGEST_VALUE = 20, 200  # words and characters of one value, its bracket included
_RULE = re.compile(r"[\s\-=_+|─━═┄·:]+")
_NUMBER = r"[<>≈~]?\s?[+\-−–]?(?:\d+(?:[.,]\d+)?|[.,]\d+)\s?%?"
_VALUE = re.compile(
    rf"{_NUMBER}(?:\s*(?:±|\+/-|\+-)\s*{_NUMBER})?(?:\s*[\[(][^\[\]()]*\d[^\[\]()]*[\])])?[†‡§¶*]*|[-–—]+|n/?a\.?|N/?A\.?|nan|NaN"
)
# Blanks between two names of a header, but for words that belong to the name before them.
_BETWEEN_NAMES = re.compile(r"\s+(?!(?:\(\S*\)|\[\S*\]|%|↑|↓|score|avg\.?|rate|index|measure)(?:\s|$))", re.IGNORECASE)


def _with_blanks(source: Source) -> Contents:
    """The tables of a pasted text; blank lines separate them."""
    blocks = _blocks(looked_through(source.text).split("\n"))
    paragraphs = (tidy(" ".join(line for line in block if line.count("|") < 2)) for _, block in blocks)
    contents = Contents(source, paragraphs=((text, "") for text in paragraphs))
    lines = source.text.split("\n")
    for start, end, scores, caption in list(score_lists(lines, printed=True)):
        contents.add(rectangle(scores, 1), caption=caption, line=start + 1)
        lines[start:end] = [""] * (end - start)
    pending = ""
    for start, block in _blocks(lines):
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


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Lines without blank ones between them, and the number of the first."""
    for filled, block in itertools.groupby(enumerate(lines, 1), key=lambda line: bool(line[1].strip())):
        if filled:
            numbers, texts = zip(*block, strict=True)
            # a line of nothing but tabs would become eight times as long; no table has one
            yield numbers[0], [(t.expandtabs(8) if len(t) <= _LONGEST_LINE else t).rstrip() for t in texts]


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
    grid: list[list[str]] = []
    spans: list[Span] = []
    for row, line in zip(rows, cells, strict=True):
        grid.append([""] * len(columns))
        for start, end in line:
            touched = [i for i, (left, right) in enumerate(columns) if start < right and left < end]
            nearest = min(range(len(columns)), key=lambda i: abs(sum(columns[i]) - start - end))
            first, last = (touched[0], touched[-1]) if touched else (nearest, nearest)
            if any(grid[-1][first : last + 1]):  # two cells in one column
                return None
            grid[-1][first : last + 1] = [row[start:end]] * (last + 1 - first)
            if last > first:
                spans.append(Span(len(grid) - 1, first, 1, last + 1 - first))
    return replace(rectangle(grid), spans=tuple(spans))


def _by_values(rows: list[str]) -> Table | None:
    """Lines of a label and values, one blank between; the header must name every column."""
    lines: list[list[str]] = []
    for row in rows:
        values: list[str] = []
        text = row.strip()
        while (start := _last_value(text)) is not None:
            text, value = text[:start].rstrip(), text[start:]
            values.insert(0, value)
        lines.append([text, *values])
    header, *body = lines
    names, width = _BETWEEN_NAMES.split(rows[0].strip()), len(body[0])
    names = ["", *names] if len(names) == width - 1 else names
    same = width > 1 and all(len(line) == width for line in body)
    return rectangle([names, *body]) if len(header) == 1 and same and len(names) == width else None


def _last_value(text: str) -> int | None:
    """Where the longest value at the end of the text begins."""
    starts = [match.end() for match in re.finditer(r"\s+", text)][-_MOST_IN_VALUE:]
    fitting = (at for at in starts if len(text) - at <= _LONGEST_VALUE and _VALUE.fullmatch(text, at))
    return next(fitting, None)
