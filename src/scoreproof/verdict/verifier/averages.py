"""What a statement about a mean of scores demands, derived anew from the statement.

The experiment's tree is flattened to evaluation sets with weights (stratified folds by Fazekas and Kovács 2024,
Table 6); each claim becomes an interval for a mean, a variance, a minimum or a maximum; and matrices for all sets can
be judged exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoreproof.verdict.verifier.formulas import Rule
from scoreproof.verdict.verifier.statement import (
    Claim,
    Rejected,
    claims,
    counts,
    fraction,
    integer,
    interval,
    known_keys,
    require,
    summed_counts,
)

Span = tuple[Fraction, Fraction]
Matrix = tuple[int, int, int, int]  # p, n, tp, tn
_BITS = 200


@dataclass(frozen=True, slots=True)
class Set:
    """An evaluation set: its class counts (or only its size, if it belongs to a family) and its weight."""

    p: int
    n: int
    weight: Fraction
    family: int | None = None


@dataclass(frozen=True, slots=True)
class Limit:
    """The mean of a score over some sets (index to weight) lies between two numbers, either of which may be open."""

    name: str
    rule: Rule
    low: Fraction | None
    high: Fraction | None
    weights: dict[int, Fraction]


@dataclass(slots=True)
class Demands:
    """Everything a statement says."""

    sets: list[Set] = field(default_factory=list)
    families: list[tuple[int, int, int]] = field(default_factory=list)  # p, n, folds
    ranges: list[tuple[str, Any, Any, dict[int, Fraction]]] = field(default_factory=list)
    means: list[Claim] = field(default_factory=list)
    centres: dict[str, Fraction] = field(default_factory=dict)
    variances: dict[str, Span] = field(default_factory=dict)
    minima: dict[str, Span] = field(default_factory=dict)
    maxima: dict[str, Span] = field(default_factory=dict)
    limits: list[Limit] = field(default_factory=list)
    order: list[tuple[str, Rule]] = field(default_factory=list)  # the scores, in the order of rows
    attained: bool = True
    ddof: tuple[int, ...] = (0, 1)
    undefined: str = "exclude"

    def judge(self, matrices: list[Matrix]) -> bool | None:
        """Whether one matrix per set gives the report; None for a tie beyond 200 bits."""
        for number, (p, _, _) in enumerate(self.families):
            mine = [m for m, one in zip(matrices, self.sets, strict=True) if one.family == number]
            if sum(m[0] for m in mine) != p or min(sum(m[0] > 0 for m in mine), sum(m[1] > 0 for m in mine)) < 2:
                return False
        answers: list[bool | None] = []
        means = {claim.name: claim for claim in self.means}
        for name, rule in self.order:
            weighted = self._values(
                rule, matrices, range(len(matrices)), {k: s.weight for k, s in enumerate(self.sets)}
            )
            if not weighted:
                return False
            values = [value for _, value in weighted]
            if name in means:
                answers.append(_within(_mean(weighted), (means[name].low, means[name].high)))
            if name in self.variances:
                answers.append(self._variance(name, values))
            for spans, pick in ((self.minima, min), (self.maxima, max)):
                if name in spans:
                    low, high = spans[name]
                    found = pick(v[0] for v in values), pick(v[1] for v in values)
                    if not self.attained:
                        low, high = (low, max(low, found[1])) if pick is min else (min(high, found[0]), high)
                    answers.append(_within(found, (low, high)))
        for limit in self.limits:
            weighted = self._values(limit.rule, matrices, limit.weights, limit.weights)
            if not weighted:
                return False
            mean = _mean(weighted)
            answers.append(
                _within(
                    mean, (mean[0] if limit.low is None else limit.low, mean[1] if limit.high is None else limit.high)
                )
            )
        if False in answers:
            return False
        return None if None in answers else True

    def _values(
        self, rule: Rule, matrices: list[Matrix], members: Any, weights: Mapping[int, Fraction]
    ) -> list[tuple[Fraction, Span]]:
        """Weights and enclosures of a score over some sets; empty if it was not reportable."""
        found = []
        for k in members:
            p, n, tp, tn = matrices[k]
            num, den = rule.ratio(tp, tn, p, n)
            if den:
                found.append((weights[k], rule.enclose(num, den, _BITS)))
            elif num or self.undefined == "exclude":
                return []
            elif self.undefined == "zero":
                found.append((weights[k], (Fraction(0), Fraction(0))))
        return found

    def _variance(self, name: str, values: list[Span]) -> bool | None:
        count = len(values)
        middle = [(a + b) / 2 for a, b in values]
        mean = sum(middle, Fraction(0)) / count
        squares = sum(((x - mean) ** 2 for x in middle), Fraction(0))
        error = 8 * count * max(b - a for a, b in values) * (1 + max(max(abs(a), abs(b)) for a, b in values))
        low, high = self.variances[name]
        answers = [
            _within((max(squares - error, Fraction(0)) / (count - d), (squares + error) / (count - d)), (low, high))
            for d in self.ddof
            if count > d
        ]
        return True if True in answers else None if None in answers else False


def _mean(weighted: list[tuple[Fraction, Span]]) -> Span:
    nothing = Fraction(0)
    total = sum((w for w, _ in weighted), nothing)
    low, high = (sum((w * v[end] for w, v in weighted), nothing) / total for end in (0, 1))
    return low, high


def _within(value: Span, asked: Span) -> bool | None:
    if asked[0] <= value[0] and value[1] <= asked[1]:
        return True
    return False if value[1] < asked[0] or value[0] > asked[1] else None


def read(statement: Mapping[str, Any], extra: Mapping[str, Rule]) -> Demands:
    """The demands of a statement."""
    demands = Demands(undefined=statement["undefined"])
    _flatten(statement.get("experiment"), Fraction(1), demands, 0)
    require(len(demands.sets) <= 100_000, "the experiment has too many evaluation sets")
    _spreads(statement, demands, extra)
    for what, spans in (("minimum", demands.minima), ("maximum", demands.maxima)):
        for claim in claims(statement[what], extra) if statement.get(what) else []:
            spans[claim.name] = (claim.low, claim.high)
            if claim.name not in dict(demands.order):
                demands.order.append((claim.name, claim.rule))
    attained = statement.get("attained", True)
    require(isinstance(attained, bool), "attained is neither true nor false")
    demands.attained = attained
    for name, low, high, weights in demands.ranges:
        entry = known_keys("a range", {"score": name}, "score")
        rule = claims([{**entry, "text": "0.5", "rounding": "any"}], extra)[0].rule
        demands.limits.append(Limit(name, rule, _end(low, 0), _end(high, 1), weights))
    return demands


def _end(value: Any, side: int) -> Fraction | None:
    """One end of a range as the statement writes it: null, a fraction, or a reported text with its rounding."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        one = known_keys("a range", value, "text", "rounding", "eps")
        return interval(one.get("text"), one.get("rounding"), one.get("eps"))[side]
    return fraction(value, "a range")


