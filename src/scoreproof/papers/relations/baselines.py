"""Gains against one line of the table: a Δ column, or "(+1.3)" in the cells, beside the scores of one column.

The line that the others are compared with is not named as a rule: the first, that of the last method, or one for each
block of rows. Every line is tried, and the line above (gains that add up); a view of three series (the gains, the
scores, the score of the chosen line in every line) then is weighed as any difference or relative gain of two columns.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scoreproof.documents import Table
from scoreproof.papers.relations.belief import OBEYING, TableRelation, weighed_alone
from scoreproof.papers.relations.formulas import FORMS, TableFormula
from scoreproof.papers.relations.grid import NumberSeries, View
from scoreproof.papers.relations.search import Places

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
