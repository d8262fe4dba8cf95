"""Replay a proof about linear scores over known folds, on totals per type of fold.

The mean of a linear score over c folds of p positives and n negatives depends only on their total tp and tn, which can
be anything from 0 to c p and c n. Rows are cleared of denominators and of common factors, and bounds rounded inwards,
which loses no whole numbers; a combination of rows is a row.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import Any

from scoreproof.verdict.verifier.averages import Demands
from scoreproof.verdict.verifier.formulas import LINEAR
from scoreproof.verdict.verifier.statement import integer, require

Row = tuple[list[int], int, int]
Box = tuple[list[int], list[int]]


class Totals:
    """Variables 2 t and 2 t + 1 are the total tp and tn of type t, types in the order in which they first occur."""

    def __init__(self, demands: Demands, bits: Any) -> None:
        require(bits is None or 0 < integer(bits, "bits") <= 4096, "bits out of range")
        require(not demands.families and not demands.limits and not demands.variances, "totals do not say all here")
        require(not demands.minima and not demands.maxima, "totals do not say all here")
        types: dict[tuple[int, int, Fraction], int] = {}
        for one in demands.sets:
            # A linear score's denominator depends on p and n alone: if it is not 0, the score is defined on the fold.
            defined = all(claim.rule.ratio(0, 0, one.p, one.n)[1] > 0 for claim in demands.means)
            require(defined, "a score is undefined on a fold that lacks a class")
            types[one.p, one.n, one.weight] = types.get((one.p, one.n, one.weight), 0) + 1
        self.most = [count * size for (p, n, _), count in types.items() for size in (p, n)]
        self.rows: list[Row] = []
        for claim in demands.means:
            require(claim.rule.border == LINEAR, f"{claim.name} is not linear")
            a: list[tuple[int, int]] = []  # numerators and denominators
            base = Fraction(0)
            for (p, n, weight), count in types.items():
                (at, den), (right, _), (up, _) = (claim.rule.ratio(tp, tn, p, n) for tp, tn in ((0, 0), (1, 0), (0, 1)))
                if at:
                    base += weight * count * Fraction(at, den)
                a += [(weight.numerator * (x - at), weight.denominator * den) for x in (right, up)]
            low, high = claim.low - base, claim.high - base
            if bits is None:
                exact = [Fraction(*x) for x in a]
                clear = lcm(*(x.denominator for x in exact))
                self.rows.append(_tidy([int(x * clear) for x in exact], low * clear, high * clear))
            else:
                # rounded down, a coefficient loses less than one unit, and a variable is at most its most
                whole = [(num << bits) // den for num, den in a]
                self.rows.append((whole, ceil(low * (1 << bits)) - sum(self.most), floor(high * (1 << bits))))

    def combined(self, multipliers: Any) -> Row:
        require(isinstance(multipliers, list) and len(multipliers) == len(self.rows), "multipliers are malformed")
        y = [integer(v, "a multiplier") for v in multipliers]
        a = [sum(f * row[0][k] for f, row in zip(y, self.rows, strict=True)) for k in range(len(self.most))]
        low = sum(f * (row[1] if f > 0 else row[2]) for f, row in zip(y, self.rows, strict=True))
        high = sum(f * (row[2] if f > 0 else row[1]) for f, row in zip(y, self.rows, strict=True))
        return _tidy(a, low, high)

    def fails(self, multipliers: Any, box: Box) -> bool:
        """Whether the combined row cannot hold anywhere in the box."""
        a, low, high = self.combined(multipliers)
        ends = [sorted((f * x, f * y)) for f, x, y in zip(a, *box, strict=True)]
        return sum(e[0] for e in ends) > high or sum(e[1] for e in ends) < low

    def run(self, steps: Any) -> int:
        """Walk through the proof; the number of boxes excluded."""
        require(isinstance(steps, list), "the proof is not a list of steps")
        stack: list[Box] = [([0] * len(self.most), list(self.most))]
        at = excluded = 0
        while stack:
            box = stack.pop()
            while True:
                require(at < len(steps), "the proof ends before every case is closed")
                step = steps[at]
                at += 1
                require(isinstance(step, list) and len(step) > 1, f"step {at} is malformed")
                if step[0] == "out":
                    require(len(step) == 2 and self.fails(step[1], box), f"step {at} does not exclude its box")
                    excluded += 1
                    break
                require(len(step) == (3 if step[0] == "cut" else 5), f"step {at} is malformed")
                k, b = integer(step[1], "a variable"), integer(step[2 if step[0] == "cut" else 3], "a bound")
                require(0 <= k < len(self.most), f"step {at} names no variable")
                if step[0] == "cut":
                    first, second = _divide(box, k, b)
                    stack.append(second)
                    box = first
                else:
                    require(step[0] == "trim" and step[2] in ("below", "above"), f"step {at} is malformed")
                    first, second = _divide(box, k, b - 1 if step[2] == "below" else b)
                    gone, box = (first, second) if step[2] == "below" else (second, first)
                    require(self.fails(step[4], gone), f"step {at} trims what it does not exclude")
                    excluded += 1
        require(at == len(steps), "the proof has steps left over")
        return excluded


def _divide(box: Box, k: int, b: int) -> tuple[Box, Box]:
    low, high = box
    require(low[k] <= b < high[k], "a step divides outside its box")
    first, second = list(high), list(low)
    first[k], second[k] = b, b + 1
    return (low, first), (second, high)


def _tidy(a: list[int], low: Fraction | int, high: Fraction | int) -> Row:
    shared = gcd(*a) or 1
    return [x // shared for x in a], -((-low) // shared), high // shared
