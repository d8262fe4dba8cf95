"""What is reconstructed: the cells as rates, the prevalence, every score, and the lead over trivial classifiers.

Each is a quotient of forms in the four cells, so one mechanism bounds them all. The trivial classifiers are those of
Lavazza and Morasca (2023, doi:10.1109/ACCESS.2023.3278996), sections II.B and II.C: guessing positive with the
prevalence as probability has F1 equal to the prevalence r and accuracy r^2 + (1 - r)^2; always positive has F1
2 r / (1 + r) and accuracy r; always the larger class has accuracy max(r, 1 - r).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from scoreproof.kinds.binary.scores import Score, known_scores
from scoreproof.kinds.binary.scores.score import RATIO, Link, made
from scoreproof.kinds.unknown_classes.forms import MATTHEWS, CellRatio, Forms, forms

PREVALENCE = made(
    "prevalence",
    "prevalence",
    lambda tp, fp, fn, tn: (tp + fn, tp + fp + fn + tn),
    reference="Lavazza & Morasca 2023, doi:10.1109/ACCESS.2023.3278996",
)


@dataclass(frozen=True, slots=True)
class BoundedQuantity:
    """Something to bound: a name, its forms, the link from ratio to value, and the range it never leaves."""

    name: str
    title: str
    forms: Forms = field(repr=False, compare=False)
    ratio: CellRatio = field(repr=False, compare=False)
    link: Link = field(default=RATIO, repr=False, compare=False)
    least: Fraction | None = Fraction(0)
    most: Fraction | None = Fraction(1)


def _cells() -> Iterator[BoundedQuantity]:
    yield _made("tp", "true positives, as a rate", lambda tp, fp, fn, tn: (tp, tp + fp + fn + tn))
    yield _made("fp", "false positives, as a rate", lambda tp, fp, fn, tn: (fp, tp + fp + fn + tn))
    yield _made("fn", "false negatives, as a rate", lambda tp, fp, fn, tn: (fn, tp + fp + fn + tn))
    yield _made("tn", "true negatives, as a rate", lambda tp, fp, fn, tn: (tn, tp + fp + fn + tn))
    yield _made("prevalence", "prevalence", PREVALENCE.ratio)


def _leads() -> Iterator[BoundedQuantity]:
    signed = (Fraction(-1), Fraction(1))

    def total(tp: int, fp: int, fn: int, tn: int) -> int:
        return tp + fp + fn + tn

    yield _made(
        "f1 - random",
        "F1 beyond guessing with the prevalence",
        lambda tp, fp, fn, tn: (
            2 * tp * total(tp, fp, fn, tn) - (tp + fn) * (2 * tp + fp + fn),
            total(tp, fp, fn, tn) * (2 * tp + fp + fn),
        ),
        *signed,
    )
    yield _made(
        "acc - random",
        "accuracy beyond guessing with the prevalence",
        lambda tp, fp, fn, tn: (
            (tp + tn) * total(tp, fp, fn, tn) - (tp + fn) ** 2 - (fp + tn) ** 2,
            total(tp, fp, fn, tn) ** 2,
        ),
        *signed,
    )
    yield _made(
        "acc - all positive",
        "accuracy beyond always saying positive",
        lambda tp, fp, fn, tn: (tn - fn, total(tp, fp, fn, tn)),
        *signed,
    )
    yield _made(
        "acc - all negative",
        "accuracy beyond always saying negative",
        lambda tp, fp, fn, tn: (tp - fp, total(tp, fp, fn, tn)),
        *signed,
    )
    yield _made(
        "f1 - all positive",
        "F1 beyond always saying positive",
        lambda tp, fp, fn, tn: (
            2 * tp * (2 * tp + 2 * fn + fp + tn) - 2 * (tp + fn) * (2 * tp + fp + fn),
            (2 * tp + fp + fn) * (2 * tp + 2 * fn + fp + tn),
        ),
        *signed,
    )


def _made(
    name: str,
    title: str,
    ratio: CellRatio,
    least: Fraction | None = Fraction(0),
    most: Fraction | None = Fraction(1),
) -> BoundedQuantity:
    forms_ = forms(ratio)
    assert forms_ is not None
    return BoundedQuantity(name, title, forms_, ratio, RATIO, least, most)


def _of_score(score: Score) -> BoundedQuantity | None:
    forms_: Forms | None = MATTHEWS if score.name == "mcc" else forms(score.ratio)
    if forms_ is None or not score.builtin:
        return None
    return BoundedQuantity(score.name, score.title, forms_, score.ratio, score.link, *score.range)


@cache
def basics() -> tuple[BoundedQuantity, ...]:
    """The four cells as rates, and the prevalence."""
    return tuple(_cells())


@cache
def leads() -> tuple[BoundedQuantity, ...]:
    """How far accuracy and F1 lie beyond those of trivial classifiers."""
    return tuple(_leads())


@cache
def of_score(score: Score) -> BoundedQuantity | None:
    """A score as a quantity; None if it is registered by the user."""
    return _of_score(score)


def reconstructed(reported: tuple[Score, ...] = ()) -> tuple[BoundedQuantity, ...]:
    """Everything a reconstruction bounds: cells, prevalence, all built-in scores, and those reported besides."""
    scores = dict.fromkeys([*known_scores(), *reported])
    return basics() + tuple(forms_ for forms_ in map(of_score, scores) if forms_ is not None)
