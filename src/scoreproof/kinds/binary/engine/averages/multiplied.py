"""What of a demand can be multiplied without a list of points: means of bounded scores, deviations over sets."""

from __future__ import annotations

from dataclasses import replace

from scoreproof.kinds.binary.engine.averages.targets import Demand
from scoreproof.kinds.binary.experiment.normal import EvaluationSet
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.reported.conventions import Undefined


def applies(demand: Demand) -> bool:
    """Whether its rows say anything here: built-in scores of finite range, no set that lacks a class."""
    form = demand.form
    if len({family.rule is FoldRule.BALANCED for family in form.families}) > 1:
        return False
    both = all(one.family is not None or (one.p and one.n) for one in form.sets)
    if any(family.rule is FoldRule.BALANCED for family in form.families):
        both = both and all(one.p and one.n for one in form.sets)
    may_skip = demand.undefined in (Undefined.ANY, Undefined.SKIP)
    return both and (form.flat or not may_skip) and bool(usable(demand).targets)


def usable(demand: Demand) -> Demand:
    """What of a demand has a multiplier: means of bounded scores, deviations over sets."""
    may_skip = demand.undefined in (Undefined.ANY, Undefined.SKIP)
    even = not demand.deviations_of_means and len({one.weight for one in demand.form.sets}) == 1
    targets = []
    for target in demand.targets:
        bounded = target.score.builtin and None not in target.score.range and target.score.name != "pt"
        if target.mean is None or not bounded:
            continue
        spread = even and not (target.error and may_skip)
        near = target.variance is not None and max(target.variance) <= 1 and abs(target.centre) <= 1
        kept = target if spread and near else replace(target, variance=None)
        targets.append(replace(kept, minimum=None, maximum=None))
    return replace(demand, targets=tuple(targets), bounds=(), hexagons={})


def as_dealt(demand: Demand) -> list[Demand]:
    """Demands in which balanced folds all have an odd case of either class, or not; others as they are."""
    if not any(family.rule is FoldRule.BALANCED for family in demand.form.families):
        return [demand]
    found = []
    for more in (0, 1):
        for extra in (0, 1):
            sets = tuple(
                one if one.family is None else EvaluationSet(one.p + more, one.n + extra, one.weight)
                for one in demand.form.sets
            )
            found.append(replace(demand, form=replace(demand.form, sets=sets, families=())))
    return found
