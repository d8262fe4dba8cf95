"""F-scores: any beta, of either class, and their names."""

from __future__ import annotations

import re
from fractions import Fraction

from scoreproof.kinds.binary.scores.score import Score, Shape, made
from scoreproof.quantities.names import MINUS, spelled

_F_BETA = re.compile(
    r"f(?:beta)?=?(\d+(?:\.\d+)?|\.\d+|\d+/0*[1-9]\d*)(?:score|measure)?(p|plus|n|minus)?(?:score|measure)?"
)


def f_beta_name(name: str) -> tuple[Fraction, bool] | None:
    """The beta in an F-score's name and whether it is of the negative class; None if it is no such name.

    >>> f_beta_name("F0.5 score"), f_beta_name("f2n"), f_beta_name("F1+"), f_beta_name("fallout")
    ((Fraction(1, 2), False), (Fraction(2, 1), True), (Fraction(1, 1), False), None)
    """
    text = spelled(name)
    if text[-1:] == "+":
        text = text[:-1] + "plus"
    elif len(text) > 2 and text[-1] in MINUS:
        text = text[:-1] + "minus"
    for dash in MINUS:
        text = text.replace(dash, "")
    match = _F_BETA.fullmatch(text)
    if match is None:
        return None
    return Fraction(match[1]), match[2] in ("n", "minus")


def f_beta(beta: Fraction, *, negative: bool = False) -> Score:
    """The F-score of the positive (or negative) class that weighs recall ``beta`` times as much as precision."""
    u, v = (beta * beta).as_integer_ratio()
    name = f"f{_beta_text(beta)}{'n' if negative else ''}"
    if negative:
        return made(
            name,
            f"F{_beta_text(beta)} of the negative class",
            lambda tp, fp, fn, tn: ((u + v) * tn, (u + v) * tn + u * fp + v * fn),
            r"\frac{(1+\beta^2)\,tn}{(1+\beta^2)\,tn+\beta^2 fp+fn}",
            "Redondo, Sbert & Ulloa 2020 (unified performance measure)",
            shape=Shape.FRACTIONAL,
            beta=beta,
        )
    return made(
        name,
        f"F{_beta_text(beta)} score",
        lambda tp, fp, fn, tn: ((u + v) * tp, (u + v) * tp + u * fn + v * fp),
        r"\frac{(1+\beta^2)\,tp}{(1+\beta^2)\,tp+\beta^2 fn+fp}",
        "Tharwat 2021, doi:10.1016/j.aci.2018.08.003",
        shape=Shape.FRACTIONAL,
        beta=beta,
    )


def _beta_text(beta: Fraction) -> str:
    """0.5 for 1/2, 2 for 2; a beta without a finite decimal keeps its fraction."""
    scale = 1
    while (beta * scale).denominator > 1 and scale < 10**6:
        scale *= 10
    if (beta * scale).denominator > 1:
        return f"{beta.numerator}/{beta.denominator}"
    digits = len(str(scale)) - 1
    return f"{float(beta):.{digits}f}" if digits else str(beta.numerator)
