"""Certificates that a printed number is not the stated formula of printed parts.

The formula is offset + factor v; v is a weighted sum, a root of a product of powers, a weighted harmonic mean, or a
whole number over the number of cases. Each part lies in the interval of its text, and v rises or falls in each part, so
that it lies between its values at two corners. That is compared with what the claim leaves to v, as powers, without
looking for common divisors of long numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.texts import (
    Document,
    Printed,
    fraction,
    known_keys,
    quoted,
    read_all,
    read_printed,
    require,
    short_text,
)

KEYS = frozenset(
    {"relation", "formula", "bound", "parts", "weights", "complements", "factor", "offset", "root", "size", "claim"}
)
_MOST_PARTS, _MOST_ROOT, _MOST_POWER, _MOST_SIZE = 1_000, 64, 4, 10**15
_BOUNDS = {"equal": "prints as", "most": "is not below", "least": "is not above"}
_MOST_BITS = 400_000  # binary digits of all weights and ends of parts, of a product as often as the exponent says
Span = tuple[Fraction, Fraction]
Ratio = tuple[int, int]  # numerator and denominator, which may have common divisors; infinite over 0


def check_relation(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a statement about a relation and its proof establish; ``Rejected`` if they do not."""
    name = short_text(statement.get("relation"), "the relation")
    formula, bound = statement.get("formula"), statement.get("bound")
    require(formula in ("linear", "product", "harmonic", "share"), f"unknown formula {quoted(formula)}")
    require(bound in tuple(_BOUNDS), f"unknown bound {quoted(bound)}")
    share = formula == "share"
    parts = read_all(statement.get("parts"), "a part", 0 if share else 1, 0 if share else _MOST_PARTS)
    weights = _listed(statement.get("weights"), "a weight", len(parts))
    complements = _listed(statement.get("complements"), "a complement", len(parts), may_lack=True)
    factor, offset = fraction(statement.get("factor"), "the factor"), fraction(statement.get("offset"), "the offset")
    require(factor != 0, "the factor is 0")
    root = integer(statement.get("root"), "the root")
    require(1 <= root <= (_MOST_ROOT if formula == "product" else 1), "the root is out of range")
    claim = read_printed(statement.get("claim"), "the claim")
    known_keys("the proof", proof, "kind")
    require(proof.get("kind") == formula, f"a proof of kind {quoted(proof.get('kind'))} for a {formula} formula")
    low = None if bound == "least" else (claim.low - offset) / factor
    high = None if bound == "most" else (claim.high - offset) / factor
    if factor < 0:
        low, high = high, low
    if share:
        size = integer(statement.get("size"), "the size")
        require(1 <= size <= _MOST_SIZE, "the size is out of range")
        first = 0 if low is None else max(0, -(-low * size // 1))
        last = size if high is None else min(size, high * size // 1)
        require(first > last, "a whole number of cases is such a share")
        how = _told(statement, "factor", "offset")
        return lambda: f"Proved: no whole number of {size} cases is a share ({how}) that {_BOUNDS[str(bound)]} {claim}."
    require(statement.get("size") is None, "only a share has a size")
    spans = _spans(parts, complements, clipped=formula != "linear")
    _require_short(spans, weights, powers=formula == "product")
    least, most = {"linear": _linear, "product": _product, "harmonic": _harmonic}[str(formula)](spans, weights)
    too_small = high is not None and ((root > 1 and high < 0) or _below(_power(high, root), least))
    too_large = low is not None and not (root > 1 and low < 0) and _below(most, _power(low, root))
    require(too_small or too_large, "the parts may give this value")
    how = _told(statement, "weights", "complements", "root", "factor", "offset")
    what = f"{len(parts)} values that print as the parts have a {formula} {quoted(name)} ({how})"
    return lambda: f"Proved: no {what} that {_BOUNDS[str(bound)]} {claim}."


def _told(statement: Document, *keys: str) -> str:
    """The numbers of the formula: what it is called is the word of whoever wrote the statement."""
    lists = {key: statement[key] if isinstance(statement[key], list) else [statement[key]] for key in keys}
    return "; ".join(f"{key} {', '.join(dict.fromkeys(map(quoted, lists[key])))[:80]}" for key in keys).replace("'", "")


def _listed(document: Any, what: str, count: int, *, may_lack: bool = False) -> list[Any]:
    require(isinstance(document, list) and len(document) == count, f"there is not {what} for each part")
    return [None if value is None and may_lack else fraction(value, what) for value in document]


def _spans(parts: list[Printed], complements: list[Fraction | None], *, clipped: bool) -> list[Span]:
    """Where each part, or what it leaves of its complement, lies; not below 0 where the formula needs it."""
    spans = []
    for part, complement in zip(parts, complements, strict=True):
        low, high = part.low, part.high
        if complement is not None:
            low, high = complement - high, complement - low
        require(not clipped or high >= 0, "a part is negative")
        spans.append((max(low, Fraction(0)) if clipped else low, high))
    return spans


def _require_short(spans: list[Span], weights: list[Fraction], *, powers: bool) -> None:
    bits = 0
    for (low, high), weight in zip(spans, weights, strict=True):
        require(not powers or (weight.denominator == 1 and abs(weight) <= _MOST_POWER), "an exponent is out of range")
        ends = sum(x.numerator.bit_length() + x.denominator.bit_length() for x in (low, high))
        own = weight.numerator.bit_length() + weight.denominator.bit_length()
        bits += ends * abs(int(weight)) if powers else ends + own
    require(bits <= _MOST_BITS, "the parts have too many digits")


def _power(value: Fraction, exponent: int) -> Ratio:
    return value.numerator**exponent, value.denominator**exponent


def _below(one: Ratio, other: Ratio) -> bool:
    return one[0] * other[1] < other[0] * one[1]


def _sum(values: Iterable[Fraction]) -> Ratio:
    top, bottom = 0, 1
    for value in values:
        top, bottom = top * value.denominator + value.numerator * bottom, bottom * value.denominator
    return top, bottom


def _linear(spans: list[Span], weights: list[Fraction]) -> list[Ratio]:
    return [_sum(w * x[end if w > 0 else 1 - end] for x, w in zip(spans, weights, strict=True)) for end in (0, 1)]


def _product(spans: list[Span], weights: list[Fraction]) -> list[Ratio]:
    require(all(w >= 0 or high > 0 for (_, high), w in zip(spans, weights, strict=True)), "a divisor is 0")
    ends = []
    for end in (0, 1):
        top = bottom = 1
        for x, w in zip(spans, weights, strict=True):
            over, under = x[end].as_integer_ratio() if w >= 0 else x[1 - end].as_integer_ratio()[::-1]
            top, bottom = top * over ** abs(int(w)), bottom * under ** abs(int(w))
        ends.append((top, bottom))
    return ends


def _harmonic(spans: list[Span], weights: list[Fraction]) -> list[Ratio]:
    require(all(weight > 0 for weight in weights), "a weight is not above 0")
    (whole, parts), ends = _sum(weights), []
    for values in zip(*spans, strict=True):
        top, bottom = _sum(w / x for w, x in zip(weights, values, strict=True)) if all(values) else (1, 0)
        ends.append((whole * bottom, parts * top))
    return ends


KINDS = {"relation": Checker(KEYS, check_relation)}
