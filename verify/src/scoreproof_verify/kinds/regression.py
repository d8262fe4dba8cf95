"""Certificates that no true and predicted values have the reported errors, by one inequality that always holds.

On one set of n errors e: mse = mean e², rmse² = mse, mae = mean |e|, bias = mean e, R² = 1 - mse / v with v the
variance of the true values, EV = 1 - (mse - bias²) / v, r the correlation of true and predicted values. The proof names
the relation that is broken; here everything is put as the least of one side being above the most of the other, squares
instead of roots. Of means over folds only relations count that every fold obeys linearly, or that squaring makes
weaker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.texts import (
    Document,
    Rejected,
    decimal,
    interval,
    known_keys,
    quoted,
    require,
    spread_of,
)

KEYS = frozenset({"experiment", "scores", "spread", "divisor"})
_LARGEST = 10**12
#: The least and the largest value of every quantity.
_RANGES: dict[str, tuple[int | None, int | None]] = {
    "mae": (0, None), "mse": (0, None), "rmse": (0, None), "maxe": (0, None), "medae": (0, None), "bias": (None, None),
    "r2": (None, 1), "adjusted_r2": (None, 1), "ev": (None, 1), "r": (-1, 1), "variance": (0, None),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Printed:
    """A claim: its text and interval, and that of what follows a ±."""

    name: str
    text: str
    low: Fraction
    high: Fraction
    spread: tuple[Fraction, Fraction] | None

    def __str__(self) -> str:
        return f"{self.name} {self.text} (from {decimal(self.low)} to {decimal(self.high)})"


class Stated:
    """The statement once more; ``low`` and ``high`` give the ends of what a quantity can be, None if it is open."""

    def __init__(self, statement: Document) -> None:
        tree = known_keys("the experiment", statement["experiment"], "type", "n", "folds", "predictors", "integers")
        require(tree.get("type") == "regression", "the experiment is not one of regression")
        self.n = self._count(tree, "n", 1)
        self.predictors = self._count(tree, "predictors", 0)
        self.several = tree.get("folds") is not None
        self.folds = None if tree.get("folds") == "unknown" else self._count(tree, "folds", 2)
        self.integers = tree.get("integers", False)
        require(
            self.integers in (True, False) and isinstance(self.integers, bool), "integers is neither true nor false"
        )
        alone = not self.several and self.n is not None
        require(not self.integers or alone, "whole numbers are those of one evaluation of n cases")
        require(self.predictors is None or alone, "predictors are those of one evaluation of n cases")
        require(self.predictors is None or self.predictors <= (self.n or 0) - 2, "there are too many predictors")
        self.spread, self.divisor = statement["spread"], statement["divisor"]
        require(self.spread in ("deviation", "error", "ignore"), "unknown spread")
        require(self.divisor in ("any", "population", "sample"), "unknown divisor")
        self.claims = self._claims(statement["scores"])
        if self.spread != "ignore" and any(claim.spread is not None for claim in self.claims.values()):
            require(self.several, "one evaluation has no ±")
            require(self.spread == "deviation" or self.folds is not None, "a standard error needs the number of folds")

    @staticmethod
    def _count(tree: Document, key: str, least: int) -> int | None:
        if tree.get(key) is None:
            return None
        value = integer(tree[key], key)
        require(least <= value <= _LARGEST, f"{key} is out of range")
        return value

    def _claims(self, scores: Any) -> dict[str, Printed]:
        require(isinstance(scores, list) and 0 < len(scores) <= len(_RANGES), "the statement names no scores")
        found: dict[str, Printed] = {}
        for entry in scores:
            given = known_keys("a score", entry, "score", "name", "text", "rounding", "eps")
            name, text = given.get("score"), given.get("text")
            require("name" not in given or isinstance(given["name"], str), "the name of a score is not a text")
            if not isinstance(name, str) or name not in _RANGES:
                raise Rejected(f"the quantity {quoted(name)} is not one the verifier knows")
            require(name not in found, "a score is named twice")
            require(name != "adjusted_r2" or self.predictors is not None, "for what R² was adjusted is not said")
            low, high = interval(text, given.get("rounding"), given.get("eps"), mean=True, most=_RANGES[name][1])
            spread = spread_of(str(text), given.get("rounding"), given.get("eps"))
            found[name] = Printed(name, str(text), low, high, spread)
        return found

    def low(self, name: str) -> Fraction | None:
        claim = self.claims.get(name)
        if claim is None:
            return None
        least = _RANGES[name][0]
        return claim.low if least is None else max(claim.low, Fraction(least))

    def high(self, name: str) -> Fraction | None:
        claim = self.claims.get(name)
        if claim is None:
            return None
        most = _RANGES[name][1]
        return claim.high if most is None else min(claim.high, Fraction(most))

    def squares(self) -> tuple[Fraction | None, Fraction | None]:
        """The ends of the mean squared error of one evaluation; of folds the upper end bounds squares of means."""
        lows, highs = [], []
        if "mse" in self.claims:
            highs.append(_known(self.high("mse")))
            if not self.several:
                lows.append(_known(self.low("mse")))
        if "rmse" in self.claims:
            lows.append(_known(self.low("rmse")) ** 2)
            highs.append(_known(self.high("rmse")) ** 2)
        if not self.several and "r2" in self.claims and "variance" in self.claims:
            lows.append((1 - _known(self.high("r2"))) * _known(self.low("variance")))
            highs.append((1 - _known(self.low("r2"))) * _known(self.high("variance")))
        return (max(lows) if lows else None), (min(highs) if highs else None)

    def least_size(self, name: str) -> Fraction:
        """The least |value| of a claimed quantity."""
        low, high = _known(self.low(name)), _known(self.high(name))
        return low if low > 0 else -high if high < 0 else Fraction(0)

    def deviation(self, name: str) -> tuple[Fraction, Fraction]:
        """The ends of the variance over the folds, divided by their number."""
        spread = self.claims[name].spread if name in self.claims else None
        if spread is None or self.spread == "ignore":
            raise Rejected(f"nothing is said of the deviation of {name}")
        times = (self.folds or 1) if self.spread == "error" else 1
        sample = Fraction(1, 2) if self.folds is None else Fraction(self.folds - 1, self.folds)
        low = spread[0] ** 2 * times * (1 if self.divisor == "population" else sample)
        high = spread[1] ** 2 * times * (sample if self.divisor == "sample" and self.folds is not None else 1)
        return low, high


def _known(value: Fraction | None) -> Fraction:
    if value is None:
        raise Rejected("the relation needs a quantity that is not claimed")
    return value


def _cases(stated: Stated) -> int:
    if stated.n is None:
        raise Rejected("the relation needs the number of cases")
    return stated.n


def _one(stated: Stated) -> None:
    require(not stated.several, "the relation is one of a single evaluation")


def _apart(*pairs: tuple[Fraction, Fraction]) -> bool:
    """Whether some left side is above its right side."""
    return any(left > right for left, right in pairs)


def _range(stated: Stated) -> bool:
    for name, claim in stated.claims.items():
        least, most = _RANGES[name]
        if (least is not None and claim.high < least) or (most is not None and claim.low > most):
            return True
    return False


def _rmse(stated: Stated) -> bool:
    _one(stated)
    low, high = _known(stated.low("rmse")) ** 2, _known(stated.high("rmse")) ** 2
    return _apart((low, _known(stated.high("mse"))), (_known(stated.low("mse")), high))


def _variance(stated: Stated) -> bool:
    _one(stated)
    low = (1 - _known(stated.high("r2"))) * _known(stated.low("variance"))
    high = (1 - _known(stated.low("r2"))) * _known(stated.high("variance"))
    others = []
    if "mse" in stated.claims:
        others.append((_known(stated.low("mse")), _known(stated.high("mse"))))
    if "rmse" in stated.claims:
        others.append((_known(stated.low("rmse")) ** 2, _known(stated.high("rmse")) ** 2))
    return any(_apart((low, most), (least, high)) for least, most in others)


def _median_share(stated: Stated) -> Fraction:
    """At least this share of the errors is at least the median; of an even number the middle two share it."""
    if stated.n is None or stated.several:
        return Fraction(1, 2)
    return Fraction(stated.n // 2 + 1, stated.n)


def _median(other: str) -> Callable[[Stated], bool]:
    def check(stated: Stated) -> bool:
        median, share = _known(stated.low("medae")), _median_share(stated)
        if other == "rmse":
            return share * median**2 > _known(stated.squares()[1])
        return (share * median if other == "mae" else median) > _known(stated.high(other))

    return check


def _correlation(stated: Stated) -> bool:
    _one(stated)
    most = max(_known(stated.low("r")) ** 2, _known(stated.high("r")) ** 2)
    return any(_known(stated.low(name)) > most for name in ("r2", "ev") if name in stated.claims)


def _explained(stated: Stated) -> bool:
    """(EV - R²) mse = bias² (1 - R²), both being bias² mse / variance."""
    _one(stated)
    least_square, most_square = (_known(end) for end in stated.squares())
    bias_least = stated.least_size("bias") ** 2
    bias_most = max(_known(stated.low("bias")) ** 2, _known(stated.high("bias")) ** 2)
    rest_least, rest_most = 1 - _known(stated.high("r2")), 1 - _known(stated.low("r2"))
    gap_least = _known(stated.low("ev")) - _known(stated.high("r2"))
    gap_most = _known(stated.high("ev")) - _known(stated.low("r2"))
    left = [gap * square for gap in (gap_least, gap_most) for square in (least_square, most_square)]
    return _apart((min(left), bias_most * rest_most), (bias_least * rest_least, max(left)))


def _adjusted(stated: Stated) -> bool:
    _one(stated)
    if stated.predictors is None:
        raise Rejected("for what R² was adjusted is not said")
    n, k = _cases(stated), stated.predictors
    low, high = (((1 - _known(end)) * (n - 1)) for end in (stated.high("r2"), stated.low("r2")))
    rest = n - k - 1  # (1 - adjusted) rest = (1 - R²)(n - 1)
    return _apart(
        (low, (1 - _known(stated.low("adjusted_r2"))) * rest), ((1 - _known(stated.high("adjusted_r2"))) * rest, high)
    )


def _triple(stated: Stated) -> bool:
    """Of n sizes with a given sum, one equal to m and none above, squares are least if the others are alike.

    It is largest if all but one are m or 0. Both ends grow with the sum and with m where that is possible at all.
    """
    _one(stated)
    n = _cases(stated)
    require(n >= 2, "one error has no others")
    square_low, square_high = (_known(end) for end in stated.squares())
    sum_low, sum_high = n * _known(stated.low("mae")), n * _known(stated.high("mae"))
    top_low, top_high = _known(stated.low("maxe")), _known(stated.high("maxe"))
    require(sum_low <= n * top_high and top_low <= sum_high and sum_high > 0, "a simpler relation is broken")
    total = max(sum_low, top_low)
    top = max(top_low, total / n)
    least = top * top + (total - top) ** 2 / (n - 1)
    top = min(top_high, sum_high)
    most, left = Fraction(0), sum_high
    whole = min(n, int(left / top)) if top else n
    most, left = whole * top * top, left - whole * top
    if whole < n:
        most += left * left
    return _apart((least, n * square_high), (n * square_low, most))


def _whole(stated: Stated) -> bool:
    """Sums of whole errors are whole; of multiples of 1/2 twice the value is."""
    require(stated.integers, "the values are not said to be whole numbers")
    n = _cases(stated)
    spans = _sums(stated, n)
    spans += [
        (step * _known(stated.low(name)), step * _known(stated.high(name)))
        for name, step in (("maxe", 1), ("medae", 2))
        if name in stated.claims
    ]
    return any(_first(low) > high for low, high in spans)


def _parity(stated: Stated) -> bool:
    """e, |e| and e² are all even or all odd, so the sums are."""
    require(stated.integers, "the values are not said to be whole numbers")
    alone = [_first(low) for low, high in _sums(stated, _cases(stated)) if _first(low) <= high < _first(low) + 1]
    return len({value % 2 for value in alone}) == 2


def _sums(stated: Stated, n: int) -> list[tuple[Fraction, Fraction]]:
    spans = [
        (n * _known(stated.low(name)), n * _known(stated.high(name)))
        for name in ("mae", "bias")
        if name in stated.claims
    ]
    low, high = stated.squares()
    return [*spans, (n * low, n * high)] if low is not None and high is not None else spans


def _first(value: Fraction) -> int:
    """The least whole number not below a value."""
    return -((-value.numerator) // value.denominator)


def _mean_squares(stated: Stated) -> bool:
    require(stated.several, "the relation is one of means over folds")
    low, high = _known(stated.low("rmse")) ** 2, _known(stated.high("rmse")) ** 2
    pairs = [(low, _known(stated.high("mse")))]
    if stated.folds is not None:
        pairs.append((_known(stated.low("mse")), stated.folds * high))
    return _apart(*pairs)


def _variance_of_rmse(stated: Stated) -> bool:
    require(stated.several, "the relation is one of means over folds")
    low, high = stated.deviation("rmse")
    least, most = _known(stated.low("rmse")) ** 2 + low, _known(stated.high("rmse")) ** 2 + high
    return _apart((least, _known(stated.high("mse"))), (_known(stated.low("mse")), most))


def _root(stated: Stated) -> Fraction:
    """The least square of the mean RMSE."""
    return _known(stated.squares()[0])


def _times(stated: Stated) -> bool:
    _one(stated)
    return _root(stated) > _known(stated.high("mae")) * _known(stated.high("maxe"))


RELATIONS: dict[str, Callable[[Stated], bool]] = {
    "range": _range,
    "rmse": _rmse,
    "variance": _variance,
    "mae and rmse": lambda s: _known(s.low("mae")) ** 2 > _known(s.squares()[1]),
    "root of n": lambda s: _cases(s) * _known(s.high("mae")) ** 2 < _root(s),
    "mae and max": lambda s: _known(s.low("mae")) > _known(s.high("maxe")),
    "n times mae": lambda s: _cases(s) * _known(s.high("mae")) < _known(s.low("maxe")),
    "rmse and max": lambda s: _root(s) > _known(s.high("maxe")) ** 2,
    "n times mse": lambda s: _cases(s) * _known(s.squares()[1]) < _known(s.low("maxe")) ** 2,
    "mae times max": _times,
    "bias and mae": lambda s: s.least_size("bias") > _known(s.high("mae")),
    "bias and rmse": lambda s: s.least_size("bias") ** 2 > _known(s.squares()[1]),
    "median and mae": _median("mae"),
    "median and rmse": _median("rmse"),
    "median and max": _median("maxe"),
    "median, mae and max": lambda s: 2 * _known(s.low("mae")) > _known(s.high("medae")) + _known(s.high("maxe")),
    "r2 and ev": lambda s: _known(s.low("r2")) > _known(s.high("ev")),
    "correlation": _correlation,
    "bias and ev": _explained,
    "adjusted": _adjusted,
    "mae, rmse and max": _triple,
    "whole numbers": _whole,
    "parity": _parity,
    "mean squares": _mean_squares,
    "variance of rmse": _variance_of_rmse,
}


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a statement about errors and its proof establish; ``Rejected`` if they do not."""
    known_keys("the proof", proof, "kind", "relation")
    require(proof.get("kind") == "relation", f"unknown kind of proof {quoted(proof.get('kind'))}")
    name = proof.get("relation")
    relation = RELATIONS.get(name) if isinstance(name, str) else None
    if relation is None:
        raise Rejected(f"unknown relation {quoted(name)}")
    stated = Stated(statement)
    require(relation(stated), "the claims do not break the relation")
    reported = ", ".join(map(str, stated.claims.values()))
    size = "" if stated.n is None else f" of {'at most ' if stated.several else ''}{stated.n} cases"
    what = "means over evaluations" if stated.several else "one evaluation"
    return lambda: f"Proved: {what}{size} cannot have {reported}: broken is the relation '{name}'."


KINDS = {"regression": Checker(KEYS, check)}
