"""Relations that follow from what headings, type and names mean; these propose, the lines decide.

Which line gains are against nobody says: every line is tried, the line above, and one for each block of rows; then they
are weighed as any difference or relative gain of columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np

from scoreproof.documents import Table
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.relation import VALUE, printed_relation
from scoreproof.papers.relations.belief import AGGREGATE, FEWEST, OBEYING, TableRelation, weighed_alone
from scoreproof.papers.relations.grid import (
    PATTERNS,
    UNITS,
    Bools,
    Floats,
    NumberSeries,
    Place,
    View,
    chosen_cells,
    column_of_middles,
    last_heading,
    plain_series,
    views,
)
from scoreproof.papers.relations.search import AVERAGES, FORMS, SLACK, Places, TableFormula, names_of
from scoreproof.reported import report

ORDERS, INTERVALS, RANKS = "order by meaning", "value in its interval", "rank"
MARKS, REPEATED = "bold or underlined", "printed twice"
_SAYS, _TYPE = PATTERNS["headings"], PATTERNS["marks"]
_MOST_SHARES, _MOST_LINES = 40, 120  # series that may add up to a whole; lines that gains may be against
_CERTAIN = 0.005  # of a relation that follows from the words: as if so much of one had been tried
_MOST_ROWS, _MOST_TABLES = 500, 60  # that are compared with each other
_NEAR = 4  # columns between scores and the gains in them
_GAINS = tuple(FORMS[name] for name in ("difference", "relative gain in percent", "reduction in percent"))
_KINDS = {"bold": ("the number in bold", "best"), "underlined": ("the number underlined", "second best")}


def named_relations(table: Table, view: View) -> Iterator[TableRelation]:
    """Every relation that the headings and the type of a view propose."""
    with np.errstate(all="ignore"):
        for propose in (_orders, _intervals, _ranks, _ratios, _to_the_whole, _gains):
            yield from propose(view)
        yield from _marked(table, view)


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
    """A value, and the ends of its interval in the same cell, or in a column of confidence intervals behind it."""
    places = {(series.index, series.part): place for place, series in enumerate(view.series) if not view.turned}
    for index in [index for index, part in places if part == "low" and (index, "high") in places]:
        low, high = places[index, "low"], places[index, "high"]
        beside = (
            column_of_middles(view, low, high)
            if PATTERNS["claims"]["confidence"].search(view.series[low].name)
            else None
        )
        if (main := places.get((index, "main"), beside)) is not None:
            for end, side, bound in ((low, "lower", "least"), (high, "upper", "most")):
                yield _bounded(view, f"the {side} end of its interval", INTERVALS, main, end, bound)


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
        weights = [-1] * len(parts)
        return printed_relation(f"rest to {whole}", texts, view.text(line, target), weights=weights, offset=whole)

    chance = min(0.99, float(room / (np.ptp(view.values[lines[0]][:, run], axis=0).max() + SLACK)))
    what = f"rest to {whole}", "shares of a whole", view, (target, *parts)
    return TableRelation(*what, *lines, problem, chance, tried, hinted=False)


def _legend(caption: str) -> dict[str, str]:
    """Which type marks the best value and which the second best, as far as a caption says so clearly."""
    if _TYPE["limited"].search(caption):
        return {}
    if "respectively" in caption:
        return {"bold": "best", "underlined": "second best"} if _TYPE["in_order"].search(caption) else {}
    legend: dict[str, str] = {}
    for part in _TYPE["clauses"].split(caption):
        types = [name for name in ("bold", "underlined") if _TYPE.within(part, name)]
        if len(types) == 1 and _TYPE.within(part, "first", "second"):
            legend.setdefault(types[0], "second best" if _TYPE.within(part, "second") else "best")
    return legend if "best" in legend.values() else {}


def _marked(table: Table, view: View) -> Iterator[TableRelation]:
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


#: A marked number, its best rival, the chance that it is ahead, whether the rival is, and what the number is at.
_Mark = tuple[Place, Place, float, bool, str]


def _marks(view: View, blocks: Places, table: Table, kind: str) -> list[_Mark]:
    """Marked numbers against the others of their column and block; the best is no rival of the second best."""
    rivals = np.array([not (_TYPE.within(name, "no_rivals") or AGGREGATE.search(name)) for name in view.labels], bool)
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
            mark, rival = (int(chosen[0]), series), (int(others[lead.argmax()]), series)
            marks.append((mark, rival, 2 / (len(others) + 1), bool((lead > 0).any()), "most" if falls else "least"))
    return marks


def _falls(name: str, caption: str, lead: Floats) -> bool:
    """Whether lower is better: by the heading, by the caption, or as the marked number is ahead of more others."""
    lower, higher = (_TYPE.within(name, way) for way in ("lower", "higher"))
    if lower or higher:
        return lower
    lower, higher = (_TYPE.within(caption, way) for way in ("lower", "higher"))
    return lower if lower != higher else bool((lead < 0).sum() < (lead > 0).sum())


def _best(view: View, marks: Sequence[_Mark], kind: str, in_legend: bool) -> TableRelation | None:
    """That marked numbers are ahead of the others, as printed; not of few, or of the type of one method."""
    stated, cells = in_legend and not view.turned, [mark for mark, *_ in marks]
    if not marks or (not stated and (len(marks) < 3 or len({line for line, _ in cells}) == 1)):
        return None
    head, rank = _KINDS[kind]
    made = chosen_cells(view, cells, head, [f"{view.series[s].name}, {view.labels[line]}" for line, s in cells])

    def problem(number: int) -> Problem:
        mark, rival, *_, bound = marks[number]
        texts = {f"{view.series[rival[1]].name[:80]} of {view.labels[rival[0]][:80]}": view.text(*rival)}
        return printed_relation("best rival", texts, view.text(*mark), bound=bound, eps="0")

    chance = min(0.9, float(np.mean([own for _, _, own, *_ in marks])))
    lines = np.ones(len(marks), bool), ~np.array([ahead for *_, ahead, _ in marks])
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
        shared = {", ".join(key): (cells[key], before[key]) for key in sorted(cells.keys() & before.keys())}
        if len(shared) >= 4:
            yield place, _twice(view, name, other, shared)


def _named_cells(view: View) -> dict[tuple[str, str], tuple[int, int]]:
    """Places of a view by the names of row and column, as far as these are no others' names, too."""
    named: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for place in plain_series(view):
        head = " ".join(view.series[place].head).lower()
        for line, label in enumerate(view.labels):
            key = _TYPE["cited"].sub("", label).strip().lower(), UNITS.sub("", head)
            if key[0] and not key[0].isdigit() and view.text(line, place) and not AGGREGATE.search(label):
                named.setdefault(key, []).append((line, place))
    return {key: places[0] for key, places in named.items() if len(places) == 1}


