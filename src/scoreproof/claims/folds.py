"""A mean ± over folds, and a mean of printed folds: what so many values can have.

Both are decided in whole numbers: by the largest spread of bounded values and by the counts of equal folds
(``kinds.value_spread``), and by the ranges of the printed rows (``kinds.average``).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.checking.check import check
from scoreproof.claims.recheck import (
    DecimalComma,
    Folds,
    Recheck,
    Reproduction,
    RoundingWord,
    Standing,
    Strict,
    claim_of,
    excused,
    proved,
    read_spread,
    shown,
)
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.binary.experiment import MeanOfScores, TestSet
from scoreproof.kinds.value_spread import DEVIATION, MEAN, ValueSpreadProblem, largest_deviation, mean_span
from scoreproof.reported.conventions import told
from scoreproof.statistics.tails import t_quantile, two_sided_z
from scoreproof.validation import Doc, chosen, exact, truth, whole
from scoreproof.validation import shown as repr_of

SPREADS = {"sd": "deviation", "se": "error", "halfwidth": "", "unknown": "either"}
_WORDS = {
    "sd": "a standard deviation, divided by k or k - 1",
    "se": "a standard error",
    "halfwidth": "half of a 95% interval",
    "unknown": "one or two standard deviations, a standard error or half of an interval",
}
_SECONDS = 1.0


def spread(
    value: Annotated[str, Doc("The mean with its ± as printed.")],
    k: Folds,
    *,
    sizes: Annotated[int | Sequence[int] | None, Doc("Cases of each fold: one number, or one for each.")] = None,
    kind: Annotated[str, Doc("What the ± is: sd, se, halfwidth or unknown; any is an sd unless that fails.")] = "any",
    bounds: Annotated[tuple[Any, Any] | None, Doc("The least and the greatest possible value.")] = None,
    strict: Strict = False,
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check a mean ± over k values between bounds, such as accuracies of folds.

    ``sizes`` are the cases of each fold, or of all of them if equal: then every value is a whole number over the cases.
    ``kind`` is what follows the ±: sd, se, halfwidth or unknown. Where it is not said (``any``) a ± that is no standard
    deviation is unexplained if it can be something else that is in use; ``strict`` admits nothing else. Values lie
    between 0 and 1 unless ``bounds`` are said.

    >>> spread("0.99 ± 0.08", k=5, kind="sd").words
    'the largest standard deviation of values with this mean is 0.04472'
    >>> spread("0.880 ± 0.031", k=5, sizes=20).verdict, spread("0.880 ± 0.031", k=5, sizes=20, kind="sd").verdict
    (<Standing.UNEXPLAINED: 'unexplained'>, <Standing.IMPOSSIBLE: 'impossible'>)
    """
    chosen("kind", kind, ("any", *SPREADS))
    settled = truth("strict", strict) or (kind != "any" and bounds is not None)
    how = told({"strict": settled} | ({} if kind == "any" else {"spread": "deviation"}))
    meant, ends = "sd" if kind == "any" else kind, (0, 1) if bounds is None else bounds
    return excused(_rechecked(value, k, sizes, meant, ends, rounding), how)


def _rechecked(value: str, k: int, sizes: Any, kind: str, bounds: Any, rounding: str) -> Recheck:
    """The claim as it is stated."""
    k = whole("k", k, at_least=2, at_most=100_000)
    mean_text, spread_text = read_spread(value)
    mean = claim_of(MEAN, "mean", mean_text, rounding=rounding)
    deviation = claim_of(DEVIATION, "sd", spread_text, rounding=rounding)
    least, most = _bounds(bounds, "%" in mean_text)
    if most == 1 and least == 0 and mean.low > 1:
        raise InvalidValue(
            f"value: expected a mean from 0 to 1, got {repr_of(value)}; a percentage? write it with %, or give bounds"
        )
    folds = _sizes(sizes, k)
    equal = folds is not None and len(set(folds)) == 1
    assumes: tuple[str, ...] = (
        f"{k} values from {shown(float(least))} to {shown(float(most))}",
        f"± is {_WORDS[kind]}",
    )
    if folds is not None:
        assumes = (*assumes, f"folds of {folds[0]:,} cases" if equal else "folds of the given sizes")
    claim = f"{value} over {k} values"
    claims = (mean, deviation)
    if kind in ("halfwidth", "unknown") and folds is None:
        return _half_width(claim, ValueSpreadProblem(claims[:1], k, least, most), deviation.low, kind, assumes)
    if folds is not None and kind in ("halfwidth", "unknown"):
        raise InvalidOption(f"kind: expected sd or se with sizes, got {kind}; without sizes it is re-checked as well")
    problem = ValueSpreadProblem(claims, k, least, most, folds[0] if folds and equal else None, SPREADS[kind])
    if folds is None or equal:
        return _decided(claim, problem, assumes, ask(problem, budget=_SECONDS))
    shares = MeanOfScores([TestSet(size, 0) for size in folds])  # of the cases of each, which differ in size
    how: dict[str, Any] = {"rounding": rounding, "spread": SPREADS[kind], "strict": True, "budget": _SECONDS}
    return _decided(claim, problem, assumes, check(shares, {"sens": value}, **how))


