"""Scores of one confusion matrix of unknown class counts: possible at some size, or at none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, ClassVar

from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.statement import ScoresOf, StatedFields
from scoreproof.kinds.unknown_classes.edges import closed, edge_witnesses, free
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses, basics, of_score
from scoreproof.kinds.unknown_classes.rates import Span, Totals, rates
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.conventions import OF_TEXTS, Conventions, Undefined
from scoreproof.work.budget import Budget

_FINE = 1e-4
_TIGHTNESS = 0.01  # enough to say where a score would have to lie
_TRIES = 40  # class counts that are searched for a smaller matrix
_ONE_BOUND = 1.0  # seconds
MOST_GROUPS = 60_000  # class counts that are looked at one after the other


@dataclass(frozen=True, slots=True)
class UnknownClassesProblem(StatedFields):
    """Scores of one confusion matrix, of which at most the number of cases and the prevalence are known."""

    kind: ClassVar[str] = "unknown_classes"
    experiment: UnknownClasses
    claims: Annotated[tuple[Claim, ...], ScoresOf()]
    undefined: Undefined = Undefined.ANY

    @property
    def span(self) -> Span | None:
        """The prevalence as an interval, where it was printed."""
        claim = self.experiment.claim
        return None if claim is None else (claim.low, claim.high)


class UnknownClassesKind(Kind[UnknownClassesProblem, Witness]):
    """One confusion matrix of unknown class counts."""

    name = "unknown_classes"
    problem_type = UnknownClassesProblem
    witness_type = Witness
    register = "binary"
    row_options = ("rounding", "eps", "beta")
    is_quick = False

    def posed(self, experiment: Any, scores: Mapping[str, Value | Claim], how: Conventions) -> UnknownClassesProblem:
        if not isinstance(experiment, UnknownClasses):
            raise InvalidExperiment(f"experiment: expected UnknownClasses(...), got {experiment!r}")
        how.refuse_all_but(
            (*OF_TEXTS, "undefined"), f"that speaks of parts of a mean, but {experiment} is one confusion matrix"
        )
        claims = read_scores(scores, how)
        if how.undefined not in (Undefined.ANY, Undefined.EXCLUDE):
            raise InvalidOption(
                f"undefined={str(how.undefined)!r} needs p and n; without them it is 'any' (the default) or 'exclude'"
            )
        for claim in claims:
            if claim.spread is not None:
                raise InvalidValue(
                    f"{claim.name}: {claim.text!r} has a ±, so it is a mean over folds, but this is about one "
                    "confusion matrix; leave the ± out to treat the value as that of one matrix"
                )
        return UnknownClassesProblem(experiment, claims, how.undefined)

    def experiment(self, settings: Mapping[str, Any]) -> UnknownClasses:
        unknown = [key for key in settings if key not in ("total", "prevalence")]
        if unknown:
            raise InvalidExperiment(f"unknown_classes: unknown key {', '.join(unknown)}; known are prevalence, total")
        return UnknownClasses.from_dict(settings)

    def decide(self, problem: UnknownClassesProblem, *, deadline: Budget, seed: int) -> Decision[Witness]:
        totals = problem.experiment.totals
        decision = _any_size(problem, deadline) if totals is None else _of_total(problem, totals, deadline)
        if decision.proof is None or problem.undefined is not Undefined.ANY:
            return decision
        if closed(problem.claims, problem.span, totals):
            return decision
        for matrix in edge_witnesses(problem.claims, problem.span, totals):
            note = "this fits only if 0/0 counts as zero, as scikit-learn prints it; no other matrix gives the report"
            return Decision(Witness((matrix,)), notes=(note,))
        return Decision(reason="no matrix on which all scores are defined fits; with 0/0 counted as zero it is open")

    def holds(self, problem: UnknownClassesProblem, witness: Witness) -> bool:
        from scoreproof.kinds.binary.experiment import TestSet
        from scoreproof.kinds.binary.one_matrix import matrix_holds
        from scoreproof.kinds.binary.problem import BinaryProblem

        if len(witness.matrices) != 1:
            return False
        p, n = witness.matrices[0].p, witness.matrices[0].n
        totals, span = problem.experiment.totals, problem.span
        if totals is not None and not totals[0] <= p + n <= totals[1]:
            return False
        if span is not None and not span[0] * (p + n) <= p <= span[1] * (p + n):
            return False
        return matrix_holds(BinaryProblem(TestSet(p, n), problem.claims, problem.undefined), witness)

    def smaller(self, problem: UnknownClassesProblem, witness: Witness) -> Witness:
        """The smallest total, if few class counts have to be searched to know; else a small one."""
        from scoreproof.kinds.unknown_classes.smallest import (
            rounded,  # these need numpy, which verdicts do not
            smallest,
        )

        if problem.experiment.totals is not None:
            return witness
        matrix = rounded(problem.claims, witness.matrix, lambda other: self.holds(problem, Witness((other,))))
        low, high = problem.span or (Fraction(0), Fraction(1))
        below = matrix.p + matrix.n - 1
        least = smallest((problem.claims,), low, high, listed=1, most_tries=_TRIES, most_total=below)
        return Witness(least.matrices or (matrix,))

    def free(self, problem: UnknownClassesProblem) -> bool:
        return problem.experiment == UnknownClasses() and free(problem.claims)

    def identity(self, problem: UnknownClassesProblem, conflict: Sequence[Claim]) -> str:
        from scoreproof.kinds.binary.reasons import broken_identity

        return broken_identity(conflict, None)

    def implied(self, problem: UnknownClassesProblem, target: Claim) -> Ends | None:
        wanted = of_score(target.score)
        if wanted is None:
            return None
        known = rates(
            problem.claims,
            (wanted,),
            prevalence=problem.span,
            tightness=_TIGHTNESS,
            budget=Budget.of_work(_ONE_BOUND),
        )
        span = known.ranges.get(target.score.name)
        return None if span is None else (span.low, span.high)

    def subject(self, problem: UnknownClassesProblem) -> str:
        return str(problem.experiment)


def prevalence_range(problem: UnknownClassesProblem, budget: Budget) -> Span | None:
    """Between which ends the prevalence lies; None if it is open."""
    known = rates(problem.claims, basics()[-1:], prevalence=problem.span, tightness=_FINE, budget=budget)
    span = known.ranges.get("prevalence")
    return None if span is None or span.high is None else (span.low, span.high)


def _any_size(problem: UnknownClassesProblem, deadline: Budget) -> Decision[Witness]:
    known = rates(problem.claims, (), prevalence=problem.span, tightness=1.0, budget=deadline, bounds_wanted=False)
    if known.proof is not None:
        return Decision(proof={"kind": "rates", "steps": known.proof})
    if known.witness is None:
        return Decision(reason=f"{known.cones} cones of rates within {deadline.seconds:.3g} s")
    return Decision(Witness((ConfusionMatrix(*known.witness),)))


def _of_total(problem: UnknownClassesProblem, ends: tuple[int, int], deadline: Budget) -> Decision[Witness]:
    totals = Totals(problem.claims, *ends, problem.span, deadline)
    if totals.span is not None:
        many = totals.candidates > MOST_GROUPS
        for group in totals.groups(totals.likely() if many else None):
            return Decision(Witness((group.example,)))
    steps = None if totals.late else totals.refute()
    if steps is not None:
        return Decision(proof={"kind": "known total", "steps": steps})
    return Decision(reason=f"{totals.candidates} class counts could not all be decided within {deadline.seconds:.3g} s")


KIND = UnknownClassesKind()
