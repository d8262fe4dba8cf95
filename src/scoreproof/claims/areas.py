"""The AUC with its interval, and the difference of two AUCs: what DeLong's variance can be.

With p positives and n negatives the pairs in which the positive scores higher form a staircase of K = A p n cells,
and DeLong's variance (1988, doi:10.2307/2531595) is a sum over its cells less a constant. Without ties it is least
for the K cheapest cells. It is largest for staircases with two steps; and it never exceeds A (1 - A) (1/(p - 1) +
1/(n - 1)), with ties neither, since the variance of numbers in [0, 1] with mean A is at most A (1 - A). Hanley and
McNeil's (1982, doi:10.1148/radiology.143.1.7063747) is a formula of A, p and n; both are also taken on the scale of
log(A / (1 - A)). Some programs take Clopper and Pearson's limits of A N. A bootstrap is never excluded by a proof.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import Annotated

import numpy as np
from scipy import special

from scoreproof.claims.recheck import (
    First,
    Level,
    Negatives,
    Positives,
    PText,
    Recheck,
    Reproduction,
    RoundingWord,
    Second,
    Standing,
    apart,
    claim_of,
    ends,
    least_correlation,
    level_of,
    meets,
    proved,
    shown,
    standing,
)
from scoreproof.errors import InvalidOption
from scoreproof.kinds.proportion_interval import LIMIT, PROPORTION, ProportionIntervalProblem
from scoreproof.reported import Claim
from scoreproof.reported.printed_text import read_interval, read_p
from scoreproof.statistics.auc import hanley_mcneil_error
from scoreproof.statistics.tails import exact_limits, normal_p, two_sided_z
from scoreproof.validation import Doc, chosen, whole

AUC_METHODS = ("delong", "hanley-mcneil", "logit", "binomial", "bootstrap")
_MOST_ROWS = 20_000  # of staircases that are looked at row by row
_MOST_TRIED = 2_000  # cases, where their number is not said
_STEPS = 3  # values of A tried of a printed one: its ends and its middle
_SPARE = (0.99, 1.01)  # for those between them
_LOOSE = 1.25  # by which arms of a bootstrap interval differ from those of a formula


def auc_interval(
    value: Annotated[str, Doc("The AUC with its interval as printed.")],
    p: Positives = None,
    n: Negatives = None,
    *,
    level: Level = None,
    method: Annotated[str | None, Doc("delong, hanley-mcneil, logit, binomial or bootstrap; without it any.")] = None,
    ties: Annotated[str, Doc("Whether cases of both classes may share a score: possible or none.")] = "possible",
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check a confidence interval of an AUC from p positives and n negatives.

    ``method`` is one of ``AUC_METHODS``. ``ties`` says whether cases of both classes may share a score ("possible"), or
    surely do not ("none"): only then DeLong's interval can be too narrow.

    >>> auc_interval("0.860 (0.743-0.877)", p=40, n=60, method="delong").words
    'the limits are not as far below the value as above'
    >>> auc_interval("0.803 (0.688-0.917)", p=29, n=39).verdict
    <Standing.POSSIBLE: 'possible'>
    """
    if method is not None:
        chosen("method", method, AUC_METHODS)
    chosen("ties", ties, ("possible", "none"))
    read = read_interval(value)
    texts = (PROPORTION, "value", read.value), (LIMIT, "low", read.low), (LIMIT, "high", read.high)
    printed = [claim_of(quantity, name, text, rounding=rounding) for quantity, name, text in texts]
    said_level = level_of(level, read.level)
    of = "" if p is None or n is None else f" of {whole('p', p):,} positives and {whole('n', n):,} negatives"
    claim = f"{value} is a {float(said_level) * 100:g}% interval of an AUC{of}"
    refuted = proved(ProportionIntervalProblem(tuple(printed), None, said_level))
    if refuted is not None:
        assumes = ("an interval holds the value it is of",)
        return Recheck(claim, Standing.IMPOSSIBLE, refuted.reason, "SE", assumes=assumes, answer=refuted)
    if (p is None) != (n is None):
        raise InvalidOption("p, n: expected both numbers of cases, or neither")
    return _limits(claim, printed, (p, n), float(said_level), method, ties)