def _decided(claim: str, problem: ValueSpreadProblem, assumes: tuple[str, ...], answer: Answer[Any, Any]) -> Recheck:
    """What the answer says of the claim."""
    largest = (
        None
        if answer.problem.kind != "value_spread" or mean_span(problem)[0] > mean_span(problem)[1]
        else (0.0, largest_deviation(problem))
    )
    if answer.verdict is Verdict.INCONSISTENT:
        words = answer.reason or "no counts of right cases have this mean and this spread"
        return Recheck(claim, Standing.IMPOSSIBLE, words, "sd", largest, (), (), assumes, answer)
    reproductions = () if answer.witness is None else (Reproduction("values", {}, str(answer.witness)),)
    words = "there are such values" if reproductions else f"not decided: {answer.reason}"
    return Recheck(claim, Standing.POSSIBLE, words, "sd", largest, reproductions, (), assumes)


def _bounds(bounds: Any, percent: bool) -> tuple[Fraction, Fraction]:
    try:
        least, most = bounds
    except (TypeError, ValueError):
        raise InvalidOption(f"bounds: expected the least and the greatest value, got {repr_of(bounds)}") from None
    least, most = (exact("bounds", end) for end in (least, most))
    if percent and least == 0 and most == 100:
        return Fraction(0), Fraction(1)
    return least, most


def _sizes(sizes: Any, k: int) -> list[int] | None:
    if sizes is None:
        return None
    given = list(sizes) if isinstance(sizes, Sequence) and not isinstance(sizes, str) else [sizes] * k
    if len(given) != k:
        raise InvalidOption(f"sizes: expected one number of cases for each of the {k} folds, got {len(given)}")
    return [whole("sizes", size, at_least=1, at_most=10**6) for size in given]


def _half_width(claim: str, problem: ValueSpreadProblem, low: Fraction, kind: str, assumes: tuple[str, ...]) -> Recheck:
    """Half of an interval is at most t standard errors; whatever else a ± may be is smaller where k is small."""
    span = mean_span(problem)
    if span[0] > span[1]:
        words = "the mean lies outside of the bounds"
        return Recheck(claim, Standing.IMPOSSIBLE, words, "sd", assumes=assumes, answer=proved(problem))
    k, sd = problem.values, largest_deviation(problem)
    half = sd * max(t_quantile(0.95, k - 1), two_sided_z(0.95)) / k**0.5
    most = half if kind == "halfwidth" else max(half, 2 * sd)
    off = float(low) > most * (1 + 1e-9)
    words = f"the largest such ± is {shown(most)}"
    return Recheck(claim, Standing.IMPOSSIBLE if off else Standing.POSSIBLE, words, "±", (0.0, most), assumes=assumes)


def mean_of(
    values: Annotated[Sequence[str], Doc("The printed values.")],
    mean: Annotated[str, Doc("Their printed mean.")],
    *,
    sd: Annotated[str | None, Doc("Their printed standard deviation.")] = None,
    rounding: RoundingWord = "any",
    decimal_comma: DecimalComma = False,
) -> Recheck:
    """Re-check a printed mean (and standard deviation) of printed values such as folds.

    >>> mean_of(["0.80", "0.82"], "0.90").words
    'the printed rows give 0.8000 to 0.8200'
    """
    if isinstance(values, str) or not isinstance(values, Sequence) or not values:
        raise InvalidValue(f"values: expected a list of printed values such as ['0.80', '0.82'], got {repr_of(values)}")
    options: dict[str, Any] = {"rounding": rounding, "decimal_comma": decimal_comma}
    claim = f"{mean}{f' ± {sd}' if sd is not None else ''} is the mean of {len(values)} printed values"
    assumes: tuple[str, ...] = ("the plain mean: every value counts the same",)
    asked = [ask(printed_average("value", list(values), mean, **options), budget=_SECONDS)]
    if sd is not None:
        asked.append(ask(printed_average("value", list(values), sd, statistic="deviation", **options), budget=_SECONDS))
        assumes = (*assumes, "the standard deviation is divided by n or n - 1")
    for answer in asked:
        if answer.verdict is Verdict.INCONSISTENT:
            return Recheck(claim, Standing.IMPOSSIBLE, answer.reason, "mean", assumes=assumes, answer=answer)
    undecided = [answer.reason for answer in asked if answer.verdict is Verdict.UNDECIDED]
    words = f"not decided: {'; '.join(filter(None, undecided))}" if undecided else "the printed values allow it"
    return Recheck(claim, Standing.POSSIBLE, words, "mean", assumes=assumes)
