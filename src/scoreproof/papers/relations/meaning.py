"""Relations that follow from what headings mean: orders, intervals, ranks, ratios on one data set, type that marks.

The heading proposes them, the lines decide: each is weighed like those that are searched for. Recall@5 is not below
Recall@1, a value lies in its own interval, the standard deviation beside a mean is that of the same numbers, the ratio
of two errors with one denominator is the same in all lines of one data set, bold type marks the best of a column. Rows
and columns that two tables print with the same names have the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from scoreproof.documents import Table
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.relation import VALUE, printed_relation
from scoreproof.papers.relations.belief import AGGREGATE, Relation, weigh
from scoreproof.papers.relations.grid import Floats, Series, View
from scoreproof.papers.relations.search import SLACK, Bools
from scoreproof.reported import report

ORDERS, INTERVALS, MARKS, REPEATED = "order by meaning", "value in its interval", "bold or underlined", "printed twice"
_CERTAIN = 0.02  # of a relation that follows from the words: as if a fiftieth of one had been tried
_RISING = re.compile(r"(hits?|hr|recall|r|top|rank|pass|cmc|acc(?:uracy)?|p)\s*[@-]\s*(\d+)(?:\s*(?:acc\w*|\(%\)|%|↑))*", re.I)
_BELOW = (
    (re.compile(r"mae", re.I), re.compile(r"rmse", re.I)),
    (re.compile(r"(?:box |mask )?m?ap|m?ap(?:_?|@)\[?\.?0?\.?50?(?::\.?0?\.?|-)95\]?", re.I), re.compile(r"(?:box |mask )?m?ap[@_ ]?(?:0?\.)?50", re.I)),
    (re.compile(r"m?ap[@_ ]?(?:0?\.)?75", re.I), re.compile(r"m?ap[@_ ]?(?:0?\.)?50", re.I)),
    (re.compile(r"em|exact match", re.I), re.compile(r"f1", re.I)),
    (re.compile(r"hits?@1", re.I), re.compile(r"mrr", re.I)),
)  # fmt: skip
_RATIOS = (
    (re.compile(r"mae", re.I), re.compile(r"wape|wmape|n-?mae|mase|rmae|rae", re.I)),
    (re.compile(r"rmse", re.I), re.compile(r"n-?rmse|nrmse|rrmse|cv-?rmse", re.I)),
)
_RMSE, _R2 = re.compile(r"rmse", re.I), re.compile(r"r\^?\s?(?:2|²)|r-?squared", re.I)
_STD = re.compile(r"\b(?:std|s\.?d|st\.? ?dev|standard dev\w*|deviation)\b|σ|±", re.I)
_RANK = re.compile(r"\branks?\b|\bavg\.? rank|ranking", re.I)
_UNITS = re.compile(r"[↑↓%()\s]+$")
_NO_RIVALS = re.compile(r"\b(?:human|expert|oracle|upper|ideal|ground|teacher|ensemble|supervised|reference)", re.I)
_CITED = re.compile(r"\[[^\]]*\]|\([^)]*\d{4}[^)]*\)|[*†‡§]")


def named_relations(table: Table, view: View) -> Iterator[Relation]:
    """Every relation that the headings of a view, and the type of its numbers, propose."""
    with np.errstate(all="ignore"):
        if not view.turned and (table.bold or table.underlined):
            yield from marked(table, view)
        yield from _orders(view)
        yield from _intervals(view)
        yield from _ranks(view)
        yield from _ratios(view)
        yield from _to_the_whole(view)


def _last(series: Series) -> str:
    return _UNITS.sub("", series.head[-1]).strip() if series.head else ""


def _mains(view: View) -> list[int]:
    return [place for place, series in enumerate(view.series) if series.part == "main" and series.head]


def _bounded(view: View, name: str, sort: str, target: int, part: int, bound: str, made: tuple[Fraction, Fraction] = (Fraction(1), Fraction(0))) -> Relation:
    """That a target is at most, or at least, factor times a part and an offset."""
    factor, offset = made
    sign = 1 if bound == "most" else -1
    own, other = view.values[:, target], float(offset) + float(factor) * view.values[:, part]
    step = view.steps[:, target], float(factor) * view.steps[:, part]
    has = ~np.isnan(own) & ~np.isnan(other)
    obeys = has & (sign * (own - other) <= np.maximum(*step) / 2 + SLACK)
    breaks = has & (sign * (own - other) > step[0] + step[1] + SLACK)

    def problem(line: int) -> Problem:
        texts = {view.series[part].name[:80]: view.text(line, part)}
        return printed_relation(name, texts, view.text(line, target), factor=factor, offset=offset, bound=bound)

    return weigh(name, sort, view, target, (part,), (has, obeys, breaks), problem, chance=0.5, tried=_CERTAIN, hinted=True, exclusive=False)


def _orders(view: View) -> Iterator[Relation]:
    """Scores of one unit under one heading that cannot be the other way round."""
    mains = _mains(view)
    names = {place: _last(view.series[place]) for place in mains}
    for a in mains:
        for b in mains:
            same = view.series[a].head[:-1] == view.series[b].head[:-1] and view.unit(a) == view.unit(b)
            if a == b or not same or abs(a - b) > 8:
                continue
            first, second = _RISING.fullmatch(names[a]), _RISING.fullmatch(names[b])
            if first and second and first[1].lower() == second[1].lower() != "p" and int(first[2]) < int(second[2]):
                if "@" in names[a] or first[1].lower() in ("top", "rank"):
                    yield _bounded(view, f"{names[b]} at most", ORDERS, a, b, "most")
            elif any(low.fullmatch(names[a]) and high.fullmatch(names[b]) for low, high in _BELOW):
                yield _bounded(view, f"{names[b]} at most", ORDERS, a, b, "most")
            elif names[a].lower() == "mrr" and second and re.match("hits?", second[1], re.I):
                k, unit = int(second[2]), view.unit(b)  # what is ranked below k adds at most 1/(k + 1)
                made = Fraction(k, k + 1), Fraction(unit, k + 1)
                yield _bounded(view, f"bound of MRR by {names[b]}", ORDERS, a, b, "most", made)


def _intervals(view: View) -> Iterator[Relation]:
    """A value, and the ends of its interval in the same cell."""
    by_index: dict[int, dict[str, int]] = {}
    for place, series in enumerate(view.series):
        by_index.setdefault(series.index, {})[series.part] = place
    for parts in by_index.values():
        if {"main", "low", "high"} <= parts.keys() and not view.turned:
            yield _bounded(view, "lower end of its interval", INTERVALS, parts["main"], parts["low"], "least")
            yield _bounded(view, "upper end of its interval", INTERVALS, parts["main"], parts["high"], "most")


def deviations(view: View, mean: Relation) -> Iterator[Relation]:
    """Standard deviations of the parts of a believed mean: in its own cells, or in a series that is called so."""
    parts = list(mean.parts)
    if len(parts) < 3:
        return
    own = view.series[mean.target]
    values, wide = view.values[:, parts], np.nanmax(view.steps[:, parts], axis=1)
    for place, series in enumerate(view.series):
        if place == mean.target or place in parts:
            continue
        beside = series.part == "spread" and series.index == own.index
        if not beside and not (series.part == "main" and _STD.search(series.name)):
            continue
        target, step = view.values[:, place], view.steps[:, place]
        has = ~np.isnan(target) & ~np.isnan(values).any(1)
        near = np.stack([np.abs(values.std(axis=1, ddof=ddof) - target) for ddof in (0, 1)]).min(0)
        obeys = has & (near <= step / 2 + wide / 2 + SLACK)
        breaks = has & (near > step + 2 * wide)
        chance = 2 * float(np.nanmean((step + wide)[has] / (np.ptp(values[has], axis=1) + step[has]))) if has.any() else 1.0

        def problem(line: int, place: int = place) -> Problem:
            texts = [view.text(line, part) for part in parts]
            return printed_average("value", texts, view.text(line, place), statistic="deviation")

        lines = has, obeys, breaks
        yield weigh("standard deviation", "average or sum", view, place, parts, lines, problem, chance=min(chance, 0.99), hinted=True)


def _ranks(view: View) -> Iterator[Relation]:
    """A mean rank beside the values that were ranked line against line: larger is better, or smaller."""
    mains = _mains(view)
    for target in mains:
        if not _RANK.search(view.series[target].name):
            continue
        for before in (True, False):
            parts = [place for place in mains if (place < target if before else place > target) and not _RANK.search(view.series[place].name)]
            parts = [place for place in parts if not AGGREGATE.search(view.series[place].name)]
            whole = ~np.isnan(view.values[:, parts]).any(1) & ~np.isnan(view.values[:, target])
            if not parts or whole.sum() < 3:
                continue
            for sign in (-1, 1):
                yield from _ranked(view, target, parts, whole, sign)


def _ranked(view: View, target: int, parts: list[int], whole: Bools, sign: int) -> Iterator[Relation]:
    numbers = sign * view.values[np.ix_(whole, parts)]
    if any(len(np.unique(column)) < len(column) for column in numbers.T):
        return  # equal numbers may share a rank or not
    ranks: Floats = np.full((len(view.lines), len(parts)), np.nan)
    ranks[whole] = numbers.argsort(0).argsort(0) + 1
    value, step = view.values[:, target], view.steps[:, target]
    off = np.abs(ranks.mean(1) - value)
    lines = whole, whole & (off <= step / 2 + SLACK), whole & (off > step + SLACK)

    def problem(line: int) -> Problem:
        names = [f"rank by {view.series[part].name[:60]} ({k + 1})" for k, part in enumerate(parts)]
        given = {name: report(VALUE, str(int(rank)), eps="0") for name, rank in zip(names, ranks[line], strict=True)}
        return printed_relation("mean rank", given, view.text(line, target), factor=Fraction(1, len(parts)))

    chance = float(min(0.9, 2 * step[whole].max() / max(1, whole.sum() - 1) + 1 / whole.sum()))
    yield weigh("mean rank", "rank", view, target, parts, lines, problem, chance=chance, tried=2, hinted=True)


def _ratios(view: View) -> Iterator[Relation]:
    """Errors with one denominator: their ratio is the same in all lines of one data set."""
    mains = _mains(view)
    for a in mains:
        for b in mains:
            if a == b or view.series[a].head[:-1] != view.series[b].head[:-1]:
                continue
            first, second = _last(view.series[a]), _last(view.series[b])
            if any(low.fullmatch(first) and high.fullmatch(second) for low, high in _RATIOS):
                yield from _constant(view, b, a, squared=False)
            elif _RMSE.fullmatch(first) and _R2.fullmatch(second) and view.unit(b) == 1:
                yield from _constant(view, a, b, squared=True)


def _constant(view: View, target: int, part: int, *, squared: bool) -> Iterator[Relation]:
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
    lines = telling, telling & (off <= (relative + relative[best]) / 2 * 1.01), telling & (off > 1.5 * (relative + relative[best]))

    def problem(line: int) -> Problem:
        texts = {
            f"{view.series[part].name[:60]} of this line": view.text(line, part),
            f"{view.series[target].name[:60]} of {view.labels[best][:60]}": view.text(best, target),
            f"{view.series[part].name[:60]} of {view.labels[best][:60]}": view.text(best, part),
        }
        made = {"weights": (1, 2, -1), "complements": (1, None, 1), "root": 2} if squared else {"weights": (1, 1, -1)}
        return printed_relation("value with the ratio of another line", texts, view.text(line, target), formula="product", **made)

    spread = max(float(np.ptp(np.log(value[has]))), 1e-9)
    chance = min(0.99, 2 * float(np.median(relative[has])) / spread)
    yield weigh("value with a constant ratio to", "ratio on one data set", view, target, (part,), lines, problem, chance=chance, hinted=True, linear=False, exclusive=False)


def _to_the_whole(view: View) -> Iterator[Relation]:
    """Three or more neighbours that add up to 100 %, or to 1."""
    mains = _mains(view)
    if not 3 <= len(mains) <= 40:
        return
    values, steps = view.values[:, mains], view.steps[:, mains]
    sums, wide = (np.cumsum(np.pad(each, ((0, 0), (1, 0))), axis=1) for each in (np.nan_to_num(values), np.nan_to_num(steps)))
    present = np.cumsum(np.pad(~np.isnan(values), ((0, 0), (1, 0))), axis=1)
    first, last = np.triu_indices(len(mains) + 1, 3)
    has = present[:, last] - present[:, first] == last - first
    for whole in (100, 1):
        off = np.abs(sums[:, last] - sums[:, first] - whole)
        room = wide[:, last] - wide[:, first]
        obeys = has & (off <= room / 2 + SLACK)
        good = (obeys.sum(0) >= 3) & (obeys.sum(0) >= 0.8 * has.sum(0))
        for run in np.flatnonzero(good)[np.argsort(first[good] - last[good])][:3]:
            parts = mains[first[run] : last[run]]
            own = np.nanmean(room[:, run] / (np.ptp(view.values[:, parts], axis=0).max() + SLACK))
            lines = has[:, run], obeys[:, run], has[:, run] & (off[:, run] > room[:, run] + SLACK)

            def problem(line: int, parts: Sequence[int] = parts, whole: int = whole) -> Problem:
                texts = {f"{view.series[part].name[:70]} ({k + 1})": view.text(line, part) for k, part in enumerate(parts[:-1])}
                weights = [-1] * len(texts)
                return printed_relation(f"rest to {whole}", texts, view.text(line, parts[-1]), weights=weights, offset=whole)

            yield weigh(
                f"rest to {whole}", "shares of a whole", view, parts[-1], parts[:-1], lines, problem,
                chance=min(0.99, float(own)), tried=float(len(first)),
            )  # fmt: skip


def marked(table: Table, upright: View) -> Iterator[Relation]:
    """Bold type as the best number of a column, underlined type as the second best: in blocks, or of all rows."""
    mains = [place for place in _mains(upright) if len(upright.lines) >= 3]
    rivals = np.array([not _NO_RIVALS.search(label) and not AGGREGATE.search(label) for label in upright.labels], dtype=bool)
    for kind, places in (("bold", table.bold), ("underlined", table.underlined)):
        is_marked = np.array([[upright.place(line, place) in places for place in mains] for line in range(len(upright.lines))], dtype=bool).reshape(len(upright.lines), len(mains))
        if not is_marked.any():
            continue
        found = [
            relation
            for blocks in (np.zeros(len(upright.lines), int), np.array(upright.blocks))
            if (relation := _best(upright, mains, is_marked, rivals, blocks, kind, table.bold)) is not None
        ]
        if found:
            yield max(found, key=lambda relation: (relation.odds, relation.counts))


def _best(view: View, mains: list[int], is_marked: Bools, rivals: Bools, blocks: np.ndarray, kind: str, bold: frozenset[tuple[int, int]]) -> Relation | None:
    """Whether the one marked number of each column and block is its largest, or its smallest, as printed."""
    units: list[tuple[int, int, int, bool]] = []  # line, series, best rival, whether it is ahead as best by either side
    sizes = []
    for place_index, place in enumerate(mains):
        for block in np.unique(blocks):
            within = (blocks == block) & ~np.isnan(view.values[:, place]) & (rivals | is_marked[:, place_index])
            if kind == "underlined":
                within &= np.array([view.place(line, place) not in bold for line in range(len(view.lines))])
            own = np.flatnonzero(within & is_marked[:, place_index])
            others = np.flatnonzero(within & ~is_marked[:, place_index])
            if len(own) != 1 or len(others) < 2:
                continue
            numbers = view.values[others, place]
            ahead = numbers > view.values[own[0], place], numbers < view.values[own[0], place]
            side = 0 if ahead[0].sum() <= ahead[1].sum() else 1
            best = others[np.argmax(numbers) if side == 0 else np.argmin(numbers)]
            units.append((int(own[0]), place, int(best), not ahead[side].any()))
            sizes.append(len(others) + 1)
    if len(units) < 3:
        return None
    values = np.array([[view.values[line, place], view.values[best, place]] for line, place, best, _ in units])
    made = View(
        (Series(("the best number of a column" if kind == "bold" else "the second best number of a column",), kind, -1, tuple(view.text(line, place) for line, place, _, _ in units)),),
        tuple(f"{view.series[place].name}, {view.labels[line]}" for line, place, _, _ in units), tuple(range(len(units))), (0,) * len(units),
        False, values[:, :1], np.zeros((len(units), 1)), tuple(view.place(line, place) for line, place, _, _ in units),
    )  # fmt: skip
    obeys = np.array([good for *_, good in units])

    def problem(unit: int) -> Problem:
        line, place, best, _ = units[unit]
        bound = "least" if view.values[line, place] < view.values[best, place] else "most"
        texts = {f"{view.series[place].name[:80]} of {view.labels[best][:80]}": view.text(best, place)}
        return printed_relation("best rival", texts, view.text(line, place), bound=bound, eps="0")

    chance = float(np.mean([2 / size for size in sizes]))
    has = np.ones(len(units), bool)
    return weigh(kind, MARKS, made, 0, (), (has, obeys, ~obeys), problem, chance=min(chance, 0.9), tried=2, hinted=True, exclusive=False)


def repeated(tables: Sequence[tuple[str, View]]) -> Iterator[tuple[int, Relation]]:
    """Cells that two tables print under the same row and column names, with the number of the later table."""
    cells = [_named_cells(view) for _, view in tables]
    for later in range(1, len(tables)):
        for earlier in range(later):
            shared = sorted(cells[later].keys() & cells[earlier].keys())
            if len(shared) >= 4:
                yield later, _twice(tables, later, earlier, [(cells[later][key], cells[earlier][key]) for key in shared], shared)


def _named_cells(view: View) -> dict[tuple[str, str], tuple[int, int]]:
    """Places of a view by the names of row and column, as far as these are no others' names, too."""
    named: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for place in _mains(view):
        head = " ".join(view.series[place].head).lower()
        for line, label in enumerate(view.labels):
            key = _CITED.sub("", label).strip().lower(), _UNITS.sub("", head)
            if key[0] and not key[0].isdigit() and view.text(line, place) and not AGGREGATE.search(label):
                named.setdefault(key, []).append((line, place))
    return {key: places[0] for key, places in named.items() if len(places) == 1}


