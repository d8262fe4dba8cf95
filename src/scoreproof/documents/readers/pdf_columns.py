"""From the lines of a table region to its grid.

Columns are bounded by vertical rules where there are any, otherwise by the gaps that run through all lines with
numbers. A header over several columns is tied to the rule under it, or to the columns it is centred on. A label
centred beside several rows stands between two baselines, or alone in the middle of a block: it is spread over the
rows it is centred on.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from scoreproof.documents.readers.pdf_headers import column_of, extent, is_told, tied
from scoreproof.documents.readers.pdf_lines import Line, RuledLine, Word
from scoreproof.documents.readers.pdf_page import UNKNOWN
from scoreproof.documents.readers.pdf_regions import Region, numbers
from scoreproof.documents.table import Span, Table, looks_numeric, tidy

_GAP = 0.45
_WIDE = 0.9  # type sizes between columns that no rule parts, in a table that has vertical rules


@dataclass(slots=True)
class _Cell:
    """Words in one place; ``last`` is the last column they cover."""

    text: str
    last: int
    bold: bool


def grid_of(region: Region) -> tuple[Table, tuple[str, ...], tuple[float, ...]]:
    """The grid of a region, notes on what its place alone had to tell, and where its columns are."""
    columns = _columns(region)
    rows, floating = _rows(region, columns)
    headers = _header_count(region, rows)
    beside: list[tuple[float, dict[int, _Cell]]] = [
        (after + 0.5, _placed(line, columns, region, header=False)) for after, line in floating
    ]
    own = {column for place, line in beside if place < headers for column in line}
    cells = _cells(region, columns, rows, headers, own)
    texts = [[""] * len(columns) for _ in rows]
    bold: set[tuple[int, int]] = set()
    spans: list[Span] = []
    for row, line in enumerate(cells):
        for column, cell in line.items():
            for covered in range(column, cell.last + 1):
                texts[row][covered] = cell.text
                bold |= {(row, covered)} if cell.bold else set()
            if cell.last > column:
                spans.append(Span(row, column, 1, cell.last - column + 1))
    for first, last in _bands(region, rows, headers):
        for column in range(len(columns)):
            spans += _spread(texts, column, first, last, beside)
    grid = Table(tuple(map(tuple, texts)), headers, spans=tuple(spans), bold=frozenset(bold))
    places = tuple(sum(extent(region, columns, k)) / 2 for k in range(len(columns)))
    return grid, tuple(_notes(region, rows[: max(headers - 1, 0)], cells, texts)), places


def _cells(
    region: Region, columns: list[tuple[float, float]], rows: list[Line], headers: int, own: set[int]
) -> list[dict[int, _Cell]]:
    """The cells of every row; the upper header lines share out the columns with results, but for their ``own``."""
    body = [_placed(line, columns, region, header=False) for line in rows[headers:]]
    results = {column for line in body for column, cell in line.items() if looks_numeric(cell.text)}
    upper = frozenset(results - own)
    lowest = rows[headers - 1 : headers] if headers else []
    return [
        *(_placed(line, columns, region, header=True, upper=upper) for line in rows[: max(headers - 1, 0)]),
        *(_placed(_loosened(line, columns), columns, region, header=True) for line in lowest),
        *body,
    ]


def _notes(region: Region, upper: list[Line], cells: list[dict[int, _Cell]], texts: list[list[str]]) -> Iterator[str]:
    """What could not be seen for certain."""
    for line, placed in zip(upper, cells, strict=False):
        wide = [cell.text for column, cell in placed.items() if cell.last > column]
        if wide and not is_told(line, region):
            yield f"no rule shows how far the header {wide[0]!r} reaches: its place decided"
    if any(UNKNOWN in text for row in texts for text in row):
        yield f"some glyphs of the PDF have no character, shown as {UNKNOWN}"


def _columns(region: Region) -> list[tuple[float, float]]:
    """The columns as intervals: between vertical rules, and between gaps where these leave several in one."""
    inner = [edge for edge in region.edges if region.x0 + 3 < edge < region.x1 - 3]
    if not inner:
        merged = _with_label_columns(region, *_extents(region.lines, _GAP))
        return _between(merged, merged[0][0] - 1000, merged[-1][1] + 1000)
    bands = itertools.pairwise([region.x0 - 2, *inner, region.x1 + 2])
    return [column for band in bands for column in _parted(region, *band)]


def _extents(lines: Sequence[Line], gap: float) -> tuple[list[list[float]], float]:
    """Where something stands in the lines with numbers, gaps that run through all of them left out; their type size."""
    telling = [line for line in lines if numbers(line.words) >= 1]
    telling = telling or list(lines)  # a table of words
    widest = max(len(line.segments(_GAP)) for line in telling)
    telling = [line for line in telling if 2 * len(line.segments(_GAP)) >= widest]
    size = median(line.size for line in telling)
    merged: list[list[float]] = []
    for x0, x1 in sorted((word.x0, word.x1) for line in telling for word in line.words):
        if merged and x0 - merged[-1][1] < gap * size:
            merged[-1][1] = max(merged[-1][1], x1)
        else:
            merged.append([x0, x1])
    return merged, size


def _between(extents: Sequence[Sequence[float]], left: float, right: float) -> list[tuple[float, float]]:
    """Columns whose borders are in the middle of the gaps."""
    borders = [left, *((a[1] + b[0]) / 2 for a, b in itertools.pairwise(extents)), right]
    return list(itertools.pairwise(borders))


def _parted(region: Region, left: float, right: float) -> list[tuple[float, float]]:
    """What stands between two vertical rules: one column, or those that most of its lines have numbers in."""
    parts = [part for part in (line.within(left, right) for line in region.lines) if part is not None]
    telling = [part for part in parts if numbers(part.words, _WIDE) >= 2]
    if 2 * len(telling) < len(parts) or len(telling) < 2:
        return [(left, right)]
    extents, _ = _extents(telling, _WIDE)
    return _between(extents, left, right) if len(extents) > 1 else [(left, right)]


def _with_label_columns(region: Region, merged: list[list[float]], size: float) -> list[list[float]]:
    """Columns that no line with numbers reaches: labels beside several rows, set between the lines."""
    for line in region.lines:
        if numbers(line.words) >= 1:
            continue
        for part in line.segments(_GAP):
            x0, x1 = part[0].x0, part[-1].x1
            if not any(x0 < right + _GAP * size and left - _GAP * size < x1 for left, right in merged):
                merged.append([x0, x1])
    return sorted(merged)


def _rows(region: Region, columns: Sequence[tuple[float, float]]) -> tuple[list[Line], list[tuple[int, Line]]]:
    """The rows, and the lines that float between two of them with the number of the row above.

    In a table ruled between all rows, lines without any rule between them are one row whose cells run over several
    lines.
    """
    lines = _with_whole_labels(region, columns)
    numeric = [line.y for line in lines if numbers(line.words) >= 1]
    steps = [below - above for above, below in itertools.pairwise(numeric) if below - above > 2]
    step = median(steps) if steps else 12.0
    floating: list[tuple[int, Line]] = []
    rows: list[Line] = []
    for index, line in enumerate(lines):
        if 0 < index < len(lines) - 1 and numbers(line.words) == 0:
            above, below = lines[index - 1], lines[index + 1]
            up, down = line.y - above.y, below.y - line.y
            centred = abs(up - down) < 0.3 * step and max(up, down) < 0.95 * step
            centred = centred or min(up, down) < 0.85 * line.size  # too close to be a row of its own
            if centred and not _share(line, above, columns) and not _share(line, below, columns):
                floating.append((len(rows) - 1, line))
                continue
        rows.append(line)
    if region.edges and not floating:
        rows = _stacked_rows(region, rows, columns)
    return rows, floating


def _with_whole_labels(region: Region, columns: Sequence[tuple[float, float]]) -> list[Line]:
    """The lines; between two rules a label of several lines beside one line of numbers is one row with it."""
    if not region.edges:
        return region.lines
    lines: list[Line] = []
    for band in _ruled_bands(region.lines, [rule for rule in region.rules if region.is_full(rule)]):
        numeric = [line for line in band if numbers(line.words) >= 1]
        rest = [line for line in band if line not in numeric]
        whole = len(numeric) == 1 and rest and not any(_share(line, numeric[0], columns) for line in rest)
        lines += [_stacked(band, columns)] if whole else band
    return lines


def _ruled_bands(rows: list[Line], rules: Sequence[RuledLine]) -> list[list[Line]]:
    """The lines between rules."""
    bands: list[list[Line]] = []
    for line in rows:
        ruled = bands and any(bands[-1][-1].y < rule.y + 0.5 and rule.y < line.y for rule in rules)
        if bands and not ruled:
            bands[-1].append(line)
        else:
            bands.append([line])
    return bands


def _stacked_rows(region: Region, rows: list[Line], columns: Sequence[tuple[float, float]]) -> list[Line]:
    bands = _ruled_bands(rows, region.rules)
    if len(bands) < 3 or len(bands) < 0.6 * len(rows):
        return rows
    return [
        line
        for band in bands
        for line in ([_stacked(band, columns)] if len(band) > 1 and _wraps(band, columns) else band)
    ]


def _wraps(band: list[Line], columns: Sequence[tuple[float, float]]) -> bool:
    """Whether no column of the lines holds two numbers: then they may be one row."""
    seen: set[int] = set()
    for line in band:
        own = {column_of(word, columns) for word in line.words if numbers((word,)) == 1}
        if own & seen:
            return False
        seen |= own
    return True


def _share(line: Line, other: Line, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether two lines have words in one column."""

    def used(line: Line) -> set[int]:
        return {column_of(word, columns) for word in line.words}

    return bool(used(line) & used(other))


