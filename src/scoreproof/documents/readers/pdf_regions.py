"""Where the tables of a PDF page are: between rules, around a single rule, or in lines that stand in columns.

Horizontal rules of one extent bound a table (booktabs has three of them, a boxed table one per row). Web pages often
print only the rule under the header, so the region grows over the tabular lines next to it. Without any rule, three
lines with several numbers each make a table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scoreproof.documents.readers.pdf_lines import WIDEST_SEAM, Line, PageRules, RuledLine, Seam, Word
from scoreproof.documents.table import looks_numeric

_GAP = 0.45  # gap between columns, as a share of the type size
_SAME = 3.0  # points by which equal places may differ
_SHORTEST = 40.0
_DASH = 8.0
BOOKTABS = 3  # rules: above, below the header, and below
_LEADERS = 5  # dots


@dataclass(slots=True)
class Region:
    """The lines of one table, the rules among them, and the places of vertical rules."""

    x0: float
    x1: float
    lines: list[Line]
    rules: list[RuledLine] = field(default_factory=list)
    edges: list[float] = field(default_factory=list)
    verticals: list[tuple[float, float, float]] = field(default_factory=list)

    def edges_at(self, line: Line) -> list[float]:
        """The vertical rules that cross a line."""
        y = line.y - 0.3 * line.size
        return _distinct(sorted(x for x, top, bottom in self.verticals if top <= y <= bottom))

    @property
    def top(self) -> float:
        return min([self.lines[0].y - self.lines[0].size, *(rule.y for rule in self.rules[:1])])

    @property
    def bottom(self) -> float:
        return max([self.lines[-1].y, *(rule.y for rule in self.rules[-1:])])

    def is_full(self, rule: RuledLine) -> bool:
        """Whether the rule crosses the whole table."""
        return rule.x0 <= self.x0 + _SAME and rule.x1 >= self.x1 - _SAME


def regions_of(drawn: PageRules, lines: list[Line]) -> list[Region]:
    """Every table region of a page, top to bottom; those that run into each other are left out."""
    rules, verticals = drawn.flat, drawn.upright
    lines = [line for line in lines if not _has_leaders(line)]
    kept: list[Region] = []
    unsure: list[Region] = []  # tables that run into each other
    for group in _groups(rules, lines, verticals):
        region = _around(group, _own_side(lines, group, drawn.seams), rules, verticals)
        if region is None:
            continue
        over = [other for other in kept if _overlap(region, other)]
        crossed = [other for other in over if _cross(region, other)]
        unsure += [*crossed, region] if crossed else []
        if not over and not any(_overlap(region, other) for other in unsure):
            kept.append(region)
    kept = [region for region in kept if region not in unsure]
    for run in _bare(lines, [*kept, *unsure]):
        region = _unruled(run, lines, rules)
        if not any(_overlap(region, other) for other in (*kept, *unsure)):
            kept.append(region)
    return sorted(kept, key=lambda region: (region.top, region.x0))


def _unruled(run: list[Line], lines: list[Line], rules: list[RuledLine]) -> Region:
    """The region of lines that stand in columns, with the header above them."""
    x0, x1 = min(line.words[0].x0 for line in run), max(line.words[-1].x1 for line in run)
    above = [part for part in (line.within(x0 - 2, x1 + 2) for line in lines if line.y < run[0].y) if part is not None]
    run = _header_above(above, run[0].y - 0.3 * run[0].size) + run
    return Region(x0, x1, run, [rule for rule in rules if run[0].y - 30 < rule.y < run[-1].y + 10])


def _has_leaders(line: Line) -> bool:
    """Whether dots lead from a title to its page: a line of a table of contents."""
    return sum(word.text == "." for word in line.words) > _LEADERS or "." * _LEADERS in line.text


def numbers(words: tuple[Word, ...], gap: float = _GAP) -> int:
    """How many cells of a line are numbers."""
    if not words:
        return 0
    return sum(looks_numeric(" ".join(word.text for word in part)) for part in Line(0, words).segments(gap))


def _groups(
    rules: list[RuledLine], lines: list[Line], verticals: list[tuple[float, float, float]]
) -> list[list[RuledLine]]:
    """Rules of one extent that belong to one table; wide extents first."""
    extents: list[list[RuledLine]] = []
    for rule in rules:
        if rule.x1 - rule.x0 < _SHORTEST:
            continue
        for group in extents:
            if abs(group[0].x0 - rule.x0) < _SAME and abs(group[0].x1 - rule.x1) < _SAME:
                group.append(rule)
                break
        else:
            extents.append([rule])
    groups: list[list[RuledLine]] = []
    for same in sorted(extents, key=lambda group: group[0].x0 - group[0].x1):
        current = [same[0]]
        for rule in same[1:]:
            between = _between(lines, current[-1].x0, current[-1].x1, current[-1].y, rule.y)
            tabular = [line for line in between if len(line.segments(_GAP)) >= 2]
            split = 2 * len(tabular) < len(between) and not (
                _tight_header(between, current[-1], rule) or _boxed(current[-1], rule, verticals)
            )
            if between and (split or any(_is_caption(line) for line in between)):
                groups.append(current)
                current = []
            current.append(rule)
        groups.append(current)
    return groups


def _boxed(upper: RuledLine, lower: RuledLine, verticals: list[tuple[float, float, float]]) -> bool:
    """Whether three vertical rules, at least, go from one rule to another: the sides of cells."""
    sides = [x for x, top, bottom in verticals if top < upper.y + 2 and bottom > lower.y - 2]
    return len(_distinct(sorted(x for x in sides if upper.x0 - 2 < x < upper.x1 + 2))) >= 3


def _own_side(lines: list[Line], group: list[RuledLine], seams: list[Seam]) -> list[Line]:
    """The lines without what stands beyond a seam in a table that touches the one of these rules."""
    x0, x1 = group[0].x0, group[0].x1
    for seam in seams:
        if x0 < seam.x < x1 and seam.top <= group[-1].y and group[0].y <= seam.bottom:
            sides = (seam.x, float("inf")) if seam.x < (x0 + x1) / 2 else (float("-inf"), seam.x)
            cut = (line.within(*sides) if seam.top <= line.y <= seam.bottom else line for line in lines)
            lines = [line for line in cut if line is not None]
    return lines


def _tight_header(between: list[Line], upper: RuledLine, lower: RuledLine) -> bool:
    """Whether the one line right between two rules is a header whose words stand too close to fall into columns."""
    return len(between) == 1 and len(between[0].words) > 1 and lower.y - upper.y < 2.6 * between[0].size


def _is_caption(line: Line) -> bool:
    return line.words[0].text.rstrip(".").lower() in ("table", "tab") and len(line.words) > 1


def _between(lines: list[Line], x0: float, x1: float, top: float, bottom: float) -> list[Line]:
    parts = (line.within(x0 - 2, x1 + 2) for line in lines if top < line.y - 0.3 * line.size and line.y < bottom + 0.5)
    return [part for part in parts if part is not None]


def _around(
    group: list[RuledLine], lines: list[Line], rules: list[RuledLine], verticals: list[tuple[float, float, float]]
) -> Region | None:
    """The region of a group of rules, grown over tabular lines where the rules do not enclose the results."""
    x0, x1 = group[0].x0, group[0].x1
    sides = [(high, low) for x, high, low in verticals if x0 - 2 < x < x1 + 2]
    touching = [(high, low) for high, low in sides if high < group[-1].y + 2 and low > group[0].y - 2]
    first = min([group[0].y, *(high for high, _ in touching)])
    last = max([group[-1].y, *(low for _, low in touching)])
    inside = _enclosed(group, lines, first, last)
    if len(inside) < 2 or max(len(line.segments(_GAP)) for line in inside) < 2:
        return None
    top, bottom = min(inside[0].y - inside[0].size, first), max(inside[-1].y, last)
    own = [rule for rule in rules if _is_inside(rule, group[0]) and top - 2 <= rule.y <= bottom + 2]
    edges = sorted({round(x, 1) for x, high, low in verticals if high < bottom and low > top and x0 - 2 < x < x1 + 2})
    return Region(x0, x1, inside, own, _distinct(edges), [side for side in verticals if x0 - 2 < side[0] < x1 + 2])


def _enclosed(group: list[RuledLine], lines: list[Line], first: float, last: float) -> list[Line]:
    """The lines between rules, with the results below them, and the header above them, where these stand outside."""
    x0, x1 = group[0].x0, group[0].x1
    inside = _between(lines, x0, x1, first, last)
    column = [part for part in (line.within(x0 - 2, x1 + 2) for line in lines) if part is not None]
    if not _has_results(inside) and not _of_words(inside, group):
        inside += _grown([line for line in column if line.y - 0.3 * line.size > last], last)
        if not _has_results(inside):
            return []
    above = [line for line in column if line.y < first + 0.5]
    if numbers(inside[0].words) >= 1:
        return _grown(above[::-1], first)[::-1] + inside
    return _header_above(above, first) + inside


def _is_inside(rule: RuledLine, whole: RuledLine) -> bool:
    """Whether a rule, and no dash, lies under or over another."""
    return rule.x0 >= whole.x0 - _SAME and rule.x1 <= whole.x1 + _SAME and rule.x1 - rule.x0 > _DASH


def _has_results(lines: list[Line]) -> bool:
    return any(numbers(line.words) >= 1 for line in lines)


def _of_words(lines: list[Line], group: list[RuledLine]) -> bool:
    """Whether lines between three rules and more stand in columns though no cell is a number: "Acc. 0.81", names."""
    apart = [len(line.segments(2 * _GAP)) for line in lines]
    return len(group) >= BOOKTABS and len(lines) >= BOOKTABS and sum(n >= 2 for n in apart) >= 0.6 * len(lines)


def _grown(lines: list[Line], start: float) -> list[Line]:
    """The lines next to a rule that stand in columns, as far as they follow each other closely."""
    taken: list[Line] = []
    y, step = start, 0.0
    for line in lines:
        distance = abs(line.y - y)
        if distance > max(2.2 * line.size, 1.6 * step) or _is_caption(line):
            break
        near = step > distance or distance < 0.75 * line.size  # a label beside a cell of two lines
        if len(line.segments(_GAP)) < 2 and not (taken and distance < 1.2 * line.size and near):
            break
        step = max(step, distance) if taken else 0.0
        taken.append(line)
        y = line.y
    while taken and len(taken[-1].segments(_GAP)) < 2:
        taken.pop()
    return taken


def _distinct(places: list[float]) -> list[float]:
    kept: list[float] = []
    for place in places:
        if not kept or place - kept[-1] > _SAME:
            kept.append(place)
    return kept


def _header_above(above: list[Line], edge: float) -> list[Line]:
    """Lines right above the region whose words stand apart: upper levels of its header."""
    taken: list[Line] = []
    for line in reversed(above):
        between = bool(taken) and taken[0].y - line.y < 0.75 * line.size  # a label beside a header of two lines
        apart = (between or len(line.segments(2 * _GAP)) >= 2) and numbers(line.words) == 0
        if not apart or _is_caption(line) or edge - line.y > 1.2 * line.size:
            break
        taken.insert(0, line)
        edge = line.y - 0.7 * line.size
    return taken


def _bare(lines: list[Line], tables: list[Region]) -> list[list[Line]]:
    """Runs of at least three lines in columns, at least two of which hold results."""
    free = [line for line in lines if not any(region.top <= line.y <= region.bottom + 1 for region in tables)]
    runs: list[list[Line]] = [[]]
    for index, line in enumerate(free):
        last = runs[-1][-1] if runs[-1] else None
        after = free[index + 1] if index + 1 < len(free) else None
        near = last is None or line.y - last.y < 2.5 * line.size
        if _in_columns(line):
            if not near:
                runs.append([])
            runs[-1].append(line)
        elif last is not None and after is not None and _in_columns(after) and after.y - last.y < 2.2 * line.size:
            runs[-1].append(line)  # a label centred between two rows
        else:
            runs.append([])
    return [run for run in runs if len(run) >= 3 and sum(_results(line) for line in run) >= 2]


def _in_columns(line: Line) -> bool:
    parts = line.segments(2 * _GAP)
    return len(parts) >= 3 or (len(parts) == 2 and all(len(part) <= 4 for part in parts))


def _results(line: Line) -> bool:
    """Two numbers, or one with decimals at the end of a line of two cells."""
    parts = line.segments(2 * _GAP)
    last = " ".join(word.text for word in parts[-1])
    return numbers(line.words, 2 * _GAP) >= 2 or (len(parts) == 2 and looks_numeric(last) and "." in last)


def _overlap(region: Region, other: Region) -> bool:
    across = min(region.x1, other.x1) - max(region.x0, other.x0)
    return across > WIDEST_SEAM and region.top < other.bottom and other.top < region.bottom


def _cross(region: Region, other: Region) -> bool:
    """Whether two regions lie over each other in part: each has something beside it that the other has not."""
    left, right = sorted((region, other), key=lambda side: side.x0)
    return left.x0 < right.x0 - WIDEST_SEAM and left.x1 < right.x1 - WIDEST_SEAM
