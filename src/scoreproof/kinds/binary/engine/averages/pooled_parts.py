"""Relaxation by pooling: parts whose means deviate, as one evaluation set each.

Where the sets of a part are alike in their class counts and weigh the same, the mean of a linear score over them is
that of their matrices added up. So what is said of linear scores over such parts is said of one matrix for each part,
and a deviation over means of sets becomes one over sets, which every engine knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from scoreproof.kinds.binary.engine.averages.constraints import Constraints, Target
from scoreproof.kinds.binary.experiment.normal import EvaluationSet, NormalForm, Tree, members, weights
from scoreproof.kinds.binary.scores import Shape
from scoreproof.reported.conventions import SpreadOver


def one_set_each(constraints: Constraints, parts: Sequence[Tree], targets: Sequence[Target]) -> Constraints:
    """Every part as one set of all its cases, with what is said of some scores and of single parts alone."""
    form = constraints.form
    sets = tuple(EvaluationSet(*_cases(form, part), Fraction(1, len(parts))) for part in parts)
    place = {part: number for number, part in enumerate(parts)}
    names = {target.score.name for target in targets}
    return replace(
        constraints,
        form=NormalForm(sets, (), (), {}, tuple(range(len(sets)))),
        targets=tuple(replace(target, minimum=None, maximum=None) for target in targets if target.mean is not None),
        bounds=tuple(
            replace(bound, part=place[bound.part])
            for bound in constraints.bounds
            if bound.part in place and bound.score.name in names
        ),
        hexagons={},
        spread_over=SpreadOver.FOLDS,
    )


def pooled(constraints: Constraints) -> Constraints | None:
    """What is said of linear scores, with one set for each part that deviates; None if that is not the same."""
    form = constraints.form
    if not constraints.deviations_of_means or not all(_alike(constraints, part) for part in constraints.spread_parts):
        return None
    linear = [
        target
        for target in constraints.targets
        if target.mean is not None
        and target.score.builtin
        and target.score.shape is Shape.LINEAR
        and all(target.score.ratio(0, subset.n, subset.p, 0)[1] > 0 for subset in set(form.sets))
    ]
    if all(target.variance is None for target in linear):
        return None
    return replace(one_set_each(constraints, constraints.spread_parts, linear), bounds=())


def _alike(constraints: Constraints, part: Tree) -> bool:
    """Whether the sets of a part have the same known class counts and weights, and no bounded summands."""
    mine = members(part)
    sets = {(subset.p, subset.n, subset.family) for subset in (constraints.form.sets[index] for index in mine)}
    known = len(sets) == 1 and next(iter(sets))[2] is None
    return known and len(set(weights(part).values())) == 1 and not any(index in constraints.hexagons for index in mine)


def _cases(form: NormalForm, part: Tree) -> tuple[int, int]:
    """The positives and negatives of all sets of a part; a family of folds lies in one part."""
    mine = [form.sets[index] for index in members(part)]
    known = [(subset.p, subset.n) for subset in mine if subset.family is None]
    known += [(form.families[k].p, form.families[k].n) for k in {subset.family for subset in mine} if k is not None]
    return sum(p for p, _ in known), sum(n for _, n in known)
