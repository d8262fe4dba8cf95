"""Balanced folds with known class counts: the ways in which their odd cases may fall together.

Balanced folds leave open how many of them have an odd case of both classes. Each of these choices is a demand on folds
of known counts, with fewer unknowns than all of them at once: witnesses are looked for there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoreproof.kinds.binary.engine.averages.targets import Demand
from scoreproof.kinds.binary.experiment.folds import overlaps, stratified_folds
from scoreproof.kinds.binary.experiment.normal import EvaluationSet
from scoreproof.kinds.binary.experiment.tree import FoldRule

_MOST = 6  # arrangements that are looked at


def settled(demand: Demand) -> Demand:
    """The demand with balanced folds as scikit-learn makes them: one of the choices, to look for a witness in."""
    for number, family in enumerate(demand.form.families):
        if family.rule is FoldRule.BALANCED:
            repeats, k = family.repeats, family.folds // family.repeats
            folds = stratified_folds(family.p // repeats, family.n // repeats, k) * repeats
            demand = _with_folds(demand, number, folds)
    return demand


def arrangements(demand: Demand) -> Iterator[Demand]:
    """The demand with balanced folds as scikit-learn makes them, then, of one family, with other overlaps."""
    yield settled(demand)
    families = demand.form.families
    if len(families) > 1 or any(family.repeats > 1 or family.rule is not FoldRule.BALANCED for family in families):
        return
    for family in families:
        k = family.folds
        (p, more), (n, extra) = divmod(family.p, k), divmod(family.n, k)
        usual = max(0, more + extra - k)
        least, most = overlaps(family.p, family.n, k)
        for both in range(least, min(most + 1, least + _MOST)):
            if both != usual:
                counts = (both, more - both, extra - both, k - more - extra + both)
                sizes = ((p + 1, n + 1), (p + 1, n), (p, n + 1), (p, n))
                yield _with_folds(demand, 0, [size for size, c in zip(sizes, counts, strict=True) for _ in range(c)])


def _with_folds(demand: Demand, number: int, folds: Sequence[tuple[int, int]]) -> Demand:
    """The demand with these class counts for the folds of one of its families."""
    form = demand.form
    sets = list(form.sets)
    mine = [index for index, one in enumerate(sets) if one.family == number]
    for index, (p, n) in zip(mine, folds, strict=True):
        sets[index] = EvaluationSet(p, n, sets[index].weight)
    families = () if all(one.family is None for one in sets) else form.families
    return replace(demand, form=replace(form, sets=tuple(sets), families=families))
