"""From a statement about a mean to its demands: the experiment's tree flattened to evaluation sets with weights.

With p and n the same in all sets of a part, and one weight, the mean of t/p is the sum of all t over that of all p, and
so for each score that is linear in tp and tn: what is said of such parts is said of the sum of their matrices.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isqrt

from scoreproof_verify.formulas import LINEAR, Rules
from scoreproof_verify.replay.constraints import COUNTED, Demands, Family, Hexagon, Limit, Set, Tree, members_of, shares
from scoreproof_verify.statement import MEAN, Claim, Node, Statement, rule_of
from scoreproof_verify.texts import require

_MOST_SETS = 100_000
_MOST_LIMITS = 300_000


def demands_of(statement: Statement, extra: Rules) -> Demands:
    demands = Demands(
        undefined=statement.undefined,
        attained=statement.attained,
        ddof={"population": (0,), "sample": (1,)}.get(statement.divisor, (0, 1)),
        one_divisor=statement.divisor == "any",
        error=statement.spread == "error",
        spread_over=statement.spread_over if statement.has_spread else "any",
        over_folds=statement.extremes_over == "folds",
    )
    unit = Fraction(0) if statement.fold_digits is None else Fraction(1, 10**statement.fold_digits)
    builder = _Builder(demands, extra, unit, pooled=demands.spread_over != "repeats")
    demands.tree = builder.add(statement.node, Fraction(1))
    node = statement.node
    if node.k and node.repeats > 1 and isinstance(demands.tree, tuple):
        demands.repeats = [demands.tree[at : at + node.k] for at in range(0, len(demands.tree), node.k)]
    if statement.has_spread:
        require(len(demands.parts) > 1, "a ± over these parts is not something a check would state")
        repeated = demands.spread_over != "repeats" or len(demands.repeats) > 1
        require(repeated, "a ± over repeats needs repeats")
    _take_claims(statement, demands, unit)
    demands.means = [_within_parts(claim, demands) for claim in demands.means]
    if demands.spread_over == "parts" and not demands.flat:  # what follows for every part from means and deviations
        m = len(demands.parts)
        require(len(demands.limits) + len(demands.variances) * m <= _MOST_LIMITS, "there are too many ranges of parts")
        for claim in demands.means:
            if claim.name in demands.variances:
                ends = _near_the_mean(claim, demands, m)
                demands.limits += [Limit(claim.name, claim.rule, ends, part) for part in demands.parts]
    for given, spans in ((statement.minimum, demands.minima), (statement.maximum, demands.maxima)):
        for claim in given:
            spans[claim.name] = (claim.low - unit, claim.high + unit)
            if claim.name not in dict(demands.order):
                demands.order.append((claim.name, claim.rule))
    return demands


def _take_claims(statement: Statement, demands: Demands, unit: Fraction) -> None:
    for claim in statement.claims:
        demands.means.append(replace(claim, low=claim.low - unit, high=claim.high + unit))
        demands.order.append((claim.name, claim.rule))
        demands.centres[claim.name] = (claim.low + claim.high) / 2
        if claim.spread is not None and statement.spread != "ignore":
            # numbers in [-unit, unit] deviate by at most unit, by less than 3/2 of it if divided by one less
            low, high = claim.spread[0] - unit * 3 / 2, claim.spread[1] + unit * 3 / 2
            demands.variances[claim.name] = (max(low, Fraction(0)) ** 2, high**2)


def _within_parts(claim: Claim, demands: Demands) -> Claim:
    """The mean of parts lies between the limits of the parts, if each has one."""
    every = demands.limits
    by_part = {limit.part: limit.ends for limit in every if limit.name == claim.name and limit.part in demands.parts}
    if len(by_part) < len(demands.parts):
        return claim
    lows, highs = ([ends[side] for ends in by_part.values()] for side in (0, 1))
    low = claim.low if None in lows else max(claim.low, min(end for end in lows if end is not None))
    high = claim.high if None in highs else min(claim.high, max(end for end in highs if end is not None))
    return replace(claim, low=low, high=high)


def _near_the_mean(claim: Claim, demands: Demands, m: int) -> tuple[Fraction, Fraction]:
    """Between what each of m values lies that deviate as is said: x of m numbers that add up to 0 has a square of at
    most (m - 1)/m times all squares, as the others add up to -x."""
    squares = (m - min(demands.ddof)) * demands.variances[claim.name][1] * (m if demands.error else 1)
    far = root_above(squares * Fraction(m - 1, m))
    return claim.low - far, claim.high + far


def root_above(x: Fraction) -> Fraction:
    """The least multiple of 2^-40 whose square is not below x."""
    guess = isqrt(int(x * 2**80))
    while Fraction(guess, 2**40) ** 2 < x:
        guess += 1
    return Fraction(guess, 2**40)


class _Builder:
    """Flattens the experiment."""

    def __init__(self, demands: Demands, extra: Rules, unit: Fraction, *, pooled: bool) -> None:
        self.demands, self.extra, self.unit, self.pooled = demands, extra, unit, pooled

    def add(self, node: Node, weight: Fraction) -> Tree:
        sets = self.demands.sets
        if node.summed:
            sets.append(Set(*node.counts, weight))
            require(len(sets) <= _MOST_SETS, "the experiment has too many evaluation sets")
            if node.bounded:
                self.demands.hexagons[len(sets) - 1] = self._summands(node)
            return len(sets) - 1
        require(node.way == MEAN, "the experiment is not a mean")
        if node.k:
            tree = self._folds(node, weight)
        else:
            share = weight / len(node.parts)
            tree = tuple(self.add(part, share) for part in node.parts)
        limits = len(self.demands.limits) + len(node.ranges) * len(tree)
        require(limits <= _MOST_LIMITS, "there are too many ranges of parts")
        for name, (low, high) in node.ranges:
            ends = (None if low is None else low - self.unit, None if high is None else high + self.unit)
            self.demands.limits += [Limit(name, rule_of(name, self.extra), ends, part) for part in tree]
        return tree

    def _summands(self, node: Node) -> Hexagon:
        """The bounds that ranges of summed parts leave; they stand at one level only."""
        total = Hexagon(0, 0)
        if not node.ranges:
            for part in node.parts:
                total.add(self._summands(part) if part.bounded else Hexagon(*part.counts))
            return total
        require(not any(part.bounded for part in node.parts), "ranges at two levels of a sum")
        summands = [part.counts for part in node.parts]
        if not summands:
            low, high = _overlap(node) if node.k else (0, 0)
            fixed = node.k and (node.rule == "scikit-learn" or (node.rule == "balanced" and low == high))
            require(bool(fixed), "ranges of summed folds whose class counts are open")
            summands = _sklearn_folds(node) * node.repeats
        for p, n in summands:
            summand = Hexagon(p, n)
            for name, ends in node.ranges:
                require(name in COUNTED, f"a range of {name[:40]} of summed parts")
                summand.share(name, p, n, *ends)
            total.add(summand)
        return total

    def _folds(self, node: Node, weight: Fraction) -> tuple[Tree, ...]:
        demands = self.demands
        start, number = len(demands.sets), node.k * node.repeats
        each = weight / number
        low, high = _overlap(node)
        if node.rule == "scikit-learn" or (node.rule == "balanced" and low == high):
            demands.sets += [Set(*fold, each) for fold in _sklearn_folds(node)] * node.repeats
        elif node.rule == "balanced":
            # the odd cases of all repeats may be thought together, unless it matters which repeat a fold is of
            for _ in range(1 if self.pooled else node.repeats):
                times = node.repeats if self.pooled else 1
                demands.families.append(Family(node.p * times, node.n * times, node.k * times, node.rule, times))
                demands.sets += [Set(node.p // node.k, node.n // node.k, each, len(demands.families) - 1)] * (
                    node.k * times
                )
        else:
            for _ in range(node.repeats):
                demands.families.append(Family(node.p, node.n, node.k, node.rule, 1))
                for fold in range(node.k):
                    size = (node.p + node.n) // node.k + (fold < (node.p + node.n) % node.k)
                    demands.sets.append(Set(0, size, each, len(demands.families) - 1))
        require(len(demands.sets) <= _MOST_SETS, "the experiment has too many evaluation sets")
        return tuple(range(start, len(demands.sets)))


def _overlap(node: Node) -> tuple[int, int]:
    """How many folds may have an odd case of both classes; where each class has fewer cases than folds, just as many
    as leave no fold empty."""
    more, extra = node.p % node.k, node.n % node.k
    low = max(0, more + extra - node.k)
    return low, low if node.p < node.k and node.n < node.k else min(more, extra)


def _sklearn_folds(node: Node) -> list[tuple[int, int]]:
    """The first folds take the odd positives, and the odd negatives begin so that sizes stay even.

    Given in the order: odd in both, odd positives, odd negatives, neither.
    """
    p, n, k = node.p, node.n, node.k
    both = _overlap(node)[0]
    more, extra = p % k - both, n % k - both
    kinds = (((1, 1), both), ((1, 0), more), ((0, 1), extra), ((0, 0), k - both - more - extra))
    return [(p // k + a, n // k + b) for (a, b), count in kinds for _ in range(count)]


def pooled(demands: Demands) -> Demands:
    """The demands on linear scores, with one set in the place of each part that deviates."""
    require(demands.means_deviate, "the deviation is not over means of sets")
    sets = [_together(demands, part) for part in demands.spread_parts]
    means = [
        claim
        for claim in demands.means
        if claim.rule.border == LINEAR and all(claim.rule.ratio(0, 0, fold.p, fold.n)[1] > 0 for fold in sets)
    ]
    require(len(means) > 0, "no linear score is reported")
    names = {claim.name for claim in means}
    return replace(
        demands,
        sets=sets,
        families=[],
        tree=tuple(range(len(sets))),
        repeats=[],
        means=means,
        variances={name: span for name, span in demands.variances.items() if name in names},
        minima={},
        maxima={},
        limits=[],
        hexagons={},
        order=[(claim.name, claim.rule) for claim in means],
        spread_over="folds",
    )


def _together(demands: Demands, part: Tree) -> Set:
    members = members_of(part)
    first = demands.sets[members[0]]
    alike = all((demands.sets[k].p, demands.sets[k].n) == (first.p, first.n) for k in members)
    plain = all(demands.sets[k].family is None and k not in demands.hexagons for k in members)
    even = len(set(shares(part).values())) == 1
    require(alike and plain and even, "a part that deviates holds sets that are not alike")
    return Set(first.p * len(members), first.n * len(members), Fraction(1, len(demands.spread_parts)))
