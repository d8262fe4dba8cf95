"""Scores of one class against the rest, each a ratio of two sums of its counts.

A class of n cases out of N is given to q cases, tp of them rightly. Every score here is (a tp + b q + c n + d N)
divided by another such sum, so that "the score is at least v" is one linear inequality in tp and q.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from scoreproof.errors import UnknownScore
from scoreproof.kinds.binary.scores import score

Sum = tuple[int, int, int, int]  # how often tp, q, n and N are counted


@dataclass(frozen=True, slots=True)
class Form:
    """A score of one class: its name, the word for it, numerator and denominator."""

    name: str
    word: str
    num: Sum
    den: Sum

    def ratio(self, tp: Any, q: Any, n: int, total: int) -> tuple[Any, Any]:
        """Numerator and denominator, of numbers or of arrays."""
        a, b, c, d = self.num
        e, f, g, h = self.den
        return a * tp + b * q + (c * n + d * total), e * tp + f * q + (g * n + h * total)

    @property
    def harmonic(self) -> bool:
        """Whether it is an F-score, which some compute as a mean of precision and recall."""
        return self.name[:1] == "f" and self.name[1:2].isdigit()


RIGHT = Form("right", "share of correct cases", (1, 0, 0, 0), (0, 0, 0, 1))  # its sum over classes is the accuracy

_LISTED = (
    Form("sens", "recall", (1, 0, 0, 0), (0, 0, 1, 0)),
    Form("fnr", "false negative rate", (-1, 0, 1, 0), (0, 0, 1, 0)),
    Form("ppv", "precision", (1, 0, 0, 0), (0, 1, 0, 0)),
    Form("fdr", "false discovery rate", (-1, 1, 0, 0), (0, 1, 0, 0)),
    Form("f1", "F1", (2, 0, 0, 0), (0, 1, 1, 0)),
    Form("spec", "specificity", (1, -1, -1, 1), (0, 0, -1, 1)),
    Form("fpr", "false positive rate", (-1, 1, 0, 0), (0, 0, -1, 1)),
    Form("npv", "negative predictive value", (1, -1, -1, 1), (0, -1, 0, 1)),
    Form("for", "false omission rate", (-1, 0, 1, 0), (0, -1, 0, 1)),
    Form("acc", "one-against-rest accuracy", (2, -1, -1, 1), (0, 0, 0, 1)),
    Form("err", "one-against-rest error", (-2, 1, 1, 0), (0, 0, 0, 1)),
    Form("ji", "Jaccard index", (1, 0, 0, 0), (-1, 1, 1, 0)),
)
FORMS = {form.name: form for form in _LISTED}


@lru_cache(maxsize=256)
def form_named(name: str) -> Form:
    """The score of one class that a name in any usual spelling stands for; F-scores of any beta included.

    >>> form_named("Precision").name, form_named("F2").num
    ('ppv', (5, 0, 0, 0))
    """
    known = score(name).name
    if known in FORMS:
        return FORMS[known]
    if known[:1] == "f" and known[1:2].isdigit() and known[-1] != "n":
        squared = Fraction(known[1:]) ** 2
        s, r = squared.numerator, squared.denominator
        return Form(known, f"F{known[1:]}", (s + r, 0, 0, 0), (0, r, s, 0))
    raise UnknownScore(
        f"{name!r} is not a score of one class among several that is tested; these are: {', '.join(FORMS)} and F-scores"
    )


def uses_total(form: Form) -> bool:
    """Whether a score depends on how many cases there are in all."""
    return form.num[3] != 0 or form.den[3] != 0