def _spreads(statement: Mapping[str, Any], demands: Demands, extra: Mapping[str, Rule]) -> None:
    """Means, and the variances that a ± stands for."""
    spread = statement.get("spread", "deviation")
    require(spread in ("deviation", "error", "ignore"), f"unknown meaning of ± {spread!r}")
    divisor = statement.get("divisor", "any")
    require(divisor in ("any", "population", "sample"), f"unknown divisor {divisor!r}")
    demands.ddof = {"any": (0, 1), "population": (0,), "sample": (1,)}[divisor]
    widen = statement.get("fold_digits")
    for claim, entry in zip(claims(statement.get("scores"), extra), statement["scores"], strict=True):
        low, high = claim.low, claim.high
        if widen is not None:
            unit = Fraction(1, 10 ** integer(widen, "fold_digits"))
            low, high = low - unit, high + unit
        demands.means.append(Claim(claim.name, claim.text, low, high, claim.rule))
        demands.order.append((claim.name, claim.rule))
        demands.centres[claim.name] = (claim.low + claim.high) / 2
        text = entry["text"]
        after = next((text.split(sign, 1)[1] for sign in ("±", "+/-", "+-", "\\pm") if sign in text), None)
        if after is not None and spread != "ignore":
            if "%" in text and "%" not in after:
                after += "%"
            low, high = interval(after, entry.get("rounding"), entry.get("eps"))
            factor = len(demands.sets) if spread == "error" else 1
            if high < 0:
                raise Rejected(f"the ± of {claim.name} is negative")
            demands.variances[claim.name] = (max(low, Fraction(0)) ** 2 * factor, high**2 * factor)


def _flatten(tree: Any, weight: Fraction, demands: Demands, depth: int) -> dict[int, Fraction]:
    """Append the sets of a tree; their indices and weights within it."""
    require(depth <= 50 and isinstance(tree, Mapping), "the experiment is malformed")
    kind = tree.get("type")
    if kind == "kfold" and tree.get("aggregation", "mean_of_scores") == "mean_of_scores":
        return _folds(tree, weight, demands)
    if kind != "mean_of_scores":
        p, n = summed_counts(tree)
        demands.sets.append(Set(p, n, weight))
        return {len(demands.sets) - 1: Fraction(1)}
    known_keys("mean_of_scores", tree, "type", "parts", "ranges")
    parts = tree.get("parts")
    require(isinstance(parts, list) and len(parts) > 0, "mean_of_scores has no parts")
    members: dict[int, Fraction] = {}
    for part in parts:
        inside = _flatten(part, weight / len(parts), demands, depth + 1)
        for name, pair in tree.get("ranges", {}).items():
            require(isinstance(pair, list) and len(pair) == 2, "a range is malformed")
            demands.ranges.append((name, pair[0], pair[1], inside))
        members.update({k: w / len(parts) for k, w in inside.items()})
    return members


def _folds(tree: Mapping[str, Any], weight: Fraction, demands: Demands) -> dict[int, Fraction]:
    known_keys("kfold", tree, "type", "p", "n", "k", "repeats", "stratified", "aggregation")
    p, n = counts(tree)
    k, repeats = integer(tree.get("k"), "k"), integer(tree.get("repeats", 1), "repeats")
    require(2 <= k <= p + n and repeats >= 1 and k * repeats <= 100_000, "the folds are malformed")
    start, each = len(demands.sets), weight / (k * repeats)
    for _ in range(repeats):
        if tree.get("stratified", True) is True:
            more_p, more_n = p % k, n % k
            for fold in range(k):
                # the first folds take the odd positives, and the odd negatives begin so that sizes stay even
                has_p = fold < more_p
                both = max(0, more_p + more_n - k)
                has_n = fold < both or more_p <= fold < more_p + more_n - both
                demands.sets.append(Set(p // k + has_p, n // k + has_n, each))
        else:
            demands.families.append((p, n, k))
            for fold in range(k):
                size = (p + n) // k + (fold < (p + n) % k)
                demands.sets.append(Set(0, size, each, len(demands.families) - 1))
    return dict.fromkeys(range(start, len(demands.sets)), Fraction(1, k * repeats))
