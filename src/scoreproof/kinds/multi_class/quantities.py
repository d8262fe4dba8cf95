"""What a report on several classes has numbers for: scores of a class, each a ratio of sums of counts, and averages.

A class of n cases out of N is given to q cases, tp of them rightly. Every score here is (a tp + b q + c n + d N)
divided by another such sum, so that "the score is at least v" is one linear inequality in tp and q.

A score of one class, its average over the classes (macro, weighted by support, micro), or a score of the whole matrix:
accuracy, kappa, MCC. Names are read in every usual spelling: "F1 (macro)", "macro-averaged precision", "f1_weighted",
"UAR", "weighted avg recall".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from scoreproof.errors import InvalidValue, UnknownScore
from scoreproof.kinds.binary.scores import score
from scoreproof.quantities import Quantity
from scoreproof.quantities.registry import key
from scoreproof.validation import shown

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


AVERAGES = ("macro", "weighted", "micro")
WHOLE = {"acc": "accuracy", "kappa": "kappa", "mcc": "MCC"}
Kind = Literal["multi_class", "multi_label"]

_SIGNED = (Fraction(-1), Fraction(1))
_AVERAGE = re.compile(
    r"(?P<of>macro|micro|weighted|unweighted)[\s_-]*(?:averaged?|avg\.?|mean|over\s+classes)?"
    r"|\bclass[\s_-]*averaged?\b",
    re.IGNORECASE,
)
# Names of averages that do not say so.
_SPECIAL = {
    "uar": ("sens", "macro"),
    "unweightedaveragerecall": ("sens", "macro"),
    "war": ("acc", ""),
    "weightedaveragerecall": ("sens", "weighted"),
    "bacc": ("sens", "macro"),
    "balancedaccuracy": ("sens", "macro"),
    "balancedacc": ("sens", "macro"),
    "meanclassaccuracy": ("sens", "macro"),
    "meanperclassaccuracy": ("sens", "macro"),
    "miou": ("ji", "macro"),
    "meaniou": ("ji", "macro"),
    "oneagainstrestaccuracy": ("acc", "macro"),
    "onevsrestaccuracy": ("acc", "macro"),
    "ovraccuracy": ("acc", "macro"),
    "ovracc": ("acc", "macro"),
}


@dataclass(frozen=True, slots=True)
class ClassesScore(Quantity):
    """A score of one class (``place`` is its number), an average over classes, or a score of the whole (neither)."""

    score: str = "acc"
    place: int | None = None
    average: str = ""

    @property
    def order(self) -> tuple[int, int, str]:
        """Where it stands in a report: classes, the whole, averages."""
        group = AVERAGES.index(self.average) + 2 if self.average else 0 if self.place is not None else 1
        return group, self.place or 0, f"{[*FORMS].index(self.score):02d}" if self.score in FORMS else self.score


@lru_cache(maxsize=8192)
def of_class(name: str, place: int, called: str, kind: Kind) -> ClassesScore:
    """The score of one class."""
    words = f"{form_named(name).word} of {called}"
    return ClassesScore(words, words, kind=kind, score=name, place=place)


@lru_cache(maxsize=256)
def of_average(name: str, average: str, kind: Kind) -> ClassesScore:
    """The average of a score over the classes."""
    form = form_named(name)
    words = f"{average} {form.word}"
    latex = f"{average}~{form.word}"
    return ClassesScore(words, words, latex, kind=kind, score=form.name, average=average)


@lru_cache(maxsize=16)
def of_whole(name: str, kind: Kind) -> ClassesScore:
    """A score of the whole matrix."""
    words = WHOLE[name]
    span = _SIGNED if name != "acc" else (Fraction(0), Fraction(1))
    return ClassesScore(words, words, range=span, kind=kind, score=name)


def parsed(name: str) -> tuple[str, str]:
    """Score and average that a name stands for; the average is empty if the name has none.

    >>> parsed("F1 (macro)"), parsed("macro-averaged precision"), parsed("UAR"), parsed("Cohen's kappa")
    (('f1', 'macro'), ('ppv', 'macro'), ('sens', 'macro'), ('kappa', ''))
    """
    if not isinstance(name, str):
        raise InvalidValue(f"scores: expected names such as 'macro f1', got {shown(name)}")
    special = _SPECIAL.get(key(name))
    if special is not None:
        return special
    matched = _AVERAGE.search(name)
    if matched is None:
        return score(name).name, ""
    rest = (name[: matched.start()] + " " + name[matched.end() :]).replace("(", " ").replace(")", " ").strip(" _-,:/")
    average = {"unweighted": "macro", None: "macro"}.get(
        matched["of"] and matched["of"].lower(), (matched["of"] or "").lower()
    )
    if not rest:
        raise UnknownScore(f"no score is called {name!r}; say of what it is the average, such as '{average} f1'")
    return form_named(rest).name, average


def refused(name: str) -> str:
    """Why a name in a table is no score of several classes, in words; empty if it is one.

    >>> refused("Macro-F1"), refused("kappa"), refused("F1")
    ('', '', 'of several classes it is an average; of which kind?')
    """
    try:
        score_name, average = parsed(name)
    except UnknownScore:
        return "not a score of several classes that is tested"
    if average or score_name in WHOLE:
        return ""
    try:
        form_named(score_name)
    except UnknownScore:
        return "not a score of several classes that is tested"
    return "of several classes it is an average; of which kind?"


def refused_of_means(name: str) -> str:
    """Why a score is not tested as a mean over several sets, in words; empty if it is.

    >>> refused_of_means("kappa"), refused_of_means("accuracy")
    ('its mean over several matrices is not tested, being no sum over the classes', '')
    """
    score_name, average = parsed(name)
    quotient = score_name in WHOLE and score_name != "acc" and not average
    ratio = average == "micro" and form_named(score_name).den[0] != 0
    return "its mean over several matrices is not tested, being no sum over the classes" if quotient or ratio else ""
