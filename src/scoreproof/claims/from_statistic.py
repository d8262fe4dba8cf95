"""A p-value from its statistic and degrees of freedom, or from two means with their standard deviations.

Tails are monotone in the statistic, so the printed digits of the statistic give a range of p. Printed means and
standard deviations give ranges of t and F in the same way; a standard deviation may have been divided by n or n - 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from scoreproof.claims.recheck import Recheck, Reproduction, Standing, among, listed, shown, standing
from scoreproof.claims.settings import First, PText, RoundingWord, Second, Sides, Sizes
from scoreproof.claims.texts import apart, claim_of, ends, mean_and_spread
from scoreproof.errors import InvalidOption
from scoreproof.quantities import Quantity
from scoreproof.reported.p_text import PrintedP, read_p
from scoreproof.statistics.tails import chi2_p, f_lower, f_upper, normal_p, t_p
from scoreproof.validation import Doc, chosen, exact, real, whole
from scoreproof.validation import shown as repr_of

TESTS = ("t", "z", "F", "chi2", "r")
MEAN_TESTS = ("t", "welch", "F")
_STATISTIC = Quantity("statistic", "test statistic", range=(None, None), kind="printed")
_MOST_FREEDOM = 300
_NAMES = {"two": "two-sided", "one": "one-sided", "other": "one-sided, other direction", "upper": "upper tail"}


def p_value(
    test: Annotated[str, Doc("t, z, F, chi2 or r.")],
    statistic: Annotated[str, Doc("The statistic as printed.")],
    df: Annotated[float | str | Sequence[float | str] | None, Doc("Degrees of freedom; two for F.")] = None,
    p: PText = "<0.05",
    *,
    sides: Sides = "any",
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check a p-value against its statistic: t, z, F, chi2 or r (a correlation), with ``df`` degrees of freedom.

    ``df`` is a number, a pair for F, or None where it is not printed: then the answer says which would fit.

    >>> p_value("chi2", "15.508", 5, "p = 0.008").verdict
    <Standing.CERTAIN: 'certain'>
    >>> p_value("t", "2.22", None, "0.0832").words
    'no number of degrees of freedom up to 300 gives it'
    """
    chosen("test", test, TESTS)
    chosen("sides", sides, ("any", "two", "one"))
    printed = read_p(p, rounding=rounding)
    claim_read = claim_of(_STATISTIC, test, statistic, rounding=rounding)
    freedom = _freedom(test, df)
    given = "" if freedom is None else f"({', '.join(f'{one:g}' for one in freedom)})"
    claim = f"{test}{given} = {claim_read.text}, {printed}"
    wanted = [sides] if sides != "any" and test in ("t", "z", "r") else ["two", "one", "other"]
    assumes = () if sides == "any" else (f"{sides}-sided",)
    if freedom is None and test != "z":
        if test == "F":
            raise InvalidOption("df: expected the two degrees of freedom of F, got none")
        fits = [n for n in range(1, _MOST_FREEDOM + 1) if _ways(test, ends(claim_read), (n,), printed, wanted)[1]]
        if not fits:
            words = f"no number of degrees of freedom up to {_MOST_FREEDOM} gives it"
            return Recheck(
                claim, Standing.IMPOSSIBLE, words, assumes=(*assumes, f"at most {_MOST_FREEDOM} degrees of freedom")
            )
        every = f"{fits[0]}" if len(fits) == 1 else f"{fits[0]} to {fits[-1]}"
        return Recheck(
            claim,
            Standing.POSSIBLE,
            f"degrees of freedom of {every} give it",
            "df",
            (fits[0], fits[-1]),
            needs=(f"df of {every}",),
            assumes=assumes,
        )
    span, methods, verdict = _ways(test, ends(claim_read), freedom or (), printed, wanted)
    if verdict is not Standing.IMPOSSIBLE:
        return Recheck(
            claim, verdict, f"reproduced {listed(m.method for m in methods)}", "p", span, methods, (), assumes
        )
    needs: tuple[str, ...] = ()
    if test in ("t", "chi2", "r"):
        others = [n for n in range(1, _MOST_FREEDOM + 1) if _ways(test, ends(claim_read), (n,), printed, wanted)[1]]
        needs = (f"df of {others[0]}" + (f" to {others[-1]}" if len(others) > 1 else ""),) if others else ()
    words = f"p lies between {shown(span[0])} and {shown(span[1])}"
    return Recheck(claim, verdict, words, "p", span, (), needs, assumes)


def _freedom(test: str, df: Any) -> tuple[float, ...] | None:
    if df is None or test == "z":
        if df is not None:
            raise InvalidOption(f"df: expected none for z, got {repr_of(df)}")
        return None
    given = tuple(df) if isinstance(df, Sequence) and not isinstance(df, str) else (df,)
    if len(given) != (2 if test == "F" else 1):
        raise InvalidOption(
            f"df: expected {'two numbers for F' if test == 'F' else f'one number for {test}'}, got {repr_of(df)}"
        )
    return tuple(real("df", float(exact("df", one)) if isinstance(one, str) else one, above=0) for one in given)


