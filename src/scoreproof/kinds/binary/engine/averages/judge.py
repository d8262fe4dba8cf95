"""Exact evaluation by intervals (Moore 1966), then by algebra: whether matrices, one per evaluation set, give a report.

What a report says of one score does not depend on the others, so each score is judged by itself, under each
treatment of 0/0 that is admitted: one treatment for all sets. Enclosures of 200 bits settle nearly everything; what is
left are ties, which algebra with square roots settles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import TypeVar

from scoreproof.kinds.binary.engine.averages.constraints import (
    Bound,
    Constraints,
    Target,
    by_score,
    class_counts_fit,
    filled,
    left_out,
    treatments,
)
from scoreproof.kinds.binary.experiment.normal import Tree
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, Shape, Surd

_ONE = 1 << 200  # units in which values are enclosed

Ends = tuple[int, int]
Number = TypeVar("Number", Ends, Surd)
Values = list[Number | None]  # None: left out of the mean


def fits(constraints: Constraints, matrices: Sequence[ConfusionMatrix]) -> bool:
    """Whether the matrices give everything that was reported."""
    if not class_counts_fit(constraints, matrices):
        return False
    distinct = _distinct(matrices)
    return any(
        all(
            any(_as_treated(case, target, bounds, matrices, way) for way in _admitted(case, score, distinct))
            for score, target, bounds in by_score(case)
        )
        for case in constraints.by_divisor()
    )


def treatments_needed(constraints: Constraints, matrices: Sequence[ConfusionMatrix]) -> dict[str, tuple[str, ...]]:
    """For each score that is 0/0 somewhere in these matrices, the treatments under which they give the report."""
    distinct = _distinct(matrices)
    if all(min(matrix.cells) > 0 for matrix in distinct):
        return {}  # no score is 0/0 where there is something in every cell
    return {
        score.name: tuple(t for t in admitted if _as_treated(constraints, target, bounds, matrices, t))
        for score, target, bounds in by_score(constraints)
        if (admitted := _admitted(constraints, score, distinct)) != ("",)
        and ("" not in admitted or not _as_treated(constraints, target, bounds, matrices, ""))
    }


def _distinct(matrices: Sequence[ConfusionMatrix]) -> list[ConfusionMatrix]:
    """The matrices without what stands there again: alike folds of a witness are one object."""
    return list({id(matrix): matrix for matrix in matrices}.values())


def _admitted(constraints: Constraints, score: Score, matrices: Sequence[ConfusionMatrix]) -> tuple[str, ...]:
    """The treatments to try: those of 0/0 if it occurs, otherwise a nameless one."""
    if score.builtin and score.shape is Shape.LINEAR and all(m.tp + m.fn and m.fp + m.tn for m in matrices):
        return ("",)
    ways = treatments(score, constraints.undefined)
    if any(score.ratio(*matrix.cells)[1] == 0 for matrix in matrices):
        return ways
    return ("", *(way for way in ways if any(left_out(score, way, matrix.tp, matrix.tn) for matrix in matrices)))


def _as_treated(
    constraints: Constraints,
    target: Target | None,
    bounds: list[Bound],
    matrices: Sequence[ConfusionMatrix],
    treatment: str,
) -> bool:
    score = target.score if target is not None else bounds[0].score
    values = _values(score, matrices, treatment, _enclosed, lambda x: (floor(x * _ONE), ceil(x * _ONE)))
    if values is None:
        return False
    answers = _satisfied(constraints, target, bounds, values, _mean, _within, _variance)
    if answers is not None:
        return answers
    exact = _values(score, matrices, treatment, lambda score, m, *_: score.exact(*m.cells), Surd.rational)
    assert exact is not None
    return bool(_satisfied(constraints, target, bounds, exact, _surd_mean, _surd_within, _surd_variance))


def _values(
    score: Score,
    matrices: Sequence[ConfusionMatrix],
    treatment: str,
    value: Callable[..., Number | None],
    constant: Callable[[Fraction], Number],
) -> Values[Number] | None:
    """A score's value on each set, None where it is left out; None altogether if some value is infinite."""
    known: dict[int, Number | None] = {}
    for matrix in _distinct(matrices):
        num, den = score.ratio(*matrix.cells)
        if treatment and left_out(score, treatment, matrix.tp, matrix.tn):
            known[id(matrix)] = None
        elif den:
            known[id(matrix)] = value(score, matrix, num, den)
        elif num:
            return None
        else:
            filler = filled(score, treatment, matrix)
            known[id(matrix)] = None if filler is None else constant(filler)
    return [known[id(matrix)] for matrix in matrices]


