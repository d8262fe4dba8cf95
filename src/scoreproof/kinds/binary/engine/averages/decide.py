"""Which engine decides a mean of scores.

What is said of linear scores alone is looked at first, on totals: that decides it, or refutes the whole, or leaves
it to the engine that lists the points of each set, or to the one for sets too large to list.
"""

from __future__ import annotations

from dataclasses import replace

from scoreproof.kinds.binary.engine.averages import blocks
from scoreproof.kinds.binary.engine.averages.targets import Demand, linear_part
from scoreproof.kinds.binary.engine.averages.totals import decide_totals
from scoreproof.kinds.binary.experiment.folds import stratified_folds
from scoreproof.kinds.binary.experiment.normal import EvaluationSet
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.binary.witness import Witness
from scoreproof.kinds.kind import Decision
from scoreproof.reported.conventions import Undefined
from scoreproof.work.deadline import Deadline, OutOfTime

MOST_COLUMNS = 1_500_000
MOST_VALUES = 30_000_000  # columns times rows, 16 bytes each
_MOST_COUNTS = 100_000  # class counts of one fold
_MOST_KINDS = 5_000  # evaluation sets that differ
_MOST_OPEN = 20_000_000  # data sets with open folds times folds, all of which are looked at together
_LINEAR_SHARE = 0.2  # of the budget, where linear scores are not all
_DEFINED_SHARE = 0.7  # of what is left, for matrices without 0/0


Decided = Decision[Witness]


def decide_mean(demand: Demand, *, deadline: Deadline, seed: int = 0) -> Decided:
    """Decide whether matrices exist, one per evaluation set, that meet every demand."""
    beyond = _beyond(demand)
    if beyond:
        return Decision(reason=beyond)
    linear = linear_part(demand)
    if linear is not None and blocks.applies(linear):
        whole = linear is demand
        outcome = decide_totals(linear, deadline if whole else deadline.part(_LINEAR_SHARE))
        if outcome.proof is not None:
            return Decision(proof={"kind": "totals", "cases": outcome.proof})
        if outcome.witness is not None and (whole or demand.fits(outcome.witness)):
            return Decision(Witness(outcome.witness))
        if deadline.passed:
            return Decision(reason=f"{outcome.boxes} boxes of fold totals within {deadline.seconds:.3g} s")
    from scoreproof.kinds.binary.engine.averages.columns import build, count_columns
    from scoreproof.kinds.binary.engine.averages.tree import search

    columns = count_columns(demand)
    if columns > MOST_COLUMNS or columns * rows_expected(demand) > MOST_VALUES:
        return _large(demand, deadline, seed)
    try:
        if demand.undefined is Undefined.ANY:
            # most reports come from matrices on which every score is defined, and these are found more easily
            defined = build(replace(demand, undefined=Undefined.EXCLUDE), deadline)
            found = search(defined, budget=deadline.part(_DEFINED_SHARE), seed=seed)
            if found.witness is not None:
                return Decision(_in_repeats(demand, found.witness))
        model = build(demand, deadline)
    except OutOfTime:
        return Decision(reason=f"the points of the evaluation sets were not listed within {deadline.seconds:.3g} s")
    found = search(model, budget=deadline, seed=seed)
    if found.proof is None:
        return Decision(_in_repeats(demand, found.witness), reason=found.reason)
    proof = {
        "kind": "columns",
        "groups": [list(group.indices) for group in model.groups],
        "bits": [row.bits for row in model.rows],
        "steps": found.proof,
    }
    return Decision(proof=proof)


def _beyond(demand: Demand) -> str:
    """Why a demand is not even looked at, in words; empty if it is."""
    form = demand.form
    kinds = set(form.sets)
    if any(form.open_counts(one) > _MOST_COUNTS for one in kinds):
        return (
            "the evaluation sets are too large to list their points, and folds of unknown class counts are not decided "
            "at this size"
        )
    if len(form.families) * len(form.sets) > _MOST_OPEN:
        return f"{len(form.sets):,} folds of unknown class counts in {len(form.families):,} repeats are not decided"
    if len(kinds) - len(form.families) > _MOST_KINDS:
        return f"{len(kinds):,} different evaluation sets are not decided, at most {_MOST_KINDS:,}"
    return ""


def rows_expected(demand: Demand) -> int:
    """About how many rows the model of a demand would have; rather too many."""
    from scoreproof.kinds.binary.engine.averages.targets import extremes_of_parts, set_groups

    ranged = sum(not isinstance(bound.part, int) for bound in (*demand.bounds, *extremes_of_parts(demand)))
    families = len(demand.form.families)
    return 8 * len(demand.targets) + 3 * ranged + 3 * families + 3 * (len(list(set_groups(demand))) + 1)


def _in_repeats(demand: Demand, witness: tuple[ConfusionMatrix, ...] | None) -> Witness | None:
    """The folds of balanced families dealt to their repeats, so that each repeat holds the data set once."""
    if witness is None:
        return None
    from scoreproof.kinds.binary.engine.averages.distribute import arranged

    found = list(witness)
    for number, family in enumerate(demand.form.families):
        if family.rule is FoldRule.BALANCED and family.repeats > 1:
            mine = [index for index, one in enumerate(demand.form.sets) if one.family == number]
            p, n = demand.form.sets[mine[0]].p, demand.form.sets[mine[0]].n
            kinds = [
                [witness[k] for k in mine if (witness[k].p, witness[k].n) == (p + more, n + extra)]
                for more, extra in ((1, 1), (1, 0), (0, 1), (0, 0))
            ]
            order = arranged(kinds, family.repeats, *blocks.odd_cases(family), len(kinds[0]))
            for index, matrix in zip(mine, order, strict=True):
                found[index] = matrix
    return Witness(tuple(found))


def settled(demand: Demand) -> Demand:
    """The demand with balanced folds as scikit-learn makes them: one of the choices, to look for a witness in."""
    form = demand.form
    sets = list(form.sets)
    for number, family in enumerate(form.families):
        mine = [index for index, one in enumerate(sets) if one.family == number]
        if family.rule is FoldRule.BALANCED:
            repeats, k = family.repeats, family.folds // family.repeats
            folds = stratified_folds(family.p // repeats, family.n // repeats, k) * repeats
            for index, (p, n) in zip(mine, folds, strict=True):
                sets[index] = EvaluationSet(p, n, sets[index].weight)
    families = () if all(one.family is None for one in sets) else form.families
    return replace(demand, form=replace(form, sets=tuple(sets), families=families))


def _large(demand: Demand, deadline: Deadline, seed: int) -> Decided:
    from scoreproof.kinds.binary.engine.averages.large import applies, decide_large

    plain = settled(demand)
    if not applies(plain):
        return Decision(
            reason="the evaluation sets are too large to list their points, and folds of unknown class counts are not "
            "decided at this size"
        )
    outcome = decide_large(plain, deadline, seed=seed)
    if outcome.cases is not None:
        return Decision(proof={"kind": "large", "cases": outcome.cases})
    return Decision(None if outcome.witness is None else Witness(outcome.witness), reason=outcome.reason)
