"""Relations between a number and others that its table sets it against: its rivals, its double elsewhere, a baseline.

Bold type marks the best of a column, underlined type the second best, where it does so in nearly all columns or where
the caption says so. Cells that two tables print under the same names of row and column hold the same number. Gains are
a Δ column, or "(+1.3)" in the cells, beside scores; which line they are against is not named as a rule: every line is
tried, the line above, and one for each block of rows. A view of three series (gains, scores, the score of the chosen
line) then is weighed as any difference or relative gain of two columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scoreproof.documents import Table
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.relation import printed_relation
from scoreproof.papers.relations.belief import AGGREGATE, OBEYING, TableRelation, weighed_alone
from scoreproof.papers.relations.grid import PATTERNS, Floats, NumberSeries, Place, View, chosen_cells, views
from scoreproof.papers.relations.meaning import UNITS, plain_series
from scoreproof.papers.relations.search import FORMS, SLACK, Places, TableFormula

_SAYS = PATTERNS["marks"]
MARKS, REPEATED = "bold or underlined", "printed twice"
_MOST_LINES = 120  # of which each may be what gains are against
_MOST_ROWS, _MOST_TABLES = 500, 60  # that are compared with each other
_KINDS = {"bold": ("the number in bold", "best"), "underlined": ("the number underlined", "second best")}


def _legend(caption: str) -> dict[str, str]:
    """Which type marks the best value and which the second best, as far as a caption says so clearly."""
    if _SAYS["limited"].search(caption):
        return {}
    if "respectively" in caption:
        return {"bold": "best", "underlined": "second best"} if _SAYS["in_order"].search(caption) else {}
    legend: dict[str, str] = {}
    for part in _SAYS["clauses"].split(caption):
        types = [name for name in ("bold", "underlined") if _SAYS.within(part, name)]
        if len(types) == 1 and _SAYS.within(part, "first", "second"):
            legend.setdefault(types[0], "second best" if _SAYS.within(part, "second") else "best")
    return legend if "best" in legend.values() else {}


def marked(table: Table, view: View) -> Iterator[TableRelation]:
    """Bold type as the best number of a column or of a row, underlined type as the second best."""
    if view.turned or not (table.bold or table.underlined):
        return
    legend = _legend(table.caption)
    ways = [(own, blocks) for own in views(table) for blocks in (np.zeros(len(own.lines), int), np.array(own.blocks))]
    for kind, (_, rank) in _KINDS.items():
        if legend.get(kind, rank) == rank:
            made = (_best(own, _marks(own, blocks, table, kind), kind, kind in legend) for own, blocks in ways)
            if relations := [relation for relation in made if relation is not None]:
                yield max(relations, key=lambda relation: (relation.odds, relation.counts))


class _Mark(NamedTuple):
    """The one marked number of a column in a block: where it stands, its best rival, how many there are."""

    line: int
    series: int
    rival: int
    rivals: int
    ahead: bool
    bound: str


def _marks(view: View, blocks: npt.NDArray[np.intp], table: Table, kind: str) -> list[_Mark]:
    """Marked numbers against the others of their column and block; the best is no rival of the second best."""
    rivals = np.array([not (_SAYS.within(name, "no_rivals") or AGGREGATE.search(name)) for name in view.labels], bool)
    marks: list[_Mark] = []
    for series in plain_series(view):
        places = [view.place(line, series) for line in range(len(view.lines))]
        own = np.array([place in getattr(table, kind) for place in places], dtype=bool)
        best = np.array([kind == "underlined" and place in table.bold for place in places], dtype=bool)
        for block in np.unique(blocks):
            within = (blocks == block) & ~np.isnan(view.values[:, series]) & ~best
            chosen, others = np.flatnonzero(within & own), np.flatnonzero(within & ~own & rivals)
            if len(chosen) != 1 or not len(others):
                continue
            lead = view.values[others, series] - view.values[chosen[0], series]
            falls = _falls(view.series[series].name, table.caption, lead)
            lead = -lead if falls else lead
            rival, ahead = int(others[lead.argmax()]), bool((lead > 0).any())
            marks.append(_Mark(int(chosen[0]), series, rival, len(others), ahead, "most" if falls else "least"))
    return marks


def _falls(name: str, caption: str, lead: Floats) -> bool:
    """Whether lower is better: by the heading, by the caption, or as the marked number is ahead of more others."""
    lower, higher = (_SAYS.within(name, way) for way in ("lower", "higher"))
    if not lower and not higher:
        lower, higher = (_SAYS.within(caption, way) for way in ("lower", "higher"))
        if lower == higher:
            return bool((lead < 0).sum() < (lead > 0).sum())
    return lower


def _best(view: View, marks: Sequence[_Mark], kind: str, in_legend: bool) -> TableRelation | None:
    """That marked numbers are ahead of the others, as printed; not of few, or of the type of one method."""
    stated = in_legend and not view.turned
    if not marks or (not stated and (len(marks) < 3 or len({mark.line for mark in marks}) == 1)):
        return None
    head, rank = _KINDS[kind]
    names = [f"{view.series[mark.series].name}, {view.labels[mark.line]}" for mark in marks]
    made = chosen_cells(view, [(mark.line, mark.series) for mark in marks], head, names)

    def problem(number: int) -> Problem:
        mark = marks[number]
        name = f"{view.series[mark.series].name[:80]} of {view.labels[mark.rival][:80]}"
        texts = {name: view.text(mark.rival, mark.series)}
        return printed_relation("best rival", texts, view.text(mark.line, mark.series), bound=mark.bound, eps="0")

    chance = min(0.9, float(np.mean([2 / (mark.rivals + 1) for mark in marks])))
    lines = np.ones(len(marks), bool), ~np.array([mark.ahead for mark in marks])
    sentence = f"{head} is the {rank} of its {'row' if view.turned else 'column'}"
    return TableRelation(kind, MARKS, made, (0,), *lines, problem, chance, 2, stated=stated, sentence=sentence)


def repeated(tables: Sequence[tuple[str, Table]]) -> Iterator[tuple[int, TableRelation]]:
    """Cells that two tables print under the same row and column names, with the number of the later table."""
    upright = [
        (place, name, view, _named_cells(view))
        for place, (name, table) in enumerate(tables) if len(table.rows) <= _MOST_ROWS
        for view in views(table) if not view.turned
    ]  # fmt: skip
    compared = upright if len(upright) <= _MOST_TABLES else ()
    for (_, name, other, before), (place, _, view, cells) in combinations(compared, 2):
        shared = sorted(cells.keys() & before.keys())
        if len(shared) >= 4:
            yield place, _twice(view, (name, other), [(cells[key], before[key]) for key in shared], shared)


def _named_cells(view: View) -> dict[tuple[str, str], tuple[int, int]]:
    """Places of a view by the names of row and column, as far as these are no others' names, too."""
    named: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for place in plain_series(view):
        head = " ".join(view.series[place].head).lower()
        for line, label in enumerate(view.labels):
            key = _SAYS["cited"].sub("", label).strip().lower(), UNITS.sub("", head)
            if key[0] and not key[0].isdigit() and view.text(line, place) and not AGGREGATE.search(label):
                named.setdefault(key, []).append((line, place))
    return {key: places[0] for key, places in named.items() if len(places) == 1}


