"""From the lines of a table region to its grid.

Columns are bounded by vertical rules where there are any, otherwise by the gaps that run through all lines with
numbers. A header is tied to the rule under it, to those beside it, or to the columns it is centred on. A label that
stands between two baselines, or alone in a block, is spread over the rows it is centred on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise, product
from statistics import median
from typing import NamedTuple

from scoreproof.documents.readers.pdf_page import UNKNOWN, Line, Word, text_of
from scoreproof.documents.readers.pdf_regions import GAP, Region, RuledLine, numbers
from scoreproof.documents.table import Span, Table, looks_numeric, tidy

_WIDE = 0.9  # type sizes between columns that no rule parts, in a table that has vertical rules
_FLUSH = 1.5  # points by which flush edges may differ

_Part = tuple[Word, ...]
_Extent = tuple[float, float]


class _Cell(NamedTuple):
    """Words in one place; ``last`` is the last column they cover."""

    text: str
    last: int
    bold: bool


class _Columns(NamedTuple):
    """The columns of a region: their borders, and from where to where something stands in each."""

    region: Region
    borders: list[_Extent]
    extents: list[_Extent]

    def of(self, word: Word) -> int:
        """The column in which the middle of a word stands."""
        right = (index for index, (_, end) in enumerate(self.borders) if word.middle <= end)
        return next(right, len(self.borders) - 1)


def grid_of(region: Region) -> tuple[Table, tuple[float, ...]]:
    """The grid of a region, and where its columns are."""
    columns = _columns_of(region)
    rows, floating = _rows(columns)
    # The header ends at the rule that stands above the first number, or above the first number itself.
    ruled = [sum(line.y < rule.y + 0.5 for line in rows) for rule in region.rules if region.is_full(rule)]
    first = next((index for index, line in enumerate(rows) if numbers(line.words[1:]) >= 1), 0)
    headers = next((above for above in ruled if above == max(first, 1) < len(rows)), first)
    beside = [(after + 0.5, _placed(line, columns)) for after, line in floating]
    cells = _cells(columns, rows, headers, [line for place, line in beside if place < headers])
    texts = [[""] * len(columns.borders) for _ in rows]
    spans: list[Span] = []
    bold: set[tuple[int, int]] = set()
    for (row, column), cell in cells.items():
        texts[row][column : cell.last + 1] = [cell.text] * (cell.last - column + 1)
        bold.update((row, covered) for covered in range(column, cell.last + 1) if cell.bold)
        spans += [Span(row, column, 1, cell.last - column + 1)] if cell.last > column else []
    starts = sorted({0, headers, *ruled} & set(range(len(rows))))
    bands = pairwise([*starts, len(rows)])  # the header, and the body between rules
    for (start, end), column in product(bands, range(len(columns.borders))):
        spans += _spread(texts, column, start, end - 1, beside)
    unknown = any(UNKNOWN in cell.text for cell in cells.values())
    notes = (f"some glyphs of the PDF have no character, shown as {UNKNOWN}",) if unknown else ()
    grid = Table(tuple(map(tuple, texts)), headers, spans=tuple(spans), bold=frozenset(bold), notes=notes)
    return grid, tuple(sum(extent) / 2 for extent in columns.extents)


def _cells(
    columns: _Columns, rows: list[Line], headers: int, own: list[dict[int, _Cell]]
) -> dict[tuple[int, int], _Cell]:
    """The cells by their places; upper header lines share out the columns with results, but for their ``own``."""
    lines = {row: _placed(rows[row], columns) for row in range(headers, len(rows))}
    results = {column for line in lines.values() for column, cell in line.items() if looks_numeric(cell.text)}
    for row, line in enumerate(rows[:headers]):
        lowest = row == headers - 1
        header: list[_Part] = []
        for segment in line.segments(GAP):  # words of the lowest line may be close that stand one over each column
            over = [columns.of(word) for word in segment]
            tight = lowest and len(segment) >= 3 and over == list(range(over[0], over[0] + len(segment)))
            header += _cut(segment, columns, 0.0 if tight else 0.4 * line.size)
        lines[row] = _placed(line, columns, header, frozenset() if lowest else frozenset(results.difference(*own)))
    return {(row, column): cell for row, line in sorted(lines.items()) for column, cell in line.items()}


def _columns_of(region: Region) -> _Columns:
    """The columns: between vertical rules, and between gaps where these leave several in one."""
    inner = [edge for edge in region.edges if region.x0 + 3 < edge < region.x1 - 3]
    if inner:
        bands = pairwise([region.x0 - 2, *inner, region.x1 + 2])
        borders = [column for band in bands for column in _parted(region, *band)]
    else:
        merged, size = _extents(region.lines, GAP)
        for line in region.lines:  # columns that no line with numbers reaches: labels set between the lines
            for part in line.segments(GAP) if numbers(line.words) == 0 else ():
                x0, x1 = part[0].x0, part[-1].x1
                if not any(x0 < right + GAP * size and left - GAP * size < x1 for left, right in merged):
                    merged.append((x0, x1))
        merged.sort()
        borders = _between(merged, merged[0][0] - 1000, merged[-1][1] + 1000)
    extents = []
    for left, right in borders:
        words = [word for line in region.lines for word in line.words if left <= word.x0 and word.x1 <= right]
        x0, x1 = min((word.x0 for word in words), default=left), max((word.x1 for word in words), default=right)
        extents.append((x0, x1) if words else (max(left, region.x0), min(right, region.x1)))
    return _Columns(region, borders, extents)


def _extents(lines: Sequence[Line], gap: float) -> tuple[list[_Extent], float]:
    """Where something stands in the lines with numbers, gaps that run through all of them left out; their type size."""
    telling = [line for line in lines if numbers(line.words)] or list(lines)  # or a table of words
    widest = max(len(line.segments(GAP)) for line in telling)
    telling = [line for line in telling if 2 * len(line.segments(GAP)) >= widest]
    size = median(line.size for line in telling)
    merged: list[_Extent] = []
    for x0, x1 in sorted((word.x0, word.x1) for line in telling for word in line.words):
        if merged and x0 - merged[-1][1] < gap * size:
            merged[-1] = (merged[-1][0], max(merged[-1][1], x1))
        else:
            merged.append((x0, x1))
    return merged, size


def _between(extents: Sequence[_Extent], left: float, right: float) -> list[_Extent]:
    """Columns whose borders are in the middle of the gaps."""
    return list(pairwise([left, *((a[1] + b[0]) / 2 for a, b in pairwise(extents)), right]))


def _parted(region: Region, left: float, right: float) -> list[_Extent]:
    """What stands between two vertical rules: one column, or those that most of its lines have numbers in."""
    parts = [part for part in (line.within(left, right) for line in region.lines) if part is not None]
    telling = [part for part in parts if numbers(part.words, _WIDE) >= 2]
    several = 2 * len(telling) >= len(parts) and len(telling) >= 2
    return _between(_extents(telling, _WIDE)[0], left, right) if several else [(left, right)]


def _rows(columns: _Columns) -> tuple[list[Line], list[tuple[int, Line]]]:
    """The rows, and the lines that float between two of them with the number of the row above."""
    region, lines = columns.region, columns.region.lines
    if region.edges:
        bands = _ruled_bands(lines, [rule for rule in region.rules if region.is_full(rule)])
        lines = _stacked(bands, columns, _is_labelled)
    numeric = [line.y for line in lines if numbers(line.words)]
    step = median([b - a for a, b in pairwise(numeric) if b - a > 2] or [12.0])
    floating: list[tuple[int, Line]] = []
    rows: list[Line] = []
    for index, line in enumerate(lines):
        near = [lines[at] for at in (index - 1, index + 1) if 0 <= at < len(lines)]
        if len(near) == 2 and not numbers(line.words) and _floats(line, near, step, columns):
            floating.append((len(rows) - 1, line))
        else:
            rows.append(line)
    bands = _ruled_bands(rows, region.rules) if region.edges and not floating else []
    if len(bands) >= max(3, 0.6 * len(rows)):  # there is a rule between all rows
        rows = _stacked(bands, columns, _wraps)
    return rows, floating


def _floats(line: Line, near: list[Line], step: float, columns: _Columns) -> bool:
    """Whether a line stands between two rows: in columns of its own, centred, or too close to be a row."""
    beside = {columns.of(word) for other in near for word in other.words}
    up, down = line.y - near[0].y, near[1].y - line.y
    centred = abs(up - down) < 0.3 * step and max(up, down) < 0.95 * step
    apart = beside.isdisjoint(columns.of(word) for word in line.words)
    return apart and (centred or min(up, down) < 0.85 * line.size)


def _is_labelled(band: list[Line], columns: _Columns) -> bool:
    """Whether between two rules a label of several lines stands beside one line of numbers."""
    used = [(numbers(line.words) > 0, {columns.of(word) for word in line.words}) for line in band]
    numeric = [places for results, places in used if results]
    return len(numeric) == 1 and all(places.isdisjoint(numeric[0]) for results, places in used if not results)


def _wraps(band: list[Line], columns: _Columns) -> bool:
    """Whether no column of several lines holds two numbers: then they may be one row."""
    own = Counter(c for line in band for c in {columns.of(w) for w in line.words if numbers((w,)) == 1})
    return max(own.values(), default=0) <= 1


def _ruled_bands(rows: list[Line], rules: Sequence[RuledLine]) -> list[list[Line]]:
    """The lines between rules."""
    bands: list[list[Line]] = []
    for line in rows:
        if not bands or any(bands[-1][-1].y < rule.y + 0.5 and rule.y < line.y for rule in rules):
            bands.append([])
        bands[-1].append(line)
    return bands


def _stacked(bands: list[list[Line]], columns: _Columns, is_row: Callable[[list[Line], _Columns], bool]) -> list[Line]:
    """The lines of all bands; those of a band that is one row are put together column by column."""
    lines: list[Line] = []
    for band in bands:
        if len(band) == 1 or not is_row(band, columns):
            lines += band
            continue
        order = sorted((columns.of(word), at, word.x0, word) for at, line in enumerate(band) for word in line.words)
        words: list[Word] = []
        for _, column in groupby(order, key=lambda placed: placed[0]):
            parts = [word for *_, word in column]
            sides = min(word.x0 for word in parts), max(word.x1 for word in parts)
            words.append(Word(text_of(parts), *sides, parts[0].size, all(word.bold for word in parts)))
        lines.append(Line(band[0].y, tuple(words)))
    return lines


def _placed(
    line: Line, columns: _Columns, header: list[_Part] | None = None, upper: frozenset[int] = frozenset()
) -> dict[int, _Cell]:
    """The cells of a line; of one above others in the ``header`` the parts share out the ``upper`` columns."""
    parts = _body_parts(line, columns) if header is None else header
    reach = {} if header is None else _tied(parts, columns, line, upper)
    over = {
        index: reach.get(index)
        or [i for i, (a, b) in enumerate(columns.borders) if part[0].x0 < b - 2 and a + 2 < part[-1].x1]
        for index, part in enumerate(parts)
        if header is not None or numbers(part) == 0
    }
    claims = Counter(column for covered in over.values() for column in covered)
    placed: dict[int, _Cell] = {}
    for index, part in enumerate(parts):
        covered = over.get(index, [])
        if index not in reach and any(claims[column] > 1 for column in covered):
            covered = []  # a wide word that reaches into its neighbour's column, not a header over both
        covered = covered or [columns.of(Word("", part[0].x0, part[-1].x1, 0))]
        before = f"{placed[covered[0]].text} " if covered[0] in placed else ""
        text = tidy(re.sub(r"\s*([±×])\s*", r" \1 ", text_of(part)))
        bold = {word.bold for word in part if re.search(r"\w", word.text)}
        placed[covered[0]] = _Cell(before + text, covered[-1], bold == {True})
    return placed


def _body_parts(line: Line, columns: _Columns) -> list[_Part]:
    """The cells of a line of the body, where wide blanks may stand inside one."""
    joined: list[_Part] = []
    for segment in line.segments(GAP):
        for part in _cut(segment, columns, 0.4 * line.size if numbers(segment) == 0 else 0.0):
            if joined and columns.of(part[0]) == columns.of(joined[-1][-1]):
                joined[-1] += part
            else:
                joined.append(part)
    return joined


def _cut(segment: _Part, columns: _Columns, least: float) -> Iterator[_Part]:
    """A segment cut where words of two columns are this far apart."""
    start = 0
    for at in range(1, len(segment)):
        left, right = segment[at - 1 : at + 1]
        if columns.of(left) != columns.of(right) and (not least or right.x0 - left.x1 > least):
            yield segment[start:at]
            start = at
    yield segment[start:]


def _spread(
    texts: list[list[str]], column: int, first: int, last: int, beside: list[tuple[float, dict[int, _Cell]]]
) -> list[Span]:
    """Fill the rows on which a label is centred; nothing where the labels may as well stand at the top of theirs."""
    labels = [(float(row), texts[row][column]) for row in range(first, last + 1) if texts[row][column]]
    between = [(place, line[column].text) for place, line in beside if first < place < last and column in line]
    if not between and (not labels or labels[0][0] == first):
        return []
    start, blocks = first, []
    for place, text in sorted([*labels, *between]):
        end = int(2 * place - start)
        blocks.append((start, end, text))
        start = end + 1
    if start != last + 1 or any(end < begin for begin, end, _ in blocks):
        return []
    for begin, end, text in blocks:
        for row in range(begin, end + 1):
            texts[row][column] = text
    return [Span(begin, column, end - begin + 1, 1) for begin, end, _ in blocks if end > begin]


def _tied(parts: list[_Part], columns: _Columns, line: Line, upper: frozenset[int]) -> dict[int, list[int]]:
    """The columns each part of a header line covers, where something tells; ``upper`` are those it has to share."""
    (region, _, extents), middles = columns, [(part[0].x0 + part[-1].x1) / 2 for part in parts]
    bands = [(rule.x0 - 1, rule.x1 + 1) for rule in _rules_under(line, region)]
    if edges := region.edges_at(line):
        inner = (edge for edge in edges if region.x0 + 3 < edge < region.x1 - 3)
        bands = list(pairwise([region.x0 - 3, *inner, region.x1 + 3]))
    reach: dict[int, list[int]] = {}
    for left, right in bands:
        under = [i for i, (a, b) in enumerate(extents) if left < (a + b) / 2 < right]
        reach |= _shared_out(
            [i for i, middle in enumerate(middles) if left <= middle <= right], under, middles, extents
        )
    for index, part in enumerate(parts):  # over columns of labels, before the first one with results
        for column in range(min(upper, default=0)) if index not in reach else ():
            x0, x1 = extents[column]
            if abs(part[0].x0 - x0) <= _FLUSH or abs(middles[index] - (x0 + x1) / 2) <= _FLUSH:
                reach[index] = [column]
    free = sorted(upper.difference(*reach.values()))
    rest = [index for index in range(len(parts)) if index not in reach]
    return reach | (_shared_out(rest, free, middles, extents) if len(rest) < len(free) else {})


def _rules_under(line: Line, region: Region) -> list[RuledLine]:
    """Rules under a part of the line, above the next line."""
    below = min((other.y for other in region.lines if other.y > line.y + 0.8 * line.size), default=line.y)
    reach = max(below - 0.5 * line.size, line.y + line.size)
    return [rule for rule in region.rules if line.y < rule.y < reach and not region.is_full(rule)]


def _shared_out(
    parts: list[int], under: list[int], middles: list[float], extents: list[_Extent]
) -> dict[int, list[int]]:
    """Columns dealt to parts in runs, as centred as can be."""
    if not parts or len(parts) > len(under):
        return {}
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, (0,))}  # by columns dealt: how far aside, and the cuts
    for part in parts:
        further: dict[int, tuple[float, tuple[int, ...]]] = {}
        for start, (spent, cuts) in best.items():
            for end in range(start + 1, len(under) + 1):
                total = spent + abs(middles[part] - (extents[under[start]][0] + extents[under[end - 1]][1]) / 2)
                if end not in further or total < further[end][0]:
                    further[end] = (total, (*cuts, end))
        best = further
    return {part: under[start:end] for part, (start, end) in zip(parts, pairwise(best[len(under)][1]), strict=True)}
