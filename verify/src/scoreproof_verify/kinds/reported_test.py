"""Certificates that a test statistic does not have a printed p-value.

Every p-value here is a tail of χ² or of a ratio of two: I_x(k/2, m/2), x = 1/(1 + c), for P(χ²_m / χ²_k > c), and the
incomplete gamma function for P(χ²_k <= x). Both are series of positive terms, summed twice, every step rounded down and
rounded up; what stands before them is the root of a fraction over 1, π or √π.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import factorial, isqrt
from typing import Any

from scoreproof_verify.documents import Document, Printed, given, integer, known_keys, list_of, read_printed
from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.texts import quoted, require

_FREEDOM = {"z": 0, "t": 1, "r": 1, "chi2": 1, "F": 2}
_MOST_FREEDOM = 10**9
_MOST = 2000  # degrees of freedom of a tail
_FAR = 4000  # of χ²
_LONGEST = 200  # binary digits of a statistic
_BITS = 256
_UNIT = 1 << _BITS
_PI = (314159265358979323846264338327950288419716939937510582097494, 10**59)  # and less than one unit above

Ends = tuple[Fraction, Fraction]
Spans = list[tuple[int, int]]


class PValue(Printed):
    """A printed p-value, its relation in its text; the interval is what it can stand for, ends included."""

    __slots__ = ()

    def __str__(self) -> str:
        return self.text


def read_p_value(document: Any) -> PValue:
    entry = known_keys("the p-value", document, "relation", "text", "rounding", "eps")
    relation = entry.word("relation", ("=", "<", ">"))
    printed = read_printed({key: value for key, value in entry.items() if key != "relation"}, "the p-value")
    value, _ = printed.worth
    require(0 <= value <= 1, "the p-value is out of range")
    low, high = {"<": (Fraction(0), value), ">": (value, Fraction(1)), "=": printed.span.within(0, 1)}[relation]
    return PValue("", f"p {relation} {printed if relation == '=' else printed.text}", low, high)


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    test = statement.word("test", _FREEDOM)
    sides = statement.word("sides", ("any", "two", "one"))
    relation = statement.word("relation", ("=", "<", ">"))
    df = _degrees(statement.get("df"), _FREEDOM[test])
    p = None if statement.get("p") is None else read_p_value(statement["p"])
    printed = read_printed(given(statement.get("statistic"), "the statement has no statistic"), "the statistic")
    near, far = _sizes(test, printed, relation)
    reported = f"{test}{_listed(df)} {relation} {printed}"
    proof.keep_to("kind")
    if proof.get("kind") == "range":
        require((far is not None and far < 0) or (test == "r" and near > 1), "there may be such a statistic")
        return lambda: f"Proved: no statistic has this value ({reported})."
    value = given(p if proof.get("kind") == "tails" else None, f"unknown kind of proof {quoted(proof.get('kind'))}")
    low = Fraction(0) if far is None else _tail(test, max(far, Fraction(0)), df, patience)[0]
    high = _tail(test, max(near, Fraction(0)), df, patience)[1]
    for name, (least, most) in _readings(test, sides, df, low, high).items():
        require(least > value.high or most < value.low, f"the test may have given the p-value ({name})")
    side = {"any": "on one side or two", "two": "on two sides", "one": "on one side"}[sides]
    return lambda: f"Proved: a test with {reported} does not give {value}, {side}."


def _degrees(document: Any, count: int) -> Spans:
    """Whole numbers between which the degrees of freedom lie."""
    spans = []
    for span in list_of(document, count, count, "the test has other degrees of freedom"):
        ends = list_of(span, 2, 2, "degrees of freedom are not between two whole numbers")
        low, high = (integer(end, "a degree of freedom") for end in ends)
        require(0 <= low <= high <= _MOST_FREEDOM and high > 0, "degrees of freedom are out of range")
        spans.append((low, high))
    return spans


def _listed(df: Spans) -> str:
    shown = ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in df)
    return f"({shown})" if df else ""


def _sizes(test: str, printed: Printed, relation: str) -> tuple[Fraction, Fraction | None]:
    """The least and the greatest size of the statistic; without a greatest None. Of F and χ² it has its sign."""
    widest = max(end.denominator.bit_length() + abs(end.numerator).bit_length() for end in (printed.low, printed.high))
    require(widest <= 2 * _LONGEST, "the statistic has too many digits")
    value, _ = printed.worth
    if relation == "<" and value > 0:
        return Fraction(0), value
    if relation != "=":  # t < -4 is a size above 4, t > -4 is any size
        return -value if relation == "<" else max(value, Fraction(0)), None
    if test in ("F", "chi2"):
        return printed.low, printed.high
    ends = sorted((abs(printed.low), abs(printed.high)))
    return Fraction(0) if printed.low <= 0 <= printed.high else ends[0], ends[1]


def _readings(test: str, sides: str, df: Spans, low: Fraction, high: Fraction) -> dict[str, Ends]:
    """What p may be by the sides of the test, when its tail (two-sided for t, z and r) lies between two ends."""
    half = (low / 2, high / 2)
    if test in ("F", "chi2"):
        spans = {"upper tail": (low, high)}
        if test == "F" and sides != "one":  # twice the smaller tail
            ends = [min(2 * end, 2 - 2 * end) for end in (low, high)]
            spans["both tails"] = (min(ends), Fraction(1) if 2 * low <= 1 <= 2 * high else max(ends))
        if df[0][0] <= 1 and sides != "two":
            spans["one side"] = half
        return spans
    every = {"two sides": (low, high), "one side": half, "the other side": (1 - half[1], 1 - half[0])}
    return {name: ends for name, ends in every.items() if sides == "any" or (name == "two sides") is (sides == "two")}


def _tail(test: str, size: Fraction, df: Spans, patience: Patience) -> Ends:
    """The least and the greatest tail beyond a size, over the degrees of freedom."""
    square = size * size
    if test == "z":
        return chi2(square, 1, patience)
    if test == "chi2":
        least, most = df[0]
        low = chi2(size, least, patience)[0] if least else Fraction(0)
        return low, chi2(size, most, patience)[1]
    if test == "F" and df[0] != (1, 1):
        (m1, m2), (k1, k2) = df
        low = _ratio(size * m2 / k1, m1, k2, patience)[0] if m1 and k1 else Fraction(0)
        return low, _ratio(size * m1 / k2, m2, k1, patience)[1] if k1 else Fraction(1)
    least, most = df[-1]
    if test == "r" and square >= 1:
        return Fraction(0), Fraction(0)

    def t_square(freedom: int) -> Fraction:  # F with one degree of freedom is the square of t
        return size if test == "F" else square * freedom / (1 - square) if test == "r" else square

    # The tail falls with the degrees of freedom, at a given t and at a given r, down to the normal one.
    low = chi2(t_square(most), 1, patience)[0] if most > _MOST else _ratio(t_square(most) / most, 1, most, patience)[0]
    few = min(least, _MOST)
    return low, _ratio(t_square(least) / few, 1, few, patience)[1] if few else Fraction(1)


def _ratio(c: Fraction, m: int, k: int, patience: Patience) -> Ends:
    """Between which fractions P(χ²_m / χ²_k > c) lies."""
    require(m + k <= 2 * _MOST, "there are too many degrees of freedom")
    if c <= 0:
        return Fraction(1), Fraction(1)
    x = 1 / (1 + c)
    if x * (k + m + 4) > k + 2:  # the other side has the smaller terms
        low, high = _beta(1 - x, m, k, patience)
        return 1 - high, 1 - low
    return _beta(x, k, m, patience)


def _beta(x: Fraction, k: int, m: int, patience: Patience) -> Ends:
    """I_x(k/2, m/2): the ratio of two terms is below 1, and tends to x."""
    n, d = x.numerator, x.denominator

    def ratio(j: int) -> tuple[int, int]:
        return (k + m + 2 * j) * n, (k + 2 + 2 * j) * d

    low, high = _series(ratio, lambda j: max(Fraction(*ratio(j)), x), patience)
    (top, down), (up, bottom), (over, under) = _gamma_square(k + m), _gamma_square(k + 2), _gamma_square(m)
    square = Fraction(top * bottom * under, down * up * over) * Fraction(n**k * (d - n) ** m, d ** (k + m))
    before = _root(square, 2 if k % 2 and m % 2 else 0)
    return low * before[0], min(Fraction(1), high * before[1])


def chi2(x: Fraction, k: int, patience: Patience) -> Ends:
    """Between which fractions P(χ²_k > x) lies."""
    require(k <= _MOST, "there are too many degrees of freedom")
    if x <= 0:
        return Fraction(1), Fraction(1)
    if x > _FAR:
        return Fraction(0), chi2(Fraction(_FAR), k, patience)[1]
    n, d = x.numerator, x.denominator
    low, high = _series(lambda j: (n, (k + 2 + 2 * j) * d), lambda j: Fraction(n, (k + 2 + 2 * j) * d), patience)
    least, most = _series(lambda j: (n, (2 + 2 * j) * d), lambda j: Fraction(n, (2 + 2 * j) * d), patience)  # e^(x/2)
    up, bottom = _gamma_square(k + 2)
    before = _root(Fraction(n**k * bottom, (2 * d) ** k * up), k % 2)
    return max(Fraction(0), 1 - high * before[1] / least), min(Fraction(1), 1 - low * before[0] / most)


def _series(
    ratio: Callable[[int], tuple[int, int]], bound: Callable[[int], Fraction], patience: Patience
) -> tuple[Fraction, Fraction]:
    """1 + r_0 + r_0 r_1 + ..., r_j = ratio(j), rounded down and up; from j on no ratio exceeds ``bound(j)``."""
    low = high = total = above = _UNIT
    j = 0
    while True:
        top, bottom = ratio(j)
        low, high = low * top // bottom, -(-high * top // bottom)
        total, above, j = total + low, above + high, j + 1
        patience.check()
        if high < 1 << 20 and top < bottom:
            last = bound(j)
            if last < 1:
                return Fraction(total, _UNIT), (above + high * last / (1 - last)) / _UNIT


def _gamma_square(k: int) -> tuple[int, int]:
    """Γ(k/2)² as a fraction; for odd k it is that times π."""
    if k % 2 == 0:
        return factorial(k // 2 - 1) ** 2, 1
    j = k // 2
    return factorial(2 * j) ** 2, (4**j * factorial(j)) ** 2


def _root(square: Fraction, halves: int) -> Ends:
    """The root of a fraction over π^halves, down and up."""
    below, unit = _PI
    n, d = square.numerator * unit**halves * _UNIT * _UNIT, square.denominator
    return (
        Fraction(isqrt(n // (d * (below + 1) ** halves)), _UNIT),
        Fraction(isqrt(n // (d * below**halves)) + 1, _UNIT),
    )


KINDS = {"reported_test": Checker(frozenset({"test", "df", "relation", "statistic", "sides", "p"}), check)}
