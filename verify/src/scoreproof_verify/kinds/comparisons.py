"""Certificates about printed numbers among each other: a mean or deviation of rows, which method is ahead, formulas.

``average``: printed rows do not have a printed mean or standard deviation. Everything is put over one denominator, so
that only whole numbers are compared. A mean lies between the means of the lower and of the upper ends. A deviation that
is printed too small is refuted by slopes y that sum to 0: for every x the sum of squared distances from the mean is at
least 2 y . x - y . y, which is least where each x is at the end its slope points away from. One that is printed too
large is refuted by corners: of two rows of equal width, the smaller up and the larger down, an exchange of ends keeps
the mean and lowers no sum of squares, so some corner at which of every width the larger rows are up and the others down
has the largest sum. If that leaves too many, all are widened to the widest.

``order``: a method said to be best, or better than another, is not ahead by the printed numbers. Numbers are compared
as numbers (90% is 0.90), and by the verifier's own word on which way a score is better. Numbers with unlike digits must
differ by at least a unit of the coarser.

``relation``: a printed number is not the stated formula of printed parts. The formula is offset + factor v; v is a
weighted sum, a root of a product of powers, a weighted harmonic mean, or a whole number over the number of cases. Each
part lies in the interval of its text, and v rises or falls in each part, so that it lies between its values at two
corners. That is compared with what the claim leaves to v, as powers, without looking for common divisors of long
numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any

from scoreproof_verify.formulas import Rule, Rules
from scoreproof_verify.formulas import rule as score_rule
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.statement import rule_of
from scoreproof_verify.texts import (
    Document,
    Printed,
    decimal,
    fraction,
    integer,
    known_keys,
    list_of,
    one_of,
    quoted,
    read_all,
    read_printed,
    require,
    short_text,
)

_MOST_ROWS = 10_000
_LARGEST_WEIGHT = 10**40
_LONGEST = 20_000  # binary digits of the common denominator
_MOST_CORNERS = 20_000
_OFF = {"sample": 1, "population": 0}


def check_average(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a statement about an average and its proof establish; ``Rejected`` if they do not."""
    quantity = short_text(statement.get("quantity"), "the quantity")
    divisor = one_of(statement, "divisor", ("any", "sample", "population"))
    statistic = one_of(statement, "statistic", ("mean", "deviation"))
    known = score_rule(quantity)
    most = known.most if known is not None else None
    top = most if statistic == "mean" or (known is not None and known.least == 0) else None
    rows = read_all(statement.get("rows"), "a row", 1 if statistic == "mean" else 2, _MOST_ROWS, mean=True, most=most)
    claim = read_printed(statement.get("claim"), "the claim", mean=statistic == "mean", most=top)
    weights = _weights(statement.get("weights"), len(rows))
    require(proof.get("kind") == statistic, f"a proof of kind {quoted(proof.get('kind'))} for a {statistic}")
    if statistic == "mean":
        known_keys("the proof", proof, "kind")
        span = _refute_mean(rows, weights or [1] * len(rows), claim)
        weighted = "" if weights is None else f" weighted by {', '.join(map(str, weights))[:80]}"
        return lambda: (
            f"Proved: no {len(rows)} values of {quantity} that print as the rows have a mean{weighted} that prints as "
            f"{claim}. Their means lie between {decimal(span[0])} and {decimal(span[1])}."
        )
    known_keys("the proof", proof, "kind", "cases")
    require(weights is None, "a standard deviation has no weights")
    require(claim.high >= 0, "a standard deviation is negative")
    _refute_deviation(rows, claim, ["sample", "population"] if divisor == "any" else [divisor], proof.get("cases"))
    how = {"any": "n or n - 1", "sample": "n - 1", "population": "n"}[divisor]
    return lambda: (
        f"Proved: no {len(rows)} values of {quantity} that print as the rows have a standard deviation, with {how} in "
        f"the denominator, that prints as {claim}."
    )


def _weights(document: Any, count: int) -> list[int] | None:
    if document is None:
        return None
    listed = list_of(document, count, count, "there is not one weight for each row")
    weights = [integer(weight, "a weight") for weight in listed]
    require(min(weights) >= 0 and sum(weights) > 0 and max(weights) <= _LARGEST_WEIGHT, "a weight is out of range")
    return weights


def _common(values: Sequence[Fraction]) -> int:
    """A denominator of all values."""
    common = 1
    for denominator in {value.denominator for value in values}:
        common = lcm(common, denominator)
        require(common.bit_length() <= _LONGEST, "the rows have too many digits")
    return common


