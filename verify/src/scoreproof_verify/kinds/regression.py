"""Certificates that no true and predicted values have the reported errors, by one inequality that always holds.

The proof names the relation that is broken; here everything is put as the least of one side being above the most of
the other, squares instead of roots. Of means over folds only relations count that every fold obeys linearly, or that
squaring makes weaker.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from scoreproof_verify.documents import Document, Score, known_keys, listed, read_deviations, read_scores, variance_of
from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.texts import Interval, quoted, require

_LARGEST = 10**12
#: The least and the largest value of every quantity.
_RANGES: dict[str, tuple[int | None, int | None]] = {
    "mae": (0, None), "mse": (0, None), "rmse": (0, None), "maxe": (0, None), "medae": (0, None), "bias": (None, None),
    "r2": (None, 1), "adjusted_r2": (None, 1), "ev": (None, 1), "r": (-1, 1), "variance": (0, None),
}  # fmt: skip


class Stated:
    """The statement once more, and what its relations ask of it: ``of`` a claim, ``squares``, ``cases``, ``single``."""

    def __init__(self, statement: Document) -> None:
        tree = known_keys("the experiment", statement["experiment"], "type", "n", "folds", "predictors", "integers")
        require(tree.get("type") == "regression", "the experiment is not one of regression")
        self.n = _count(tree, "n", 1)
        self.predictors = _count(tree, "predictors", 0)
        self.several = tree.get("folds") is not None
        self.folds = None if tree.get("folds") == "unknown" else _count(tree, "folds", 2)
        self.integers = tree.get("integers", False)
        require(isinstance(self.integers, bool), "integers is neither true nor false")
        alone = not self.several and self.n is not None
        require(not self.integers or alone, "whole numbers are those of one evaluation of n cases")
        require(self.predictors is None or alone, "predictors are those of one evaluation of n cases")
        require(self.predictors is None or self.predictors <= (self.n or 0) - 2, "there are too many predictors")
        self.deviations = read_deviations(statement)
        self.claims: dict[str, Score] = {}
        for score in read_scores(statement["scores"], self._most_of, many=len(_RANGES), mean=True):
            require(score.name not in self.claims, "a score is named twice")
            self.claims[score.name] = score
        if self.deviations[0] != "ignore" and any(claim.spread is not None for claim in self.claims.values()):
            require(self.several, "one evaluation has no ±")
            enough = self.deviations[0] == "deviation" or self.folds is not None
            require(enough, "a standard error needs the number of folds")

    def _most_of(self, name: Any) -> int | None:
        known = isinstance(name, str) and name in _RANGES
        require(known, f"the quantity {quoted(name)} is not one the verifier knows")
        require(name != "adjusted_r2" or self.predictors is not None, "for what R² was adjusted is not said")
        return _RANGES[name][1]

    def of(self, name: str) -> Interval:
        """What a claimed quantity can be."""
        require(name in self.claims, "the relation needs a quantity that is not claimed")
        return self.claims[name].span.within(*_RANGES[name])

    def some(self, *names: str) -> list[Interval]:
        return [self.of(name) for name in names if name in self.claims]

    def squares(self) -> tuple[list[Fraction], list[Fraction]]:
        """Lower and upper ends of the mean squared error; of folds the upper ones bound squares of means."""
        known = [rmse.square for rmse in self.some("rmse")]
        if not self.several:
            known += self.some("mse")
        if not self.several and "r2" in self.claims and "variance" in self.claims:
            known.append(self.of("r2").rest.times(self.of("variance")))
        more = [mse.high for mse in self.some("mse")] if self.several else []
        return [low for low, _ in known], [high for _, high in known] + more

    @property
    def least_square(self) -> Fraction:
        lows, _ = self.squares()
        require(bool(lows), "the relation needs a quantity that is not claimed")
        return max(lows)

    @property
    def most_square(self) -> Fraction:
        _, highs = self.squares()
        require(bool(highs), "the relation needs a quantity that is not claimed")
        return min(highs)

    @property
    def square(self) -> Interval:
        return Interval(self.least_square, self.most_square)

    @property
    def cases(self) -> int:
        require(self.n is not None, "the relation needs the number of cases")
        return self.n or 0

    @property
    def median_share(self) -> Fraction:
        """At least this share of the errors is at least the median; of an even number the middle two share it."""
        return Fraction(1, 2) if self.n is None or self.several else Fraction(self.n // 2 + 1, self.n)

    def single(self) -> Stated:
        require(not self.several, "the relation is one of a single evaluation")
        return self

    def over_folds(self) -> Stated:
        require(self.several, "the relation is one of means over folds")
        return self

    def variance_over_folds(self, name: str) -> Interval:
        """The variance over the folds, divided by their number."""
        require(name in self.claims, f"nothing is said of the deviation of {name}")
        return variance_of(self.claims[name], self.deviations, self.folds)


def _count(tree: Document, key: str, least: int) -> int | None:
    return None if tree.get(key) is None else tree.integer(key, key, least, _LARGEST)


def _variance(s: Stated) -> bool:
    square = s.single().of("r2").rest.times(s.of("variance"))
    return any(square.apart(other) for other in (*s.some("mse"), *(rmse.square for rmse in s.some("rmse"))))


def _correlation(s: Stated) -> bool:
    most = s.single().of("r").square.high
    return any(explained.low > most for explained in s.some("r2", "ev"))


def _explained(s: Stated) -> bool:
    """(EV - R²) mse = bias² (1 - R²), both being bias² mse / variance."""
    square, bias, unexplained = s.single().square, s.of("bias").square, s.of("r2").rest
    gap = s.of("ev").plus(s.of("r2").times(-1))
    return gap.times(square).apart(bias.times(unexplained))


def _adjusted(s: Stated) -> bool:
    """(1 - adjusted) (n - k - 1) = (1 - R²) (n - 1)."""
    require(s.single().predictors is not None, "for what R² was adjusted is not said")
    unexplained = s.of("r2").rest.times(s.cases - 1)
    return s.of("adjusted_r2").rest.times(s.cases - (s.predictors or 0) - 1).apart(unexplained)


def _triple(s: Stated) -> bool:
    """Of n sizes with a given sum, one equal to m and none above, squares are least if the others are alike."""
    n = s.single().cases
    require(n >= 2, "one error has no others")
    square, (sum_low, sum_high), (top_low, top_high) = s.square, s.of("mae").times(n), s.of("maxe")
    require(sum_low <= n * top_high and top_low <= sum_high and sum_high > 0, "a simpler relation is broken")
    total = max(sum_low, top_low)
    top = max(top_low, total / n)
    least = top * top + (total - top) ** 2 / (n - 1)
    top = min(top_high, sum_high)
    whole = min(n, int(sum_high / top)) if top else n
    left = sum_high - whole * top if whole < n else Fraction(0)
    return Interval(least, whole * top * top + left * left).apart(square.times(n))


def _sums(s: Stated) -> list[Interval]:
    """Sums over all cases that are whole numbers if the errors are."""
    require(s.integers, "the values are not said to be whole numbers")
    n = s.cases
    return [sizes.times(n) for sizes in s.some("mae", "bias")] + ([s.square.times(n)] if s.squares()[0] else [])


def _whole(s: Stated) -> bool:
    """Sums of whole errors are whole; of multiples of 1/2 twice the value is."""
    spans = [*_sums(s), *s.some("maxe"), *(median.times(2) for median in s.some("medae"))]
    return any(first > last for first, last in (span.whole for span in spans))


def _parity(s: Stated) -> bool:
    """e, |e| and e² are all even or all odd, so the sums are."""
    return len({first % 2 for first, last in (span.whole for span in _sums(s)) if first == last}) == 2


def _mean_squares(s: Stated) -> bool:
    rmse, mse = s.over_folds().of("rmse").square, s.of("mse")
    return rmse.low > mse.high or (s.folds is not None and mse.low > s.folds * rmse.high)


RELATIONS: dict[str, Callable[[Stated], bool]] = {
    "range": lambda s: any(low > high for low, high in map(s.of, s.claims)),
    "rmse": lambda s: s.single().of("rmse").square.apart(s.of("mse")),
    "variance": _variance,
    "mae and rmse": lambda s: s.of("mae").square.low > s.most_square,
    "root of n": lambda s: s.cases * s.of("mae").square.high < s.least_square,
    "mae and max": lambda s: s.of("mae").low > s.of("maxe").high,
    "n times mae": lambda s: s.cases * s.of("mae").high < s.of("maxe").low,
    "rmse and max": lambda s: s.least_square > s.of("maxe").square.high,
    "n times mse": lambda s: s.cases * s.most_square < s.of("maxe").square.low,
    "mae times max": lambda s: s.single().least_square > s.of("mae").high * s.of("maxe").high,
    "bias and mae": lambda s: max(s.of("bias").low, -s.of("bias").high, Fraction(0)) > s.of("mae").high,
    "bias and rmse": lambda s: s.of("bias").square.low > s.most_square,
    "median and mae": lambda s: s.median_share * s.of("medae").low > s.of("mae").high,
    "median and rmse": lambda s: s.median_share * s.of("medae").square.low > s.most_square,
    "median and max": lambda s: s.of("medae").low > s.of("maxe").high,
    "median, mae and max": lambda s: 2 * s.of("mae").low > s.of("medae").high + s.of("maxe").high,
    "r2 and ev": lambda s: s.of("r2").low > s.of("ev").high,
    "correlation": _correlation,
    "bias and ev": _explained,
    "adjusted": _adjusted,
    "mae, rmse and max": _triple,
    "whole numbers": _whole,
    "parity": _parity,
    "mean squares": _mean_squares,
    "variance of rmse": lambda s: (
        s.over_folds().variance_over_folds("rmse").plus(s.of("rmse").square).apart(s.of("mse"))
    ),
}


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    proof.kind(relation="relation")
    name = proof.word("relation", RELATIONS)
    stated = Stated(statement)
    require(RELATIONS[name](stated), "the claims do not break the relation")
    size = "" if stated.n is None else f" of {'at most ' if stated.several else ''}{stated.n} cases"
    what = "means over evaluations" if stated.several else "one evaluation"
    return lambda: (
        f"Proved: {what}{size} cannot have {listed(stated.claims.values())}: broken is the relation '{name}'."
    )


KINDS = {"regression": Checker(frozenset({"experiment", "scores", "spread", "divisor"}), check)}
