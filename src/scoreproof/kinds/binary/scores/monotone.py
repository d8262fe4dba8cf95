"""Whether a ratio of one's own moves one way with tp and tn: proved, or declared by its author and tested.

Every engine rests on it, so a score that falls where it should rise would accuse honest reports. Where numerator N and
denominator D are polynomials in the cells (see ``polynomials``) it can be proved for all matrices at once: when a
wrong positive becomes a right one, tp grows as fn shrinks, and N / D changes with the sign of N' D - N D', again a
polynomial in cells that are not negative. If all its coefficients have one sign, so has it. The same for tn and fp.

Where that fails the author may declare it. Then it is tried, on every small matrix and along lines through large ones,
and what rests on it says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product as combinations
from typing import Any

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores.links import THRESHOLD, Link
from scoreproof.kinds.binary.scores.polynomials import CELLS, Polynomial, as_polynomial, at, product, slope
from scoreproof.kinds.binary.scores.trial import Cells, MonotoneTrial
from scoreproof.validation import shown

Declared = bool | str | None
_WORDS = {"rises": 1, "falls": -1}


@dataclass(frozen=True, slots=True)
class Monotonicity:
    """+1 or -1, and whether that is only the author's word."""

    direction: int
    declared: bool


def monotonicity(name: str, ratio: Any, link: Link, declared: Declared) -> Monotonicity:
    """The direction of a score; an error that says what is wrong if it cannot be relied on."""
    if not (declared is None or declared is True or (isinstance(declared, str) and declared in _WORDS)):
        raise InvalidOption(
            f"score {shown(name)}: monotone: expected True, 'rises' or 'falls' if you know that it is, "
            f"got {shown(declared)}"
        )
    trial = MonotoneTrial(name, ratio, link)
    direction = trial.direction()
    trial.try_arrays()
    said = _WORDS.get(str(declared))
    if said is not None and trial.moves and direction != said:
        raise trial.refused(f"it is declared to {'rise' if said > 0 else 'fall'}, but {trial.moves[direction]}")
    proved = _proved(ratio, trial.tried)
    if proved is not None and link is THRESHOLD and not _within_one(ratio):
        proved = None
    if proved is None and declared is None:
        raise trial.refused(
            "nothing proves that it moves one way with tp and with tn, on which every verdict would rest (only "
            "formulas of sums, differences and products can be proved, and not all of them); if you know that it does, "
            "add monotone=True (or 'rises', 'falls'): results then hold under that condition, and say so"
        )
    return Monotonicity(said or proved or direction, proved is None)


def proved_direction(ratio: Any) -> int | None:
    """+1 or -1 if the coefficients prove it for all matrices; None if they do not.

    >>> proved_direction(lambda tp, fp, fn, tn: (tp, tp + fp)), proved_direction(lambda tp, fp, fn, tn: (fn, fn + tn))
    (1, -1)
    >>> proved_direction(lambda tp, fp, fn, tn: (tp, tn + 1)) is None
    True
    """
    polynomials = _polynomials(ratio)
    if polynomials is None:
        return None
    num, den = polynomials
    if not den.terms or any(factor < 0 for factor in den.terms.values()):
        return None
    if not _never_below(num, den):
        return None
    signs: set[int] = set()
    for gains, loses in ((0, 2), (3, 1)):  # tp for fn, tn for fp
        change = product(slope(num, gains, loses).terms, den.terms)
        for exponents, factor in product(num.terms, slope(den, gains, loses).terms).items():
            change[exponents] = change.get(exponents, 0) - factor
        signs |= {1 if factor > 0 else -1 for factor in change.values() if factor}
    return None if len(signs) > 1 else signs.pop() if signs else 1


def _never_below(num: Polynomial, den: Polynomial) -> bool:
    """Whether x/0 means more than everything: where the denominator vanishes, no coefficient is negative.

    With coefficients that are not negative it vanishes by which cells are zero, whatever the others are.
    """
    for zero in combinations((False, True), repeat=4):
        left = [
            [
                factor
                for powers, factor in one.terms.items()
                if not any(z and k for z, k in zip(zero, powers, strict=True))
            ]
            for one in (num, den)
        ]
        if not left[1] and any(factor < 0 for factor in left[0]):
            return False
    return True


def _polynomials(ratio: Any) -> tuple[Polynomial, Polynomial] | None:
    """The formula run on polynomials; None if it is not plain arithmetic."""
    try:
        num, den = ratio(*CELLS)
        return as_polynomial(num), as_polynomial(den)
    except Exception:  # whatever a formula does with what is no number, it proves nothing
        return None


def _proved(ratio: Any, tried: dict[Cells, tuple[int, int]]) -> int | None:
    """The proved direction, if the polynomials also say what the formula said of all matrices tried.

    A formula may look at what it is called with and treat numbers in another way.
    """
    polynomials = _polynomials(ratio)
    if polynomials is None:
        return None
    for cells, said in tried.items():
        if (at(polynomials[0], cells), at(polynomials[1], cells)) != said:
            return None
    return proved_direction(ratio)


def _within_one(ratio: Any) -> bool:
    """Whether the coefficients prove that the ratio lies between 0 and 1."""
    polynomials = _polynomials(ratio)
    if polynomials is None:
        return False
    num, den = polynomials
    return all(factor >= 0 for one in (num, den - num) for factor in one.terms.values())
