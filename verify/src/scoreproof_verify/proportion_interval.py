"""Certificates that a printed interval of a proportion is impossible.

Either the value lies beyond a limit; or no whole number of the cases gives the value; or Clopper and Pearson's limits
of no count print as stated: they grow with the count, so it is enough that the limits of one count are too large and
those of the count before it too small. Tails are nested products over one denominator, from the far end inwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rule
from scoreproof_verify.frame import Words
from scoreproof_verify.patience import Patience
from scoreproof_verify.printed import Printed, read_printed
from scoreproof_verify.texts import every_key, fraction, known_keys, quoted, require

KEYS = frozenset({"n", "level", "method", "claims"})
_MOST_CASES = 10**15
_MOST_EXACT = 6000
_LONGEST = 2000  # binary digits of a limit's denominator
_NAMES = ("value", "low", "high")


def check(
    statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
) -> Words:
    """What a statement about an interval and its proof establish; ``Rejected`` if they do not."""
    every_key("the statement", statement, KEYS)
    cases = statement.get("n")
    if cases is not None:
        require(0 < integer(cases, "the number of cases") <= _MOST_CASES, "the number of cases is out of range")
    method = statement.get("method")
    require(method in ("any", "clopper-pearson"), f"unknown method {quoted(method)}")
    level = fraction(statement.get("level"), "the level")
    require(0 < level < 1, "the level is out of range")
    known = _claims(statement.get("claims"))
    said = "; ".join(f"{name} {known[name]}" for name in _NAMES if name in known)
    way = proof.get("kind")
    if way == "outside":
        known_keys("the proof", proof, "kind")
        order = [known[name] for name in ("low", "value", "high") if name in known]
        apart = any(one.low > other.high for at, one in enumerate(order) for other in order[at + 1 :])
        require(apart, "the value may lie within its interval")
        return lambda: f"Proved: no value that prints so lies within an interval that prints so ({said})."
    require(cases is not None and "value" in known, "the statement names no cases, or no value")
    assert cases is not None
    first, last = _counts(known["value"], cases)
    if way == "count":
        known_keys("the proof", proof, "kind")
        require(first > last, "a whole number of cases prints as the value")
        return lambda: f"Proved: no x of {cases} cases prints as {known['value']}."
    require(way == "tails" and method == "clopper-pearson", f"unknown kind of proof {quoted(way)}")
    known_keys("the proof", proof, "kind", "from")
    require(cases <= _MOST_EXACT, "there are too many cases")
    start = integer(proof.get("from"), "the count")
    require(first <= start <= last + 1, "the count is not one that prints as the value")
    tail = (1 - level) / 2
    if start > first:
        require(_too_small(start - 1, cases, known, tail), f"the limits of {start - 1} are not too small")
    patience.check()
    if start <= last:
        require(_too_large(start, cases, known, tail), f"the limits of {start} are not too large")
    return lambda: f"Proved: Clopper and Pearson's limits of no x of {cases} cases print as stated ({said})."


def _claims(document: Any) -> dict[str, Printed]:
    require(isinstance(document, list) and 0 < len(document) <= len(_NAMES), "there are not one to three claims")
    known: dict[str, Printed] = {}
    for entry in document:
        is_value = isinstance(entry, Mapping) and entry.get("name") == "value"  # limits may leave the range of a share
        printed = read_printed(entry, "a claim", most=1 if is_value else None)
        require(printed.name in _NAMES and printed.name not in known, "a claim is none of value, low and high")
        sizes = (printed.low.denominator.bit_length(), printed.high.denominator.bit_length())
        require(max(sizes) <= _LONGEST, "a claim has too many digits")
        known[printed.name] = printed
    return known


def _counts(value: Printed, cases: int) -> tuple[int, int]:
    """The first and the last x with x / cases among the values that print so."""
    first = -((-value.low.numerator * cases) // value.low.denominator)
    last = value.high.numerator * cases // value.high.denominator
    return max(0, first), min(cases, last)


def _too_small(x: int, n: int, known: Mapping[str, Printed], tail: Fraction) -> bool:
    """Whether the lower limit of x is below all that "low" can stand for, or the upper limit below all of "high".

    The lower limit is the share at which P(X >= x) = tail, 0 for x = 0; P(X >= x) grows with the share. The upper limit
    is the share at which P(X <= x) = tail, 1 for x = n; P(X <= x) falls.
    """
    if "low" in known and known["low"].low > 0:
        share = known["low"].low
        if share > 1 or x == 0 or _upper(x, n, share) > tail:
            return True
    if "high" in known and x < n:
        share = known["high"].low
        if share >= 1 or (share > 0 and _lower(x, n, share) < tail):
            return True
    return "high" in known and x == n and known["high"].low > 1


def _too_large(x: int, n: int, known: Mapping[str, Printed], tail: Fraction) -> bool:
    if "low" in known:
        share = known["low"].high
        if share < 0 or (x > 0 and share < 1 and (share == 0 or _upper(x, n, share) < tail)):
            return True
    if "high" in known:
        share = known["high"].high
        if share < 0 or (share < 1 and (x == n or share == 0 or _lower(x, n, share) > tail)):
            return True
    return False


def _upper(x: int, n: int, share: Fraction) -> Fraction:
    """P(X >= x)."""
    return _lower(n - x, n, 1 - share)


def _lower(x: int, n: int, share: Fraction) -> Fraction:
    """P(X <= x) = sum of C(n, i) a^i b^(n - i) over (a + b)^n, for 0 < share < 1 and x <= n, by Horner's rule.

    With t_i = t_(i-1) (n - i + 1) a / (i b) the sum is b^n (1 + r_1 (1 + r_2 (1 + ...))), r_i = (n - i + 1) a / (i b).
    The other side is summed where it is shorter.
    """
    if 2 * x > n:
        return 1 - _lower(n - x - 1, n, 1 - share) if x < n else Fraction(1)
    a, b = share.numerator, share.denominator - share.numerator
    top, bottom = 1, 1
    for i in range(x, 0, -1):  # 1 + r_i * top / bottom
        top, bottom = i * b * bottom + (n - i + 1) * a * top, i * b * bottom
    return Fraction(b, a + b) ** n * Fraction(top, bottom)