def _enclosed(score: Score, _: ConfusionMatrix, num: int, den: int) -> Ends:
    """A value between two whole numbers of units; every link maps 0, 1 and -1 to themselves."""
    below = score.link.floor(num, den, _ONE)
    return below, below + (num not in (0, den, -den))


def _satisfied(
    constraints: Constraints,
    target: Target | None,
    bounds: list[Bound],
    values: Values[Number],
    mean: Callable[[list[Number]], Number],
    within: Callable[[Number, Fraction | None, Fraction | None], bool | None],
    variance: Callable[[list[Number], int], Number],
) -> bool | None:
    """Everything said of one score; None if the numbers are too coarse to tell."""

    def over(part: Tree) -> Number | None:
        """The mean of a part, undefined parts of it left out."""
        if isinstance(part, int):
            return values[part]
        every = [values[piece] if piece.__class__ is int else over(piece) for piece in part]
        inside = [value for value in every if value is not None]
        return mean(inside) if inside else None

    answers: list[bool | None] = []
    if target is not None:
        if target.mean is not None:
            whole = over(constraints.form.tree)
            answers.append(False if whole is None else within(whole, *target.mean))
        if target.variance is not None:
            answers.append(_spread_fits(target, [over(part) for part in constraints.spread_parts], within, variance))
        if target.minimum is not None or target.maximum is not None:
            parts = [value for part in constraints.extreme_parts if (value := over(part)) is not None]
            answers += _extremes_fit(target, parts, within)
    for bound in bounds:
        value = over(bound.part)
        if value is not None:
            answers.append(within(value, *bound.interval))
    if False in answers:
        return False
    return None if None in answers else True


def _spread_fits(
    target: Target,
    values: Values[Number],
    within: Callable[[Number, Fraction | None, Fraction | None], bool | None],
    variance: Callable[[list[Number], int], Number],
) -> bool | None:
    """The variance by any of the admitted divisors; a standard error by the sets counted, or by all."""
    assert target.variance is not None
    low, high = target.variance
    counted = [value for value in values if value is not None]
    if target.error:
        low, high = low * len(counted), high * len(values)
    answers = [within(variance(counted, ddof), low, high) for ddof in target.ddof if len(counted) > ddof]
    if True in answers:
        return True
    return None if None in answers else False


def _extremes_fit(
    target: Target, values: list[Number], within: Callable[[Number, Fraction | None, Fraction | None], bool | None]
) -> list[bool | None]:
    answers: list[bool | None] = []
    for extreme, is_minimum in ((target.minimum, True), (target.maximum, False)):
        if extreme is None:
            continue
        low, high = extreme
        answers += [within(value, low if is_minimum else None, None if is_minimum else high) for value in values]
        if target.attained:
            reached = [within(value, None if is_minimum else low, high if is_minimum else None) for value in values]
            answers.append(True if True in reached else None if None in reached else False)
    return answers


def _mean(values: list[Ends]) -> Ends:
    return sum([low for low, _ in values]) // len(values), -(-sum([high for _, high in values]) // len(values))


def _within(value: Ends, low: Fraction | None, high: Fraction | None) -> bool | None:
    """Whether an enclosed value lies in an interval; None if the enclosure is too wide to tell."""
    sure = True
    for end, sign in ((low, 1), (high, -1)):
        if end is not None:
            inside = [sign * (x * end.denominator - end.numerator * _ONE) for x in value]
            if max(inside) < 0:
                return False
            sure = sure and min(inside) >= 0
    return sure or None


def _variance(values: list[Ends], ddof: int) -> Ends:
    """An enclosure, from whole numbers: sums of fractions of many denominators are slow."""
    count = len(values)
    middles = [low + high for low, high in values]  # in halves of a unit
    squares = Fraction(count * sum(x * x for x in middles) - sum(middles) ** 2, 4 * count)
    largest = max(abs(end) for ends in values for end in ends)
    error = 8 * count * max(high - low for low, high in values) * (largest + _ONE)
    least, most = ((squares + off) / (count - ddof) / _ONE for off in (-error, error))
    return max(floor(least), 0), ceil(most)


def _surd_mean(values: list[Surd]) -> Surd:
    return sum(values, Surd.rational(0)).scaled(Fraction(1, len(values)))


def _surd_within(value: Surd, low: Fraction | None, high: Fraction | None) -> bool:
    return (low is None or value.sign(low) >= 0) and (high is None or value.sign(high) <= 0)


def _surd_variance(values: list[Surd], ddof: int) -> Surd:
    mean = _surd_mean(values)
    off = [value + mean.scaled(Fraction(-1)) for value in values]
    return sum((x * x for x in off), Surd.rational(0)).scaled(Fraction(1, len(values) - ddof))
