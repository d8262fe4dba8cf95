"""Branch and bound (Land and Doig 1960) over ranges of class counts: only the number of all cases is known.

Class counts that fit are guessed, or all of them are cut into parts. A part is a range of n for every class. It is
empty by its lines, refuted by multipliers of them, or cut; where every n is one number, the kind of known class counts
decides, and its proof is part of the proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.multi_class.branch_and_bound import decide_classes
from scoreproof.kinds.multi_class.cells import propagated
from scoreproof.kinds.multi_class.experiment import MultiClass, numbered
from scoreproof.kinds.multi_class.kind import KIND as KNOWN
from scoreproof.kinds.multi_class.kind import by_meaning, noted
from scoreproof.kinds.multi_class.problem import ClassesProblem, OfReport, classes_problem, problem_from_dict
from scoreproof.kinds.multi_class.witness import ClassesWitness
from scoreproof.kinds.unknown_counts_parts import Box, CountLines, CountProgram, whole_lines
from scoreproof.reported.conventions import Conventions
from scoreproof.results import SmallTable
from scoreproof.work.budget import Budget, OutOfTime


@dataclass(frozen=True, slots=True)
class UnknownCountsProblem(OfReport):
    """The number of all cases, and a report of which no class counts are known."""

    kind: ClassVar[str] = "unknown_counts"
    total: int
    report: ClassesProblem

    def to_dict(self) -> dict[str, Any]:
        return self.report.to_dict() | {"classes": list(self.classes), "total": self.total}

    def known(self, counts: Sequence[int]) -> ClassesProblem:
        """The same report with these class counts."""
        return self.report.with_counts([counts])


def _names_in(scores: Any) -> tuple[str, ...]:
    for value in scores.values() if isinstance(scores, Mapping) else ():
        if isinstance(value, Mapping):
            return MultiClass(total=1, classes=[str(name) for name in value]).names
        if isinstance(value, Sequence) and not isinstance(value, str):
            return MultiClass(total=1, classes=numbered(len(value))).names
    raise InvalidExperiment(
        "classes: with the number of all cases alone, say how many classes there are: MultiClass(total=150, classes=3)"
    )


_GUESSES = 12
_GUESSING = 0.4  # of the time, before cutting
_ONE_GUESS = 0.15
_MOST_STEPS = 20_000


class _Engine:
    def __init__(self, report: ClassesProblem, total: int, deadline: Budget, seed: int) -> None:
        self.report, self.deadline, self.seed = report, deadline, seed
        self.model = CountLines(report, total)
        self.lines = whole_lines(self.model.lines)
        self.rng = np.random.default_rng(seed)
        self.steps: list[Any] = []
        self.open = 0  # class counts that stayed undecided

    def decide(self) -> Decision[ClassesWitness]:
        try:
            witness = self._tree()
        except OutOfTime:
            return Decision(reason=self._reason(f"within {self.deadline.seconds:.3g} s"))
        if witness is not None:
            return Decision(witness)
        if self.open or len(self.steps) > _MOST_STEPS:
            return Decision(reason=self._reason(f"in {len(self.steps)} parts of all class counts"))
        return Decision(proof={"kind": "counts", "steps": self.steps})

    def _reason(self, where: str) -> str:
        return (
            f"{where} neither counts of {self.model.classes} classes on {self.model.total} cases that give all scores "
            "were found nor a proof that there are none; more follows from known class counts"
        )

    def _tree(self) -> ClassesWitness | None:
        waiting: list[Box] = [self.model.root()]
        first = True
        while waiting and len(self.steps) <= _MOST_STEPS:
            self.deadline.tick()
            box = propagated(waiting.pop(), self.lines)
            if box is None:
                self.steps.append(["none"])
                continue
            counts = [low for low, high in box[: self.model.classes] if low == high]
            if len(counts) == self.model.classes:
                witness = self._known(counts, self.deadline.part(0.3), step=True)
            else:
                relaxation = CountProgram(self.model, box)
                if relaxation.proof is not None:
                    self.steps.append(relaxation.proof)
                    continue
                witness = self._guessed(box, relaxation) if first else None
                first = False
                if witness is None:
                    waiting += self._halves(box)
            if witness is not None:
                return witness
        return None

    def _known(self, counts: list[int], deadline: Budget, *, step: bool) -> ClassesWitness | None:
        """The answer for known class counts."""
        decision = decide_classes(self.report.with_counts([counts]), deadline=deadline, seed=self.seed)
        if step and decision.witness is None:
            self.open += decision.proof is None
            self.steps.append(["known", decision.proof])
        return decision.witness

    def _guessed(self, box: Box, relaxation: CountProgram) -> ClassesWitness | None:
        """Class counts in the middle of what the lines leave, then elsewhere in it."""
        due = self.deadline.part(_GUESSING)
        tried = set()
        for number in range(_GUESSES):
            if due.passed:
                return None
            wanted: Any = np.ones(self.model.classes)
            if number and relaxation.point is not None:
                wanted = relaxation.centre(self.rng, 6)[: self.model.classes]
            elif number:
                wanted = self.rng.dirichlet(np.full(self.model.classes, 50.0 / (1 + number)))
            counts = _rounded(wanted, box, self.model.total)
            if counts is not None and tuple(counts) not in tried:
                tried.add(tuple(counts))
                witness = self._known(counts, due.part(_ONE_GUESS), step=False)
                if witness is not None:
                    return witness
        return None

    def _halves(self, box: Box) -> list[Box]:
        """The class of widest range cut in two."""
        place = max(range(self.model.classes), key=lambda i: box[i][1] - box[i][0])
        low, high = box[place]
        value = (low + high) // 2
        self.steps.append(["cut", place, value])
        return [[*box[:place], ends, *box[place + 1 :]] for ends in ((low, value), (value + 1, high))]


def _rounded(wanted: Any, box: Box, total: int) -> list[int] | None:
    """Whole numbers near what is wanted, within their ranges, that add up to all cases."""
    least, most = np.array(box[: len(wanted)]).T
    share = np.asarray(wanted, float) * (total / max(float(np.sum(wanted)), 1e-9))
    counts = np.clip(share.astype(np.int64), least, most)
    step = 1 if counts.sum() < total else -1
    order = np.argsort(step * (counts - share), kind="stable")
    for fewest in (1, total):  # a little of each first, then as much as there is room for
        for i in order:
            off = abs(total - int(counts.sum()))
            room = most[i] - counts[i] if step > 0 else counts[i] - least[i]
            counts[i] += step * min(room, off, max(fewest, off // len(counts)))
    return counts.tolist() if counts.sum() == total else None


class UnknownCountsKind(Kind[UnknownCountsProblem, ClassesWitness]):
    """Scores of one confusion matrix of several classes and so many cases."""

    name = "unknown_counts"
    witness_type = ClassesWitness
    experiment_type = MultiClass
    register = "multi_class"
    choosy = True
    row_options = ("rounding", "eps", "undefined")
    is_quick = False

    def refuses(self, experiment: Any, name: str) -> str:
        return KNOWN.refuses(experiment, name)

    def read(self, statement: Mapping[str, Any]) -> UnknownCountsProblem:
        report = {key: value for key, value in statement.items() if key != "total"}
        report["classes"] = [{"name": name, "counts": []} for name in statement["classes"]]
        return UnknownCountsProblem(statement["total"], problem_from_dict(report, "multi_class"))

    def posed(self, experiment: Any, scores: Mapping[str, Any], how: Conventions) -> UnknownCountsProblem:
        """The problem; lists by class say how many classes there are, if nobody does."""
        names = experiment.names or _names_in(scores)
        return UnknownCountsProblem(experiment.total, classes_problem(names, [], scores, how))

    def experiment(self, settings: Mapping[str, Any]) -> MultiClass:
        return KNOWN.experiment(settings)

    def decide(self, problem: UnknownCountsProblem, *, deadline: Budget, seed: int) -> Decision[ClassesWitness]:
        def decided(report: ClassesProblem, due: Budget) -> Decision[ClassesWitness]:
            decision = _Engine(report, problem.total, due, seed).decide()
            if decision.witness is None:
                return decision
            return noted(report.with_counts([_supports(decision.witness)]), decision)

        return by_meaning(problem.report, deadline, decided)

    def holds(self, problem: UnknownCountsProblem, witness: ClassesWitness) -> bool:
        if len(witness.matrices) != 1 or not witness.matrices[0].sound:
            return False
        counts = _supports(witness)
        return sum(counts) == problem.total and KNOWN.holds(problem.known(counts), witness)

    def subject(self, problem: UnknownCountsProblem) -> str:
        return str(MultiClass(total=problem.total, classes=problem.classes))

    def tables(self, problem: UnknownCountsProblem, witness: ClassesWitness) -> Sequence[SmallTable]:
        return KNOWN.tables(problem.known(_supports(witness)), witness)

    def too_large(self, problem: UnknownCountsProblem) -> bool:
        return KNOWN.too_large(problem.report)


def _supports(witness: ClassesWitness) -> list[int]:
    return witness.matrices[0].supports


KIND = UnknownCountsKind()
