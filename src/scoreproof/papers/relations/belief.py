"""Which relations are believed: those that the lines of the table obey, too often for chance and more than rivals do.

Lines of a table are alike, so many count as ``_INDEPENDENT``, and the chance is at least the share of lines that rivals
obey. A heading that names the relation makes fewer of the tried ones its rivals; it never makes a relation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from scoreproof.kinds.kind import Problem
from scoreproof.kinds.relation import VALUE, printed_relation
from scoreproof.papers.evidence import log_odds
from scoreproof.papers.relations.grid import PATTERNS, Bools, Floats, NumberSeries, Place, View
from scoreproof.papers.relations.search import COUNTS, SLACK, RelationCandidate, TableFormula, names_of, span
from scoreproof.reported import report

BELIEVED = math.log(100)  # log odds that make a relation believed, of which lines are tests
OBEYING = 0.8  # share of the lines that must obey
FEWEST = 3  # lines that must obey; two under a heading that names the relation
_INDEPENDENT = 16  # lines that count as independent, at most
_NATURAL = 4  # rivals of a relation that its heading names and whose parts are all that stands beside it
_LEAST_CHANCE, _MOST_CHANCE = 0.002, 0.5  # a relation that more than half of other numbers obey could not fail
_STAND_OUT = 0.25  # by how much more of its lines a relation is obeyed than nine tenths of its rivals
_MOST_LINES = 200  # from which the chance is estimated
_SAYS = PATTERNS["lines"]
#: Lines that sum up or compare others: no identity holds of them that is not linear.
AGGREGATE = _SAYS["aggregate"]


@dataclass(frozen=True, eq=False)
class TableRelation:
    """A relation between the series of a view: which lines have all its numbers, and obey it under usual rounding."""

    name: str
    sort: str
    view: View = field(repr=False)
    series: tuple[int, ...]  # the target first
    has: Bools = field(repr=False)
    obeys: Bools = field(repr=False)
    problem: Callable[[int], Problem] = field(repr=False)  # of a line, under every rounding a paper may have used
    chance: float
    tried: float = 1.0  # how many relations were, less than 1 where more than the lines speaks for it
    telling: Bools | None = field(default=None, repr=False)  # lines whose obeying says something
    hinted: bool = True  # by a heading
    linear: bool = True
    sentence: str = ""  # what it says, where that is not "this is the name of these parts", which one target has once
    stated: bool = False  # whether the paper itself says so
    explains: Bools | None = field(default=None, repr=False)  # lines that fit it, those that sum up others, too
    excused: Bools | bool = field(default=False, repr=False)  # lines that may be something else

    @cached_property
    def evidence(self) -> tuple[int, int]:
        """How many different lines obey it, of which that says something, and break it: copies say nothing."""
        values, obeys = self.view.values[:, list(self.series)], self.obeys
        told = obeys if self.telling is None else obeys & self.telling
        return len(np.unique(values[told], axis=0)), len(np.unique(values[self.has & ~obeys], axis=0))

    @cached_property
    def odds(self) -> float:
        return self._odds(*self.evidence)

    def _odds(self, obeying: int, failing: int) -> float:
        """Log odds against numbers that have nothing to do with the relation; many lines count as a few."""
        share, chance = min(1.0, _INDEPENDENT / max(1, obeying + failing)), max(self.chance, _LEAST_CHANCE)
        odds = log_odds(round(obeying * share), math.ceil(failing * share), min(chance, _MOST_CHANCE))
        return odds - math.log(self.tried)

    def without(self, line: int) -> float:
        """The odds that the other lines give it."""
        return self._odds(self.evidence[0], self.evidence[1] - (not self.obeys[line]))

    @property
    def target(self) -> int:
        return self.series[0]

    @property
    def exclusive(self) -> bool:
        """Whether its target is given by no other relation; bounds and marks are of any number."""
        return not self.sentence

    @property
    def breaks(self) -> Bools:
        return np.asarray(self.has & ~self.obeys & ~np.asarray(self.excused))

    @property
    def counts(self) -> tuple[int, int]:
        """How many lines obey it, and how many have all its numbers."""
        return int(self.obeys.sum()), int(self.has.sum())

    @property
    def places(self) -> dict[int, tuple[Place, ...]]:
        """By line, where its numbers stand in the table, the target first."""
        lines = map(int, np.flatnonzero(self.has))
        return {line: tuple(self.view.place(line, series) for series in self.series) for line in lines}

    @property
    def evident(self) -> str:
        """What it says, and in how many lines."""
        return f"{self.words} in {self.counts[0]} of {self.counts[1]} lines"

    def key(self, series: int) -> tuple[object, ...]:
        """What a series of its view is in the table, whichever view shows it."""
        shown = self.view.series[series]
        return self.view.turned, shown.index, shown.part, shown.head

    @property
    def words(self) -> str:
        """What it says: "Avg. is the mean of these 7 columns"."""
        target, *names = (self.view.series[place].name for place in self.series)
        many = f"these {len(names)} {'rows' if self.view.turned else 'columns'}"
        parts = many if len(names) > 3 else " and ".join(names)
        return self.sentence or f"{target} is the {self.name}{f' of {parts}' if names else ''}"


def is_believed(relation: TableRelation) -> bool:
    """Whether the lines bear a relation out, or the paper itself says it."""
    obeying, having = relation.counts
    if relation.stated:
        return obeying >= FEWEST and 4 * obeying >= 3 * having
    many = relation.evidence[0] >= FEWEST - relation.hinted and obeying >= OBEYING * having
    return relation.chance <= _MOST_CHANCE and many and relation.odds >= BELIEVED


def weighed(view: View, searched: Sequence[RelationCandidate]) -> list[TableRelation]:
    """Candidates with their odds."""
    plain, added, summed = (
        np.array([_SAYS[words].search(label) is None for label in view.labels], dtype=bool)
        for words in ("aggregate", "deviations", "rates")
    )
    summed = added & summed if view.turned else added  # ratios are not added up
    kept = {"plain": plain, "linear": added, "sum": summed}
    total = sum({(c.form.name, c.tried): c.tried for c in searched}.values())
    return [relation for candidate in searched for relation in _weighed(view, candidate, kept, total)]


def weighed_alone(
    view: View, series: Sequence[NumberSeries], numbers: tuple[Floats, Floats], form: TableFormula, tried: int
) -> Iterator[TableRelation]:
    """A formula for the first of some series of the others, by values and steps that a view may not have itself."""
    alone = replace(view, series=tuple(series), values=numbers[0], steps=numbers[1], units=(1,) * len(series))
    parts = tuple(range(1, len(series)))
    yield from weighed(alone, [RelationCandidate(form, 0, parts, form.made(len(parts), 1), tried, 0.0, True, True)])


def _weighed(
    view: View, candidate: RelationCandidate, kept: Mapping[str, Bools], total: int
) -> Iterator[TableRelation]:
    """A candidate on all lines, under usual rounding or, where a paper cuts its digits, under any."""
    form, parts, target = candidate.form, list(candidate.parts), candidate.target
    value, step = view.values[:, target], view.steps[:, target]
    usable = kept["sum" if form.name == "sum" else "linear" if "linear" in form.told else "plain"].copy()
    if candidate.weights is not None:
        usable[candidate.weights] = False
    steps = view.steps[:, parts]
    if form.sort == COUNTS:
        steps = np.where(steps == 1, 0, steps)  # numbers of cases are not rounded
    ends, near = {}, {}
    for half in (0.5, 1.0):
        wide = steps * half + SLACK
        low, high = ends[half] = span(candidate.made, view.values[:, parts] - wide, view.values[:, parts] + wide)
        near[half] = (low <= value + half * step + SLACK) & (high >= value - half * step - SLACK)
    has = usable & ~np.isnan(value) & ~np.isnan(ends[0.5][0])
    if form.name in ("mean", "weighted mean", "mean of two"):  # counts are added up where scores are averaged
        has &= ~((step == 1) & (np.abs(view.values[:, parts].sum(1) - value) < 1))
    if has.sum() < 2:
        return
    fits = {half: has & lines for half, lines in near.items()}
    half = 0.5 if fits[0.5].sum() >= OBEYING * has.sum() else 1.0
    share = fits[half].sum() / has.sum()
    telling = has & (np.abs(view.values[:, parts] - value[:, None]) > step[:, None] / 2).all(1)  # no copy of a part
    few = (fits[0.5] & telling).sum() < FEWEST - candidate.hinted
    if few or share < OBEYING or share < candidate.rate + _STAND_OUT:
        return
    chance = max(_chance(view, candidate, has, *ends[half], half), candidate.rate)
    rivals: float = total
    if candidate.hinted:
        rivals = _NATURAL if candidate.natural else max(1, candidate.tried / len(view.series))
    named = candidate.hinted and (candidate.natural or form.parts > 0)  # "Avg." does not name any few of its columns

    def problem(line: int) -> Problem:
        names = names_of([view.series[part].name[:80] for part in parts])
        printed = [(view.text(line, part), steps[line, place] == 0) for place, part in enumerate(parts)]
        texts = [report(VALUE, text, eps="0") if counted else text for text, counted in printed]
        given, made = dict(zip(names, texts, strict=True)), dict(candidate.made)
        if whole := str(made.pop("constant", "")):
            given[whole] = report(VALUE, whole, eps="0")
        return printed_relation(form.name, given, view.text(line, target), **made)

    yield TableRelation(
        form.name, form.sort, view, (target, *parts), has, fits[half], problem, chance, rivals, telling,
        hinted=named, linear="linear" in form.told, explains=near[1.0],
    )  # fmt: skip


def _chance(view: View, candidate: RelationCandidate, has: Bools, low: Floats, high: Floats, half: float) -> float:
    """How often a number that is only like the target's would obey: by widths, and with the targets of other lines."""
    lines = np.flatnonzero(has)[:_MOST_LINES]
    value, step = view.values[lines, candidate.target], view.steps[lines, candidate.target]
    width = high[lines] - low[lines] + 2 * half * step
    parts = view.values[lines][:, list(candidate.parts)]
    spread = np.ptp(value) + step.max()
    if "mean" in candidate.form.name and candidate.form.name != "geometric mean of two":
        spread = np.minimum(spread, np.ptp(parts, axis=1) + step)  # such a value lies between its parts
    by_width = float(np.minimum(1, width / np.maximum(spread, 1e-12)).mean())
    fits = (low[lines][:, None] <= value + half * step + SLACK) & (high[lines][:, None] >= value - half * step - SLACK)
    alike = value[:, None] == value  # equal targets say nothing
    others = float((fits & ~alike).sum() / max(1, (~alike).sum()))
    return max(by_width, others)


def choose(relations: Sequence[TableRelation]) -> list[TableRelation]:
    """One believed relation per target and per set of series, the best first."""
    chosen: list[TableRelation] = []
    taken: set[object] = set()
    by_rank = sorted(filter(is_believed, relations), key=lambda own: (not own.hinted, -own.odds, len(own.series)))
    for relation in sorted(by_rank, key=lambda own: 3 * own.counts[1] - 4 * own.counts[0]):
        target, members = relation.key(relation.target), frozenset(map(relation.key, relation.series))
        keys = {target, members} if relation.exclusive else {(relation.name, members)}
        if not keys & taken:
            taken |= keys
            chosen.append(relation)
    return chosen
