"""A ratio of one's own, tried: what it returns, that it moves one way, and that arrays of floats get the same.

Every matrix of a few cases is tried, and lines through random ones of up to a million: tp (or tn) from one end to the
other at fixed class counts. What is wrong is said with the matrix that shows it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores.links import THRESHOLD, Link

Cells = tuple[int, int, int, int]
_SMALL = 6  # of p and n, for which every matrix is tried
_MIDDLE = 40  # up to which all points of a line are
_LARGEST = 10**6
_LINES = 300
_MOST_BITS = 1000
_MOST_WORDS = 100
_CLOSE = 2.0**-46  # of a float value to the exact one, as the engines assume


class MonotoneTrial:
    """A ratio tried on many matrices: what it returned, and examples of where it rose and fell."""

    def __init__(self, name: str, ratio: Callable[..., Any], link: Link) -> None:
        self.name, self.ratio, self.link = name, ratio, link
        self.tried: dict[Cells, tuple[int, int]] = {}
        self.moves: dict[int, str] = {}

    def refused(self, why: str) -> InvalidOption:
        return InvalidOption(f"score {self.name!r} cannot be registered: {why}")

    def direction(self) -> int:
        """+1 or -1 if it moved one way in all that was tried."""
        for p, n in product(range(1, _SMALL + 1), repeat=2):
            self._try_lines(p, n, range(p + 1), range(n + 1), [*range(p + 1)], [*range(n + 1)])
        rng = random.Random(0)
        for number in range(_LINES):
            most = _MIDDLE if number % 3 == 0 else _LARGEST
            p, n = (round(most ** rng.random()) for _ in range(2))
            if number % 10 == 0:  # a set without one of the classes
                p, n = (p, 0) if number % 20 else (0, n)
            self._try_lines(p, n, [rng.randint(0, p)], [rng.randint(0, n)], _some(rng, p), _some(rng, n))
        return next(iter(self.moves), 1)

    def _try_lines(
        self, p: int, n: int, tps: Iterable[int], tns: Iterable[int], along_tp: list[int], along_tn: list[int]
    ) -> None:
        """Through a matrix in both directions: tp from one end to the other, and tn."""
        for tn in tns:
            self._try_line([(tp, n - tn, p - tp, tn) for tp in along_tp])
        for tp in tps:
            self._try_line([(tp, n - tn, p - tp, tn) for tn in along_tn])

    def _try_line(self, line: list[Cells]) -> None:
        values = [(cells, *self._value(cells)) for cells in line]
        defined = [value for value in values if value[1:] != (0, 0)]
        for (one, num, den), (other, num_after, den_after) in pairwise(defined):
            change = num_after * den - num * den_after
            if change:
                sign = 1 if change > 0 else -1
                if sign not in self.moves:
                    self.moves[sign] = (
                        f"it {'rises' if sign > 0 else 'falls'} from {num}/{den} for {_shown(one)} to "
                        f"{num_after}/{den_after} for {_shown(other)}"
                    )
        if len(self.moves) == 2:
            raise self.refused(
                f"{self.moves[1]}, and {self.moves[-1]}; the engines need a score that moves one way with tp and tn"
            )

    def _value(self, cells: Cells) -> tuple[int, int]:
        """What the ratio returns for a matrix, if that is what a ratio returns."""
        if cells in self.tried:
            return self.tried[cells]
        try:
            returned = self.ratio(*cells)
        except Exception as error:
            raise self.refused(
                f"its ratio must return a numerator and a denominator for all counts, and where it is undefined a "
                f"denominator of 0; for {_shown(cells)} it raised {type(error).__name__}: {error}"
            ) from None
        if not isinstance(returned, (tuple, list)) or len(returned) != 2:
            raise self.refused(
                "its ratio must return two whole numbers, numerator and denominator, such as (tp, tp + fp); for "
                f"{_shown(cells)} it returned {_said(returned)}"
            )
        num, den = returned
        if type(num) is not int or type(den) is not int:
            kinds = " and ".join(type(part).__name__ for part in (num, den))
            raise self.refused(
                "its ratio must return two integers of Python, numerator and denominator (fractions, floats: multiply "
                "both by what makes them whole; numpy: its integers overflow, use the cells as they come); for "
                f"{_shown(cells)} it returned {_said(num)} and {_said(den)} ({kinds})"
            )
        bits = max(num.bit_length(), den.bit_length())
        if bits > _MOST_BITS:
            raise self.refused(
                f"its numbers do not fit into floats: for {_shown(cells)} one has {bits} bits; divide "
                "out what numerator and denominator share, or take a lower power"
            )
        if den < 0 or (den == 0 and num < 0):
            raise self.refused(
                "its denominator must not be negative, nor its numerator where the denominator is 0 (change both "
                f"signs); for {_shown(cells)} it returned {num} and {den}"
            )
        if self.link is THRESHOLD and den and not 0 <= num <= den:
            raise self.refused(
                f"the link 'threshold' takes a ratio between 0 and 1; for {_shown(cells)} it is {num}/{den}"
            )
        tp, fp, fn, tn = cells
        allowed = (0 in (tp, fn) and 0 in (fp, tn)) or 0 in (tp + fn, fp + tn)
        if num == den == 0 and not allowed:
            raise self.refused(
                "it is 0/0 for matrices other than the all-right, all-wrong, all-positive and all-negative ones, which "
                f"the engines do not allow; for example for {_shown(cells)}"
            )
        self.tried[cells] = num, den
        return num, den

    def try_arrays(self) -> None:
        """Means of scores are searched with whole arrays of matrices, as floats: the same formula must give these."""
        import numpy as np

        chosen = list(self.tried)[:: max(1, len(self.tried) // _LINES)]
        cells = [np.array(column, dtype=np.float64) for column in zip(*chosen, strict=True)]
        try:
            returned = [np.asarray(part, dtype=np.float64) for part in self.ratio(*cells)]
            num, den = (np.broadcast_to(part, (len(chosen),)) for part in returned)
            with np.errstate(all="ignore"):
                values = self.link.forward(num / den)
        except Exception as error:
            raise self.refused(
                "its ratio must also work on numpy arrays, with sums, differences, products and powers only (no min, "
                f"max, if, or rounding): on arrays it raised {type(error).__name__}: {error}"
            ) from None
        if all(part.ndim == 0 for part in returned):
            raise self.refused("it is the same for all matrices, and no report of it says anything")
        for one, value in zip(chosen, values.tolist(), strict=True):
            exact_num, exact_den = self.tried[one]
            if not exact_den:
                continue
            exact = Fraction(self.link.floor(exact_num, exact_den, 1 << 80), 1 << 80)
            if not abs(value - float(exact)) <= _CLOSE * max(1.0, abs(float(exact))):
                raise self.refused(
                    f"as floats its formula gives {value!r} where the exact value is {float(exact)!r} ({_shown(one)}): "
                    "write it without differences of large numbers, and without anything but arithmetic"
                )


def _some(rng: random.Random, most: int) -> list[int]:
    """Both ends, and neighbours here and there between them."""
    if most <= _MIDDLE:
        return [*range(most + 1)]
    inner = [rng.randint(0, most - 1) for _ in range(6)]
    return sorted({0, 1, most - 1, most, *inner, *(x + 1 for x in inner)})


def _shown(cells: Cells) -> str:
    return ", ".join(f"{name}={count}" for name, count in zip(("tp", "fp", "fn", "tn"), cells, strict=True))


def _said(value: object) -> str:
    """What a formula returned, in short; whole numbers too long to print by what they are."""
    try:
        words = repr(value)
    except ValueError:
        return f"a very long {type(value).__name__}"
    return words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS]} ..."
