"""Columns of shares of a known number: a print is k/N for a whole number k, or impossible.

Brown and Heathers (2017, doi:10.1177/1948550616673876) test printed means of whole numbers so. N is the size of a
benchmark that a heading names, or a number of cases printed beside the score; what speaks for it is the exact share of
texts with so many digits that pass by chance.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from scoreproof.catalog.benchmarks import Benchmark, counts_right_answers, named_in
from scoreproof.documents import Table
from scoreproof.kinds.relation import VALUE, RelationProblem, printed_relation
from scoreproof.papers.relations.belief import AGGREGATE, FEWEST, OBEYING, TableRelation, weighed_alone
from scoreproof.papers.relations.grid import PATTERNS, NumberSeries, View, last_heading
from scoreproof.papers.relations.search import FORMS, SLACK
from scoreproof.reported import report
from scoreproof.reported.number import REACH, Rounding

SHARES, OF_ONE_NUMBER = "share of a known number", "share of one number that nobody names"
PERCENTAGES = "counts with their percentages"
_RULES = (Rounding.NEAREST, Rounding.FLOOR)  # by which a whole column may have been rounded
_SAYS = PATTERNS["shares"]
_WEAK = 0.8  # chance to pass from which on a line says nothing
_PRIOR = 4  # sizes and roundings that a heading with the name of a benchmark outweighs
_MOST_DIGITS, _MOST_CASES = 12, 500_000
_SAMPLES = range(2, 21)  # answers to each question, over which a mean may have been taken
_MOST_SOUGHT = 1_000  # numbers of cases that nobody names
_FINE = 10_000  # last digits in the unit of a column whose heading does not say that it holds rates
_ERRONEOUS = 5  # log odds against a line that is no share
_FEWEST_SHARES = 5  # different shares of it
_OF_COUNTS = replace(FORMS["share in percent"], parts=1, told="linear")
_MOST_TOTALS = 100  # numbers of cases that one count and its percentage leave
_claim = lru_cache(maxsize=1 << 14)(partial(report, VALUE))
Sizes = tuple[tuple[str, int], ...]  # numbers of cases, each with the name of what has so many


class ShareLine(NamedTuple):
    """A printed score, and the numbers of cases that it may be a share of."""

    text: str
    unit: int
    sizes: Sizes
    sampled: bool = False

    def is_share(self, rounding: str = "any") -> bool:
        return any(is_share(self.text, size, self.unit, rounding) for _, size in self.sizes)

    def chance(self, rounding: Rounding) -> float:
        """How likely another number with so many digits passes."""
        digits = len(self.text.partition(".")[2]) + (2 if self.unit == 100 else 0)
        return 1 - math.prod(1 - chance(digits, size, rounding) for _, size in self.sizes)

    def counts(self, error: str) -> bool:
        """Whether some whole number of the cases gives the standard error; of scores between 0 and 1 none may."""
        size, claim = self.sizes[0][1], _claim(error or "0", rounding="any")
        right = np.arange(size + 1, dtype=np.float64) / size
        errors = self.unit * np.sqrt(right * (1 - right) / max(1, size - 1))
        return bool(((errors >= float(claim.low) - SLACK**2) & (errors <= float(claim.high) + SLACK**2)).any())

    def fits_otherwise(self, known: Sizes) -> bool:
        """Whether it is what else is printed in such a place: of other cases, over samples, with a zero put on."""
        sizes = dict.fromkeys(size for _, size in (*self.sizes, *known))
        times = (1, *_SAMPLES) if self.sampled else (1,)
        texts = {self.text, self.text[:-1].rstrip(".") if re.search(r"\..*0$", self.text) else self.text}
        return any(is_share(text, size * many, self.unit) for text in texts for size in sizes for many in times)


def is_share(text: str, size: int, unit: int, rounding: str = "any") -> bool:
    """Whether a whole number of ``size`` cases gives a share that prints so; ``unit`` is 100 for percentages.

    >>> is_share("55.25", 2376, 100), is_share("55.26", 2376, 100), is_share("0.92", 164, 1)
    (False, True, True)
    """
    claim = _claim(text, rounding=rounding)
    return max(0, math.ceil(claim.low * size / unit)) <= min(size, math.floor(claim.high * size / unit))


@lru_cache(maxsize=1 << 12)
def chance(digits: int, size: int, rounding: Rounding) -> float:
    """The share of the numbers from 0 to 1 with so many decimals that are k/N, counted exactly.

    >>> [round(chance(3, 164, rule), 3) for rule in (Rounding.NEAREST, Rounding.ANY)], chance(3, 1319, Rounding.ANY)
    ([0.165, 0.333], 1.0)
    """
    scale = 10 ** min(digits, _MOST_DIGITS)
    if size >= scale or size > _MOST_CASES:
        return 1.0
    below, above = REACH[rounding]
    shares = np.arange(size + 1, dtype=np.int64) * (2 * scale)
    first = -((above * size - shares) // (2 * size))  # rounded up
    last = np.minimum((shares + below * size) // (2 * size), scale)
    begun = np.concatenate([[0], last[:-1] + 1])
    fitting = int(np.maximum(0, last - np.maximum(first, begun) + 1).sum())
    return fitting / (1 + int(scale))


def share_relations(table: Table, view: View) -> Iterator[TableRelation]:
    """The columns of a view, or its rows, that are named after a benchmark or stand beside numbers of cases."""
    if view.turned and any(_SAYS.within(label, "counted", "error") for label in view.labels):
        return  # along such a row stand different things
    columns = [(place, series) for place, series in enumerate(view.series) if series.part == "main"]
    spread = {series.index: series.texts for series in view.series if series.part == "spread"}
    counted = next((series for _, series in columns if _SAYS["counted"].search(last_heading(series))), None)
    stated = tuple((text, int(text.replace(",", ""))) for text in _SAYS["stated"].findall(table.caption))
    for place, series in columns:
        known = _benchmark(series)
        if series is not counted and (known or counts_right_answers(series.name, named=False)):
            means = spread.get(series.index, ("",) * len(series.texts))  # over runs
            cases = counted.texts if counted is not None and counts_right_answers(series.name) else means
            lines = {k: _line(view, place, k, known, stated, cases[k]) for k, mean in enumerate(means) if not mean}
            yield from _of_shares(view, place, lines, known)


def counts_with_percentages(table: Table, view: View) -> Iterator[TableRelation]:
    """Counts with percentages behind them, as shares of the number of cases that most of a column fit."""
    brackets = {series.index: place for place, series in enumerate(view.series) if series.part == "bracket"}
    for place, series in enumerate(view.series):
        if series.part != "main" or series.index not in brackets or view.turned:
            continue
        target = brackets[series.index]
        counts, printed, step = view.values[:, place], view.values[:, target], view.steps[:, target]
        has = (view.steps[:, place] == 1) & (counts > 0) & (printed > 0) & (printed < 100)
        labels = [f"{label} {series.name}" for label in view.labels]
        named = np.array(["%" in label and not _SAYS["no_count"].search(label) for label in labels], bool)
        has &= named | ["%" in table.rows[line][series.index] for line in view.lines]
        least, most = (100 * counts / np.maximum(printed + sign * step / 2, SLACK) for sign in (1, -1))
        ends = zip(np.ceil(least[has] - SLACK), np.floor(most[has] + SLACK), strict=True)
        totals = sorted({int(n) for low, high in ends if high - low < _MOST_TOTALS for n in np.arange(low, high + 1)})
        if has.sum() < FEWEST or not totals:
            continue
        fits = np.array([has & (least <= n + SLACK) & (most >= n - SLACK) for n in totals])
        factor = {"factor": Fraction(100, total := totals[int(fits.sum(1).argmax())])}
        shares = replace(_OF_COUNTS, name=f"share of {total:,} cases", made=lambda *_, factor=factor: factor)
        numbers = np.where(has[:, None], view.values[:, [target, place]], np.nan), view.steps[:, [target, place]]
        for relation in weighed_alone(view, [view.series[target], series], numbers, shares, len(totals)):
            yield replace(relation, sort=PERCENTAGES)


def shares_of_one_number(table: Table, view: View) -> Iterator[TableRelation]:
    """Columns of rates that no heading names a benchmark of, as shares of one number, if nearly all lines are."""
    for place, series in enumerate(view.series):
        if series.part != "main" or view.turned or _benchmark(series) or _SAYS["no_rate"].search(series.name):
            continue
        values, unit = view.values[:, place], view.units[place]
        has = (values > 0) & (values < unit)
        if len(np.unique(values[has])) < _FEWEST_SHARES or np.nanmax(values) > unit:
            continue
        step = float(view.steps[has, place].max())
        fine = step * _FINE <= unit and _SAYS["results"].search(table.caption)  # few numbers are such shares
        if not (fine or series.percent or _SAYS["rate"].search(f"{series.name} {table.caption}")):
            continue
        sizes = np.arange(2, max(3, int(min(_MOST_SOUGHT, _WEAK / 2 * unit / step))))
        nearest = np.rint(np.outer(sizes, values[has] / unit)) * unit / sizes[:, None]
        fits = np.abs(nearest - values[has]) <= step / 2 + SLACK
        odds = fits.sum(1) * np.log(unit / step / sizes) - np.log(sizes) - _ERRONEOUS * (~fits).sum(1)
        best = int(np.where(fits.mean(1) < OBEYING, -1, odds).argmax())
        size = int(sizes[best])
        if fits[best].mean() >= OBEYING and odds[best] > 0:
            lines = {k: ShareLine(view.text(k, place), unit, (("cases", size),)) for k in map(int, np.flatnonzero(has))}
            for relation in _weighed(view, place, lines, (), f"share of {size:,} cases", Rounding.NEAREST, size):
                yield replace(relation, sort=OF_ONE_NUMBER, hinted=False, sentence=relation.words)


def _line(
    view: View, place: int, number: int, named: Benchmark | None, stated: Sizes, printed: str
) -> ShareLine | None:
    """A line with the sizes that it may be a share of, what is printed beside it or said first; None of no score."""
    label, text = view.labels[number], view.text(number, place)
    if not text or text.startswith("-") or AGGREGATE.search(label) or _SAYS["no_result"].search(label):
        return None
    known = named or (None if view.turned else named_in(f"{label} {view.series[place].name}", score_named=True))
    whole = known is not None and (named is not None or not known.parts)  # no mean over its parts
    sizes: Sizes = (*stated, *known.splits.items()) if known is not None and whole else ()
    if printed.isdigit() and int(printed) > 1:
        sizes = (("printed beside it", int(printed)),)
    return ShareLine(text, int(view.units[place]), sizes, known is not None and known.sampled) if sizes else None


def _benchmark(series: NumberSeries) -> Benchmark | None:
    """The benchmark that a column is named after, by its last heading or the last two or three."""
    heads = (" ".join(series.head[-count:]) for count in range(1, min(3, len(series.head)) + 1))
    return next((known for known in map(named_in, heads) if known is not None), None)


def _of_shares(
    view: View, place: int, made: Mapping[int, ShareLine | None], benchmark: Benchmark | None
) -> Iterator[TableRelation]:
    """The likeliest of the sizes and roundings under which lines are shares."""
    lines = {number: line for number, line in made.items() if line is not None}
    common = {line.sizes for line in lines.values()}
    choices: Sequence[Sizes] = [(size,) for size in next(iter(common))] if len(common) == 1 else [()]
    known = tuple(benchmark.splits.items()) if benchmark is not None else ()
    relations: list[TableRelation] = []
    for choice in choices:
        chosen = {number: line._replace(sizes=choice or line.sizes) for number, line in lines.items()}
        name = f"share of {choice[0][1]:,} cases" if choice else "share of the cases of its data"
        name += f" ({benchmark.name}, {choice[0][0]})" if choice and benchmark is not None else ""
        for rule in _RULES:
            relations += _weighed(view, place, chosen, known, name, rule, len(_RULES) * len(choices) / _PRIOR)
    if relations:
        yield max(relations, key=lambda relation: relation.odds)


def _weighed(
    view: View, place: int, lines: dict[int, ShareLine], known: Sizes, name: str, rule: Rounding, tried: float
) -> Iterator[TableRelation]:
    telling = {number: line for number, line in lines.items() if line.chance(rule) < _WEAK}
    if not telling:
        return
    after = (series.texts for series in view.series[place + 1 : place + 3] if _SAYS["error"].search(series.name))
    errors = next(after, ("",) * len(view.lines))
    has, obeys, excused = (np.zeros(len(view.lines), bool) for _ in range(3))
    for number, line in telling.items():
        has[number], obeys[number] = True, line.is_share(rule)
        otherwise = len(line.sizes) > 1 or line.fits_otherwise(known) or not line.counts(errors[number])
        excused[number] = not obeys[number] and otherwise
    passing = math.exp(sum(math.log(line.chance(rule)) for line in telling.values()) / len(telling))

    def problem(number: int) -> RelationProblem:
        line = telling[number]
        return printed_relation("share", {}, line.text, formula="share", size=line.sizes[0][1], factor=line.unit)

    yield TableRelation(name, SHARES, view, (place,), has, obeys, problem, passing, tried, excused=excused)