def _stacked(band: list[Line], columns: Sequence[tuple[float, float]]) -> Line:
    words: list[Word] = []
    for index in range(len(columns)):
        parts = [word for line in band for word in line.words if column_of(word, columns) == index]
        if parts:
            left, right = min(word.x0 for word in parts), max(word.x1 for word in parts)
            text = " ".join(word.text for word in parts)
            words.append(Word(text, left, right, parts[0].size, all(word.bold for word in parts)))
    return Line(band[0].y, tuple(words))


def _header_count(region: Region, rows: list[Line]) -> int:
    """The rows above the rule that stands above the first number, or above the first number itself."""
    first = next((index for index, line in enumerate(rows) if numbers(line.words[1:]) >= 1), 0)
    for rule in region.rules:
        above = sum(line.y < rule.y + 0.5 for line in rows)
        if region.is_full(rule) and 0 < above <= max(first, 1) and above < len(rows) and first - above <= 0:
            return above
    return first


def _placed(
    line: Line, columns: list[tuple[float, float]], region: Region, *, header: bool, upper: frozenset[int] = frozenset()
) -> dict[int, _Cell]:
    """The cells of one line; ``upper`` names the columns a header line above others must share out."""
    parts = _parts(line, columns, header=header)
    reach = tied(parts, columns, region, line, upper) if header else {}
    over = {
        index: reach.get(index) or [i for i, (a, b) in enumerate(columns) if part[0].x0 < b - 2 and a + 2 < part[-1].x1]
        for index, part in enumerate(parts)
        if header or numbers(part) == 0
    }
    claims = Counter(column for covered in over.values() for column in covered)
    placed: dict[int, _Cell] = {}
    for index, part in enumerate(parts):
        covered = over.get(index, [])
        if index not in reach and any(claims[column] > 1 for column in covered):
            covered = []  # a wide word that reaches into its neighbour's column, not a header over both
        first, *_, last = covered * 2 or [column_of(Word("", part[0].x0, part[-1].x1, 0), columns)] * 2
        before = f"{placed[first].text} " if first in placed else ""
        placed[first] = _Cell(before + _text(part), last, _is_bold(part))
    return placed


