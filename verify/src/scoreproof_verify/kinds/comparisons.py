"""Certificates about printed numbers among each other: a mean or deviation of rows, and which method is ahead.

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
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm, prod
from typing import Any

from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rule, Rules
from scoreproof_verify.formulas import rule as score_rule
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.statement import rule_of
from scoreproof_verify.texts import (
    Document,
    Printed,
    Rejected,
    decimal,
    fraction,
    known_keys,
    quoted,
    read_all,
    read_printed,
    require,
    short_text,
)

AVERAGE_KEYS = frozenset({"quantity", "rows", "weights", "statistic", "divisor", "claim"})
_MOST_ROWS = 10_000
_LARGEST_WEIGHT = 10**40
_LONGEST = 20_000  # binary digits of the common denominator
_MOST_CORNERS = 20_000
_OFF = {"sample": 1, "population": 0}


def check_average(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a statement about an average and its proof establish; ``Rejected`` if they do not."""
    quantity = short_text(statement.get("quantity"), "the quantity")
    divisor = statement.get("divisor")
    require(divisor in ("any", "sample", "population"), f"unknown divisor {quoted(divisor)}")
    statistic = statement.get("statistic")
    require(statistic in ("mean", "deviation"), f"unknown statistic {quoted(statistic)}")
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
        weighted = " weighted" if weights is not None else ""
        return lambda: (
            f"Proved: no {len(rows)} values of {quantity} that print as the rows have a{weighted} mean that prints as "
            f"{claim}. Their means lie between {decimal(span[0])} and {decimal(span[1])}."
        )
    known_keys("the proof", proof, "kind", "cases")
    require(weights is None, "a standard deviation has no weights")
    require(claim.high >= 0, "a standard deviation is negative")
    _refute_deviation(rows, claim, ["sample", "population"] if divisor == "any" else [str(divisor)], proof.get("cases"))
    how = {"any": "n or n - 1", "sample": "n - 1", "population": "n"}[str(divisor)]
    return lambda: (
        f"Proved: no {len(rows)} values of {quantity} that print as the rows have a standard deviation, with {how} in "
        f"the denominator, that prints as {claim}."
    )


def _weights(document: Any, count: int) -> list[int] | None:
    if document is None:
        return None
    require(isinstance(document, list) and len(document) == count, "there is not one weight for each row")
    weights = [integer(weight, "a weight") for weight in document]
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
    if not isinstance(slopes, list) or len(slopes) != len(rows):
        raise Rejected("there is not one slope for each row")
    read = [fraction(slope, "a slope") for slope in slopes]
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


ORDER_KEYS = frozenset({"quantity", "relation", "method", "claim", "rivals"})
_MOST_RIVALS = 10_000


def check_order(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a statement about an order and its proof establish; ``Rejected`` if they do not."""
    name, relation = statement.get("quantity"), statement.get("relation")
    rule = rule_of(name, rules)
    require(relation in ("best", "better"), f"unknown relation {quoted(relation)}")
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


KINDS = {
    "average": Checker(AVERAGE_KEYS, check_average),
    "order": Checker(ORDER_KEYS, check_order),
}