def _refute_mean(rows: Sequence[Printed], weights: Sequence[int], claim: Printed) -> tuple[Fraction, Fraction]:
    """The range of the mean, if the claim lies outside of it."""
    common = _common([end for row in (*rows, claim) for end in (row.low, row.high)])
    low, high = (
        sum(weight * int(end * common) for weight, end in zip(weights, ends, strict=True))
        for ends in ([row.low for row in rows], [row.high for row in rows])
    )
    whole = sum(weights)
    apart = int(claim.low * common) * whole > high or int(claim.high * common) * whole < low
    require(apart, "the rows may have this mean")
    return Fraction(low, whole * common), Fraction(high, whole * common)


def _refute_deviation(rows: Sequence[Printed], claim: Printed, divisors: Sequence[str], cases: Any) -> None:
    require(isinstance(cases, list) and len(cases) == len(divisors), "there is not one case for each divisor")
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
    listed = list_of(slopes, len(rows), len(rows), "there is not one slope for each row")
    read = [fraction(slope, "a slope") for slope in listed]
    common = _common([*read, *(end for row in rows for end in (row.low, row.high))])
    y = [int(slope * common) for slope in read]
    require(sum(y) == 0, "the slopes do not sum to 0")
    ends = (int((row.low if slope > 0 else row.high) * common) for row, slope in zip(rows, y, strict=True))
    twice = sum(2 * slope * end for slope, end in zip(y, ends, strict=True))
    return Fraction(twice - sum(slope * slope for slope in y), common * common)


def _most_at_corners(rows: Sequence[Printed]) -> Fraction:
    """What the sum of squares is never above; twice the ends of a row are middle - width and middle + width."""
    common = _common([end for row in rows for end in (row.low, row.high)])
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
    """What a statement about an order and its proof establish; ``Rejected`` if they do not."""
    name = statement.get("quantity")
    rule = rule_of(name, rules)
    relation = one_of(statement, "relation", ("best", "better"))
    method = short_text(statement.get("method"), "the method")
    own = read_printed(statement.get("claim"), "the claim", mean=True)
    rivals = read_all(statement.get("rivals"), "a rival", 1, 1 if relation == "better" else _MOST_RIVALS, mean=True)
    known_keys("the proof", proof, "kind", "rival")
    require(proof.get("kind") == "ahead", f"unknown kind of proof {quoted(proof.get('kind'))}")
    index = integer(proof.get("rival"), "the rival")
    require(0 <= index < len(rivals), "the proof names a rival that there is not")
    rival = rivals[index]
    for printed in (own, *rivals):
        require(_possible(printed, rule), f"{printed.text} is no value of {name}")
    (value, unit), (own_value, own_unit) = rival.worth, own.worth
    lead = (value - own_value) * rule.direction
    ahead = lead > 0 if unit == own_unit else lead >= max(unit, own_unit)
    require(ahead, "the rival is not ahead by the printed numbers")
    better = "larger" if rule.direction > 0 else "smaller"
    return lambda: (
        f"Proved: {method} ({own.text}) is not {relation} by {name}: {rival.name or 'a rival'} ({rival.text}) is "
        f"ahead, and {better} is better."
    )


def _possible(printed: Printed, rule: Rule) -> bool:
    """Whether a score can have a value that prints like that; another unit would be compared with its own otherwise."""
    low_enough = rule.most is None or printed.low <= rule.most
    return low_enough and (rule.least is None or printed.high >= rule.least)


_MOST_PARTS, _MOST_ROOT, _MOST_POWER, _MOST_SIZE = 1_000, 64, 4, 10**15
_BOUNDS = {"equal": "prints as", "most": "is not below", "least": "is not above"}
_MOST_BITS = 400_000  # binary digits of all weights and ends of parts, of a product as often as the exponent says
Span = tuple[Fraction, Fraction]
Ratio = tuple[int, int]  # numerator and denominator, which may have common divisors; infinite over 0


def check_relation(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a statement about a relation and its proof establish; ``Rejected`` if they do not."""
    name = short_text(statement.get("relation"), "the relation")
    formula = one_of(statement, "formula", ("linear", "product", "harmonic", "share"))
    bound = one_of(statement, "bound", _BOUNDS)
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


KINDS = {
    "average": Checker(frozenset({"quantity", "rows", "weights", "statistic", "divisor", "claim"}), check_average),
    "order": Checker(frozenset({"quantity", "relation", "method", "claim", "rivals"}), check_order),
    "relation": Checker(
        frozenset(
            {
                "relation",
                "formula",
                "bound",
                "parts",
                "weights",
                "complements",
                "factor",
                "offset",
                "root",
                "size",
                "claim",
            }
        ),
        check_relation,
    ),
}