def _twice(tables: Sequence[tuple[str, View]], later: int, earlier: int, places: Sequence[tuple[tuple[int, int], tuple[int, int]]], names: Sequence[tuple[str, str]]) -> Relation:
    (_, one), (name, other) = tables[later], tables[earlier]
    texts = [(one.text(*first), other.text(*second)) for first, second in places]
    values = np.array([[float(a), float(b)] for a, b in texts])
    steps = np.array([[one.steps[first], other.steps[second]] for first, second in places])
    off = np.abs(values[:, 0] - values[:, 1])
    made = View(
        (Series((f"the number of {name}",), "twice", -1, tuple(a for a, _ in texts)),), tuple(", ".join(each) for each in names),
        tuple(range(len(texts))), (0,) * len(texts), False, values[:, :1], steps[:, :1], tuple(one.place(*first) for first, _ in places),
    )  # fmt: skip

    def problem(line: int) -> Problem:
        return printed_relation("same number", {name[:80]: texts[line][1]}, texts[line][0])

    has = np.ones(len(texts), bool)
    lines = has, off <= steps.max(1) / 2 + SLACK, off > steps.sum(1) + SLACK
    return weigh("same number as there", REPEATED, made, 0, (), lines, problem, chance=0.2, tried=4, exclusive=False)