def _limits(
    claim: str, printed: list[Claim], sizes: tuple[int | None, int | None], level: float, method: str | None, ties: str
) -> Recheck:
    """By which methods the limits are those of the value, and with which standard errors."""
    value, low, high = (ends(claim) for claim in printed)
    z = two_sided_z(level)
    errors = {"symmetric": _common(_arms(value, low, z), _arms(_mirrored(value), _mirrored(high), z))}
    errors["logit"] = _common(_logit_arms(value, low, z), _logit_arms(_mirrored(value), _mirrored(high), z))
    assumes = (f"a level of {level:g}", "scores without ties" if ties == "none" else "ties are possible")
    reproductions: list[Reproduction] = []
    span = None
    if sizes[0] is not None and sizes[1] is not None:
        p, n = whole("p", sizes[0], at_least=2), whole("n", sizes[1], at_least=2)
        span = error_range(value, p, n, ties=ties == "possible")
        hanley = sorted(hanley_mcneil_error(min(max(a, 0.0), 1.0), p, n) for a in value)
        for name, title, form, own in (
            ("delong", "DeLong", "symmetric", span),
            ("hanley-mcneil", "Hanley-McNeil", "symmetric", (hanley[0], hanley[1])),
            ("logit", "logit of DeLong", "logit", span),
            ("logit", "logit of Hanley-McNeil", "logit", (hanley[0], hanley[1])),
        ):
            error = errors[form]
            if method in (None, name) and error is not None and meets(*error, *own):
                words = f"a standard error between {shown(max(error[0], own[0]))} and {shown(min(error[1], own[1]))}"
                reproductions.append(Reproduction(title, {"p": p, "n": n}, words))
        if method in (None, "binomial") and _binomial(value, printed, p + n, level):
            reproductions.append(Reproduction("exact binomial of all cases", {"n": p + n}))
    elif method != "binomial":
        for form, error in errors.items():
            named = ("logit",) if form == "logit" else ("delong", "hanley-mcneil")
            if error is not None and method in (None, *named):
                words = f"a standard error between {shown(error[0])} and {shown(error[1])}"
                reproductions.append(Reproduction(f"a {form} interval", {}, words))
    if not reproductions and span is None and method in (None, "binomial"):
        some = (cases for cases in range(4, _MOST_TRIED + 1) if _binomial(value, printed, cases, level))
        reproductions += [Reproduction("exact binomial of all cases", {"n": cases}) for cases in islice(some, 1)]
    if not reproductions and method in (None, "bootstrap") and _may_be_resampled(value, low, high, z, span):
        reproductions.append(Reproduction("a bootstrap", {}, "percentiles of resampled cases lie about so"))
    if reproductions:
        words = f"reproduced by {', '.join(reproduction.method for reproduction in reproductions)}"
        return Recheck(claim, Standing.POSSIBLE, words, "SE", span, tuple(reproductions), (), assumes)
    error = errors["symmetric"]
    words = "the limits are not as far below the value as above"
    if error is not None and span is not None:
        own_error = f"{shown(error[0])} to {shown(error[1])}"
        words = f"the printed standard error, {own_error}, is not among {shown(span[0])} to {shown(span[1])}"
    if method == "binomial":
        words = "the exact binomial limits of the value are others"
    symmetric = method in ("delong", "hanley-mcneil") and (span is not None or error is None)
    off = symmetric or (method == "binomial" and span is not None)
    verdict = Standing.IMPOSSIBLE if off else Standing.UNEXPLAINED
    needs = () if off else ("another method, clustered cases, or another number",)
    known = () if method is None else (f"the method is {method}",)
    return Recheck(claim, verdict, words, "SE", span, (), needs, (*assumes, *known))


Ends = tuple[float, float]


def _mirrored(ends_of: Ends) -> Ends:
    """The same seen from 1: what is above becomes what is below."""
    return 1 - ends_of[1], 1 - ends_of[0]


def _common(first: Ends, other: Ends) -> Ends | None:
    """What two ranges of a standard error share."""
    return (max(first[0], other[0]), min(first[1], other[1])) if meets(*first, *other) else None


def _arms(value: Ends, low: Ends, z: float) -> Ends:
    """The standard errors by which a lower limit lies below its value; one cut at 0 may lie lower."""
    return max(0.0, value[0] - low[1]) / z, (value[1] - low[0]) / z if low[0] > 0 else math.inf


def _logit_arms(value: Ends, low: Ends, z: float) -> Ends:
    """The same on the scale of log(A / (1 - A)), where a standard error s becomes s / (A (1 - A))."""
    every = [
        a * (1 - a) * (special.logit(a) - special.logit(limit)) / z
        for a in (min(max(end, 1e-12), 1 - 1e-12) for end in value)
        for limit in (min(max(end, 1e-12), 1 - 1e-12) for end in low)
    ]
    return max(0.0, float(min(every))) * _SPARE[0], float(max(every)) * _SPARE[1]


