"""Interval arithmetic (Moore 1966) and extremes of a convex function on a box: a printed mean or deviation of rows.

Every printed row is a closed interval. The weighted mean of the rows lies between the means of the lower and of the
upper ends, and takes every value between. A standard deviation is the root of a sum of squared distances from the mean,
divided by n or n - 1. That sum is convex in the rows. It is least where all rows are drawn to one centre; with the
distances y from the centre there, 2 y . x - y . y bounds it from below on all x, since y sums to 0, and those slopes
are the proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import isqrt
from typing import Any, ClassVar

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.statement import StatedFields, Values, entry, from_entry, listed, measured, printed, unknown
from scoreproof.kinds.unknown_classes.experiment import above, below
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim, Value
from scoreproof.reported.conventions import Divisor
from scoreproof.solve.sum_of_squares import Interval, Squares, squares_of
from scoreproof.validation import chosen
from scoreproof.work.budget import Budget

MOST_ROWS = 10_000


class Statistic(StrEnum):
    """What the printed value is of the rows."""

    MEAN = "mean"
    DEVIATION = "deviation"

    def of(self, quantity: Quantity) -> Quantity:
        """The quantity of which a value is printed: a deviation has another range than what deviates."""
        if self is Statistic.MEAN:
            return quantity
        least, most = quantity.range
        return unknown(f"standard deviation of {quantity.name}", least=Fraction(0), most=most if least == 0 else None)


def _divisor(name: str | Divisor) -> Divisor:
    """By what it was divided; of one deviation, ``each`` says no more than ``any``."""
    stated = chosen("divisor", name, Divisor)
    return Divisor.ANY if stated is Divisor.EACH else stated


@dataclass(frozen=True, slots=True)
class AverageProblem(StatedFields):
    """Rows as printed, and at most one printed statistic of them; ``weights`` are whole numbers, one for each row."""

    kind: ClassVar[str] = "average"
    quantity: Quantity
    rows: tuple[Claim, ...]
    claims: tuple[Claim, ...]
    statistic: Statistic = Statistic.MEAN
    weights: tuple[int, ...] | None = None
    divisor: Divisor = Divisor.ANY

    def __post_init__(self) -> None:
        fewest = 1 if self.statistic is Statistic.MEAN else 2
        if not fewest <= len(self.rows) <= MOST_ROWS:
            raise InvalidOption(f"rows: expected {fewest} to {MOST_ROWS} for a {self.statistic}, got {len(self.rows)}")
        if len(self.claims) > 1:
            raise InvalidOption(f"claims: expected one {self.statistic} of the rows, got {len(self.claims)}")
        if self.statistic is Statistic.DEVIATION and any(claim.high < 0 for claim in self.claims):
            raise InvalidValue(f"{self.claims[0]}: a standard deviation is not negative")
        if self.weights is not None:
            self._check_weights(self.weights)

    def _check_weights(self, weights: Sequence[int]) -> None:
        if self.statistic is Statistic.DEVIATION:
            raise InvalidOption("weights: expected none for a standard deviation; only a mean may be weighted")
        whole = all(isinstance(weight, int) and not isinstance(weight, bool) and weight >= 0 for weight in weights)
        if len(weights) != len(self.rows) or not whole or sum(weights) == 0:
            raise InvalidOption(
                f"weights: expected a whole number not below 0 for each of the {len(self.rows)} rows, and not only "
                f"zeros; got {list(weights)!r}"
            )

    def to_dict(self) -> dict[str, Any]:
        return {
            "quantity": self.quantity.name,
            "rows": [entry(row) for row in self.rows],
            "weights": None if self.weights is None else list(self.weights),
            "statistic": str(self.statistic),
            "divisor": str(self.divisor),
            "claim": entry(self.claims[0]) if self.claims else None,
        }

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> AverageProblem:
        quantity = measured(statement["quantity"])
        statistic, weights, claim = Statistic(statement["statistic"]), statement["weights"], statement["claim"]
        return cls(
            quantity,
            tuple(from_entry(quantity, row, mean=True) for row in statement["rows"]),
            () if claim is None else (from_entry(statistic.of(quantity), claim, mean=statistic is Statistic.MEAN),),
            statistic,
            None if weights is None else tuple(weights),
            _divisor(statement["divisor"]),
        )


def printed_average(
    quantity: str,
    rows: Sequence[Value | Claim] | Mapping[str, Value | Claim],
    value: Value | Claim,
    *,
    statistic: str | Statistic = Statistic.MEAN,
    weights: Sequence[int] | None = None,
    divisor: str | Divisor = Divisor.ANY,
    rounding: Any = None,
    eps: Any = None,
    decimal_comma: bool = False,
) -> AverageProblem:
    """The problem of a printed mean or deviation; ``rows`` may be named.

    Of a mean "0.84 ± 0.03" the part before the ± counts, of a deviation the part behind it.

    >>> problem = printed_average("acc", ["0.90", "0.92", "0.95"], "0.94", rounding="nearest")
    >>> str(problem.claims[0])
    'mean acc = 0.94'
    """
    what = chosen("statistic", statistic, Statistic)
    known = measured(quantity)
    options = {"rounding": rounding, "eps": eps, "decimal_comma": decimal_comma}
    named = rows.items() if isinstance(rows, Mapping) else ((known.name, row) for row in rows)
    label = f"mean {quantity}" if what is Statistic.MEAN else f"standard deviation of {quantity}"
    text = behind_sign(value) if what is Statistic.DEVIATION and isinstance(value, str) else value
    return AverageProblem(
        known,
        tuple(printed(known, row, name, **options) for name, row in named),
        (printed(what.of(known), text, label, **options),),
        what,
        None if weights is None else tuple(weights),
        _divisor(divisor) if what is Statistic.DEVIATION else Divisor.ANY,
    )


def behind_sign(text: str) -> str:
    """What follows a ±, in percent if what stands before it is; all of the text if there is none.

    >>> behind_sign("84.1% ± 3.2"), behind_sign("0.03")
    ('3.2%', '0.03')
    """
    for sign in ("±", "+/-", "+-", "\\pm"):
        before, separator, after = text.partition(sign)
        if separator:
            return after.strip() + ("%" if "%" in before and "%" not in after else "")
    return text


_HALVINGS = 200  # of the way from the least to the greatest point; more only help a target of no width
_DIVISORS = {"sample": 1, "population": 0}  # what is taken off the number of rows


def mean_range(problem: AverageProblem) -> Interval:
    """The least and the greatest mean of the rows."""
    weights = problem.weights or (1,) * len(problem.rows)
    low, high = (
        sum((weight * end for weight, end in zip(weights, ends, strict=True)), Fraction(0)) / sum(weights)
        for ends in ([row.low for row in problem.rows], [row.high for row in problem.rows])
    )
    return low, high


def _mean(problem: AverageProblem, claim: Claim) -> Decision[Values]:
    low, high = mean_range(problem)
    if claim.low > high or claim.high < low:
        return Decision(proof={"kind": "mean"})
    target = (max(low, claim.low) + min(high, claim.high)) / 2
    share = Fraction(0) if low == high else (target - low) / (high - low)
    return Decision(Values(tuple(row.low + share * (row.high - row.low) for row in problem.rows)))


def divisors(problem: AverageProblem) -> dict[str, int]:
    """By what the sum of squares may have been divided, by name."""
    chosen = [name for name in _DIVISORS if problem.divisor in (name, "any")]
    return {name: len(problem.rows) - _DIVISORS[name] for name in chosen}


def boxes_of(problem: AverageProblem) -> list[Interval]:
    return [(row.low, row.high) for row in problem.rows]


def _deviation(problem: AverageProblem, claim: Claim, deadline: Budget) -> Decision[Values]:
    squares = Squares.over(boxes_of(problem))
    cases: list[dict[str, Any]] = []
    possible: list[Interval] = []  # sums of squares that would print as the deviation
    for name, divisor in divisors(problem).items():
        low, high = max(claim.low, Fraction(0)) ** 2 * divisor, claim.high**2 * divisor
        if squares.least > high:
            centre = sum(squares.lowest, Fraction(0)) / len(squares.lowest)
            slopes = [str(value - centre) for value in squares.lowest]
            cases.append({"divisor": name, "side": "below", "slopes": slopes})
        elif squares.bound < low:
            cases.append({"divisor": name, "side": "above"})
        else:
            possible.append((low, high))
    if not possible:
        return Decision(proof={"kind": "deviation", "cases": cases})
    for target in possible:
        values = _between(squares, target, deadline)
        if values is not None:
            return Decision(Values(values))
    return Decision(reason="no values of the rows with this deviation were found, and none was excluded")


def _between(squares: Squares, target: Interval, deadline: Budget) -> tuple[Fraction, ...] | None:
    """A point on the way from the least to the greatest spread, on which it never falls, with a sum in the target."""
    low, high = target
    if squares_of(squares.highest) < low:
        return None
    shares = iter((Fraction(0), Fraction(1)))
    start, end = Fraction(0), Fraction(1)
    for _ in range(_HALVINGS):
        share = next(shares, (start + end) / 2)
        values = tuple(a + share * (b - a) for a, b in zip(squares.lowest, squares.highest, strict=True))
        spread = squares_of(values)
        if low <= spread <= high:
            return values
        start, end = (share, end) if spread < low else (start, share)
        if deadline.passed:
            break
    return None


def deviation_range(least: Fraction, most: Fraction, divisor: int, digits: int) -> Interval:
    """The roots of two sums of squares over a divisor, rounded outwards to so many decimals."""
    scale = 10 ** (2 * digits)
    low, high = isqrt(least * scale // divisor), isqrt(most * scale // divisor)
    exact = Fraction(high * high, scale) * divisor == most
    return Fraction(low, 10**digits), Fraction(high if exact else high + 1, 10**digits)


_DENOMINATORS = {"sample": "n - 1", "population": "n"}
_MORE_DIGITS = 2  # than were printed, for what the rows give


class Average(Kind[AverageProblem, Values]):
    """A printed mean or standard deviation of printed rows."""

    name = "average"
    problem_type = AverageProblem
    witness_type = Values
    names_conflicts = True

    def decide(self, problem: AverageProblem, *, deadline: Budget, seed: int) -> Decision[Values]:
        if not problem.claims:
            return Decision(Values(tuple((row.low + row.high) / 2 for row in problem.rows)))
        claim = problem.claims[0]
        if problem.statistic is Statistic.MEAN:
            return _mean(problem, claim)
        return _deviation(problem, claim, deadline)

    def holds(self, problem: AverageProblem, witness: Values) -> bool:
        values = witness.values
        if len(values) != len(problem.rows):
            return False
        if not all(row.low <= value <= row.high for row, value in zip(problem.rows, values, strict=True)):
            return False
        for claim in problem.claims:
            if problem.statistic is Statistic.MEAN:
                weights = problem.weights or (1,) * len(values)
                total = sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0))
                if not claim.low * sum(weights) <= total <= claim.high * sum(weights):
                    return False
                continue
            squares, least = squares_of(values), max(claim.low, Fraction(0))
            if not any(least**2 * k <= squares <= claim.high**2 * k for k in divisors(problem).values()):
                return False
        return True

    def subject(self, problem: AverageProblem) -> str:
        weighted = "" if problem.weights is None else f", weighted by {listed([str(w) for w in problem.weights])}"
        return f"the {len(problem.rows)} printed rows ({listed([row.text for row in problem.rows])}{weighted})"

    def because(self, problem: AverageProblem) -> str:
        digits = problem.claims[0].number.digits + _MORE_DIGITS
        if problem.statistic is Statistic.MEAN:
            return f"the printed rows give {_span(*mean_range(problem), digits)}"
        squares = Squares.over(boxes_of(problem))
        spans = [
            f"{_span(*deviation_range(squares.least, squares.bound, k, digits), digits)} with {_DENOMINATORS[name]}"
            for name, k in divisors(problem).items()
        ]
        return f"the printed rows give {', '.join(spans)} in the denominator"

    def implied(self, problem: AverageProblem, target: Claim) -> Ends | None:
        if problem.statistic is Statistic.MEAN:
            return mean_range(problem)
        squares = Squares.over(boxes_of(problem))
        digits = target.number.digits + _MORE_DIGITS
        spans = [deviation_range(squares.least, squares.bound, k, digits) for k in divisors(problem).values()]
        return min(low for low, _ in spans), max(high for _, high in spans)


def _span(low: Fraction, high: Fraction, digits: int) -> str:
    return f"{below(low, digits)} to {above(high, digits)}"


KIND = Average()
