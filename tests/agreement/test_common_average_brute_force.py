"""Means over parts against trying everything: all small images, and the sharpness of every bound."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

import scoreproof as sp
from scoreproof.kinds.common_average.relations import CURVES, UNIT, harmonic, least_harmonic
from scoreproof_verify.formulas import rule
from scoreproof_verify.kinds.common_average import _f, _least_f

PIXELS = 3


def overlaps() -> list[tuple[Fraction, Fraction, Fraction, Fraction]]:
    """Precision, recall, Dice and Jaccard of every pair of images of a few pixels on which all are defined."""
    found = set()
    for truth, answer in product(product((0, 1), repeat=PIXELS), repeat=2):
        tp = sum(a and b for a, b in zip(truth, answer, strict=True))
        marked, there = sum(answer), sum(truth)
        if marked and there:
            either = marked + there - tp
            found.add(
                (Fraction(tp, marked), Fraction(tp, there), Fraction(2 * tp, marked + there), Fraction(tp, either))
            )
    return sorted(found)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_all_small_images(number: int) -> None:
    """No mean over so many images is flagged, printed exactly or rounded; and one that is moved is met or refuted."""
    for images in combinations_with_replacement(overlaps(), number):
        precision, recall, dice, jaccard = (sum(column, Fraction(0)) / number for column in zip(*images, strict=True))
        for parts in (None, number):
            for scores in ({"ppv": precision, "sens": recall, "f1": dice}, {"dice": dice, "iou": jaccard}):
                answer = sp.check(sp.AverageOf(parts), scores, eps=Fraction(1, 10**6), strict=True)
                assert answer.verdict != "inconsistent", (images, str(answer))
        squares = sum(((image[2] - dice) ** 2 for image in images), Fraction(0)) / number
        assert CURVES["f1", "ji"].value(dice) <= jaccard
        assert squares <= dice * (1 - dice)


def test_the_bounds_on_one_matrix_are_the_formula() -> None:
    """With one part the F-score, and the Jaccard index, follow: what is off by a unit is refuted, the rest is met."""
    for precision, recall in product(range(5, 101, 15), repeat=2):
        x, y = Fraction(precision, 100), Fraction(recall, 100)
        true = round(harmonic(x, y) * 10**4)
        for shift in (-30, -1, 0, 1, 30):
            scores = {"ppv": x, "sens": y, "f1": Fraction(true + shift, 10**4)}
            answer = sp.check(sp.AverageOf(1), scores, eps=Fraction(1, 20_000), strict=True)
            far = abs(true + shift - harmonic(x, y) * 10**4) > 2  # the printed precision and recall leave about 1
            assert answer.verdict == ("inconsistent" if far else "consistent") or abs(shift) == 1, (scores, str(answer))


@pytest.mark.parametrize("parts", [1, 2, 3, 4])
@pytest.mark.parametrize("beta", [1, 2])
def test_the_least_f_score_is_that_of_a_grid(parts: int, beta: int) -> None:
    """On grids of values no parts have a smaller mean F-score, and a corner of the cube has it, in both houses."""
    grid = [Fraction(k, 3) for k in range(4)]
    squared = Fraction(beta * beta)
    least: dict[tuple[Fraction, Fraction], Fraction] = {}
    for chosen in combinations_with_replacement(list(product(grid, repeat=2)), parts):
        key = sum((x for x, _ in chosen), Fraction(0)) / parts, sum((y for _, y in chosen), Fraction(0)) / parts
        mean = sum((harmonic(x, y, squared) for x, y in chosen), Fraction(0)) / parts
        least[key] = min(mean, least.get(key, UNIT))
    known = rule(f"f{beta}")
    assert known is not None
    for (x, y), value in least.items():
        assert least_harmonic(x, y, squared, parts) == value
        assert _least_f(known, x, y, parts) == value
        assert _f(known, x, y) == harmonic(x, y, squared)


@pytest.mark.parametrize("parts", [None, 2, 7])
@pytest.mark.parametrize("dice", ["0.30", "0.55", "0.85"])
def test_bounds_between_dice_and_jaccard_are_sharp(parts: int | None, dice: str) -> None:
    low, high = CURVES["f1", "ji"].between(Fraction(dice), Fraction(dice), parts)
    tiny, exact = Fraction(1, 10**5), {"eps": Fraction(1, 10**6)}
    for end, outside in ((low, -1), (high, 1)):
        inside = sp.check(
            sp.AverageOf(parts), {"dice": Fraction(dice), "iou": end - outside * tiny}, **exact, strict=True
        )
        beyond = sp.check(
            sp.AverageOf(parts), {"dice": Fraction(dice), "iou": end + outside * tiny}, **exact, strict=True
        )
        assert (inside.verdict, beyond.verdict) == ("consistent", "inconsistent"), (str(inside), str(beyond))


@pytest.mark.parametrize(("mean", "deviation"), [("0.85", "0.10"), ("0.50", "0.20"), ("0.95", "0.04")])
def test_bounds_with_a_deviation_are_sharp(mean: str, deviation: str) -> None:
    """Two levels, of which one is 0 or 1, attain the bounds (here to about 1e-4 of the printed digits)."""
    mu, square = Fraction(mean), Fraction(deviation) ** 2
    jaccard = CURVES["f1", "ji"].value
    share = mu * mu / (mu * mu + square)
    rest = (1 - mu) ** 2 / ((1 - mu) ** 2 + square)
    low, high = share * jaccard(mu + square / mu), rest * jaccard(mu - square / (1 - mu)) + 1 - rest
    for end, outside in ((low, -1), (high, 1)):
        verdicts = [
            sp.check(
                sp.AverageOf(),
                {"dice": f"{mean}00 ± {deviation}00", "iou": f"{float(end + step * outside):.5f}"},
                rounding="nearest",
                divisor="population",
                strict=True,
            ).verdict
            for step in (Fraction(-1, 2000), Fraction(1, 2000))
        ]
        assert verdicts == ["consistent", "inconsistent"], (end, verdicts)
