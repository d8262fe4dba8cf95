"""Relations that follow from what headings mean: orders, intervals, deviations, ranks, ratios on one data set.

The heading proposes them, the lines decide: each is weighed like those that are searched for. Recall@5 is not below
Recall@1, a value lies in its own interval, the standard deviation beside a mean is that of the same numbers, the ratio
of two errors with one denominator is the same in all lines of one data set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np

from scoreproof.documents import Table
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.relation import VALUE, printed_relation
from scoreproof.papers.relations.belief import AGGREGATE, TableRelation, weigh
from scoreproof.papers.relations.grid import PATTERNS, Floats, NumberSeries, View
from scoreproof.papers.relations.search import SLACK, Bools
from scoreproof.reported import report

ORDERS, INTERVALS = "order by meaning", "value in its interval"
RANKS = "rank"
_SAYS = PATTERNS["headings"]
_CENTERED = 0.25  # of its width may the middle of an interval in a column of its own be off
_CERTAIN = 0.005  # of a relation that follows from the words: as if so much of one had been tried
_AP50 = re.compile(r"(?:box |mask )?m?ap[@_ ]?(?:0?\.)?50", re.I)
_MIDDLE = re.compile(r"mean|median|average|avg\.?|estimate", re.I)
_ENDS = (
    (re.compile(r"min(?:imum)?\.?", re.I), re.compile(r"max(?:imum)?\.?", re.I)),
    (re.compile(r"lower(?: (?:bound|limit|ci))?", re.I), re.compile(r"upper(?: (?:bound|limit|ci))?", re.I)),
    (re.compile(r"q1", re.I), re.compile(r"q3", re.I)),
)
_BETWEEN = tuple(pair for low, high in _ENDS for pair in ((low, _MIDDLE), (_MIDDLE, high), (low, high)))
_BELOW = (
    (re.compile(r"mae", re.I), re.compile(r"rmse", re.I)),
    (re.compile(r"(?:box |mask )?m?ap|m?ap(?:_?|@)\[?\.?0?\.?50?(?::\.?0?\.?|-)95\]?", re.I), _AP50),
    (re.compile(r"m?ap[@_ ]?(?:0?\.)?75", re.I), _AP50),
    (re.compile(r"em|exact match", re.I), re.compile(r"f1", re.I)),
    (re.compile(r"hits?@1", re.I), re.compile(r"mrr", re.I)),
)  # fmt: skip
_RATIOS = (
    (re.compile(r"mae", re.I), re.compile(r"wape|wmape|n-?mae|mase|rmae|rae", re.I)),
    (re.compile(r"rmse", re.I), re.compile(r"n-?rmse|nrmse|rrmse|cv-?rmse", re.I)),
)
UNITS = re.compile(r"[↑↓%()\s]+$")
_ITSELF = Fraction(1), Fraction(0)


def named_relations(table: Table, view: View) -> Iterator[TableRelation]:
    """Every relation that the headings of a view propose."""
    with np.errstate(all="ignore"):
        yield from _orders(view)
        yield from _intervals(view)
        yield from _ranks(view)
        yield from _ratios(view)
        yield from _to_the_whole(view)


def last_heading(series: NumberSeries) -> str:
    return UNITS.sub("", series.head[-1]).strip() if series.head else ""


def plain_series(view: View) -> list[int]:
    return [place for place, series in enumerate(view.series) if series.part == "main" and series.head]


def _bounded(
    view: View, name: str, sort: str, target: int, part: int, bound: str, made: tuple[Fraction, Fraction] = _ITSELF
) -> TableRelation:
    """That a target is at most, or at least, factor times a part and an offset."""
    factor, offset = made
    sign = 1 if bound == "most" else -1
    own, other = view.values[:, target], float(offset) + float(factor) * view.values[:, part]
    step = view.steps[:, target], float(factor) * view.steps[:, part]
    has = ~np.isnan(own) & ~np.isnan(other)
    obeys = has & (sign * (own - other) <= np.maximum(*step) / 2 + SLACK)

    def problem(line: int) -> Problem:
        texts = {view.series[part].name[:80]: view.text(line, part)}
        return printed_relation(name, texts, view.text(line, target), factor=factor, offset=offset, bound=bound)

    said = f"{view.series[target].name} is at {bound} {name}"
    return weigh(
        name, sort, view, target, (part,), (has, obeys), problem,
        chance=0.5, tried=_CERTAIN, hinted=True, exclusive=False, said=said,
    )  # fmt: skip


def _orders(view: View) -> Iterator[TableRelation]:
    """Numbers of one block and heading, scores also of one unit, that cannot be the other way round."""
    every = {place: last_heading(view.series[place]) for place in plain_series(view)}
    names = {place: name for place, name in every.items() if _SAYS["ordered"].search(name)}
    for (a, first), (b, second) in permutations(names.items(), 2):
        own, beside = view.series[a], view.series[b]
        if own.head[:-1] != beside.head[:-1] or own.block != beside.block or abs(a - b) > 8:
            continue
        hits = _SAYS["rising"].fullmatch(second)
        if _in_order(first, second, _BETWEEN) or (view.units[a] == view.units[b] and _is_at_most(first, second)):
            yield _bounded(view, second, ORDERS, a, b, "most")
        elif view.units[a] == view.units[b] and first.lower() == "mrr" and hits and re.match("hits?", hits[1], re.I):
            k, unit = int(hits[2]), view.units[b]  # what is ranked below k adds at most 1/(k + 1)
            made = Fraction(k, k + 1), Fraction(unit, k + 1)
            yield _bounded(view, f"what {second} leaves to it", ORDERS, a, b, "most", made)


def _in_order(first: str, second: str, orders: Sequence[tuple[re.Pattern[str], re.Pattern[str]]]) -> bool:
    return any(low.fullmatch(first) and high.fullmatch(second) for low, high in orders)


def _is_at_most(first: str, second: str) -> bool:
    """Whether scores of such names are in order: of one name with a smaller number, or as the list says."""
    fewer, more = _SAYS["rising"].fullmatch(first), _SAYS["rising"].fullmatch(second)
    if fewer and more and fewer[1].lower() == more[1].lower() != "p" and int(fewer[2]) < int(more[2]):
        return "@" in first or fewer[1].lower() in ("top", "rank")
    return _in_order(first, second, _BELOW)


def _intervals(view: View) -> Iterator[TableRelation]:
    """A value, and the ends of its interval in the same cell."""
    by_index: dict[int, dict[str, int]] = {}
    for place, series in enumerate(view.series):
        by_index.setdefault(series.index, {})[series.part] = place
    for parts in () if view.turned else by_index.values():
        if {"low", "high"} <= parts.keys() and "main" not in parts:
            parts = parts | _centered(view, parts["low"], parts["high"])
        if {"main", "low", "high"} <= parts.keys():
            yield _bounded(view, "the lower end of its interval", INTERVALS, parts["main"], parts["low"], "least")
            yield _bounded(view, "the upper end of its interval", INTERVALS, parts["main"], parts["high"], "most")


def _centered(view: View, low: int, high: int) -> dict[str, int]:
    """Of the columns before one of intervals the one whose values lie nearest to their middles."""
    first, last = view.values[:, low], view.values[:, high]
    before = [place for place in plain_series(view) if place < low][-4:]
    off = {
        place: float(np.nanmedian(np.abs(view.values[:, place] - (first + last) / 2) / (last - first + SLACK)))
        for place in before
        if not np.isnan(view.values[:, place] + first + last).all()
    }
    nearest = min(off, key=lambda place: off[place], default=None)
    return {"main": nearest} if nearest is not None and off[nearest] < _CENTERED else {}


def deviations(view: View, mean: TableRelation) -> Iterator[TableRelation]:
    """Standard deviations of the parts of a believed mean: in its own cells, or in a series that is called so."""
    parts = list(mean.parts)
    if len(parts) < 3:
        return
    own = view.series[mean.target]
    values, wide = view.values[:, parts], np.nan_to_num(view.steps[:, parts]).max(axis=1)
    for place, series in enumerate(view.series):
        if place == mean.target or place in parts:
            continue
        beside = series.part == "spread" and series.index == own.index
        if not beside and not (series.part == "main" and _SAYS["std"].search(series.name)):
            continue
        target, step = view.values[:, place], view.steps[:, place]
        has = ~np.isnan(target) & ~np.isnan(values).any(1)
        near = np.stack([np.abs(values.std(axis=1, ddof=ddof) - target) for ddof in (0, 1)]).min(0)
        obeys = has & (near <= step / 2 + wide / 2 + SLACK)
        room = (step + wide)[has] / (np.ptp(values[has], axis=1) + step[has])

        def problem(line: int, place: int = place) -> Problem:
            texts = [view.text(line, part) for part in parts]
            return printed_average("value", texts, view.text(line, place), statistic="deviation")

        lines, likely = (has, obeys), min(2 * float(room.mean()), 0.99) if has.any() else 0.99
        yield weigh(
            "standard deviation", "average or sum", view, place, parts, lines, problem, chance=likely, hinted=True
        )


def _ranks(view: View) -> Iterator[TableRelation]:
    """A mean rank beside the values that were ranked line against line: larger is better, or smaller."""
    names = {place: view.series[place].name for place in plain_series(view)}
    values = [place for place, name in names.items() if not _SAYS["rank"].search(name) and not AGGREGATE.search(name)]
    for target in (place for place, name in names.items() if _SAYS["rank"].search(name)):
        for parts in ([p for p in values if p < target], [p for p in values if p > target]):
            whole = ~np.isnan(view.values[:, parts]).any(1) & ~np.isnan(view.values[:, target])
            if parts and whole.sum() >= 3:
                for sign in (-1, 1):
                    yield from _ranked(view, target, parts, whole, sign)


def _ranked(view: View, target: int, parts: list[int], whole: Bools, sign: int) -> Iterator[TableRelation]:
    numbers = sign * view.values[whole][:, parts]
    if any(len(np.unique(column)) < len(column) for column in numbers.T):
        return  # equal numbers may share a rank or not
    ranks: Floats = np.full((len(view.lines), len(parts)), np.nan)
    ranks[whole] = numbers.argsort(0).argsort(0) + 1
    value, step = view.values[:, target], view.steps[:, target]
    off = np.abs(ranks.mean(1) - value)
    lines = whole, whole & (off <= step / 2 + SLACK)

    def problem(line: int) -> Problem:
        names = [f"rank by {view.series[part].name[:60]} ({k + 1})" for k, part in enumerate(parts)]
        given = {name: report(VALUE, str(int(rank)), eps="0") for name, rank in zip(names, ranks[line], strict=True)}
        return printed_relation("mean rank", given, view.text(line, target), factor=Fraction(1, len(parts)))

    chance = float(min(0.9, 2 * step[whole].max() / max(1, whole.sum() - 1) + 1 / whole.sum()))
    yield weigh("mean rank", RANKS, view, target, parts, lines, problem, chance=chance, tried=2, hinted=True)


def _ratios(view: View) -> Iterator[TableRelation]:
    """Errors with one denominator: their ratio is the same in all lines of one data set."""
    mains = [place for place in plain_series(view) if _SAYS["errors"].search(last_heading(view.series[place]))]
    for a, b in permutations(mains, 2):
        first, second = last_heading(view.series[a]), last_heading(view.series[b])
        if view.series[a].head[:-1] != view.series[b].head[:-1]:
            continue
        if any(low.fullmatch(first) and high.fullmatch(second) for low, high in _RATIOS):
            yield from _constant(view, b, a, squared=False)
        elif _SAYS["rmse"].fullmatch(first) and _SAYS["r2"].fullmatch(second) and view.units[b] == 1:
            yield from _constant(view, a, b, squared=True)


def _constant(view: View, target: int, part: int, *, squared: bool) -> Iterator[TableRelation]:
    """target / part, or target² / (1 - part), as in the line where it is known best."""
    value, step = view.values[:, target], view.steps[:, target]
    other, wide = view.values[:, part], view.steps[:, part]
    left = 1 - other if squared else other
    has = ~np.isnan(value) & ~np.isnan(other) & (value > 0) & (left > 0)
    if has.sum() < 4:
        return
    relative = np.where(has, step / value + (0.5 if squared else 1) * wide / np.maximum(left, 1e-12), np.inf)
    ratio = value / (np.sqrt(left) if squared else left)
    middle = float(np.median(ratio[has]))
    near = np.where(has & (np.abs(ratio / middle - 1) <= relative), relative, np.inf)
    best = int(np.argmin(near))
    off = np.abs(ratio / ratio[best] - 1)
    telling = has.copy()
    telling[best] = False
    lines = telling, telling & (off <= (relative + relative[best]) / 2 * 1.01)

    def problem(line: int) -> Problem:
        texts = {
            f"{view.series[part].name[:60]} of this line": view.text(line, part),
            f"{view.series[target].name[:60]} of {view.labels[best][:60]}": view.text(best, target),
            f"{view.series[part].name[:60]} of {view.labels[best][:60]}": view.text(best, part),
        }
        made = {"weights": (1, 2, -1), "complements": (1, None, 1), "root": 2} if squared else {"weights": (1, 1, -1)}
        return printed_relation(
            "value with the ratio of another line", texts, view.text(line, target), formula="product", **made
        )

    spread = max(float(np.ptp(np.log(value[has]))), 1e-9)
    chance = min(0.99, 2 * float(np.median(relative[has])) / spread)
    how = " (RMSE² to 1 - R²)" if squared else ""
    said = f"{view.series[target].name} and {view.series[part].name} have one ratio{how}"
    yield weigh(
        "value with one ratio", "ratio on one data set", view, target, (part,), lines, problem,
        chance=chance, hinted=True, linear=False, exclusive=False, said=said,
    )  # fmt: skip


def _to_the_whole(view: View) -> Iterator[TableRelation]:
    """Three or more neighbours that add up to 100 %, or to 1."""
    mains = plain_series(view)
    if not 3 <= len(mains) <= 40:
        return
    values, steps = view.values[:, mains], view.steps[:, mains]
    sums, wide = (
        np.cumsum(np.pad(each, ((0, 0), (1, 0))), axis=1) for each in (np.nan_to_num(values), np.nan_to_num(steps))
    )
    present = np.cumsum(np.pad(~np.isnan(values), ((0, 0), (1, 0))), axis=1)
    first, last = np.triu_indices(len(mains) + 1, 3)
    has = present[:, last] - present[:, first] == last - first
    for whole in (100, 1):
        off = np.abs(sums[:, last] - sums[:, first] - whole)
        room = wide[:, last] - wide[:, first]
        obeys = has & (off <= room / 2 + SLACK)
        shared = np.cumsum(np.pad(2 * ((values > 0) & (values < whole)).sum(0) < len(values), (1, 0)))
        good = (obeys.sum(0) >= 3) & (obeys.sum(0) >= 0.8 * has.sum(0)) & (shared[last] == shared[first])
        for run in np.flatnonzero(good)[np.argsort(first[good] - last[good])][:3]:
            parts = mains[first[run] : last[run]]
            own = np.mean(room[has[:, run], run] / (np.ptp(view.values[has[:, run]][:, parts], axis=0).max() + SLACK))
            lines = has[:, run], obeys[:, run]
            name = f"rest to {whole}"

            def problem(line: int, parts: Sequence[int] = parts, whole: int = whole, name: str = name) -> Problem:
                names = [f"{view.series[part].name[:70]} ({k + 1})" for k, part in enumerate(parts[:-1])]
                texts = {own: view.text(line, part) for own, part in zip(names, parts, strict=False)}
                made: dict[str, Any] = {"weights": [-1] * len(texts), "offset": whole}
                return printed_relation(name, texts, view.text(line, parts[-1]), **made)

            yield weigh(
                name, "shares of a whole", view, parts[-1], parts[:-1], lines, problem,
                chance=min(0.99, float(own)), tried=float(len(first)),
            )  # fmt: skip