def _may_be_resampled(value: Ends, low: Ends, high: Ends, z: float, span: Ends | None) -> bool:
    """Whether limits lie about where percentiles of a bootstrap do: their arms are those of a symmetric interval, those
    of a logit one, or between, up to what so many resamples and small samples move them."""
    a = min(max(sum(value) / 2, 1e-9), 1 - 1e-9)
    least, most = (0.0, math.inf) if span is None else span
    below, above = value[1] - low[0], high[1] - value[0]
    shortest = value[0] - low[1], high[0] - value[1]
    for s in np.geomspace(max(least / 2, 1e-4), min(most * _LOOSE, 0.5), 60):
        plain = z * s
        logit = abs(a - special.expit(special.logit(a) + np.array([-1, 1]) * plain / (a * (1 - a))))
        arms = (min(plain, logit[0]), max(plain, logit[0])), (min(plain, logit[1]), max(plain, logit[1]))
        if all(
            least_arm / _LOOSE <= longest and short <= longest_arm * _LOOSE
            for (least_arm, longest_arm), longest, short in zip(arms, (below, above), shortest, strict=True)
        ):
            return True
    return False


def _binomial(value: tuple[float, float], printed: list[Claim], cases: int, level: float) -> bool:
    """Clopper and Pearson's limits with A N successes, which need not be a whole number; within 0.001 as printed."""
    tail = (1 - level) / 2
    ends_of = [exact_limits(a * cases, cases, tail, 1 - tail) for a in value]
    low, high = (ends(printed[1]), ends(printed[2]))
    return meets(float(ends_of[0][0]), float(ends_of[1][0]), *low) and meets(
        float(ends_of[0][1]), float(ends_of[1][1]), *high
    )


def error_range(value: tuple[float, float], p: int, n: int, *, ties: bool) -> tuple[float, float]:
    """The least and the greatest standard error of an AUC by DeLong's variance.

    >>> [round(end, 4) for end in error_range((0.9, 0.9), 50, 50, ties=False)]
    [0.0283, 0.0431]
    """
    shares = np.linspace(max(0.0, value[0]), min(1.0, value[1]), _STEPS)
    ties = ties or min(p, n) > _MOST_ROWS  # the bounds that ties allow are bounds without them, too
    least = 0.0 if ties else min(_least(a, p, n) for a in shares) * _SPARE[0]
    most = max(a * (1 - a) for a in (*shares, 0.5 if value[0] <= 0.5 <= value[1] else shares[0]))
    widest = most * (1 / (p - 1) + 1 / (n - 1))
    if not ties:
        widest = min(widest, max(_most(a, p, n) for a in shares) * _SPARE[1])
    return math.sqrt(max(0.0, least)), math.sqrt(widest)


def _cells(p: int, n: int) -> tuple[float, float]:
    return 1 / (n * n * p * (p - 1)), 1 / (p * p * n * (n - 1))


def _constant(a: float, p: int, n: int) -> float:
    return a * a * (1 / (p - 1) + 1 / (n - 1))


def _least(a: float, p: int, n: int) -> float:
    """The least variance: the cheapest cells of the staircase; of many cells a bound from fractional rows.

    A printed AUC stands for many K; the cost of a cell or so is allowed for.
    """
    p, n = min(p, n), max(p, n)
    first, other = _cells(p, n)
    wanted = a * p * n
    i = np.arange(1, p + 1)
    low, high = 0.0, 2 * first * n + 2 * other * p
    for _ in range(50):
        middle = (low + high) / 2
        rows = np.clip((middle - other * (2 * i - 1)) / (2 * first), 0, n)
        low, high = (middle, high) if rows.sum() < wanted else (low, middle)
    rows = np.clip((low - other * (2 * i - 1)) / (2 * first), 0, n)
    return float(first * (rows**2).sum() + other * ((2 * i - 1) * rows).sum() - _constant(a, p, n))


