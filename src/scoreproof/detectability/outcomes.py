"""Random outcomes of an experiment: the true report of one trial.

Stratified folds have their known class counts; otherwise the cases are dealt at random, and a deal that leaves a class
in fewer than two folds is repeated, as no training set would lack a class. An outcome in which a reported score is
undefined would not have been printed: it is drawn again.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from scoreproof.detectability.classifiers import Classifier, Fold
from scoreproof.detectability.deviations import Units
from scoreproof.detectability.printing import mean_units
from scoreproof.detectability.setting import Setting, one_matrix
from scoreproof.errors import InvalidExperiment, InvalidOption
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
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score

if TYPE_CHECKING:
    import numpy as np

_REDRAWS = 2_000
_LARGEST = 10**9  # cases of a data set that numpy deals into folds
_MOST_CASES = 10**15  # of one evaluation set


def forms(experiment: Experiment) -> list[NormalForm]:
    """The ways the experiment may have been carried out, each as a list of evaluation sets.

    An experiment that adds its matrices is one set; one of unknown aggregation has several forms.
    """
    found = []
    for one in readings(experiment) if is_unknown(experiment) else [experiment]:
        counts = one_matrix(one)
        form = normal_form(MeanOfScores([TestSet(*counts)]) if counts is not None else one)
        if form.ranges:
            raise InvalidExperiment("power: experiments with ranges of their parts are not supported; leave them out")
        if any(one.size > _MOST_CASES for one in form.sets):
            raise InvalidExperiment(f"power: evaluation sets of at most {_MOST_CASES:,} cases are supported")
        found.append(form)
    return found


def draw_report(setting: Setting, made: Sequence[NormalForm], digits: int, rng: np.random.Generator) -> Units:
    """The true report of a random outcome, as printed; drawn again while a score is undefined."""
    scores, scale = setting.scores, 10**digits
    for _ in range(_REDRAWS):
        form = made[int(rng.integers(len(made)))] if len(made) > 1 else made[0]
        folds = _class_counts(form, rng)
        if folds is None:
            continue
        matrices = _matrices(folds, setting.classifier, rng)
        weights = [one.weight for one in form.sets]
        units = _printed(setting, scores, matrices, weights, scale)
        if units is not None:
            return units
    raise InvalidOption(
        f"power: {_REDRAWS} random outcomes of {setting.performed} all left a score undefined "
        f"({', '.join(setting.names)}); leave that score out, or use undefined='zero'"
    )


def _printed(
    setting: Setting,
    scores: Sequence[Score],
    matrices: Sequence[ConfusionMatrix],
    weights: Sequence[Fraction],
    scale: int,
) -> Units | None:
    units = []
    for one in scores:
        unit = mean_units(one, matrices, weights, scale, setting.rounding, setting.undefined)
        if unit is None:
            return None
        units.append(unit)
    return tuple(units)


def _class_counts(form: NormalForm, rng: np.random.Generator) -> list[Fold] | None:
    """The positives and negatives of every set, dealt at random where open; None if a rule forbids the deal."""
    folds = [(one.p, one.n) for one in form.sets]
    for number, family in enumerate(form.families):
        mine = [index for index, one in enumerate(form.sets) if one.family == number]
        if family.rule is FoldRule.BALANCED:
            k = family.folds // family.repeats
            for repeat in range(family.repeats):
                here = mine[repeat * k : (repeat + 1) * k]
                more = rng.permutation(k) < family.p // family.repeats % k
                extra = rng.permutation(k) < family.n // family.repeats % k
                for index, a, b in zip(here, more, extra, strict=True):
                    folds[index] = (folds[index][0] + int(a), folds[index][1] + int(b))
            continue
        sizes = [form.sets[index].size for index in mine]
        if sum(sizes) >= _LARGEST:
            raise InvalidExperiment(f"power: unstratified folds of at most {_LARGEST:,} cases are supported")
        dealt = rng.multivariate_hypergeometric(sizes, family.p, method="marginals")
        with_both = min(sum(dealt > 0), sum(s > c for s, c in zip(sizes, dealt, strict=True)))
        if family.rule is FoldRule.TRAINABLE and with_both < 2:
            return None
        for index, size, count in zip(mine, sizes, dealt, strict=True):
            folds[index] = (int(count), size - int(count))
    return folds


def _matrices(folds: Sequence[Fold], classifier: Classifier, rng: np.random.Generator) -> list[ConfusionMatrix]:
    drawn = classifier.draw(folds, rng)
    return [ConfusionMatrix(tp, n - tn, p - tp, tn) for (p, n), (tp, tn) in zip(folds, drawn, strict=True)]
