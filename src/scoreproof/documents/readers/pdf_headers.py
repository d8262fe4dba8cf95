"""Which columns a header of an upper level covers.

A rule under it says so, and so do vertical rules beside it. Without either its place must tell: it is centred over its
columns, or flush with the first or the last of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scoreproof.documents.readers.pdf_lines import Line, RuledLine, Word
from scoreproof.documents.readers.pdf_regions import Region

Part = tuple[Word, ...]
Extent = tuple[float, float]
_FLUSH = 1.5  # points by which flush edges may differ


def column_of(word: Word, columns: Sequence[Extent]) -> int:
    """The column in which the middle of a word stands."""
    for index, (_, right) in enumerate(columns):
        if word.middle <= right:
            return index
    return len(columns) - 1


def tied(
    parts: list[Part], columns: Sequence[Extent], region: Region, line: Line, upper: frozenset[int]
) -> dict[int, list[int]]:
    """The columns each part of a header line covers, where something tells; ``upper`` are those it has to share."""
    extents = [extent(region, columns, index) for index in range(len(columns))]
    boxed = _between_verticals(parts, extents, columns, region, line)
    if boxed:
        return boxed
    reach: dict[int, list[int]] = {}
    for rule in _rules_under(line, region):
        under = [i for i, (a, b) in enumerate(extents) if rule.x0 < (a + b) / 2 < rule.x1]
        over = [i for i, part in enumerate(parts) if rule.x0 - 1 <= _middle(part) <= rule.x1 + 1]
        reach |= _shared_out(over, under, parts, extents)
    reach |= _over_labels(parts, extents, upper, reach)
    left = [index for index in range(len(parts)) if index not in reach]
    free = [i for i in sorted(upper) if not any(i in covered for covered in reach.values())]
    if left and free and len(left) < len(free):
        reach |= _shared_out(left, free, parts, extents)
    return reach


def _over_labels(
    parts: list[Part], extents: Sequence[Extent], upper: frozenset[int], reach: dict[int, list[int]]
) -> dict[int, list[int]]:
    """The columns of labels, before the first one with results, that headers stand over."""
    return {
        index: [column]
        for index, part in enumerate(parts)
        for column in (range(min(upper)) if upper else ())
        if index not in reach and _is_flush(part, extents[column])
    }


def is_told(line: Line, region: Region) -> bool:
    """Whether rules say how far the headers of a line reach; one rule under two headers does not."""
    if region.edges and region.edges_at(line):
        return True
    rules = _rules_under(line, region)
    middles = [_middle(part) for part in line.segments(0.45)]
    return bool(rules) and all(sum(rule.x0 - 1 <= middle <= rule.x1 + 1 for middle in middles) <= 1 for rule in rules)


def _is_flush(part: Part, column: Extent) -> bool:
    """Whether a header begins where what stands in a column does, or is centred on it, however wide it is."""
    x0, x1 = column
    return abs(part[0].x0 - x0) <= _FLUSH or abs(_middle(part) - (x0 + x1) / 2) <= _FLUSH


def _middle(part: Part) -> float:
    return (part[0].x0 + part[-1].x1) / 2


def _between_verticals(
    parts: list[Part], extents: Sequence[Extent], columns: Sequence[Extent], region: Region, line: Line
) -> dict[int, list[int]]:
    """The columns between the vertical rules on either side of a header; several headers there share them."""
    edges = region.edges_at(line)
    if not region.edges or not edges:
        return {}
    borders = [region.x0 - 3, *(edge for edge in edges if region.x0 + 3 < edge < region.x1 - 3), region.x1 + 3]
    boxes: dict[Extent, list[int]] = {}
    for index, part in enumerate(parts):
        middle = _middle(part)
        left = max((border for border in borders if border <= middle), default=borders[0])
        right = min((border for border in borders if border > middle), default=borders[-1])
        boxes.setdefault((left, right), []).append(index)
    reach: dict[int, list[int]] = {}
    for (left, right), inside in boxes.items():
        under = [i for i, (a, b) in enumerate(columns) if left - 3 <= (a + b) / 2 <= right + 3]
        shared = {inside[0]: under} if len(inside) == 1 or len(under) == 1 else {}
        reach |= shared or _shared_out(inside, under, parts, extents)
    return reach if all(reach.values()) and len(reach) == len(parts) else {}


def _shared_out(
    parts: list[int], under: list[int], all_parts: list[Part], extents: Sequence[Extent]
) -> dict[int, list[int]]:
    """Columns dealt to parts in runs: flush left or right if every part is, else as centred as can be."""
    if not parts or len(parts) > len(under):
        return {}

    def dealt(share: float) -> tuple[float, tuple[int, ...]]:
        """The dealing in which parts and runs are closest at a share of their widths: the distances, and the cuts."""
        best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, (0,))}
        for x0, x1 in ((all_parts[part][0].x0, all_parts[part][-1].x1) for part in parts):
            further: dict[int, tuple[float, tuple[int, ...]]] = {}
            for start, (spent, cuts) in best.items():
                left = extents[under[start]][0] if start < len(under) else 0.0
                for end in range(start + 1, len(under) + 1):
                    right = extents[under[end - 1]][1]
                    total = spent + abs(x0 - left + share * (x1 - x0 - right + left))
                    if end not in further or total < further[end][0]:
                        further[end] = (total, (*cuts, end))
            best = further
        return best[len(under)]

    flush, cuts = min(dealt(0.0), dealt(1.0), key=lambda way: way[0])
    cuts = cuts if flush <= _FLUSH * len(parts) else dealt(0.5)[1]
    return {part: under[start:end] for part, (start, end) in zip(parts, pairwise(cuts), strict=True)}


def extent(region: Region, columns: Sequence[Extent], index: int) -> Extent:
    """From where to where something stands in a column."""
    left, right = columns[index]
    words = [word for line in region.lines for word in line.words if left <= word.x0 and word.x1 <= right]
    if not words:
        return max(left, region.x0), min(right, region.x1)
    return min(word.x0 for word in words), max(word.x1 for word in words)


def _rules_under(line: Line, region: Region) -> list[RuledLine]:
    """Rules under a part of the line, above the next line."""
    below = min((other.y for other in region.lines if other.y > line.y + 0.8 * line.size), default=line.y)
    reach = max(below - 0.5 * line.size, line.y + line.size)
    return [rule for rule in region.rules if line.y < rule.y < reach and not region.is_full(rule)]
