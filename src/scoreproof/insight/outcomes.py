"""How the true outcome of a trial comes about.

Power needs an assumption about the results that are reported. Fazekas and Kovács (2024,
doi:10.1016/j.asoc.2024.111993, section 5.2) draw the true positives and true negatives of every fold at random,
which is ``AnyClassifier``; ``PlausibleClassifier`` has one sensitivity and one specificity for all folds, both better
than a stated bound, and counts that scatter about them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from scoreproof.errors import DuplicateScore, InvalidOption
from scoreproof.insight.deviations import Deviation, LastDigit, OtherExperiment, SwappedColumns, Units
from scoreproof.jsonable import Jsonable
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, Surd
from scoreproof.kinds.binary.scores.links import RATIO
from scoreproof.kinds.multi_class.experiment import sets_of
from scoreproof.kinds.multi_class.problem import ClassesProblem, in_order
from scoreproof.kinds.multi_class.quantities import (
    WHOLE,
    ClassesScore,
    form_named,
    of_average,
    of_class,
    of_whole,
    parsed,
)
from scoreproof.kinds.multi_class.witness import Treatment, mean_value
from scoreproof.reported import Claim, Rounding
from scoreproof.reported.conventions import MacroF1, Undefined
from scoreproof.validation import fraction, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


Fold = tuple[int, int]


class Classifier(Protocol):
    """Draws (tp, tn) for evaluation sets of (p, n) cases, or gives the distribution of one count."""

    name: ClassVar[str]

    def draw(self, folds: Sequence[Fold], rng: np.random.Generator) -> list[Fold]: ...

    def weights(self, cases: int) -> NDArray[np.float64]: ...

    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True)
class AnyClassifier(Jsonable):
    """In every evaluation set each tp from 0 to p and each tn from 0 to n is as likely as any other."""

    name: ClassVar[str] = "any"
    _told = "name *"

    def draw(self, folds: Sequence[Fold], rng: np.random.Generator) -> list[Fold]:
        return [(int(rng.integers(p, endpoint=True)), int(rng.integers(n, endpoint=True))) for p, n in folds]

    def weights(self, cases: int) -> NDArray[np.float64]:
        """The probability of 0, 1, ... successes among so many cases of one set."""
        import numpy as np

        return np.full(cases + 1, 1 / (cases + 1))

    def __str__(self) -> str:
        return "any counts equally likely"


@dataclass(frozen=True, slots=True)
class PlausibleClassifier(Jsonable):
    """Sensitivity and specificity uniform between ``low`` and ``high``, the counts binomial given these.

    >>> PlausibleClassifier(0.5, 1.0).weights(2).round(4).tolist()
    [0.0833, 0.3333, 0.5833]
    """

    name: ClassVar[str] = "plausible"
    _told = "name *"
    low: float = 0.5
    high: float = 1.0

    def __post_init__(self) -> None:
        for what, value in (("low", self.low), ("high", self.high)):
            fraction(f"plausible classifier: {what}", value, closed=True)
        if not self.low < self.high:
            raise InvalidOption(f"plausible classifier: low must be below high, got {self.low} and {self.high}")

    def draw(self, folds: Sequence[Fold], rng: np.random.Generator) -> list[Fold]:
        sens, spec = rng.uniform(self.low, self.high, 2)
        return [(int(rng.binomial(p, sens)), int(rng.binomial(n, spec))) for p, n in folds]

    def weights(self, cases: int) -> NDArray[np.float64]:
        """The probability of 0, 1, ... successes: a binomial averaged over the rates, by incomplete beta functions."""
        import numpy as np
        from scipy.special import betainc

        counts = np.arange(cases + 1)
        upper, lower = (betainc(counts + 1, cases - counts + 1, end) for end in (self.high, self.low))
        return np.asarray((upper - lower) / ((cases + 1) * (self.high - self.low)), dtype=np.float64)

    def __str__(self) -> str:
        return f"sensitivity and specificity between {self.low:g} and {self.high:g}"


def classifier_of(given: str | Classifier | Mapping[str, Any]) -> Classifier:
    """The classifier of a name, with its defaults, or of a document; a classifier is returned as it is.

    >>> print(classifier_of("any"))
    any counts equally likely
    """
    if isinstance(given, (AnyClassifier, PlausibleClassifier)):
        return given
    if isinstance(given, Mapping):
        return AnyClassifier() if given.get("name") == "any" else PlausibleClassifier.from_dict(given)
    if isinstance(given, str) and given == "any":
        return AnyClassifier()
    if isinstance(given, str) and given == "plausible":
        return PlausibleClassifier()
    raise InvalidOption(f"classifier: expected any, plausible, or PlausibleClassifier(low, high); got {shown(given)}")


_BITS = 200


def mean_units(
    score: Score,
    matrices: Sequence[ConfusionMatrix],
    weights: Sequence[Fraction],
    scale: int,
    rounding: Rounding,
    undefined: Undefined,
) -> int | None:
    """The printed mean as a multiple of ``1 / scale``; None if there is nothing to print.

    ``rounding`` may be ``any``, which prints to nearest. A score that is 0/0 in a set leaves nothing to print, counts
    as zero, or is skipped, as ``undefined`` says; an infinite one is never printed.

    >>> from scoreproof.kinds.binary.scores import score
    >>> folds = [ConfusionMatrix(1, 1, 0, 1), ConfusionMatrix(1, 0, 1, 1)]
    >>> mean_units(score("mcc"), folds, [Fraction(1, 2)] * 2, 1000, Rounding.NEAREST, Undefined.EXCLUDE)
    500
    """
    kept: list[tuple[Fraction, ConfusionMatrix]] = []
    total = Fraction(0)
    for matrix, weight in zip(matrices, weights, strict=True):
        num, den = score.ratio(*matrix.cells)
        if den == 0:
            if num != 0 or undefined is Undefined.EXCLUDE:
                return None
            if undefined is Undefined.ZERO:
                total += weight
            continue
        total += weight
        kept.append((weight, matrix))
    if total == 0:
        return None
    if score.link is RATIO:
        value = sum((weight * Fraction(*score.ratio(*one.cells)) for weight, one in kept), Fraction(0)) / total
        return rounded(value * scale, rounding)
    low = high = Fraction(0)
    for weight, one in kept:
        ends = score.enclose(*one.cells, 1 << _BITS)
        assert ends is not None
        low += weight * ends[0] / total
        high += weight * ends[1] / total
    least, most = rounded(low * scale, rounding), rounded(high * scale, rounding)
    return least if least == most else _settled(score, kept, total, scale, rounding, most)


def _settled(
    score: Score,
    kept: Sequence[tuple[Fraction, ConfusionMatrix]],
    total: Fraction,
    scale: int,
    rounding: Rounding,
    most: int,
) -> int:
    """One of two neighbouring numbers, decided by the sign of an algebraic number."""
    mean = Surd.rational(0)
    for weight, one in kept:
        value = score.exact(*one.cells)
        assert value is not None
        mean += value.scaled(weight / total)
    if rounding is Rounding.CEIL:
        return most if mean.sign(Fraction(most - 1, scale)) > 0 else most - 1
    border = Fraction(most, scale) if rounding is Rounding.FLOOR else Fraction(2 * most - 1, 2 * scale)
    return most if mean.sign(border) >= 0 else most - 1


def rounded(value: Fraction, rounding: Rounding) -> int:
    """A number of units in print; ``any`` prints to nearest."""
    if rounding is Rounding.FLOOR:
        return floor(value)
    if rounding is Rounding.CEIL:
        return -floor(-value)
    return floor(value + Fraction(1, 2))


def decimal_text(units: int, digits: int) -> str:
    """The number in print.

    >>> decimal_text(-5, 2), decimal_text(1234, 3), decimal_text(7, 0)
    ('-0.05', '1.234', '7')
    """
    sign = "-" if units < 0 else ""
    whole, rest = divmod(abs(units), 10**digits)
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"


_REDRAWS = 2_000
_OF = " of "
_DEVIATIONS = (LastDigit, SwappedColumns, OtherExperiment)
_FILLED = {Undefined.ZERO: Treatment.ZERO, Undefined.ONE: Treatment.ONE, Undefined.SKIP: Treatment.SKIP}


def of_classes(experiment: Any) -> bool:
    """Whether an experiment has several classes of known counts."""
    return getattr(experiment, "kind", "") == "multi_class"


def class_scores(names: Sequence[str], experiment: Any) -> tuple[ClassesScore, ...]:
    """What names stand for, a score of every class for each of them.

    >>> from scoreproof import MultiClass
    >>> [one.name for one in class_scores(["Macro-F1", "sens"], MultiClass({"cat": 5, "dog": 7, "cow": 3}))]
    ['macro F1', 'recall of cat', 'recall of dog', 'recall of cow']
    """
    classes = sets_of(experiment)[0]
    scores = [one for name in names for one in _named(name, classes)]
    for place, one in enumerate(scores):
        if one in scores[:place]:
            raise DuplicateScore(f"scores: {one.title} is given twice")
    return tuple(scores)


def _named(name: str, classes: Sequence[str]) -> Iterator[ClassesScore]:
    score, _, owner = name.rpartition(_OF)
    if owner in classes and score:
        yield of_class(form_named(score).name, classes.index(owner), owner, "multi_class")
        return
    known, average = parsed(name)
    if average:
        yield of_average(known, average, "multi_class")
    elif known in WHOLE:
        yield of_whole(known, "multi_class")
    else:
        form = form_named(known).name
        yield from (of_class(form, place, owner, "multi_class") for place, owner in enumerate(classes))


def require_covered(deviation: Deviation) -> None:
    """An error if a deviation speaks of positives and negatives."""
    if type(deviation) is not Deviation and not isinstance(deviation, _DEVIATIONS):
        raise InvalidOption(
            f"deviation: of several classes expected 'last digit', 'swapped columns', 'none' or OtherExperiment(...), "
            f"got {deviation.name!r}"
        )


def class_problem(experiment: Any, claims: Sequence[Claim], undefined: Undefined) -> ClassesProblem:
    """A report on several classes, tested as ``check`` does."""
    classes, counts = sets_of(experiment)
    return ClassesProblem(classes, tuple(counts), in_order(claims), undefined)


def draw_class_report(
    experiment: Any,
    scores: Sequence[ClassesScore],
    classifier: Classifier,
    scale: int,
    rounding: Rounding,
    undefined: Undefined,
    rng: np.random.Generator,
) -> Units:
    """The true report of a random outcome, as printed; drawn again while a score is undefined."""
    classes, counts = sets_of(experiment)
    problem = ClassesProblem(classes, tuple(counts), (), undefined, MacroF1.MEAN)
    treatment = _FILLED.get(undefined)
    for _ in range(_REDRAWS):
        sets = [_drawn(own, classifier, rng) for own in counts]
        values = [mean_value(problem, sets, one, treatment) for one in scores]
        known = [value for value in values if value is not None]
        if len(known) == len(values):
            return tuple(rounded(Fraction(value) * scale, rounding) for value in known)
    raise InvalidOption(
        f"power: {_REDRAWS} random outcomes of {experiment} all left a score undefined; leave it out, or use "
        "undefined='zero'"
    )


def _drawn(sizes: Sequence[int], classifier: Classifier, rng: np.random.Generator) -> list[tuple[int, int]]:
    """tp and q of every class of one random matrix."""
    import numpy as np

    right = [tp for tp, _ in classifier.draw([(n, 0) for n in sizes], rng)]
    given = np.array(right)
    for place, (n, tp) in enumerate(zip(sizes, right, strict=True)):
        shares = rng.dirichlet(np.ones(len(sizes) - 1))
        given += np.insert(rng.multinomial(n - tp, shares), place, 0)
    return [(tp, int(q)) for tp, q in zip(right, given, strict=True)]
