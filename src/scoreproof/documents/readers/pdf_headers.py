"""Which columns of a PDF table a header of an upper level covers.

A rule under it says so, and so do vertical rules beside it. Without either its place must tell: it is centred over its
columns, or flush with the first or the last of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from scoreproof.documents.readers.pdf_lines import Line, RuledLine, Word
from scoreproof.documents.readers.pdf_regions import GAP, Region

Part = tuple[Word, ...]
Extent = tuple[float, float]
_FLUSH = 1.5  # points by which flush edges may differ


@dataclass(frozen=True, slots=True)
class RegionColumns:
    """The columns of a region: their borders, and from where to where something stands in each."""

    region: Region
    borders: list[Extent]
    extents: list[Extent]

    def of(self, word: Word) -> int:
        """The column in which the middle of a word stands."""
        right = (index for index, (_, end) in enumerate(self.borders) if word.middle <= end)
        return next(right, len(self.borders) - 1)


def columns_between(region: Region, borders: list[Extent]) -> RegionColumns:
    """The columns with these borders."""
    extents = []
    for left, right in borders:
        words = [word for line in region.lines for word in line.words if left <= word.x0 and word.x1 <= right]
        x0, x1 = min((word.x0 for word in words), default=left), max((word.x1 for word in words), default=right)
        extents.append((x0, x1) if words else (max(left, region.x0), min(right, region.x1)))
    return RegionColumns(region, borders, extents)


def tied(parts: list[Part], columns: RegionColumns, line: Line, upper: frozenset[int]) -> dict[int, list[int]]:
    """The columns each part of a header line covers, where something tells; ``upper`` are those it has to share."""
    if boxed := _between_verticals(parts, columns, line):
        return boxed
    extents = columns.extents
    reach: dict[int, list[int]] = {}
    for rule in _rules_under(line, columns.region):
        under = [i for i, (a, b) in enumerate(extents) if rule.x0 < (a + b) / 2 < rule.x1]
        over = [i for i, part in enumerate(parts) if rule.x0 - 1 <= _middle(part) <= rule.x1 + 1]
        reach |= _shared_out(over, under, parts, extents)
    for index, part in enumerate(parts):  # over columns of labels, before the first one with results
        for column in range(min(upper, default=0)) if index not in reach else ():
            x0, x1 = extents[column]
            if abs(part[0].x0 - x0) <= _FLUSH or abs(_middle(part) - (x0 + x1) / 2) <= _FLUSH:
                reach[index] = [column]
    left = [index for index in range(len(parts)) if index not in reach]
    free = sorted(upper.difference(*reach.values()))
    return reach | (_shared_out(left, free, parts, extents) if len(left) < len(free) else {})


def is_told(line: Line, region: Region) -> bool:
    """Whether rules say how far the headers of a line reach; one rule under two headers does not."""
    rules = _rules_under(line, region)
    middles = [_middle(part) for part in line.segments(GAP)]
    alone = all(sum(rule.x0 - 1 <= middle <= rule.x1 + 1 for middle in middles) <= 1 for rule in rules)
    return bool(region.edges_at(line)) or (bool(rules) and alone)


def _middle(part: Part) -> float:
    return (part[0].x0 + part[-1].x1) / 2


def _between_verticals(parts: list[Part], columns: RegionColumns, line: Line) -> dict[int, list[int]]:
    """The columns between the vertical rules on either side of a header; several headers there share them."""
    x0, x1, edges = columns.region.x0, columns.region.x1, columns.region.edges_at(line)
    if not edges:
        return {}
    reach: dict[int, list[int]] = {}
    for left, right in pairwise([x0 - 3, *(edge for edge in edges if x0 + 3 < edge < x1 - 3), x1 + 3]):
        inside = [index for index, part in enumerate(parts) if left <= _middle(part) < right]
        under = [i for i, (a, b) in enumerate(columns.borders) if left - 3 <= (a + b) / 2 <= right + 3]
        alone = len(inside) == 1 or len(under) == 1
        reach |= {inside[0]: under} if inside and alone else _shared_out(inside, under, parts, columns.extents)
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
                for end in range(start + 1, len(under) + 1):
                    left, right = extents[under[start]][0], extents[under[end - 1]][1]
                    total = spent + abs(x0 - left + share * (x1 - x0 - right + left))
                    if end not in further or total < further[end][0]:
                        further[end] = (total, (*cuts, end))
            best = further
        return best[len(under)]

    flush, cuts = min(dealt(0.0), dealt(1.0), key=lambda way: way[0])
    cuts = cuts if flush <= _FLUSH * len(parts) else dealt(0.5)[1]
    return {part: under[start:end] for part, (start, end) in zip(parts, pairwise(cuts), strict=True)}


def _rules_under(line: Line, region: Region) -> list[RuledLine]:
    """Rules under a part of the line, above the next line."""
    below = min((other.y for other in region.lines if other.y > line.y + 0.8 * line.size), default=line.y)
    reach = max(below - 0.5 * line.size, line.y + line.size)
    return [rule for rule in region.rules if line.y < rule.y < reach and not region.is_full(rule)]
