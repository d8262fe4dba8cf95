"""The kind of reports on several exclusive classes: every score is of one confusion matrix."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.kind import Assumption, Decision, Kind
from scoreproof.kinds.multi_class.assumptions import standard
from scoreproof.kinds.multi_class.engine import decide_classes
from scoreproof.kinds.multi_class.experiment import MultiClass
from scoreproof.kinds.multi_class.folds import averages_sets, sets_of
from scoreproof.kinds.multi_class.judge import Treatment, treatment_of
from scoreproof.kinds.multi_class.problem import ClassesProblem, MacroF1, averages_f1, problem_from_dict
from scoreproof.kinds.multi_class.quantities import known, refused, refused_of_means
from scoreproof.kinds.multi_class.reading import classes_problem
from scoreproof.kinds.multi_class.reasons import reason, together
from scoreproof.kinds.multi_class.two_classes import binary_problem
from scoreproof.kinds.multi_class.witness import ClassesWitness
from scoreproof.quantities import Quantity
from scoreproof.reported.claim import alone
from scoreproof.results import SmallTable
from scoreproof.work.budget import Budget

_MOST_COLUMNS, _MOST_SHOWN = 20, 3  # classes and matrices of a table in a terminal
_LARGE = 100  # classes beyond which an explanation would ask too slowly
_OF_MEANS = "F-scores averaged over classes fit as those of the mean precision and recall, not as means of F-scores"


class ClassesKind(Kind[ClassesProblem, ClassesWitness]):
    """What reports on exclusive classes and on labels share."""

    choosy = True

    def refuses(self, experiment: Any, name: str) -> str:
        return refused(name)

    def row(self, experiment: Any, scores: Mapping[str, str], options: Mapping[str, Any]) -> Any:
        stated = {name: options[name] for name in ("rounding", "eps", "undefined") if name in options}
        return self.problem(experiment, {name: alone(text) for name, text in scores.items()}, **stated)

    def read_witness(self, document: Mapping[str, Any]) -> ClassesWitness:
        return ClassesWitness.from_dict(document)

    def decide(self, problem: ClassesProblem, *, deadline: Budget, seed: int) -> Decision[ClassesWitness]:
        """Where it is not said what an averaged F-score is, both meanings are tried, the usual one first."""

        def decided(read: ClassesProblem, due: Budget) -> Decision[ClassesWitness]:
            return noted(read, decide_classes(read, deadline=due, seed=seed))

        return by_meaning(problem, deadline, decided)

    def holds(self, problem: ClassesProblem, witness: ClassesWitness) -> bool:
        if problem.exclusive:
            if len(witness.matrices) != len(problem.counts) or witness.labels:
                return False
            for matrix, own in zip(witness.matrices, problem.counts, strict=True):
                if matrix.k != len(own) or not matrix.sound or matrix.supports != list(own):
                    return False
        elif not _labels_hold(problem, witness):
            return False
        return treatment_of(problem, witness.counts) is not False

    def subject(self, problem: ClassesProblem) -> str:
        if len(problem.counts) > 1:
            cases = sum(map(sum, problem.counts))
            return f"the mean over {len(problem.counts)} sets of {len(problem.classes)} classes, {cases} cases in all"
        return str(MultiClass(dict(zip(problem.classes, problem.counts[0], strict=True))))

    def because(self, problem: ClassesProblem) -> str:
        return super().because(problem) or reason(problem) or together(problem)

    def tables(self, problem: ClassesProblem, witness: ClassesWitness) -> Sequence[SmallTable]:
        if witness.labels:
            head: tuple[str, ...] = ("label", "cases", "given", "rightly")
            return [
                SmallTable(
                    [(name, n, q, tp) for name, n, (tp, q) in zip(problem.classes, own, points, strict=True)], head
                )
                for own, points in zip(problem.counts, witness.labels, strict=True)
            ][:_MOST_SHOWN]
        if len(problem.classes) > _MOST_COLUMNS:
            return ()
        head = ("true \\ given", *problem.classes)
        return [
            SmallTable([(name, *row) for name, row in zip(problem.classes, one.matrix, strict=True)], head)
            for one in witness.matrices[:_MOST_SHOWN]
        ]

    def assumptions(self, problem: ClassesProblem, **context: Any) -> Sequence[Assumption[ClassesProblem]]:
        return standard(problem)

    def quick(self, problem: ClassesProblem) -> bool:
        return False

    def too_large(self, problem: ClassesProblem) -> bool:
        return len(problem.classes) > _LARGE


def by_meaning(
    problem: ClassesProblem,
    deadline: Budget,
    decided: Callable[[ClassesProblem, Budget], Decision[ClassesWitness]],
) -> Decision[ClassesWitness]:
    """The decision for each thing an averaged F-score may be, the usual one first."""
    if problem.macro_f1 is not MacroF1.ANY or not averages_f1(problem):
        return decided(problem, deadline)
    proofs = []
    for meaning, share in ((MacroF1.MEAN, 0.6), (MacroF1.OF_MEANS, 1.0)):
        decision = decided(replace(problem, macro_f1=meaning), deadline.part(share))
        if decision.witness is not None:
            note = () if meaning is MacroF1.MEAN else (_OF_MEANS,)
            return replace(decision, notes=(*decision.notes, *note))
        if decision.proof is None:
            return decision
        proofs.append(decision.proof)
    return Decision(proof={"kind": "cases", "cases": proofs})


def noted(problem: ClassesProblem, decision: Decision[ClassesWitness]) -> Decision[ClassesWitness]:
    """The decision, with which treatment of 0/0 its witness needs."""
    if decision.witness is None:
        return decision
    treatment = treatment_of(problem, decision.witness.counts)
    needed = isinstance(treatment, Treatment) and treatment is not Treatment.ZERO
    return replace(decision, notes=(f"it fits if a 0/0 {_COUNTS[treatment]}",) if needed else ())  # type: ignore[index]


_COUNTS = {
    Treatment.ZERO: "counts as zero",
    Treatment.ONE: "counts as one",
    Treatment.SKIP: "is left out of averages",
    Treatment.SKIP_F: "is left out of averages, and so are F-scores of classes without a correct case",
}


def _labels_hold(problem: ClassesProblem, witness: ClassesWitness) -> bool:
    if len(witness.labels) != len(problem.counts) or witness.matrices:
        return False
    for labels, own, total in zip(witness.labels, problem.counts, problem.totals, strict=True):
        if len(labels) != len(own):
            return False
        for (tp, q), n in zip(labels, own, strict=True):
            if not 0 <= tp <= min(n, q) or (total is not None and q - tp > total - n):
                return False
    return True


class MultiClassKind(ClassesKind):
    """Scores of one confusion matrix of several classes."""

    name = "multi_class"
    quantities: Sequence[Quantity] = tuple(known("multi_class"))

    def refuses(self, experiment: Any, name: str) -> str:
        refusal = super().refuses(experiment, name)
        return refused_of_means(name) if not refusal and averages_sets(experiment) else refusal

    def read(self, statement: Mapping[str, Any]) -> ClassesProblem:
        return problem_from_dict(statement, "multi_class")

    def problem(self, experiment: Any, scores: Mapping[str, Any], **options: Any) -> Any:
        """The problem; of two classes a binary one, where the report is one."""
        names, counts = sets_of(experiment)
        problem = classes_problem(names, counts, scores, **options)
        return problem if len(names) > 2 else binary_problem(problem) or problem

    def experiment(self, settings: Mapping[str, Any]) -> MultiClass:
        unknown = set(settings) - {"counts", "total", "classes"}
        if unknown or not settings:
            raise InvalidExperiment(
                f"multi_class: expected counts, or total and classes; got {', '.join(settings) or 'nothing'}"
            )
        return MultiClass(**settings)


KIND = MultiClassKind()
