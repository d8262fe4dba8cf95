"""What is impossible of one confusion matrix may be possible of averages: then a note says so."""

from __future__ import annotations

from scoreproof.checking import Verdict, ask
from scoreproof.kinds.common_average.problem import AverageOf, CommonAverageProblem, is_covered
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.unknown_classes.kind import UnknownClassesProblem
from scoreproof.work.budget import Budget

_NOTE = (
    "impossible is that these are scores of one confusion matrix; as averages over the same parts (classes, folds, "
    "images) they are possible: if they are such, say tree: {type: common_average}"
)
_SECONDS = 1.0
_OF_TWO_CLASSES = frozenset(
    {"spec", "fpr", "npv", "for", "fnr", "fdr", "lrp", "lrn", "dor", "bm", "mk"}
)  # no macro averages


def possible_as_average(problem: Problem) -> str:
    """In words, that claims refuted as those of one matrix of unknown classes fit averages; empty if they do not."""
    if not isinstance(problem, UnknownClassesProblem) or problem.experiment.totals is not None:
        return ""
    covered = [claim for claim in problem.claims if is_covered(claim.quantity.name, claim.score.beta)]
    if len(covered) < 2 or any(claim.quantity.name in _OF_TWO_CLASSES for claim in problem.claims):
        return ""
    answer = ask(CommonAverageProblem(AverageOf(), tuple(covered)), budget=Budget.of_work(_SECONDS))
    return _NOTE if answer.verdict is Verdict.CONSISTENT else ""
