"""How the true outcome of a trial comes about: what classifies the cases, and what a paper would print of the result.

Power needs an assumption about the results that are reported. Fazekas and Kovács (2024,
doi:10.1016/j.asoc.2024.111993, section 5.2) draw the true positives and true negatives of every fold at random,
which is ``AnyClassifier``; ``PlausibleClassifier`` has one sensitivity and one specificity for all folds, both better
than a stated bound, and counts that scatter about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, Any, ClassVar

from scoreproof.errors import DuplicateScore, InvalidExperiment, InvalidOption
from scoreproof.insight.deviations import Units
from scoreproof.insight.printed_boxes import one_matrix
from scoreproof.jsonable import Jsonable
from scoreproof.kinds.binary.experiment import (
    Experiment,
    FoldRule,
    MeanOfScores,
    NormalForm,
    TestSet,
    is_unknown,
    normal_form,
    readings,
)
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, score
from scoreproof.kinds.multi_class.experiment import sets_of
from scoreproof.kinds.multi_class.problem import ClassesProblem
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
from scoreproof.reported import Rounding
from scoreproof.reported.conventions import MacroF1, Undefined
from scoreproof.validation import fraction, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scoreproof.insight.power_result import PowerSetting


Fold = tuple[int, int]  # cases of an evaluation set: positives and negatives, or those that are right


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


Classifier = AnyClassifier | PlausibleClassifier


def classifier_of(given: str | Classifier | Mapping[str, Any]) -> Classifier:
    """The classifier of a name, with its defaults, or of a document; a classifier is returned as it is.

    >>> print(classifier_of("any"))
    any counts equally likely
    """
    if isinstance(given, (AnyClassifier, PlausibleClassifier)):
        return given
    named = {kind.name: kind for kind in (AnyClassifier, PlausibleClassifier)}
    if isinstance(given, Mapping):
        return named.get(given.get("name", ""), PlausibleClassifier).from_dict(given)
    if isinstance(given, str) and given in named:
        return named[given]()
    raise InvalidOption(f"classifier: expected any, plausible, or PlausibleClassifier(low, high); got {shown(given)}")


_BITS = 200
_TIE = Fraction(1, 1 << 190)  # a mean of square roots so near below a border is taken to lie on it


def mean_units(
    score: Score, sets: Iterable[tuple[Fraction, ConfusionMatrix]], scale: int, rounding: Rounding, undefined: Undefined
) -> int | None:
    """The printed mean over weighted sets as a multiple of ``1 / scale``; None if there is nothing to print.

    ``rounding`` may be ``any``, which prints to nearest. A score that is 0/0 in a set leaves nothing to print, counts
    as zero, or is skipped, as ``undefined`` says; an infinite one is never printed.

    >>> from scoreproof.kinds.binary.scores import score
    >>> folds = [(Fraction(1, 2), ConfusionMatrix(1, 1, 0, 1)), (Fraction(1, 2), ConfusionMatrix(1, 0, 1, 1))]
    >>> mean_units(score("mcc"), folds, 1000, Rounding.NEAREST, Undefined.EXCLUDE)
    500
    """
    below = total = Fraction(0)
    for weight, matrix in sets:
        num, den = score.ratio(*matrix.cells)
        if den != 0:
            below += weight * Fraction(score.link.floor(num, den, 1 << _BITS), 1 << _BITS)
        elif num != 0 or undefined is Undefined.EXCLUDE:
            return None
        if den != 0 or undefined is Undefined.ZERO:
            total += weight
    return None if total == 0 else rounded((below / total + _TIE * (rounding is not Rounding.CEIL)) * scale, rounding)


def rounded(value: Fraction, rounding: Rounding) -> int:
    """A number of units in print; ``any`` prints to nearest."""
    if rounding is Rounding.FLOOR:
        return floor(value)
    return ceil(value) if rounding is Rounding.CEIL else floor(value + Fraction(1, 2))


_LARGEST = 10**9  # cases of a data set that numpy deals into folds
_MOST_CASES = 10**15  # of one evaluation set
_OF = " of "
_REDRAWS = 2_000
_FILLED = {Undefined.ZERO: Treatment.ZERO, Undefined.ONE: Treatment.ONE, Undefined.SKIP: Treatment.SKIP}


def of_classes(experiment: Any) -> bool:
    """Whether an experiment has several classes of known counts."""
    return getattr(experiment, "kind", "") == "multi_class"


def named_scores(names: Sequence[str], experiment: Any, beta: Any = None) -> tuple[Any, ...]:
    """What names stand for; of several classes a name without one is that of a score of every class.

    >>> from scoreproof import MultiClass
    >>> [score.name for score in named_scores(["Macro-F1", "sens"], MultiClass({"cat": 5, "dog": 7, "cow": 3}))]
    ['macro F1', 'recall of cat', 'recall of dog', 'recall of cow']
    """
    if not of_classes(experiment):
        scores: list[Any] = [score(name, beta) for name in names]
    elif beta is not None:
        raise InvalidOption("beta: of several classes name the F-score, such as 'macro f2'")
    else:
        classes = sets_of(experiment)[0]
        scores = [each for name in names for each in _named(name, classes)]
    twice = next((each for place, each in enumerate(scores) if each in scores[:place]), None)
    if twice is not None:
        raise DuplicateScore(f"scores: the {twice.title} is given twice; name it once")
    return tuple(scores)


def _named(name: str, classes: Sequence[str]) -> Iterator[ClassesScore]:
    plain, _, owner = name.rpartition(_OF)
    if owner in classes and plain:
        yield of_class(form_named(plain).name, classes.index(owner), owner, "multi_class")
        return
    known, average = parsed(name)
    if average:
        yield of_average(known, average, "multi_class")
    elif known in WHOLE:
        yield of_whole(known, "multi_class")
    else:
        form = form_named(known).name
        yield from (of_class(form, place, owner, "multi_class") for place, owner in enumerate(classes))


def forms_of(experiment: Experiment) -> list[NormalForm]:
    """The forms outcomes of two classes are drawn from: one, or one for each way the aggregation may have been.

    An experiment that adds its matrices is one set.
    """
    forms = []
    for each in readings(experiment) if is_unknown(experiment) else [experiment]:
        counts = one_matrix(each)
        forms.append(normal_form(each if counts is None else MeanOfScores([TestSet(*counts)])))
    if any(form.ranges for form in forms):
        raise InvalidExperiment("power: experiments with ranges of their parts are not supported; leave them out")
    if any(each.size > _MOST_CASES for form in forms for each in form.sets):
        raise InvalidExperiment(f"power: evaluation sets of at most {_MOST_CASES:,} cases are supported")
    return forms


def _class_counts(form: NormalForm, rng: np.random.Generator) -> list[Fold] | None:
    """The positives and negatives of every set, dealt at random where open; None if a rule forbids the deal."""
    folds = [(each.p, each.n) for each in form.sets]
    for number, family in enumerate(form.families):
        places = [index for index, each in enumerate(form.sets) if each.family == number]
        if family.rule is FoldRule.BALANCED:
            k = family.folds // family.repeats
            for repeat in range(family.repeats):
                here = places[repeat * k : (repeat + 1) * k]
                more = rng.permutation(k) < family.p // family.repeats % k
                extra = rng.permutation(k) < family.n // family.repeats % k
                for index, a, b in zip(here, more, extra, strict=True):
                    folds[index] = (folds[index][0] + int(a), folds[index][1] + int(b))
            continue
        sizes = [form.sets[index].size for index in places]
        if sum(sizes) >= _LARGEST:
            raise InvalidExperiment(f"power: unstratified folds of at most {_LARGEST:,} cases are supported")
        dealt = rng.multivariate_hypergeometric(sizes, family.p, method="marginals")
        with_both = min(sum(dealt > 0), sum(s > c for s, c in zip(sizes, dealt, strict=True)))
        if family.rule is FoldRule.TRAINABLE and with_both < 2:
            return None
        for index, size, count in zip(places, sizes, dealt, strict=True):
            folds[index] = (int(count), size - int(count))
    return folds


def true_report(setting: PowerSetting, forms: Sequence[NormalForm], scale: int, rng: np.random.Generator) -> Units:
    """The true report of a random outcome, as printed; drawn again while a score is undefined."""
    for _ in range(_REDRAWS):
        units = _of_matrices(setting, forms, scale, rng) if forms else _of_classes(setting, scale, rng)
        defined = tuple(unit for unit in units if unit is not None)
        if len(defined) == len(units):
            return defined
    raise InvalidOption(
        f"power: {_REDRAWS} random outcomes of {setting.performed} all left a score undefined "
        f"({', '.join(setting.names)}); leave that score out, or use undefined='zero'"
    )


def _of_classes(setting: PowerSetting, scale: int, rng: np.random.Generator) -> list[int | None]:
    """On several classes: the cases of a class that are wrong scatter over the others at random."""
    classes, counts = sets_of(setting.performed)
    import numpy as np

    sets = []
    for sizes in counts:
        right = [tp for tp, _ in setting.classifier.draw([(n, 0) for n in sizes], rng)]
        given = np.array(right)
        for place, (n, tp) in enumerate(zip(sizes, right, strict=True)):
            shares = rng.dirichlet(np.ones(len(sizes) - 1))
            given += np.insert(rng.multinomial(n - tp, shares), place, 0)
        sets.append([(tp, int(q)) for tp, q in zip(right, given, strict=True)])
    problem = ClassesProblem(classes, tuple(counts), (), setting.undefined, MacroF1.MEAN)
    values = (mean_value(problem, sets, score, _FILLED.get(setting.undefined)) for score in setting.scores)
    return [None if value is None else rounded(value * scale, setting.rounding) for value in values]


def _of_matrices(
    setting: PowerSetting, forms: Sequence[NormalForm], scale: int, rng: np.random.Generator
) -> list[int | None]:
    """On two classes: a confusion matrix for each evaluation set, whose class counts may be open."""
    form = forms[int(rng.integers(len(forms)))] if len(forms) > 1 else forms[0]
    folds = _class_counts(form, rng)
    if folds is None:
        return [None]
    sets = [
        (each.weight, ConfusionMatrix(tp, n - tn, p - tp, tn))
        for each, (p, n), (tp, tn) in zip(form.sets, folds, setting.classifier.draw(folds, rng), strict=True)
    ]
    return [mean_units(wanted, sets, scale, setting.rounding, setting.undefined) for wanted in setting.scores]
