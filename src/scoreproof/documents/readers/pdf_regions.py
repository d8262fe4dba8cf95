"""Where the tables of a PDF page are: between rules, around a single rule, or in lines that stand in columns.

Horizontal rules of one extent bound a table (booktabs has three of them, a boxed table one per row). Web pages often
print only the rule under the header, so the region grows over the tabular lines next to it. Without any rule, three
lines with several numbers make a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import NamedTuple

from scoreproof.documents.readers.pdf_page import Line, Page, Word, text_of
from scoreproof.documents.table import looks_numeric

GAP = 0.45  # gap between columns, as a share of the type size
BOOKTABS = 3  # rules: above, below the header, and below
_SAME = 3.0  # points by which equal places may differ
_SHORTEST = 40.0  # points of a rule of a table
_DASH = 8.0
_TOUCHING = 1.5  # points between pieces of one rule
_LEVEL = 1.6  # points by which these may differ in height

_Upright = tuple[float, float, float]  # a vertical rule: x, top, bottom


class RuledLine(NamedTuple):
    """A horizontal rule."""

    x0: float
    x1: float
    y: float


class _Rules(NamedTuple):
    flat: list[RuledLine]
    upright: list[_Upright]


def _rules_of(page: Page) -> _Rules:
    """The rules of a page, pieces of one rule joined; tables that touch keep their own."""
    flat: list[RuledLine] = []
    upright: list[_Upright] = []
    for x0, x1, top, bottom, stroke in page.shapes:
        if bottom - top <= 2.5 and x1 - x0 > 3:
            flat.append(RuledLine(x0, x1, (top + bottom) / 2))
        elif x1 - x0 <= 2.5 and bottom - top > 3:
            upright.append(((x0 + x1) / 2, top, bottom))
        elif bottom - top > 5 and x1 - x0 > 5 and stroke:
            flat += [RuledLine(x0, x1, top), RuledLine(x0, x1, bottom)]
            upright += [(x0, top, bottom), (x1, top, bottom)]
    joined: list[RuledLine] = []
    for rule in sorted(flat, key=lambda rule: (round(rule.y), rule.x0)):
        last = joined[-1] if joined else None
        if last is None or abs(last.y - rule.y) >= _LEVEL or rule.x0 > last.x1 + _TOUCHING or _cross(last, rule):
            joined.append(rule)
        else:
            joined[-1] = last._replace(x1=max(last.x1, rule.x1))
    return _Rules(sorted(joined, key=lambda rule: rule.y), upright)


def _cross(left: RuledLine | Region, right: RuledLine | Region) -> bool:
    """Whether rules of two tables, or the tables, lie over each other for a part of their length."""
    return min(right.x1 - left.x1, right.x0 - left.x0) > _SHORTEST and left.x1 - right.x0 > _TOUCHING


@dataclass(slots=True)
class Region:
    """The lines of one table, the rules among them, and the vertical rules as (x, top, bottom)."""

    x0: float
    x1: float
    lines: list[Line]
    rules: list[RuledLine] = field(default_factory=list)
    verticals: list[_Upright] = field(default_factory=list)

    @property
    def edges(self) -> list[float]:
        """The places of vertical rules."""
        return _distinct(x for x, *_ in self.verticals)

    def edges_at(self, line: Line) -> list[float]:
        """The vertical rules that cross a line."""
        y = line.y - 0.3 * line.size
        return _distinct(x for x, top, bottom in self.verticals if top <= y <= bottom)

    @property
    def top(self) -> float:
        return min([self.lines[0].y - self.lines[0].size, *(rule.y for rule in self.rules[:1])])

    @property
    def bottom(self) -> float:
        return max([self.lines[-1].y, *(rule.y for rule in self.rules[-1:])])

    def is_full(self, rule: RuledLine) -> bool:
        """Whether the rule crosses the whole table."""
        return rule.x0 <= self.x0 + _SAME and rule.x1 >= self.x1 - _SAME


def regions_of(page: Page, lines: list[Line]) -> list[Region]:
    """Every table region of a page, top to bottom; those that run into each other are left out."""
    drawn = _rules_of(page)
    lines = [line for line in lines if "....." not in line.text.replace(" ", "")]  # dots lead to the number of a page
    kept: list[Region] = []
    crossed: list[Region] = []
    ruled = (_around(group, lines, drawn) for group in _groups(drawn, lines))
    for region in filter(None, chain(ruled, _bare(lines, kept, drawn.flat))):  # these stand where no other was kept
        over = [other for other in kept if _overlap(region, other)]
        crossed += [other for other in over if _cross(region, other) or _cross(other, region)]
        kept += [] if over else [region]
    return sorted((region for region in kept if region not in crossed), key=lambda region: (region.top, region.x0))


def numbers(words: tuple[Word, ...], gap: float = GAP) -> int:
    """How many cells of a line are numbers."""
    parts = Line(0, words).segments(gap) if words else ()
    return sum(looks_numeric(text_of(part)) for part in parts)


def _groups(drawn: _Rules, lines: list[Line]) -> list[list[RuledLine]]:
    """Rules of one extent that belong to one table; wide extents first."""
    extents: list[list[RuledLine]] = []
    for rule in (rule for rule in drawn.flat if rule.x1 - rule.x0 >= _SHORTEST):
        for group in extents:
            if abs(group[0].x0 - rule.x0) < _SAME and abs(group[0].x1 - rule.x1) < _SAME:
                group.append(rule)
                break
        else:
            extents.append([rule])
    groups: list[list[RuledLine]] = []
    for same in sorted(extents, key=lambda group: group[0].x0 - group[0].x1):
        groups.append([same[0]])
        for upper, lower in pairwise(same):
            if _goes_on(upper, lower, _between(lines, upper, upper.y, lower.y), drawn):
                groups[-1].append(lower)
            else:
                groups.append([lower])
    return groups


def _goes_on(upper: RuledLine, lower: RuledLine, between: list[Line], drawn: _Rules) -> bool:
    """Whether the lines between two rules may be of one table."""
    apart = 2 * sum(len(line.segments(GAP)) >= 2 for line in between) >= len(between)
    # The words of a header may stand too close to fall into columns; and boxed cells may hold much text.
    tight = len(between) == 1 and len(between[0].words) > 1 and lower.y - upper.y < 2.6 * between[0].size
    sides = [x for x, top, bottom in drawn.upright if top < upper.y + 2 and bottom > lower.y - 2]
    boxed = len(_distinct(x for x in sides if upper.x0 - 2 < x < upper.x1 + 2)) >= 3
    return (apart or tight or boxed) and not any(map(_is_caption, between))


def _is_caption(line: Line) -> bool:
    return line.words[0].text.rstrip(".").lower() in ("table", "tab") and len(line.words) > 1


def _parts(lines: Iterable[Line], x0: float, x1: float) -> list[Line]:
    return [part for part in (line.within(x0 - 2, x1 + 2) for line in lines) if part is not None]


def _between(lines: list[Line], rule: RuledLine, top: float, bottom: float) -> list[Line]:
    own = (line for line in lines if top < line.y - 0.3 * line.size and line.y < bottom + 0.5)
    return _parts(own, rule.x0, rule.x1)


def _around(group: list[RuledLine], lines: list[Line], drawn: _Rules) -> Region | None:
    """The region of a group of rules, grown over the lines of its table that these do not enclose."""
    x0, x1 = group[0].x0, group[0].x1
    sides = [side for side in drawn.upright if x0 - 2 < side[0] < x1 + 2]
    touching = [side for side in sides if side[1] < group[-1].y + 2 and side[2] > group[0].y - 2]
    first = min([group[0].y, *(high for _, high, _ in touching)])
    last = max([group[-1].y, *(low for _, _, low in touching)])
    inside = _enclosed(group, lines, first, last)
    if len(inside) < 2 or max(len(line.segments(GAP)) for line in inside) < 2:
        return None
    top, bottom = min(inside[0].y - inside[0].size, first), max(inside[-1].y, last)
    own = (rule for rule in drawn.flat if top - 2 <= rule.y <= bottom + 2)
    own = (rule for rule in own if x0 - _SAME <= rule.x0 < rule.x1 - _DASH and rule.x1 <= x1 + _SAME)
    return Region(x0, x1, inside, list(own), [side for side in sides if side[1] < bottom and side[2] > top])


def _enclosed(group: list[RuledLine], lines: list[Line], first: float, last: float) -> list[Line]:
    """The lines between rules, with the results below them, and the header above them, where these stand outside."""
    inside, column = _between(lines, group[0], first, last), _parts(lines, group[0].x0, group[0].x1)
    results = any(numbers(line.words) for line in inside)
    # Lines between three rules and more may stand in columns though no cell is a number: "Acc. 0.81", names.
    apart = sum(len(line.segments(2 * GAP)) >= 2 for line in inside)
    if not results and (min(len(group), len(inside)) < BOOKTABS or apart < 0.6 * len(inside)):
        inside += _grown([line for line in column if line.y - 0.3 * line.size > last], last)
        if not any(numbers(line.words) for line in inside):
            return []
    above = [line for line in column if line.y < first + 0.5]
    headless = numbers(inside[0].words) >= 1
    return (_grown(above[::-1], first)[::-1] if headless else _header_above(above, first)) + inside


def _grown(lines: list[Line], start: float) -> list[Line]:
    """The lines next to a rule that stand in columns, as far as they follow each other closely."""
    taken: list[Line] = []
    y, step = start, 0.0
    for line in lines:
        distance = abs(line.y - y)
        if distance > max(2.2 * line.size, 1.6 * step) or _is_caption(line):
            break
        near = step > distance or distance < 0.75 * line.size  # a label beside a cell of two lines
        if len(line.segments(GAP)) < 2 and not (taken and distance < 1.2 * line.size and near):
            break
        step = max(step, distance) if taken else 0.0
        taken.append(line)
        y = line.y
    while taken and len(taken[-1].segments(GAP)) < 2:
        taken.pop()
    return taken


def _distinct(places: Iterable[float]) -> list[float]:
    kept: list[float] = []
    for place in sorted(places):
        if not kept or place - kept[-1] > _SAME:
            kept.append(place)
    return kept


def _header_above(above: list[Line], edge: float) -> list[Line]:
    """Lines right above the region whose words stand apart: upper levels of its header."""
    start = len(above)
    while start and edge - (line := above[start - 1]).y <= 1.2 * line.size and not _is_caption(line):
        if len(line.segments(2 * GAP)) < 2 or numbers(line.words) > 0:
            break
        start, edge = start - 1, line.y - 0.7 * line.size
    return above[start:]


def _bare(lines: list[Line], tables: list[Region], rules: list[RuledLine]) -> Iterator[Region]:
    """The regions without rules that bound them, with the header above them."""
    for run in _runs(lines, tables):
        x0, x1 = min(line.words[0].x0 for line in run), max(line.words[-1].x1 for line in run)
        above = _parts((line for line in lines if line.y < run[0].y), x0, x1)
        whole = _header_above(above, run[0].y - 0.3 * run[0].size) + run
        yield Region(x0, x1, whole, [rule for rule in rules if whole[0].y - 30 < rule.y < whole[-1].y + 10])


def _runs(lines: list[Line], tables: list[Region]) -> list[list[Line]]:
    """Runs of at least three lines in columns, at least two of which hold results."""
    free = [line for line in lines if not any(region.top <= line.y <= region.bottom + 1 for region in tables)]
    runs: list[list[Line]] = [[]]
    for line, after in zip(free, [*free[1:], None], strict=False):
        last = runs[-1][-1] if runs[-1] else None
        label = last and after and _in_columns(after) and after.y - last.y < 2.2 * line.size  # between two rows
        columns = _in_columns(line)
        if not label and (not columns or (last and line.y - last.y >= 2.5 * line.size)):
            runs.append([])
        if columns or label:
            runs[-1].append(line)
    return [run for run in runs if len(run) >= 3 and sum(numbers(line.words, 2 * GAP) >= 2 for line in run) >= 2]


def _in_columns(line: Line) -> bool:
    parts = line.segments(2 * GAP)
    return len(parts) >= 3 or (len(parts) == 2 and all(len(part) <= 4 for part in parts))


def _overlap(region: Region, other: Region) -> bool:
    across = min(region.x1, other.x1) - max(region.x0, other.x0)
    return across > _TOUCHING and region.top < other.bottom and other.top < region.bottom