def _most(a: float, p: int, n: int) -> float:
    """A bound on the greatest variance: r full rows, some equal ones up to row s, and empty ones.

    What is left for the equal rows, C cells, adds C²/(s - r) and C (s + r) times constants: convex in s, so that the
    fewest rows that hold C cells, or all, are extreme.
    """
    p, n = min(p, n), max(p, n)
    first, other = _cells(p, n)
    cells = a * p * n
    r = np.arange(min(p - 1, int(cells // n)) + 1, dtype=float)
    left = cells - r * n
    fewest = np.maximum(r + 1, r + np.ceil(left / n - 1e-12))
    best = first * p * n * n + other * n * p * p if cells >= p * n else 0.0
    for s in (fewest, np.full_like(r, p)):
        total = first * (r * n * n + left * left / (s - r)) + other * (n * r * r + left * (s + r))
        best = max(best, float(total[s <= p].max(initial=0.0)))
    return best - _constant(a, p, n)


def auc_difference(
    a: First,
    b: Second,
    p: Positives = None,
    n: Negatives = None,
    pvalue: PText = "<0.05",
    *,
    intervals: Annotated[tuple[str, str] | None, Doc("The limits of both AUCs: 0.53-0.73,0.80-0.93.")] = None,
    level: Level = None,
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check DeLong's test of two AUCs on the same cases, from p and n, or from the two printed intervals.

    From the intervals ("(0.53-0.73)" as limits, or with their value) the standard errors follow, and the correlation
    that is needed. From p and n alone p can be too large for the claim, never too small.

    >>> auc_difference("0.95", "0.70", p=200, n=200, pvalue="<0.05").verdict
    <Standing.CERTAIN: 'certain'>
    >>> result = auc_difference("0.63", "0.86", pvalue="<0.001", intervals=("0.53-0.73", "0.80-0.93"))
    >>> result.verdict, [round(end, 4) for end in result.range]
    (<Standing.POSSIBLE: 'possible'>, [0.0, 0.0261])
    """
    printed = read_p(pvalue, rounding=rounding)
    values = [ends(claim_of(PROPORTION, name, text, rounding=rounding)) for name, text in (("a", a), ("b", b))]
    nearest, farthest = apart(*values)
    claim = f"{printed} by DeLong's test for AUCs of {a} and {b} on the same cases"
    if intervals is None:
        if p is None or n is None:
            raise InvalidOption("p, n: expected both numbers of cases, or intervals")
        errors = [
            (0.0, error_range(value, whole("p", p, at_least=2), whole("n", n, at_least=2), ties=True)[1])
            for value in values
        ]
        assumes: tuple[str, ...] = (f"{p:,} positives and {n:,} negatives",)
    else:
        z = two_sided_z(float(level_of(level, None)))
        if len(intervals) != 2:
            raise InvalidOption(f"intervals: expected one for each AUC, got {len(intervals)}")
        errors = [_error_of(text, value, z, rounding) for text, value in zip(intervals, (a, b), strict=True)]
        assumes = ("symmetric intervals",)
    least, most = max(0.0, errors[0][0] - errors[1][1], errors[1][0] - errors[0][1]), errors[0][1] + errors[1][1]
    low = 0.0 if least == 0 and farthest > 0 else normal_p(farthest / least if least else 0.0)
    high = 1.0 if nearest == 0 or most == 0 else normal_p(nearest / most)
    needs: tuple[str, ...] = ()
    verdict = standing(low, high, printed)
    if intervals is not None and verdict is Standing.POSSIBLE and printed.relation == "<" and nearest > 0:
        s1, s2 = (sum(error) / 2 for error in errors)
        needs = least_correlation(s1, s2, (nearest + farthest) / 2 / two_sided_z(1 - float(printed.high)))
    words = f"p lies between {shown(low)} and {shown(high)}, depending on the correlation of the two"
    return Recheck(claim, verdict, words, "p", (low, high), (), needs, (*assumes, "the same cases for both"))


def _error_of(text: str, value: str, z: float, rounding: str) -> tuple[float, float]:
    """The standard error behind printed limits."""
    given = text.strip() if isinstance(text, str) else text
    inner = given if not isinstance(given, str) or "(" in given.strip("(") else f"{value} ({given.strip('()[]')})"
    read = read_interval(inner)
    low, high = (ends(claim_of(LIMIT, "limit", end, rounding=rounding)) for end in (read.low, read.high))
    most = (high[1] - low[0]) / (2 * z)
    if high[1] >= 1:  # cut at 1: what is above is not printed
        most = max(most, (ends(claim_of(PROPORTION, "value", value, rounding=rounding))[1] - low[0]) / z)
    return max(0.0, (high[0] - low[1]) / (2 * z)), most