def _twice(
    view: View, earlier: tuple[str, View], places: Sequence[tuple[Place, Place]], names: Sequence[tuple[str, str]]
) -> TableRelation:
    (name, other), cells = earlier, [first for first, _ in places]
    texts = [(view.text(*first), other.text(*second)) for first, second in places]
    made = chosen_cells(view, cells, f"the number of {name}", [", ".join(own) for own in names])
    off = np.abs(made.values[:, 0] - [other.values[second] for _, second in places])
    room = np.maximum(made.steps[:, 0], [other.steps[second] for _, second in places]) / 2 + SLACK

    def problem(line: int) -> Problem:
        return printed_relation("same number", {name[:80]: texts[line][1]}, texts[line][0])

    has, sentence = np.ones(len(texts), bool), f"a number under the names of {name} is the same as there"
    return TableRelation("same number", REPEATED, made, (0,), has, off <= room, problem, 0.05, 4, sentence=sentence)


_NEAR = 4  # columns between scores and the gains in them
_GAINS = tuple(FORMS[name] for name in ("difference", "relative gain in percent", "reduction in percent"))


def gains_against_a_line(table: Table, view: View) -> Iterator[TableRelation]:
    """Series of gains over the score of one line, or of the line above; the most obeyed of each series."""
    if view.turned or not 3 <= len(view.lines) <= _MOST_LINES:
        return
    mains = [place for place, series in enumerate(view.series) if series.part == "main"]
    for target, series in enumerate(view.series):
        scores: list[int] = []
        if series.part == "change":  # of the scores of the same cells
            scores = [place for place in mains if view.series[place].index == series.index]
        elif series.part == "main" and _GAINS[0].is_named(series.name):
            scores = [place for place in mains if place < target][-_NEAR:]
        relations = [made for part in scores for form in _GAINS for made in _against(view, target, part, form)]
        if relations:
            yield max(relations, key=lambda relation: (relation.counts[0], relation.odds))


def _lines_compared(view: View) -> list[Places]:
    """For each line, the line it may be compared with: one for all, the first or last of each block, the one above."""
    count, blocks = len(view.lines), np.array(view.blocks)
    ends = (0, -1) if len(np.unique(blocks)) > 1 else ()
    of_blocks = [np.array([np.flatnonzero(blocks == block)[end] for block in blocks]) for end in ends]
    return [*(np.full(count, line) for line in range(count)), np.maximum(np.arange(count) - 1, 0), *of_blocks]


def _against(view: View, target: int, part: int, form: TableFormula) -> Iterator[TableRelation]:
    """The relations for one series of gains whose lines mostly obey, each weighed as one of three columns."""
    value, step = view.values[:, target], view.steps[:, target]
    score, wide = view.values[:, part], view.steps[:, part]
    for base in (choices := _lines_compared(view)):
        other, apart = score[base], base != np.arange(len(base))
        with np.errstate(all="ignore"):
            made, room = score - other, wide + wide[base]
            if form is not _GAINS[0]:
                made, room = 100 * made / other, 100 * room / np.abs(other) * (1 + np.abs(made / other))
        gain = value if form.name != "reduction in percent" else -value
        has = ~np.isnan(gain) & ~np.isnan(made) & apart
        close = has & (np.abs(made - gain) <= step + room)
        if has.sum() > 1 and close.sum() >= OBEYING * has.sum():
            names = dict.fromkeys(view.labels[line] or f"line {line + 1}" for line in base)
            label = next(iter(names)) if len(names) == 1 else "the line it is compared with"
            own, scores = view.series[target], view.series[part]
            texts = tuple(scores.texts[line] if differs else "" for line, differs in zip(base, apart, strict=True))
            known = NumberSeries((*scores.head, f"of {label}"), "main", scores.index, texts)
            values, steps = (
                np.column_stack([array[:, (target, part)], np.where(apart, array[base, part], np.nan)])
                for array in (view.values, view.steps)
            )
            yield from weighed_alone(view, (own, scores, known), (values, steps), form, len(choices))