def _ways(
    test: str, span: tuple[float, float], df: tuple[float, ...], p: PrintedP, sides: list[str]
) -> tuple[tuple[float, float], tuple[Reproduction, ...], Standing]:
    """The range of p, by which sides it is reproduced, and how it stands."""
    ranges = {}
    if test in ("F", "chi2"):
        upper: Callable[[float], float] = (lambda x: f_upper(x, *df)) if test == "F" else (lambda x: chi2_p(x, *df))
        ranges["upper"] = (upper(max(span[1], 0.0)), upper(max(span[0], 0.0)))
    else:
        low, high = span
        near, far = (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
        if test == "r":
            near, far = (math.inf if r >= 1 else r * math.sqrt(df[0] / (1 - r * r)) for r in (near, far))
        tail: Callable[[float], float] = normal_p if test == "z" else (lambda x: t_p(x, df[0]))
        two = (tail(far), tail(near))
        each = {"two": two, "one": (two[0] / 2, two[1] / 2), "other": (1 - two[1] / 2, 1 - two[0] / 2)}
        ranges = {name: each[name] for name in sides}
    standings = {name: standing(*own, p) for name, own in ranges.items()}
    fits = [name for name, one in standings.items() if one is not Standing.IMPOSSIBLE]
    first = ranges[fits[0]] if fits else next(iter(ranges.values()))
    methods = tuple(
        Reproduction(_NAMES[name], {}, f"p between {shown(ranges[name][0])} and {shown(ranges[name][1])}")
        for name in fits
    )
    verdict = standings[fits[0]] if fits else Standing.IMPOSSIBLE
    return first, methods, verdict


def means(
    a: First,
    b: Second,
    n: Sizes,
    p: PText = "<0.05",
    *,
    test: Annotated[str | None, Doc("t, welch or F; without it any of them.")] = None,
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check a test of two independent samples from their means ± sd: t (equal variances), Welch's t, or F.

    ``n`` is the size of both, or a pair of sizes. F is the two-sided test of equal variances.

    >>> found = means("0.300 ± 0.300", "0.300 ± 0.315", n=191, p="0.490", test="F")
    >>> found.verdict, [round(end, 3) for end in found.range]
    (<Standing.POSSIBLE: 'possible'>, [0.447, 0.561])
    """
    if test is not None:
        chosen("test", test, MEAN_TESTS)
    sizes = tuple(n) if isinstance(n, Sequence) and not isinstance(n, str) else (n, n)
    if len(sizes) != 2:
        raise InvalidOption(f"n: expected one size or a pair of sizes, got {repr_of(n)}")
    n1, n2 = (whole("n", size, at_least=2) for size in sizes)
    printed = read_p(p, rounding=rounding)
    (m1, s1), (m2, s2) = (mean_and_spread(text, name, rounding) for name, text in (("a", a), ("b", b)))
    ranges: dict[str, tuple[float, float]] = {}
    for name in MEAN_TESTS if test is None else (test,):
        own = [_of_means(name, apart(m1, m2), s1, s2, (n1, n2), off) for off in (0, 1)]
        ranges[name] = min(low for low, _ in own), max(high for _, high in own)
    standings = {name: standing(*own, printed) for name, own in ranges.items()}
    verdict = among(list(standings.values()))
    fits = tuple(
        Reproduction(name, {}, f"p between {shown(ranges[name][0])} and {shown(ranges[name][1])}")
        for name, one in standings.items()
        if one is not Standing.IMPOSSIBLE
    )
    low, high = min(own[0] for own in ranges.values()), max(own[1] for own in ranges.values())
    return Recheck(
        f"{printed} for {a} against {b}, {n1:,} and {n2:,} values",
        verdict,
        f"p lies between {shown(low)} and {shown(high)}",
        "p",
        (low, high),
        fits,
        assumes=("independent samples", "two-sided", "± is a standard deviation, divided by n or n - 1"),
    )


def _of_means(
    test: str,
    distance: tuple[float, float],
    s1: tuple[float, float],
    s2: tuple[float, float],
    sizes: tuple[int, int],
    off: int,
) -> tuple[float, float]:
    n1, n2 = sizes
    v1, v2 = (tuple(end * end * (n / (n - 1) if off else 1.0) for end in s) for s, n in ((s1, n1), (s2, n2)))
    if test == "F":
        return _of_variances((v1[0], v1[1]), (v2[0], v2[1]), n1 - 1, n2 - 1)

    def error(one: float, other: float) -> float:
        if test == "t":
            return math.sqrt(((n1 - 1) * one + (n2 - 1) * other) / (n1 + n2 - 2) * (1 / n1 + 1 / n2))
        return math.sqrt(one / n1 + other / n2)

    least, most = error(v1[0], v2[0]), error(v1[1], v2[1])
    many = n1 + n2 - 2
    few = many if test == "t" else min(n1, n2) - 1  # Welch's degrees of freedom lie between
    low = 0.0 if least == 0 else t_p(distance[1] / least, many)
    high = 1.0 if distance[0] == 0 else 0.0 if most == 0 else t_p(distance[0] / most, few)
    return low, high


def _of_variances(v1: tuple[float, float], v2: tuple[float, float], df1: int, df2: int) -> tuple[float, float]:
    """The two-sided p of the ratio of variances; it is largest where the ratio is the median."""

    def tail(ratio: float) -> float:
        return min(1.0, 2 * min(f_lower(ratio, df1, df2), f_upper(ratio, df1, df2)))

    low = v1[0] / v2[1] if v2[1] else math.inf
    high = v1[1] / v2[0] if v2[0] else math.inf
    both = tail(low), tail(high)
    crosses = f_lower(low, df1, df2) <= 0.5 <= f_lower(high, df1, df2)
    return min(both), 1.0 if crosses else max(both)
