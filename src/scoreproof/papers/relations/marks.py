"""Relations between a number and others that its table sets it against: its rivals, its double elsewhere, a baseline.

Bold type marks the best of a column where it does so in nearly all columns, or where the caption says so; underlined
type the second best. Cells that two tables print under the same names of row and column hold the same number, where
nearly all such cells do.

Gains against one line of the table are a Δ column, or "(+1.3)" in the cells, beside the scores of one column. The line
that the others are compared with is not named as a rule: the first, that of the last method, or one for each block of
rows. Every line is tried, and the line above (gains that add up); a view of three series (the gains, the scores, the
score of the chosen line in every line) then is weighed as any difference or relative gain of two columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scoreproof.documents import Table
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.relation import printed_relation
from scoreproof.papers.relations.belief import AGGREGATE, OBEYING, TableRelation, weigh, weighed_alone
from scoreproof.papers.relations.formulas import FORMS, TableFormula
from scoreproof.papers.relations.grid import PATTERNS, Floats, NumberSeries, Place, View, views
from scoreproof.papers.relations.meaning import UNITS, plain_series
from scoreproof.papers.relations.search import SLACK, Places

_SAYS = PATTERNS["marks"]
MARKS, REPEATED = "bold or underlined", "printed twice"


def _legend(caption: str) -> dict[str, str]:
    """Which type marks the best value and which the second best, as far as a caption says so clearly."""
    if _SAYS["limited"].search(caption):
        return {}
    if "respectively" in caption:
        found = re.search(r"\bbest\b.*?\b(?:second|2nd|runner).*?\bbold.*?\bunderlin", caption, re.I | re.S)
        return {"bold": "best", "underlined": "second best"} if found else {}
    legend: dict[str, str] = {}
    for part in _SAYS["clauses"].split(caption):
        types = [name for name in ("bold", "underlined") if re.search(rf"\b{name[:9]}", part, re.I)]
        if len(types) == 1 and re.search(r"\b(?:best|highest|top|second|2nd|runner)\b", part, re.I):
            second = re.search(r"\b(?:second|2nd|runner)\b", part, re.I)
            legend.setdefault(types[0], "second best" if second else "best")
    return legend if "best" in legend.values() else {}


def marked(table: Table, view: View) -> Iterator[TableRelation]:
    """Bold type as the best number of a column or of a row, underlined type as the second best."""
    if view.turned or not (table.bold or table.underlined):
        return
    legend = _legend(table.caption)
    for kind, places in (("bold", table.bold), ("underlined", table.underlined)):
        rank = legend.get(kind, "best" if kind == "bold" else "second best")
        if places and rank != ("second best" if kind == "bold" else "best"):
            relations = [
                _best(each, _marks(each, blocks, table, kind), kind, rank, stated=kind in legend and not each.turned)
                for each in views(table)
                for blocks in (np.zeros(len(each.lines), int), np.array(each.blocks))
            ]
            weighed = [relation for relation in relations if relation is not None]
            if weighed:
                yield max(weighed, key=lambda relation: (relation.odds, relation.counts))


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
    named = [not (_SAYS.within(label, "no_rivals") or AGGREGATE.search(label)) for label in view.labels]
    rivals = np.array(named, dtype=bool)
    places = table.bold if kind == "bold" else table.underlined
    marks = []
    for series in plain_series(view):
        own = np.array([view.place(line, series) in places for line in range(len(view.lines))], dtype=bool)
        best = np.array(
            [kind == "underlined" and view.place(line, series) in table.bold for line in range(len(view.lines))]
        )
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


def _best(view: View, marks: Sequence[_Mark], kind: str, rank: str, *, stated: bool) -> TableRelation | None:
    """That marked numbers are ahead of the others, as printed."""
    if not marks or (not stated and (len(marks) < 3 or len({mark.line for mark in marks}) == 1)):
        return None  # few, or the type of one method
    own = np.array([[view.values[mark.line, mark.series]] for mark in marks])
    head = (f"the number {'in bold' if kind == 'bold' else 'underlined'}",)
    made = View(
        (NumberSeries(head, kind, -1, tuple(view.text(mark.line, mark.series) for mark in marks)),),
        tuple(f"{view.series[mark.series].name}, {view.labels[mark.line]}" for mark in marks),
        tuple(range(len(marks))), (0,) * len(marks), False, own, np.zeros_like(own), (1,),
        tuple(view.place(mark.line, mark.series) for mark in marks),
    )  # fmt: skip
    behind = np.array([mark.ahead for mark in marks])

    def problem(number: int) -> Problem:
        mark = marks[number]
        name = f"{view.series[mark.series].name[:80]} of {view.labels[mark.rival][:80]}"
        texts = {name: view.text(mark.rival, mark.series)}
        return printed_relation("best rival", texts, view.text(mark.line, mark.series), bound=mark.bound, eps="0")

    chance = float(np.mean([2 / (mark.rivals + 1) for mark in marks]))
    has = np.ones(len(marks), bool)
    return weigh(
        kind, MARKS, made, 0, (), (has, ~behind), problem, chance=min(chance, 0.9), tried=2, hinted=True,
        exclusive=False, said=f"{head[0]} is the {rank} of its {'row' if view.turned else 'column'}", stated=stated,
    )  # fmt: skip


def comparable(tables: Sequence[tuple[str, Table]]) -> Iterator[tuple[int, str, View]]:
    """The tables whose numbers may stand in others under the same names, by place."""
    for place, (name, table) in enumerate(tables):
        if len(table.rows) <= 500:
            yield from ((place, name, view) for view in views(table) if not view.turned)


def repeated(tables: Sequence[tuple[str, View]]) -> Iterator[tuple[int, TableRelation]]:
    """Cells that two tables print under the same row and column names, with the number of the later table."""
    cells = [_named_cells(view) for _, view in tables]
    for later in range(1, len(tables)):
        for earlier in range(later):
            shared = sorted(cells[later].keys() & cells[earlier].keys())
            if len(shared) >= 4:
                places = [(cells[later][key], cells[earlier][key]) for key in shared]
                yield later, _twice(tables[later][1], tables[earlier], places, shared)


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
    name, other = earlier
    texts = [(view.text(*first), other.text(*second)) for first, second in places]
    values = np.array([[float(a), float(b)] for a, b in texts])
    steps = np.array([[view.steps[first], other.steps[second]] for first, second in places])
    off = np.abs(values[:, 0] - values[:, 1])
    made = View(
        (NumberSeries((f"the number of {name}",), "twice", -1, tuple(a for a, _ in texts)),),
        tuple(", ".join(each) for each in names), tuple(range(len(texts))), (0,) * len(texts), False,
        values[:, :1], steps[:, :1], (1,), tuple(view.place(*first) for first, _ in places),
    )  # fmt: skip

    def problem(line: int) -> Problem:
        return printed_relation("same number", {name[:80]: texts[line][1]}, texts[line][0])

    has = np.ones(len(texts), bool)
    lines = has, off <= steps.max(1) / 2 + SLACK
    said = f"a number under the names of {name} is the same as there"
    return weigh(
        "same number", REPEATED, made, 0, (), lines, problem,
        chance=0.05, tried=4, hinted=True, exclusive=False, said=said,
    )  # fmt: skip


_MOST_LINES = 120
_NEAR = 4  # columns between scores and the gains in them
_DIFFERENCE = FORMS["difference"]
_FORMS = tuple(FORMS[name] for name in ("difference", "relative gain in percent", "reduction in percent"))


def gains_against_a_line(table: Table, view: View) -> Iterator[TableRelation]:
    """Series of gains over the score of one line, or of the line above; the most obeyed of each series."""
    if view.turned or not 3 <= len(view.lines) <= _MOST_LINES:
        return
    for target, series in enumerate(view.series):
        if series.part != "change" and not (series.part == "main" and _DIFFERENCE.heading.search(series.name)):
            continue
        relations = [
            relation
            for part in _scores(view, target)
            for form in _FORMS
            for relation in _against(view, target, part, form)
        ]
        if relations:
            yield max(relations, key=lambda relation: (relation.counts[0], relation.odds))


def _scores(view: View, target: int) -> list[int]:
    """The scores that gains may be of: those of the same cells, or columns before them."""
    own = view.series[target]
    mains = [place for place, series in enumerate(view.series) if series.part == "main" and place != target]
    if own.part == "change":
        return [place for place in mains if view.series[place].index == own.index]
    return [place for place in mains if place < target][-_NEAR:]


def _lines_compared(view: View) -> Iterator[Places]:
    """For each line, the line it may be compared with: one for all, the first or last of each block, the one above."""
    count, blocks = len(view.lines), np.array(view.blocks)
    yield from (np.full(count, line) for line in range(count))
    yield np.maximum(np.arange(count) - 1, 0)
    if len(np.unique(blocks)) > 1:
        for end in (0, -1):
            yield np.array([np.flatnonzero(blocks == block)[end] for block in blocks])


def _against(view: View, target: int, part: int, form: TableFormula) -> Iterator[TableRelation]:
    """The relations for one series of gains whose lines mostly obey, each weighed as one of three columns."""
    value, step = view.values[:, target], view.steps[:, target]
    score, wide = view.values[:, part], view.steps[:, part]
    for base in (choices := list(_lines_compared(view))):
        other = score[base]
        with np.errstate(all="ignore"):
            made, room = score - other, wide + wide[base]
            if form is not _DIFFERENCE:
                made, room = 100 * made / other, 100 * room / np.abs(other) * (1 + np.abs(made / other))
        gain = value if form.name != "reduction in percent" else -value
        has = ~np.isnan(gain) & ~np.isnan(made) & (base != np.arange(len(base)))
        close = has & (np.abs(made - gain) <= step + room)
        if has.sum() > 1 and close.sum() >= OBEYING * has.sum():
            yield from _weighed(view, (target, part), base, form, len(choices))


def _weighed(
    view: View, places: tuple[int, int], base: Places, form: TableFormula, tried: int
) -> Iterator[TableRelation]:
    target, part = (view.series[place] for place in places)
    names = dict.fromkeys(view.labels[line] or f"line {line + 1}" for line in base)
    label = next(iter(names)) if len(names) == 1 else "the line it is compared with"
    apart = base != np.arange(len(base))
    texts = tuple(part.texts[line] if own else "" for line, own in zip(base, apart, strict=True))
    known = NumberSeries((*part.head, f"of {label}"), "main", part.index, texts)
    values, steps = (
        np.column_stack([array[:, places], np.where(apart, array[base, places[1]], np.nan)])
        for array in (view.values, view.steps)
    )
    yield from weighed_alone(view, (target, part, known), (values, steps), form, tried)