def _twice(view: View, name: str, other: View, shared: Mapping[str, tuple[Place, Place]]) -> TableRelation:
    own, others = zip(*shared.values(), strict=True)
    texts = [(view.text(*first), other.text(*second)) for first, second in shared.values()]
    made = chosen_cells(view, own, f"the number of {name}", list(shared))
    off = np.abs(made.values[:, 0] - [other.values[cell] for cell in others])
    room = np.maximum(made.steps[:, 0], [other.steps[cell] for cell in others]) / 2 + SLACK

    def problem(line: int) -> Problem:
        return printed_relation("same number", {name[:80]: texts[line][1]}, texts[line][0])

    has, sentence = np.ones(len(texts), bool), f"a number under the names of {name} is the same as there"
    return TableRelation("same number", REPEATED, made, (0,), has, off <= room, problem, 0.05, 4, sentence=sentence)


def _gains(view: View) -> Iterator[TableRelation]:
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
    of_blocks = [np.array([np.flatnonzero(blocks == block)[end] for block in blocks]) for end in (0, -1)]
    several = of_blocks if len(np.unique(blocks)) > 1 else []
    return [*(np.full(count, line) for line in range(count)), np.maximum(np.arange(count) - 1, 0), *several]


def _against(view: View, target: int, part: int, form: TableFormula) -> Iterator[TableRelation]:
    """The relations for one series of gains whose lines mostly obey, each weighed as one of three columns."""
    value, step = view.values[:, target], view.steps[:, target]
    score, wide = view.values[:, part], view.steps[:, part]
    for base in (choices := _lines_compared(view)):
        other, apart = score[base], base != np.arange(len(base))
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