def _text(part: Sequence[Word]) -> str:
    return tidy(re.sub(r"\s*([±×])\s*", r" \1 ", " ".join(word.text for word in part)))


def _is_bold(part: Sequence[Word]) -> bool:
    telling = [word for word in part if re.search(r"\w", word.text)]
    return bool(telling) and all(word.bold for word in telling)


def _loosened(line: Line, columns: list[tuple[float, float]]) -> Line:
    """The lowest line of a header, its words set apart where they are too close but stand one over each column."""
    words: list[Word] = []
    for segment in line.segments(_GAP):
        over = [column_of(word, columns) for word in segment]
        if len(segment) >= 3 and over == list(range(over[0], over[0] + len(segment))):
            words += [_narrowed(word, _GAP * line.size) for word in segment]  # so that none touches the next
        else:
            words += segment
    return Line(line.y, tuple(words))


def _narrowed(word: Word, most: float) -> Word:
    side = min(most, (word.x1 - word.x0) / 3)
    return Word(word.text, word.x0 + side, word.x1 - side, word.size, word.bold)


def _parts(line: Line, columns: list[tuple[float, float]], *, header: bool) -> list[tuple[Word, ...]]:
    """The cells of a line: words cut at the borders of columns, unless a header or label runs across."""
    parts: list[tuple[Word, ...]] = []
    for segment in line.segments(_GAP):
        current = [segment[0]]
        for word in segment[1:]:
            border = column_of(word, columns) != column_of(current[-1], columns)
            if border and (header or numbers(segment) == 0):
                border = word.x0 - current[-1].x1 > 0.4 * line.size
            if border:
                parts.append(tuple(current))
                current = []
            current.append(word)
        parts.append(tuple(current))
    if header:
        return parts
    joined: list[list[Word]] = []
    for part in parts:  # wide blanks inside a cell of the body
        if joined and column_of(part[0], columns) == column_of(joined[-1][-1], columns):
            joined[-1].extend(part)
        else:
            joined.append(list(part))
    return [tuple(part) for part in joined]


