"""Relations between means (``relations``), then fits (``witnesses``): does some common average give a report?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.common_average.problem import (
    AverageOf,
    CommonAverageProblem,
    Parts,
    common_average,
    fewer_cases,
    is_covered,
    parts_hold,
)
from scoreproof.kinds.common_average.relations import bounds_on, broken, in_words
from scoreproof.kinds.common_average.witnesses import parts_with
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.unknown_classes.kind import free
from scoreproof.reported import Claim, Value
from scoreproof.reported.claim import alone, restricted
from scoreproof.reported.conventions import Conventions
from scoreproof.results import SmallTable
from scoreproof.work.budget import Budget

_ROW_OPTIONS = ("rounding", "eps", "beta", "undefined", "spread", "divisor")


class CommonAverage(Kind[CommonAverageProblem, Parts]):
    """Means over common parts: classes, folds, images, documents."""

    name = "common_average"
    problem_type = CommonAverageProblem
    witness_type = Parts
    experiment_type = AverageOf
    register = "binary"
    choosy = True

    def posed(self, experiment: Any, scores: Mapping[str, Value | Claim], how: Conventions) -> CommonAverageProblem:
        return common_average(experiment, scores, how)

    def row(self, experiment: AverageOf, scores: Mapping[str, str], how: Conventions) -> CommonAverageProblem:
        """Of a row the scores that are covered; a ± counts where the number of parts is known, else over what it is."""
        how = how.only(*_ROW_OPTIONS)
        if how.undefined in ("zero", "one"):
            how = how.but(undefined="any")  # what holds for every way to count a 0/0 holds for this one
        texts = {
            name: text if experiment.parts not in (None, 1) else alone(text)
            for name, text in scores.items()
            if self.covers(name, how.beta)
        }
        return self.posed(experiment, texts, restricted(how, texts))

    def refuses(self, experiment: Any, name: str) -> str:
        """Why the mean of a score over unknown parts is compared with nothing."""
        refused = super().refuses(experiment, name)
        if refused or self.covers(name):
            return refused
        return f"the mean {score(name).title} over unknown parts is compared with nothing"

    def covers(self, name: str, beta: Any = None) -> bool:
        """Whether the mean of a score over unknown parts can be compared with others."""
        try:
            known = score(name, beta)
        except ScoreproofError:
            return False
        return is_covered(known.name, known.beta)

    def decide(self, problem: CommonAverageProblem, *, deadline: Budget, seed: int) -> Decision[Parts]:
        contradiction = broken(problem)
        if contradiction is not None:
            return Decision(proof=contradiction[0])
        parts = parts_with(problem, deadline)
        if parts is None:
            return Decision(reason="every relation between the means holds, but no parts were found that have them all")
        return Decision(parts)

    def holds(self, problem: CommonAverageProblem, witness: Parts) -> bool:
        return parts_hold(problem, witness)

    def subject(self, problem: CommonAverageProblem) -> str:
        return str(problem.experiment)

    def because(self, problem: CommonAverageProblem) -> str:
        return in_words(problem)

    def smaller(self, problem: CommonAverageProblem, witness: Parts) -> Parts:
        return next((parts for parts in fewer_cases(witness) if parts_hold(problem, parts)), witness)

    def free(self, problem: CommonAverageProblem) -> bool:
        return free(problem.claims)

    def identity(self, problem: CommonAverageProblem, conflict: Sequence[Claim]) -> str:
        return in_words(problem.with_claims(conflict))

    def implied(self, problem: CommonAverageProblem, target: Claim) -> Ends | None:
        known = list(bounds_on(problem, target.quantity.name, target))
        if not known:
            return None
        return max(bounds.low for bounds in known), min(bounds.high for bounds in known)

    def tables(self, problem: CommonAverageProblem, witness: Parts) -> Sequence[SmallTable]:
        claimed = [claim.score for claim in problem.claims]
        rows = [
            (count, *matrix.cells, *(f"{known(*matrix.cells):.4f}" for known in claimed))
            for count, matrix in zip(witness.counts, witness.matrices, strict=True)
        ]
        head = ("parts", "tp", "fp", "fn", "tn", *(known.name for known in claimed))
        return (SmallTable(rows, head),)


KIND = CommonAverage()
