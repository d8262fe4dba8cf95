"""The AUC with its interval, and the difference of two AUCs: what DeLong's variance can be.

With p positives and n negatives the pairs in which the positive scores higher form a staircase of K = A p n cells,
and DeLong's variance (1988, doi:10.2307/2531595) is a sum over its cells less a constant. Without ties it is least
for the K cheapest cells. It is largest for staircases with two steps; and it never exceeds A (1 - A) (1/(p - 1) +
1/(n - 1)), with ties neither, since the variance of numbers in [0, 1] with mean A is at most A (1 - A). Hanley and
McNeil's (1982, doi:10.1148/radiology.143.1.7063747) is a formula of A, p and n; some programs take Clopper and
Pearson's limits of A N.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from scoreproof.claims.recheck import Recheck, Reproduction, Standing, meets, proved, shown, standing
from scoreproof.claims.texts import apart, claim_of, ends, level_of, read_interval
from scoreproof.errors import InvalidOption
from scoreproof.kinds.proportion_interval import LIMIT, PROPORTION, ProportionIntervalProblem
from scoreproof.reported import Claim
from scoreproof.reported.p_text import read_p
from scoreproof.statistics.proportion_limits import exact_limits
from scoreproof.statistics.tails import normal_p, two_sided_z
from scoreproof.validation import chosen, whole

AUC_METHODS = ("delong", "hanley-mcneil", "binomial")
_MOST_ROWS = 20_000  # of staircases that are looked at row by row
_STEPS = 3  # values of A tried of a printed one: its ends and its middle
_SPARE = (0.99, 1.01)  # for those between them


def auc_interval(
    value: str,
    p: int | None = None,
    n: int | None = None,
    *,
    level: Any = None,
    method: str | None = None,
    ties: str = "possible",
    rounding: str = "any",
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
    printed = [
        claim_of(quantity, name, text, rounding=rounding)
        for quantity, name, text in (
            (PROPORTION, "value", read.value),
            (LIMIT, "low", read.low),
            (LIMIT, "high", read.high),
        )
    ]
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
    value, low, high = (ends(one) for one in printed)
    z = two_sided_z(level)
    below = (max(0.0, value[0] - low[1]) / z, (value[1] - low[0]) / z)
    above = (max(0.0, high[0] - value[1]) / z, (high[1] - value[0]) / z if high[1] < 1 else math.inf)
    if low[0] <= 0:
        below = (below[0], math.inf)
    symmetric = meets(*below, *above)
    error = max(below[0], above[0]), min(below[1], above[1])
    assumes = (f"a level of {level:g}", "scores without ties" if ties == "none" else "ties are possible")
    needs: list[str] = []
    found: list[Reproduction] = []
    words = "the limits are not as far below the value as above" if not symmetric else "no such standard error"
    span = None
    if sizes[0] is not None and sizes[1] is not None:
        p, n = whole("p", sizes[0], at_least=2), whole("n", sizes[1], at_least=2)
        span = error_range(value, p, n, ties=ties == "possible")
        hanley = tuple(_hanley(a, p, n) for a in value)
        if symmetric and method in (None, "delong") and meets(*error, *span):
            found.append(
                Reproduction(
                    "DeLong",
                    {"p": p, "n": n},
                    f"a standard error between {shown(max(error[0], span[0]))} and {shown(min(error[1], span[1]))}",
                )
            )
        if symmetric and method in (None, "hanley-mcneil") and meets(*error, min(hanley), max(hanley)):
            found.append(Reproduction("Hanley-McNeil", {"p": p, "n": n}, f"a standard error of {shown(hanley[0])}"))
        if method in (None, "binomial") and _binomial(value, printed, p + n, level):
            found.append(Reproduction("exact binomial of all cases", {"n": p + n}))
        if symmetric and not found:
            printed_error = f"{shown(error[0])} to {shown(error[1])}"
            words = f"the printed standard error, {printed_error}, is not among {shown(span[0])} to {shown(span[1])}"
    elif symmetric and method != "binomial":
        found.append(
            Reproduction(
                "a symmetric interval", {}, f"a standard error between {shown(error[0])} and {shown(error[1])}"
            )
        )
    if found:
        return Recheck(
            claim,
            Standing.POSSIBLE,
            f"reproduced by {', '.join(one.method for one in found)}",
            "SE",
            span,
            tuple(found),
            tuple(needs),
            assumes,
        )
    verdict = (
        Standing.IMPOSSIBLE if method is not None and (span is not None or not symmetric) else Standing.UNEXPLAINED
    )
    if verdict is Standing.UNEXPLAINED:
        needs = ["another method (a bootstrap, a logit interval), or another number"]
    return Recheck(
        claim,
        verdict,
        words,
        "SE",
        span,
        (),
        tuple(needs),
        (*assumes, *(() if method is None else (f"the method is {method}",))),
    )


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
    one, other = _cells(p, n)
    wanted = a * p * n
    i = np.arange(1, p + 1)
    low, high = 0.0, 2 * one * n + 2 * other * p
    for _ in range(50):
        middle = (low + high) / 2
        rows = np.clip((middle - other * (2 * i - 1)) / (2 * one), 0, n)
        low, high = (middle, high) if rows.sum() < wanted else (low, middle)
    rows = np.clip((low - other * (2 * i - 1)) / (2 * one), 0, n)
    return float(one * (rows**2).sum() + other * ((2 * i - 1) * rows).sum() - _constant(a, p, n))


def _most(a: float, p: int, n: int) -> float:
    """A bound on the greatest variance: r full rows, some equal ones up to row s, and empty ones.

    What is left for the equal rows, C cells, adds C²/(s - r) and C (s + r) times constants: convex in s, so that the
    fewest rows that hold C cells, or all, are extreme.
    """
    p, n = min(p, n), max(p, n)
    one, other = _cells(p, n)
    cells = a * p * n
    r = np.arange(min(p - 1, int(cells // n)) + 1, dtype=float)
    left = cells - r * n
    fewest = np.maximum(r + 1, r + np.ceil(left / n - 1e-12))
    best = one * p * n * n + other * n * p * p if cells >= p * n else 0.0
    for s in (fewest, np.full_like(r, p)):
        total = one * (r * n * n + left * left / (s - r)) + other * (n * r * r + left * (s + r))
        best = max(best, float(total[s <= p].max(initial=0.0)))
    return best - _constant(a, p, n)


def _hanley(a: float, p: int, n: int) -> float:
    a = min(max(a, 0.0), 1.0)
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    return math.sqrt(max(0.0, (a * (1 - a) + (p - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (p * n)))


def auc_difference(
    a: str,
    b: str,
    p: int | None = None,
    n: int | None = None,
    pvalue: str = "<0.05",
    *,
    intervals: tuple[str, str] | None = None,
    level: Any = None,
    rounding: str = "any",
) -> Recheck:
    """Re-check DeLong's test of two AUCs on the same cases, from p and n, or from the two printed intervals.

    From the intervals ("(0.53-0.73)" as limits, or with their value) the standard errors follow, and the correlation
    that is needed. From p and n alone p can be too large for the claim, never too small.

    >>> auc_difference("0.95", "0.70", p=200, n=200, pvalue="<0.05").verdict
    <Standing.CERTAIN: 'certain'>
    >>> found = auc_difference("0.63", "0.86", pvalue="<0.001", intervals=("0.53-0.73", "0.80-0.93"))
    >>> found.verdict, [round(end, 4) for end in found.range]
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
        widest = (nearest + farthest) / 2 / two_sided_z(1 - float(printed.high))
        needed = (s1 * s1 + s2 * s2 - widest * widest) / (2 * s1 * s2) if s1 * s2 else 0.0
        needs = (f"a correlation of at least {math.floor(100 * needed) / 100:.2f}",) if -1 < needed <= 1 else ()
    words = f"p lies between {shown(low)} and {shown(high)}, depending on the correlation of the two"
    return Recheck(claim, verdict, words, "p", (low, high), (), needs, (*assumes, "the same cases for both"))


def _error_of(text: str, value: str, z: float, rounding: str) -> tuple[float, float]:
    """The standard error behind printed limits."""
    given = text.strip() if isinstance(text, str) else text
    inner = given if not isinstance(given, str) or "(" in given.strip("(") else f"{value} ({given.strip('()[]')})"
    read = read_interval(inner)
    low, high = (
        ends(claim_of(LIMIT, name, end, rounding=rounding)) for name, end in (("low", read.low), ("high", read.high))
    )
    most = (high[1] - low[0]) / (2 * z)
    if high[1] >= 1:  # cut at 1: what is above is not printed
        most = max(most, (ends(claim_of(PROPORTION, "value", value, rounding=rounding))[1] - low[0]) / z)
    return max(0.0, (high[0] - low[1]) / (2 * z)), most
