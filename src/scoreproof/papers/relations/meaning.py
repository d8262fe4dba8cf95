"""Relations that follow from what headings mean: orders, intervals, deviations, ranks, ratios on one data set.

The heading proposes them, the lines decide: each is weighed like those that are searched for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from scoreproof.documents import Table
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.relation import VALUE, printed_relation
from scoreproof.papers.relations.belief import AGGREGATE, FEWEST, OBEYING, TableRelation
from scoreproof.papers.relations.grid import PATTERNS, Bools, Floats, NumberSeries, View
from scoreproof.papers.relations.search import AVERAGES, SLACK, names_of
from scoreproof.reported import report

ORDERS, INTERVALS, RANKS = "order by meaning", "value in its interval", "rank"
_SAYS = PATTERNS["headings"]
_MOST_SHARES = 40  # series that may add up to a whole
_CERTAIN = 0.005  # of a relation that follows from the words: as if so much of one had been tried
UNITS = re.compile(r"[↑↓%()\s]+$")


def named_relations(table: Table, view: View) -> Iterator[TableRelation]:
    """Every relation that the headings of a view propose."""
    with np.errstate(all="ignore"):
        for propose in (_orders, _intervals, _ranks, _ratios, _to_the_whole):
            yield from propose(view)


def last_heading(series: NumberSeries) -> str:
    return UNITS.sub("", series.head[-1]).strip() if series.head else ""


def plain_series(view: View) -> list[int]:
    return [place for place, series in enumerate(view.series) if series.part == "main" and series.head]


def _bounded(view: View, name: str, sort: str, target: int, part: int, bound: str) -> TableRelation:
    """That a target is at most, or at least, a part."""
    own, other = view.values[:, target], view.values[:, part]
    has = ~np.isnan(own) & ~np.isnan(other)
    room = np.maximum(view.steps[:, target], view.steps[:, part]) / 2 + SLACK
    obeys = has & ((own - other if bound == "most" else other - own) <= room)

    def problem(line: int) -> Problem:
        texts = {view.series[part].name[:80]: view.text(line, part)}
        return printed_relation(name, texts, view.text(line, target), bound=bound)

    sentence = f"{view.series[target].name} is at {bound} {name}"
    return TableRelation(name, sort, view, (target, part), has, obeys, problem, 0.5, _CERTAIN, sentence=sentence)


def _orders(view: View) -> Iterator[TableRelation]:
    """Numbers of one block and heading, scores also of one unit, that cannot be the other way round."""
    names = {place: last_heading(view.series[place]) for place in plain_series(view)}
    names = {place: name for place, name in names.items() if _SAYS["ordered"].search(name)}
    for (a, first), (b, second) in permutations(names.items(), 2):
        own, beside = view.series[a], view.series[b]
        if (own.head[:-1], own.block) != (beside.head[:-1], beside.block) or abs(a - b) > 8:
            continue
        always = _SAYS["between"].fullmatch(f"{first} < {second}")
        if always or (view.units[a] == view.units[b] and _is_at_most(first, second)):
            yield _bounded(view, second, ORDERS, a, b, "most")


def _is_at_most(first: str, second: str) -> bool:
    """Whether scores of such names are in order: of one name with a smaller number, or as the list says."""
    fewer, more = _SAYS["rising"].fullmatch(first), _SAYS["rising"].fullmatch(second)
    if fewer and more and fewer[1].lower() == more[1].lower() != "p" and int(fewer[2]) < int(more[2]):
        return "@" in first or fewer[1].lower() in ("top", "rank")
    return _SAYS["below"].fullmatch(f"{first} < {second}") is not None


def _intervals(view: View) -> Iterator[TableRelation]:
    """A value, and the ends of its interval in the same cell."""
    places = {(series.index, series.part): place for place, series in enumerate(view.series) if not view.turned}
    for (index, part), place in places.items():
        if part == "main" and {(index, "low"), (index, "high")} <= places.keys():
            for end, side, bound in (("low", "lower", "least"), ("high", "upper", "most")):
                yield _bounded(view, f"the {side} end of its interval", INTERVALS, place, places[index, end], bound)


def deviations(view: View, mean: TableRelation) -> Iterator[TableRelation]:
    """Standard deviations of the parts of a believed mean: in its own cells, or in a series that is called so."""
    parts, own = list(mean.series[1:]), view.series[mean.target]
    values, wide = view.values[:, parts], np.nan_to_num(view.steps[:, parts]).max(axis=1)
    for place, series in enumerate(view.series) if len(parts) > 2 else ():
        beside = series.part == "spread" and series.index == own.index
        if place in parts or not (beside or (series.part == "main" and _SAYS["std"].search(series.name))):
            continue
        target, step = view.values[:, place], view.steps[:, place]
        has = ~np.isnan(target) & ~np.isnan(values).any(1)
        near = np.stack([np.abs(values.std(axis=1, ddof=ddof) - target) for ddof in (0, 1)]).min(0)
        obeys = has & (near <= step / 2 + wide / 2 + SLACK)
        room = (step + wide)[has] / (np.ptp(values[has], axis=1) + step[has])

        def problem(line: int, place: int = place) -> Problem:
            texts = [view.text(line, part) for part in parts]
            return printed_average("value", texts, view.text(line, place), statistic="deviation")

        chance = min(2 * float(room.mean()), 0.99) if has.any() else 0.99
        yield TableRelation("standard deviation", AVERAGES, view, (place, *parts), has, obeys, problem, chance)


def _ranks(view: View) -> Iterator[TableRelation]:
    """A mean rank beside the values that were ranked line against line: larger is better, or smaller."""
    mains = plain_series(view)
    ranked = [place for place in mains if _SAYS["rank"].search(view.series[place].name)]
    values = [place for place in mains if place not in ranked and not AGGREGATE.search(view.series[place].name)]
    for target, side, sign in product(ranked, (-1, 1), (-1, 1)):
        parts = [place for place in values if (place - target) * side > 0]
        value, step, numbers = view.values[:, target], view.steps[:, target], view.values[:, parts]
        has = ~np.isnan(numbers).any(1) & ~np.isnan(value)
        if not parts or has.sum() < FEWEST or any(len(np.unique(own)) < len(own) for own in numbers[has].T):
            continue  # equal numbers may share a rank or not
        ranks: Floats = np.full(numbers.shape, np.nan)
        ranks[has] = (sign * numbers[has]).argsort(0).argsort(0) + 1

        def problem(line: int, parts: list[int] = parts, target: int = target, ranks: Floats = ranks) -> Problem:
            names = names_of([f"rank by {view.series[part].name[:60]}" for part in parts])
            own = (report(VALUE, str(int(rank)), eps="0") for rank in ranks[line])
            given = dict(zip(names, own, strict=True))
            return printed_relation("mean rank", given, view.text(line, target), factor=Fraction(1, len(parts)))

        obeys = has & (np.abs(ranks.mean(1) - value) <= step / 2 + SLACK)
        chance = float(min(0.9, 2 * step[has].max() / (has.sum() - 1) + 1 / has.sum()))
        yield TableRelation("mean rank", RANKS, view, (target, *parts), has, obeys, problem, chance, 2)


def _ratios(view: View) -> Iterator[TableRelation]:
    """Errors with one denominator: their ratio is the same in all lines of one data set."""
    mains = [place for place in plain_series(view) if _SAYS["errors"].search(last_heading(view.series[place]))]
    for a, b in permutations(mains, 2):
        names = " < ".join(last_heading(view.series[place]) for place in (a, b))
        if view.series[a].head[:-1] == view.series[b].head[:-1]:
            if _SAYS["scaled"].fullmatch(names):
                yield from _constant(view, b, a, squared=False)
            elif view.units[b] == 1 and _SAYS["explained"].fullmatch(names):
                yield from _constant(view, a, b, squared=True)


def _constant(view: View, target: int, part: int, *, squared: bool) -> Iterator[TableRelation]:
    """target / part, or target² / (1 - part), as in the line where it is known best."""
    (value, other), (step, wide) = view.values[:, [target, part]].T, view.steps[:, [target, part]].T
    left = 1 - other if squared else other
    has = (value > 0) & (left > 0)
    if has.sum() < 4:
        return
    relative = np.where(has, step / value + (0.5 if squared else 1) * wide / np.maximum(left, 1e-12), np.inf)
    ratio = value / (np.sqrt(left) if squared else left)
    usual = np.abs(ratio / np.median(ratio[has]) - 1) <= relative
    best = int(np.argmin(np.where(has & usual, relative, np.inf)))
    telling = has & (np.arange(len(has)) != best)
    obeys = telling & (np.abs(ratio / ratio[best] - 1) <= (relative + relative[best]) / 2 * 1.01)

    def problem(line: int) -> Problem:
        cells = (line, part), (best, target), (best, part)
        rows = ("this line", view.labels[best][:60], view.labels[best][:60])
        texts = {
            f"{view.series[cell[1]].name[:60]} of {row}": view.text(*cell)
            for row, cell in zip(rows, cells, strict=True)
        }
        made = {"weights": (1, 2, -1), "complements": (1, None, 1), "root": 2} if squared else {"weights": (1, 1, -1)}
        name = "value with the ratio of another line"
        return printed_relation(name, texts, view.text(line, target), formula="product", **made)

    spread = max(float(np.ptp(np.log(value[has]))), 1e-9)
    chance = min(0.99, 2 * float(np.median(relative[has])) / spread)
    what = "value with one ratio", "ratio on one data set", view, (target, part)
    names = f"{view.series[target].name} and {view.series[part].name}"
    sentence = f"{names} have one ratio{' (RMSE² to 1 - R²)' if squared else ''}"
    yield TableRelation(*what, telling, obeys, problem, chance, linear=False, sentence=sentence)


def _to_the_whole(view: View) -> Iterator[TableRelation]:
    """Three or more neighbours that add up to 100 %, or to 1."""
    mains = plain_series(view)
    values, steps = view.values[:, mains], view.steps[:, mains]
    ends = combinations(range(len(mains) + 1), 2) if len(mains) <= _MOST_SHARES else ()
    runs = [(first, last) for first, last in ends if last - first > 2]
    for whole in (100, 1):
        partial = 2 * ((values > 0) & (values < whole)).sum(0) >= len(values)  # mostly neither nothing nor all
        kept: list[TableRelation] = []
        for first, last in (run for run in runs if partial[slice(*run)].all()):
            sums, room = values[:, first:last].sum(1), steps[:, first:last].sum(1)
            has = ~np.isnan(sums)
            obeys = has & (np.abs(sums - whole) <= room / 2 + SLACK)
            if obeys.sum() >= FEWEST and obeys.sum() >= OBEYING * has.sum():
                kept.append(_rest(view, mains[first:last], whole, (has, obeys), room[has].mean(), len(runs)))
        yield from sorted(kept, key=lambda relation: -len(relation.series))[:3]


def _rest(
    view: View, run: Sequence[int], whole: int, lines: tuple[Bools, Bools], room: float, tried: int
) -> TableRelation:
    """The last of a run as what the others leave of the whole."""
    *parts, target = run

    def problem(line: int) -> Problem:
        names = names_of([view.series[part].name[:70] for part in parts])
        texts = {name: view.text(line, part) for name, part in zip(names, parts, strict=True)}
        made: dict[str, Any] = {"weights": [-1] * len(texts), "offset": whole}
        return printed_relation(f"rest to {whole}", texts, view.text(line, target), **made)

    chance = min(0.99, float(room / (np.ptp(view.values[lines[0]][:, run], axis=0).max() + SLACK)))
    what = f"rest to {whole}", "shares of a whole", view, (target, *parts)
    return TableRelation(*what, *lines, problem, chance, tried, hinted=False)
