"""Certificates about printed numbers among each other: a mean or deviation of rows, which method is ahead, formulas.

A mean of rows is compared over one denominator. Of squared distances from it the sum is at least 2 y . x - y . y for
slopes y that sum to 0, and largest where of every width the larger rows are up, the others down. A formula rises or
falls in each part, so that it lies between its values at two corners; these are compared as powers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any

from scoreproof_verify.documents import Document, Printed, integer, known_keys, list_of, read_all
from scoreproof_verify.formulas import Rules
from scoreproof_verify.formulas import rule as score_rule
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.statement import rule_of
from scoreproof_verify.texts import Interval, decimal, fraction, quoted, require

_MOST_ROWS = 10_000
_LARGEST_WEIGHT = 10**40
_LONGEST = 20_000  # binary digits of the common denominator
_MOST_CORNERS = 20_000
_OFF = {"sample": 1, "population": 0}


def check_average(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    quantity = statement.text("quantity", "the quantity")
    divisor = statement.word("divisor", ("any", "sample", "population"))
    statistic = statement.word("statistic", ("mean", "deviation"))
    known = score_rule(quantity)
    most = known.most if known is not None else None
    top = most if statistic == "mean" or (known is not None and known.least == 0) else None
    rows = read_all(statement.get("rows"), "a row", 1 if statistic == "mean" else 2, _MOST_ROWS, mean=True, most=most)
    claim = statement.printed("claim", "the claim", mean=statistic == "mean", most=top)
    weights = None
    if statement.get("weights") is not None:
        every = statement.list_of("weights", len(rows), len(rows), "there is not one weight for each row")
        weights = [integer(weight, "a weight", 0, _LARGEST_WEIGHT) for weight in every]
        require(sum(weights) > 0, "a weight is out of range")
    require(proof.get("kind") == statistic, f"a proof of kind {quoted(proof.get('kind'))} for a {statistic}")
    if statistic == "mean":
        proof.keep_to("kind")
        span = _refute_mean(rows, weights or [1] * len(rows), claim)
        weighted = "" if weights is None else f" weighted by {', '.join(map(str, weights))[:80]}"
        return lambda: (
            f"Proved: no {len(rows)} values of {quantity} that print as the rows have a mean{weighted} that prints as "
            f"{claim}. Their means lie between {decimal(span[0])} and {decimal(span[1])}."
        )
    proof.keep_to("kind", "cases")
    require(weights is None, "a standard deviation has no weights")
    require(claim.high >= 0, "a standard deviation is negative")
    _refute_deviation(rows, claim, ["sample", "population"] if divisor == "any" else [divisor], proof)
    how = {"any": "n or n - 1", "sample": "n - 1", "population": "n"}[divisor]
    return lambda: (
        f"Proved: no {len(rows)} values of {quantity} that print as the rows have a standard deviation, with {how} in "
        f"the denominator, that prints as {claim}."
    )


def _common(rows: Sequence[Printed], more: Sequence[Fraction] = ()) -> int:
    """A denominator of all ends of rows, and of more values."""
    common = 1
    for denominator in {value.denominator for value in [*more, *(end for row in rows for end in row.span)]}:
        common = lcm(common, denominator)
        require(common.bit_length() <= _LONGEST, "the rows have too many digits")
    return common


def _refute_mean(rows: Sequence[Printed], weights: Sequence[int], claim: Printed) -> tuple[Fraction, Fraction]:
    """The range of the mean, if the claim lies outside of it."""
    common = _common([*rows, claim])
    low, high = (
        sum(weight * int(row.span[end] * common) for weight, row in zip(weights, rows, strict=True)) for end in (0, 1)
    )
    whole = sum(weights)
    apart = int(claim.low * common) * whole > high or int(claim.high * common) * whole < low
    require(apart, "the rows may have this mean")
    return Fraction(low, whole * common), Fraction(high, whole * common)


def _refute_deviation(rows: Sequence[Printed], claim: Printed, divisors: Sequence[str], proof: Document) -> None:
    cases = proof.list_of("cases", len(divisors), len(divisors), "there is not one case for each divisor")
    least = max(claim.low, Fraction(0))
    for name, case in zip(divisors, cases, strict=True):
        given = known_keys("a case", case, "divisor", "side", "slopes")
        require(given.get("divisor") == name, "a case is about another divisor")
        divisor = len(rows) - _OFF[name]
        if given.get("side") == "below":
            floor = _least_by_slopes(rows, given.get("slopes"))
            require(floor > claim.high**2 * divisor, "the rows may have a deviation as small as this")
        else:
            require(given.get("side") == "above" and "slopes" not in given, "a case names no side")
            require(_most_at_corners(rows) < least**2 * divisor, "the rows may have a deviation as large as this")


def _least_by_slopes(rows: Sequence[Printed], slopes: Any) -> Fraction:
    """What the sum of squares is never below, by slopes that sum to 0."""
    given = list_of(slopes, len(rows), len(rows), "there is not one slope for each row")
    read = [fraction(slope, "a slope") for slope in given]
    common = _common(rows, read)
    y = [int(slope * common) for slope in read]
    require(sum(y) == 0, "the slopes do not sum to 0")
    ends = (int((row.low if slope > 0 else row.high) * common) for row, slope in zip(rows, y, strict=True))
    twice = sum(2 * slope * end for slope, end in zip(y, ends, strict=True))
    return Fraction(twice - sum(slope * slope for slope in y), common * common)


def _most_at_corners(rows: Sequence[Printed]) -> Fraction:
    """What the sum of squares is never above; twice the ends of a row are middle - width and middle + width."""
    common = _common(rows)
    middles: dict[int, list[int]] = {}
    for row in rows:
        middles.setdefault(int((row.high - row.low) * common), []).append(int((row.low + row.high) * common))
    if prod(len(group) + 1 for group in middles.values()) > _MOST_CORNERS:
        middles = {max(middles): [middle for group in middles.values() for middle in group]}
    reached = {(0, 0)}  # sums of values and of their squares, over the widths so far
    for width, group in middles.items():
        up = [(middle + width, middle - width) for middle in sorted(group)]
        own = [(sum(high for high, _ in up), sum(high * high for high, _ in up))]
        for high, low in up:
            own.append((own[-1][0] + low - high, own[-1][1] + low * low - high * high))
        reached = {(total + a, squared + b) for total, squared in reached for a, b in own}
    count = len(rows)
    most = max(count * squared - total * total for total, squared in reached)
    return Fraction(most, 4 * count * common * common)


_MOST_RIVALS = 10_000


def check_order(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    name = statement.get("quantity")
    rule = rule_of(name, rules)
    relation = statement.word("relation", ("best", "better"))
    method = statement.text("method", "the method")
    own = statement.printed("claim", "the claim", mean=True)
    rivals = read_all(statement.get("rivals"), "a rival", 1, 1 if relation == "better" else _MOST_RIVALS, mean=True)
    proof.kind(ahead="rival")
    rival = proof.chosen("rival", rivals, "the rival", "the proof names a rival that there is not")
    for printed in (own, *rivals):  # of a value in another unit than its own nothing is said
        low, high = printed.span.within(rule.least, rule.most)
        require(low <= high, f"{printed.text} is no value of {name}")
    (value, unit), (own_value, own_unit) = rival.worth, own.worth
    lead = (value - own_value) * rule.direction
    ahead = lead > 0 if unit == own_unit else lead >= max(unit, own_unit)
    require(ahead, "the rival is not ahead by the printed numbers")
    better = "larger" if rule.direction > 0 else "smaller"
    return lambda: (
        f"Proved: {method} ({own.text}) is not {relation} by {name}: {rival.name or 'a rival'} ({rival.text}) is "
        f"ahead, and {better} is better."
    )


_MOST_PARTS, _MOST_ROOT, _MOST_POWER, _MOST_SIZE = 1_000, 64, 4, 10**15
_KEYS = ("relation", "formula", "bound", "parts", "weights", "complements", "factor", "offset", "root", "size", "claim")
_BOUNDS = {"equal": "prints as", "most": "is not below", "least": "is not above"}
_MOST_BITS = 400_000  # binary digits of all weights and ends of parts, of a product as often as the exponent says
Ratio = tuple[int, int]  # numerator and denominator, which may have common divisors; infinite over 0


def check_relation(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    name = statement.text("relation", "the relation")
    formula = statement.word("formula", ("linear", "product", "harmonic", "share"))
    bound = statement.word("bound", _BOUNDS)
    share = formula == "share"
    parts = read_all(statement.get("parts"), "a part", 0 if share else 1, 0 if share else _MOST_PARTS)
    weights = _listed(statement.get("weights"), "a weight", len(parts))
    complements = _listed(statement.get("complements"), "a complement", len(parts), may_lack=True)
    factor, offset = statement.fraction("factor", "the factor"), statement.fraction("offset", "the offset")
    require(factor != 0, "the factor is 0")
    root = statement.integer("root", "the root", 1, _MOST_ROOT if formula == "product" else 1)
    claim = statement.printed("claim", "the claim")
    proof.keep_to("kind")
    require(proof.get("kind") == formula, f"a proof of kind {quoted(proof.get('kind'))} for a {formula} formula")
    low = None if bound == "least" else (claim.low - offset) / factor
    high = None if bound == "most" else (claim.high - offset) / factor
    if factor < 0:
        low, high = high, low
    if share:
        size = statement.integer("size", "the size", 1, _MOST_SIZE)
        first, last = Interval(low or Fraction(0), Fraction(1) if high is None else high).within(0, 1).times(size).whole
        require(first > last, "a whole number of cases is such a share")
        how = _told(statement, "factor", "offset")
        return lambda: f"Proved: no whole number of {size} cases is a share ({how}) that {_BOUNDS[bound]} {claim}."
    require(statement.get("size") is None, "only a share has a size")
    spans = _spans(parts, complements, clipped=formula != "linear")
    _require_short(spans, weights, powers=formula == "product")
    least, most = {"linear": _linear, "product": _product, "harmonic": _harmonic}[formula](spans, weights)
    too_small = high is not None and ((root > 1 and high < 0) or _below(_power(high, root), least))
    too_large = low is not None and not (root > 1 and low < 0) and _below(most, _power(low, root))
    require(too_small or too_large, "the parts may give this value")
    how = _told(statement, "weights", "complements", "root", "factor", "offset")
    what = f"{len(parts)} values that print as the parts have a {formula} {quoted(name)} ({how})"
    return lambda: f"Proved: no {what} that {_BOUNDS[bound]} {claim}."


def _told(statement: Document, *keys: str) -> str:
    """The numbers of the formula: what it is called is the word of whoever wrote the statement."""
    lists = {key: statement[key] if isinstance(statement[key], list) else [statement[key]] for key in keys}
    return "; ".join(f"{key} {', '.join(dict.fromkeys(map(quoted, lists[key])))[:80]}" for key in keys).replace("'", "")


def _listed(document: Any, what: str, count: int, *, may_lack: bool = False) -> list[Any]:
    require(isinstance(document, list) and len(document) == count, f"there is not {what} for each part")
    return [None if value is None and may_lack else fraction(value, what) for value in document]


def _spans(parts: list[Printed], complements: list[Fraction | None], *, clipped: bool) -> list[Interval]:
    """Where each part, or what it leaves of its complement, lies; not below 0 where the formula needs it."""
    spans = []
    for part, complement in zip(parts, complements, strict=True):
        span = part.span if complement is None else Interval(complement - part.high, complement - part.low)
        require(not clipped or span.high >= 0, "a part is negative")
        spans.append(span.within(0, None) if clipped else span)
    return spans


def _require_short(spans: list[Interval], weights: list[Fraction], *, powers: bool) -> None:
    bits = 0
    for (low, high), weight in zip(spans, weights, strict=True):
        require(not powers or (weight.denominator == 1 and abs(weight) <= _MOST_POWER), "an exponent is out of range")
        ends = sum(x.numerator.bit_length() + x.denominator.bit_length() for x in (low, high))
        own = weight.numerator.bit_length() + weight.denominator.bit_length()
        bits += ends * abs(int(weight)) if powers else ends + own
    require(bits <= _MOST_BITS, "the parts have too many digits")


def _power(value: Fraction, exponent: int) -> Ratio:
    return value.numerator**exponent, value.denominator**exponent


def _below(ratio: Ratio, other: Ratio) -> bool:
    return ratio[0] * other[1] < other[0] * ratio[1]


def _sum(values: Iterable[Fraction]) -> Ratio:
    top, bottom = 0, 1
    for value in values:
        top, bottom = top * value.denominator + value.numerator * bottom, bottom * value.denominator
    return top, bottom


def _linear(spans: list[Interval], weights: list[Fraction]) -> list[Ratio]:
    return [_sum(w * x[end if w > 0 else 1 - end] for x, w in zip(spans, weights, strict=True)) for end in (0, 1)]


def _product(spans: list[Interval], weights: list[Fraction]) -> list[Ratio]:
    require(all(w >= 0 or high > 0 for (_, high), w in zip(spans, weights, strict=True)), "a divisor is 0")
    ends = []
    for end in (0, 1):
        top = bottom = 1
        for x, w in zip(spans, weights, strict=True):
            over, under = x[end].as_integer_ratio() if w >= 0 else x[1 - end].as_integer_ratio()[::-1]
            top, bottom = top * over ** abs(int(w)), bottom * under ** abs(int(w))
        ends.append((top, bottom))
    return ends


def _harmonic(spans: list[Interval], weights: list[Fraction]) -> list[Ratio]:
    require(all(weight > 0 for weight in weights), "a weight is not above 0")
    (whole, parts), ends = _sum(weights), []
    for values in zip(*spans, strict=True):
        top, bottom = _sum(w / x for w, x in zip(weights, values, strict=True)) if all(values) else (1, 0)
        ends.append((whole * bottom, parts * top))
    return ends


KINDS = {
    "average": Checker(frozenset({"quantity", "rows", "weights", "statistic", "divisor", "claim"}), check_average),
    "order": Checker(frozenset({"quantity", "relation", "method", "claim", "rivals"}), check_order),
    "relation": Checker(frozenset(_KEYS), check_relation),
}