def _bands(region: Region, rows: list[Line], headers: int) -> list[tuple[int, int]]:
    """The header, and the blocks of body rows between rules that cross the table."""
    starts = {0, headers}
    for rule in region.rules:
        if region.is_full(rule):
            starts.add(sum(line.y < rule.y + 0.5 for line in rows))
    ordered = sorted(start for start in starts if start < len(rows))
    return [(a, b - 1) for a, b in zip(ordered, [*ordered[1:], len(rows)], strict=True) if b > a]


def _spread(
    texts: list[list[str]], column: int, first: int, last: int, beside: list[tuple[float, dict[int, _Cell]]]
) -> list[Span]:
    """Fill the rows on which a label is centred; nothing where the labels may as well stand at the top of theirs."""
    filled: list[tuple[float, str]] = [
        (float(row), texts[row][column]) for row in range(first, last + 1) if texts[row][column]
    ]
    between = [(place, line[column].text) for place, line in beside if first < place < last and column in line]
    if not filled and not between:
        return []
    if not between and filled[0][0] == first:
        return []
    filled = sorted([*filled, *between])
    start, spans = first, []
    for place, text in filled:
        end = 2 * place - start
        if end != int(end) or end < start or end > last:
            return []
        spans.append((start, int(end), text))
        start = int(end) + 1
    if start != last + 1:
        return []
    result = []
    for begin, end, text in spans:
        for row in range(begin, int(end) + 1):
            texts[row][column] = text
        if end > begin:
            result.append(Span(begin, column, int(end) - begin + 1, 1))
    return result
