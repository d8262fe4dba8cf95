"""The kind of reports on two classes: scores of confusion matrices, one or many, added or averaged."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from scoreproof.errors import InvalidExperiment, InvalidOption
from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.engine.solutions import Solutions
from scoreproof.kinds.binary.experiment import (
    Experiment,
    KFold,
    MeanOfScores,
    TestSet,
    experiment_from_dict,
    is_unknown,
    normal_form,
    readings,
    sums_matrices,
    total_counts,
)
from scoreproof.kinds.binary.one_matrix import decide_matrix, matrix_holds
from scoreproof.kinds.binary.problem import PLAIN, Averages, BinaryProblem, Witness, binary_problem
from scoreproof.kinds.binary.reasons import broken_identity, counts_beside, mean_reason, plain_reason, treatment_note
from scoreproof.kinds.binary.scores import Shape
from scoreproof.kinds.kind import Case, Decision, Ends, Kind
from scoreproof.reported import Claim
from scoreproof.reported.claim import alone, claim_from_dict
from scoreproof.reported.conventions import Conventions, Spread, SpreadOver, Undefined
from scoreproof.validation import chosen, shown
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from scoreproof.kinds.binary.drawing import Drawing
    from scoreproof.kinds.binary.engine.averages import Constraints

_OF_ONE_MATRIX = ("rounding", "eps", "beta", "undefined")  # options that speak of one matrix
_ROWS = 3_000  # rows of (tp, tn) walked to say where a score would have to lie
_MOST_VALUES = 1_500_000  # scores at all points of a fold, beyond which an explanation does not try folds
_SET = 5e-5  # seconds to read a set and to judge it, beside what an engine counts
_LISTED = 3_000  # matrices looked at for the nearest possible values


def _what_deviates(experiment: Experiment) -> Sequence[tuple[SpreadOver, str]]:
    """What a ± may be over, and how that is said; nothing if there is one way only."""
    if sums_matrices(experiment):
        return ()
    if isinstance(experiment, KFold) and experiment.repeats > 1:
        return (SpreadOver.FOLDS, "over the folds"), (SpreadOver.REPEATS, "over the means of the repeats")
    if isinstance(experiment, MeanOfScores) and not all(map(sums_matrices, experiment.parts)):
        return (SpreadOver.FOLDS, "over all evaluation sets"), (SpreadOver.PARTS, "over the means of the parts")
    return ()


class Binary(Kind[BinaryProblem, Witness]):
    """Scores of one binary confusion matrix, or of averages over several."""

    name = "binary"
    witness_type = Witness
    _latest: tuple[BinaryProblem, Constraints] | None = None

    def posed(self, experiment: Any, scores: Mapping[str, Any], how: Conventions) -> BinaryProblem:
        if not isinstance(experiment, Experiment):
            raise InvalidExperiment(
                f"experiment: expected TestSet(p, n), KFold(...) or the like, got {shown(experiment)}"
            )
        return binary_problem(experiment, scores, how)

    def row(self, experiment: Any, scores: Mapping[str, str], how: Conventions) -> BinaryProblem:
        """One matrix has no ±, no extremes and no rounded parts: what is said of these is left out."""
        if not sums_matrices(experiment):
            return self.posed(experiment, scores, how)
        if "±" in "".join(scores.values()):
            scores = {name: alone(text) for name, text in scores.items()}
        return self.posed(experiment, scores, how.only(*_OF_ONE_MATRIX))

    def read(self, statement: Mapping[str, Any]) -> BinaryProblem:
        stated = Averages.from_dict({**PLAIN.to_dict(), **statement})  # what it does not say is as ``check`` has it
        return BinaryProblem(
            experiment_from_dict(statement["experiment"], stated=True),
            tuple(map(claim_from_dict, statement["scores"])),
            chosen("undefined", statement["undefined"], Undefined),
            PLAIN if stated == PLAIN else stated,
        )

    def cases(self, problem: BinaryProblem) -> Sequence[Case[BinaryProblem]]:
        """The ways to aggregate, where that is unknown; and what a ± is over, where that is."""
        experiment, averages = problem.experiment, problem.averages
        if isinstance(experiment, TestSet):
            return ()
        if is_unknown(experiment):
            stated = problem.about_parts
            possible = [reading for reading in readings(experiment) if not (stated and sums_matrices(reading))]
            if not possible:
                raise InvalidOption(f"{stated}: no reading of {experiment} has parts that are averaged")
            return [Case(f"read as {reading}", problem.with_experiment(reading)) for reading in possible]
        if averages.spread_over is not SpreadOver.ANY or not averages.deviating(problem.claims):
            return ()
        return [
            Case(f"with the ± {words}", problem.with_averages(spread_over=over), f"the ± fits as taken {words}")
            for over, words in _what_deviates(experiment)
        ]

    def beyond_cases(self, problem: BinaryProblem) -> tuple[BinaryProblem | None, str]:
        """A ± of nested means may also be the mean of the parts' own deviations."""
        experiment, averages = problem.experiment, problem.averages
        nested = isinstance(experiment, MeanOfScores) and any(not sums_matrices(part) for part in experiment.parts)
        if not nested or averages.spread_over is not SpreadOver.ANY or not averages.deviating(problem.claims):
            return None, ""
        doubt = "the ± may be a mean of the parts' own deviations (spread_over='folds' or 'parts' rules that out)"
        return problem.with_averages(spread=Spread.IGNORE), doubt

    def decide(self, problem: BinaryProblem, *, deadline: Budget, seed: int) -> Decision[Witness]:
        if problem.one_matrix:
            return decide_matrix(problem, deadline)
        from scoreproof.kinds.binary.engine.averages import decide_mean, treatments_needed  # needs numpy

        wanted = self._constraints(problem)
        decision = decide_mean(wanted, deadline=deadline, seed=seed)
        deadline.charge(_SET * len(wanted.form.sets))
        if decision.witness is None:
            return decision
        needed = treatments_needed(wanted, decision.witness.matrices)
        notes = tuple(treatment_note(name, ways) for name, ways in needed.items())
        return Decision(decision.witness, notes=notes)

    def shown_at_once(self, problems: Sequence[BinaryProblem]) -> Sequence[Witness | None]:
        """Those of one test set of which only whole matrices are said, by arrays that judge every claim."""
        from scoreproof.kinds.binary.presolve_batch import shown_at_once  # needs numpy

        plain = [isinstance(problem.experiment, TestSet) and problem.averages is PLAIN for problem in problems]
        shown = iter(shown_at_once([problem for problem, taken in zip(problems, plain, strict=True) if taken]))
        return [next(shown) if taken else None for taken in plain]

    def holds(self, problem: BinaryProblem, witness: Witness) -> bool:
        if problem.one_matrix:
            return matrix_holds(problem, witness)
        return self._constraints(problem).fits(witness.matrices)

    def _constraints(self, problem: BinaryProblem) -> Constraints:
        """The constraints of a problem; kept for the problem asked last, whose witness is judged next."""
        latest = self._latest  # threads may ask at once: what one of them keeps must not be another's answer
        if latest is None or latest[0] is not problem:
            from scoreproof.kinds.binary.engine.averages import constraints_of

            averages = problem.averages
            dealt = averages.spread_over is SpreadOver.REPEATS and averages.deviating(problem.claims)
            form = normal_form(problem.experiment, pooled=not dealt)
            made = constraints_of(form, problem.claims, averages, problem.undefined)
            latest = self._latest = problem, made
        return latest[1]

    def subject(self, problem: BinaryProblem) -> str:
        return str(problem.experiment)

    def because(self, problem: BinaryProblem) -> str:
        if beyond := super().because(problem):
            return beyond
        if problem.one_matrix:
            return plain_reason(problem.claims, *total_counts(problem.experiment), problem.undefined)
        return mean_reason(problem.claims, problem.experiment, problem.undefined)

    def quick(self, problem: BinaryProblem) -> bool:
        return isinstance(problem.experiment, TestSet) or sums_matrices(problem.experiment)

    def drawing(self, problem: BinaryProblem, focus: Collection[str] = ()) -> Drawing | None:
        from scoreproof.kinds.binary.drawing import draw

        return draw(problem, focus)

    def too_large(self, problem: BinaryProblem) -> bool:
        folds = problem.experiment
        if not isinstance(folds, KFold) or sums_matrices(folds):
            return False
        if all(claim.score.shape is Shape.LINEAR for claim in problem.claims):
            return False
        points = (folds.p // folds.k + 1) * (folds.n // folds.k + 1)
        return points * len(problem.claims) > _MOST_VALUES

    def solutions(self, problem: BinaryProblem, *, most_rows: int) -> Solutions:
        """All confusion matrices that fit; where any treatment of 0/0 is admitted, also those that need it as zero."""
        if not sums_matrices(problem.experiment):
            raise InvalidExperiment(
                "solutions() lists the matrices of an experiment with one confusion matrix; for a mean of scores "
                "there is one witness"
            )
        p, n = total_counts(problem.experiment)
        bands = [band(index, claim, p, n) for index, claim in enumerate(problem.claims)]
        return Solutions(bands, filler=filler(problem.undefined), most_rows=most_rows)

    def identity(self, problem: BinaryProblem, conflict: Sequence[Claim]) -> str:
        return broken_identity(conflict, problem.experiment)

    def share_of(self, problem: BinaryProblem, claim: Claim) -> tuple[int, int, int]:
        cases, _, below, above = counts_beside(claim, problem.experiment)
        return cases, below, above

    def implied(self, problem: BinaryProblem, target: Claim) -> Ends | None:
        if not sums_matrices(problem.experiment):
            return None
        span = self.solutions(problem, most_rows=_ROWS).range(target.score.name)
        return None if span is None else (span.low, span.high)

    def neighbours(self, problem: BinaryProblem, target: Claim) -> tuple[Fraction | None, Fraction | None]:
        if not sums_matrices(problem.experiment):
            return None, None
        solutions = self.solutions(problem, most_rows=_ROWS)
        if (solutions.count or _LISTED + 1) > _LISTED:
            return None, None
        scale = 10 ** (target.number.digits + 2)
        enclosed = (target.score.enclose(*matrix.cells, scale) for matrix in solutions.matrices())
        values = {pair for pair in enclosed if pair is not None}
        below = [high for _, high in values if high < target.low]
        above = [low for low, _ in values if low > target.high]
        return max(below, default=None), min(above, default=None)


KIND = Binary()
