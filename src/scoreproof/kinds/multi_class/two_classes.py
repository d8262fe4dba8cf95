"""Two classes are a binary problem, with the second as the positive one (as scikit-learn sorts 0 and 1).

Recall of the second class is sensitivity, that of the first specificity, their mean balanced accuracy. Reports that
have more than binary scores (macro precision, F1 of the first class), and those on which the two kinds differ because a
0/0 may be printed as 1, stay with the kind of several classes, which is as exact and only slower on large sets.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scoreproof.kinds.binary.experiment import MeanOfScores, TestSet
from scoreproof.kinds.binary.kind import KIND as BINARY
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.multi_class.problem import ClassesProblem, asked_of
from scoreproof.kinds.multi_class.quantities import ClassesScore
from scoreproof.reported.conventions import Undefined

_SECOND = {name: name for name in ("sens", "fnr", "ppv", "fdr", "f1", "spec", "fpr", "npv", "for", "acc", "err", "ji")}
_FIRST = {"sens": "spec", "fnr": "fpr", "ppv": "npv", "fdr": "for", "spec": "sens", "fpr": "fnr", "npv": "ppv"}
_FIRST |= {"for": "fdr", "acc": "acc", "err": "err"}
_AVERAGED = {("sens", "macro"): "bacc", ("spec", "macro"): "bacc", ("acc", "macro"): "acc", ("sens", "weighted"): "acc"}
_AVERAGED |= {(name, "micro"): "acc" for name in ("sens", "ppv", "f1", "spec", "npv", "acc")}
_DEFINED = frozenset({"acc", "err", "sens", "fnr", "spec", "fpr", "bacc"})  # never 0/0 where both classes have cases
_CONVENTIONS = (Undefined.ANY, Undefined.ZERO, Undefined.EXCLUDE)


def binary_problem(problem: ClassesProblem) -> BinaryProblem | None:
    """The same report as a binary one; None where it is not."""
    if len(problem.classes) != 2 or problem.undefined not in _CONVENTIONS or not all(map(all, problem.counts)):
        return None
    claims: dict[str, Any] = {}
    for claim in problem.claims:
        name = _name(asked_of(claim))
        if name is None or name in claims:
            return None
        if name not in _DEFINED and (len(problem.counts) > 1 or claim.high >= 1):
            return None
        claims[name] = replace(claim, quantity=score(name), name=name)
    if {"acc", "err"} <= set(claims):
        return None
    sets = [TestSet(second, first) for first, second in problem.counts]
    return BINARY.problem(sets[0] if len(sets) == 1 else MeanOfScores(sets), claims, undefined=problem.undefined)


def _name(about: ClassesScore) -> str | None:
    if about.place is not None:
        return (_FIRST, _SECOND)[about.place].get(about.score)
    if about.average:
        return _AVERAGED.get((about.score, about.average))
    return about.score
