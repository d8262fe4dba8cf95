"""The kinds of reports on exclusive classes and on labels, and in a sentence why no counts give a report.

It is decided by the engine of several classes without what couples them: the cases a label is given to need not add up
to all cases. A report on a part of the classes, on entities or on detections is such a report, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.multi_class.branch_and_bound import decide_classes
from scoreproof.kinds.multi_class.cells import columns
from scoreproof.kinds.multi_class.experiment import MultiClass, MultiLabel, averages_sets, sets_of
from scoreproof.kinds.multi_class.fitting import score_ends
from scoreproof.kinds.multi_class.model import ClassesModel, Mean, model_of, narrowed, root_of, rules_at
from scoreproof.kinds.multi_class.problem import (
    ClassesProblem,
    asked_of,
    averages_f1,
    binary_problem,
    classes_problem,
    problem_from_dict,
)
from scoreproof.kinds.multi_class.quantities import form_named, refused, refused_of_means
from scoreproof.kinds.multi_class.witness import ClassesWitness, Treatment, treatment_of
from scoreproof.reported.conventions import Conventions, MacroF1
from scoreproof.results import SmallTable
from scoreproof.work.budget import Budget

_MOST_Q = 5_000


def reason(problem: ClassesProblem) -> str:
    """Which class, which sum or which average cannot be; empty where it takes more than that."""
    if len(problem.counts) > 1:
        return ""
    model = model_of(problem)
    alone = _class_alone(model)
    if alone:
        return alone
    if problem.exclusive:
        sums = _sums(model)
        if sums:
            return sums
    return _average(model)


def _class_alone(model: ClassesModel) -> str:
    for c, cell in enumerate(model.cells):
        if model.contradiction == c or not len(columns(cell.box, cell.rules, _MOST_Q).q):
            if cell.box.q1 - cell.box.q0 >= _MOST_Q:
                continue
            own = [claim for claim in model.problem.claims if asked_of(claim).place == cell.place]
            printed = " and ".join(f"{form_named(asked_of(claim).score).word} {claim.text}" for claim in own)
            name = model.problem.classes[cell.place]
            return f"no counts of right and wrong cases give class {name} with {cell.n} cases {printed}"
    return ""


def _sums(model: ClassesModel) -> str:
    """What the classes add up to, against what the whole asks for."""
    least, most = model.right[0]
    total = model.cells[0].total
    if least > most:
        return f"no whole number of correct cases out of {total} gives the scores of the whole"
    boxes = [cell.box for cell in model.cells]
    right = sum(box.t0 for box in boxes), sum(box.t1 for box in boxes)
    if right[0] > most or right[1] < least:
        return f"the classes have {_range(*right)} correct cases, but the whole report asks for {_range(least, most)}"
    wrong = total - min(right[1], most), total - max(right[0], least)
    given = [0, 0]
    for cell in model.cells:
        spread = columns(cell.box, cell.rules, _MOST_Q)
        if not len(spread.q):
            return ""
        given[0] += int((spread.q - spread.high).min())
        given[1] += int((spread.q - spread.low).max())
    if given[0] > wrong[1] or given[1] < wrong[0]:
        return (
            f"the classes' scores leave {_range(*given)} false positives, but {_range(*wrong)} false negatives; in one "
            "confusion matrix these are the same cases"
        )
    if narrowed(model, root_of(model)) is None:
        return "no counts that give the classes' scores add up to one confusion matrix"
    return ""


def _average(model: ClassesModel) -> str:
    """An average outside of what the classes leave it."""
    node = narrowed(model, root_of(model))
    if node is None:
        return ""
    for goal in model.goals:
        if not isinstance(goal, Mean) or (goal.form.harmonic and model.problem.macro_f1 is MacroF1.ANY):
            continue
        least = most = 0.0
        for c, cell in enumerate(model.cells):
            spread = columns(node.boxes[c], rules_at(model, node, c), _MOST_Q)
            if not goal.weights[c] or not len(spread.q):
                continue
            tp = np.concatenate((spread.low, spread.high)).astype(float)
            low, high = score_ends(model, goal, cell, tp, np.concatenate((spread.q, spread.q)).astype(float))
            least, most = least + float(goal.weights[c]) * low.min(), most + float(goal.weights[c]) * high.max()
        if least > float(goal.high) + 1e-12 or most < float(goal.low) - 1e-12:
            claim = model.problem.claims[goal.index]
            return f"{claim}, but the classes give {least:.6g} to {most:.6g}"
    return ""


def together(problem: ClassesProblem) -> str:
    """What is said where nothing shorter holds."""
    about = [asked_of(claim) for claim in problem.claims]
    parts: Sequence[str] = [
        "the classes' scores" * any(matrix.place is not None for matrix in about),
        "the averages" * any(bool(matrix.average) for matrix in about),
        "the scores of the whole" * any(matrix.place is None and not matrix.average for matrix in about),
    ]
    named = " and ".join(filter(None, parts))
    if problem.exclusive:
        return f"no counts that add up to one confusion matrix give {named} together"
    return f"no counts of the labels give {named} together"


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


_MOST_COLUMNS, _MOST_SHOWN = 20, 3  # classes and matrices of a table in a terminal
_LARGE = 100  # classes beyond which an explanation would ask too slowly
_OF_MEANS = "F-scores averaged over classes fit as those of the mean precision and recall, not as means of F-scores"


class ClassesKind(Kind[ClassesProblem, ClassesWitness]):
    """What reports on exclusive classes and on labels share."""

    witness_type = ClassesWitness
    name: Literal["multi_class", "multi_label"]
    choosy = True
    row_options = ("rounding", "eps", "undefined")
    is_quick = False

    def refuses(self, experiment: Any, name: str) -> str:
        return refused(name)

    def read(self, statement: Mapping[str, Any]) -> ClassesProblem:
        return problem_from_dict(statement, self.name)

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
            SmallTable([(name, *row) for name, row in zip(problem.classes, matrix.matrix, strict=True)], head)
            for matrix in witness.matrices[:_MOST_SHOWN]
        ]

    def too_large(self, problem: ClassesProblem) -> bool:
        return len(problem.classes) > _LARGE


def by_meaning(
    problem: ClassesProblem, deadline: Budget, decided: Callable[[ClassesProblem, Budget], Decision[ClassesWitness]]
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

    def refuses(self, experiment: Any, name: str) -> str:
        refusal = super().refuses(experiment, name)
        return refused_of_means(name) if not refusal and averages_sets(experiment) else refusal

    def posed(self, experiment: Any, scores: Mapping[str, Any], how: Conventions) -> Any:
        """The problem; of two classes a binary one, where the report is one."""
        names, counts = sets_of(experiment)
        problem = classes_problem(names, counts, scores, how)
        return problem if len(names) > 2 else binary_problem(problem) or problem

    def experiment(self, settings: Mapping[str, Any]) -> MultiClass:
        unknown = set(settings) - {"counts", "total", "classes"}
        if unknown or not settings:
            raise InvalidExperiment(
                f"multi_class: expected counts, or total and classes; got {', '.join(settings) or 'nothing'}"
            )
        return MultiClass(**settings)


KIND = MultiClassKind()


class MultiLabelKind(ClassesKind):
    """Scores of labels, and averages over them."""

    name = "multi_label"
    experiment_type = MultiLabel

    def posed(self, experiment: Any, scores: Mapping[str, Any], how: Conventions) -> ClassesProblem:
        total = None if experiment.total is None else [experiment.total]
        return classes_problem(experiment.names, [experiment.sizes], scores, how, exclusive=False, total=total)

    def subject(self, problem: ClassesProblem) -> str:
        if len(problem.counts) > 1:
            return f"the mean over {len(problem.counts)} sets of {len(problem.classes)} labels"
        total = problem.totals[0]
        return str(MultiLabel(dict(zip(problem.classes, problem.counts[0], strict=True)), total))


MULTI_LABEL = MultiLabelKind()
