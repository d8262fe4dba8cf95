"""Random outcomes of an experiment on several classes, printed, and the problem that a printed report poses.

The correct cases of every class are drawn as the classifier says, all the wrong ones of a class are given to the others
by shares that are drawn at random. Reported are averages and scores of the whole by name ("macro f1", "acc"), or scores
of every class ("sens", which stands for one of each).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from scoreproof.detectability.classifiers import Classifier
from scoreproof.detectability.deviations import Deviation, LastDigit, OtherExperiment, SwappedColumns, Units
from scoreproof.detectability.printing import rounded
from scoreproof.errors import DuplicateScore, InvalidOption
from scoreproof.kinds.multi_class.experiment import sets_of
from scoreproof.kinds.multi_class.problem import ClassesProblem, MacroF1, in_order
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
from scoreproof.reported.conventions import Undefined

if TYPE_CHECKING:
    import numpy as np

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
