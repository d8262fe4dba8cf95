"""Classification reports: every class's scores, the accuracy and the averages, all of one confusion matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoreproof.kinds.class_report.averaging import SCALE, average_bounds
from scoreproof.kinds.class_report.engine import MOST_ROWS, at_a_glance, decide_report
from scoreproof.kinds.class_report.matrix import ClassMatrix
from scoreproof.kinds.class_report.model import ClassAverage, ReportModel, model_of
from scoreproof.kinds.class_report.points import TooMany
from scoreproof.kinds.class_report.problem import (
    ACCURACY,
    AVERAGES,
    WORDS,
    ClassReportProblem,
    asked_of,
    of_average,
    problem_from_dict,
)
from scoreproof.kinds.class_report.sums import trimmed
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.quantities import Quantity
from scoreproof.reported.conventions import Undefined
from scoreproof.work.deadline import Deadline

_MOST_NAMED = 5  # classes named in a sentence
_LARGE = 20_000  # rows beyond which an explanation would ask too slowly


class ClassReportKind(Kind[ClassReportProblem, ClassMatrix]):
    """Scores of all classes of one confusion matrix."""

    name = "class_report"
    quantities: Sequence[Quantity] = (
        ACCURACY,
        *(of_average(key, average) for average in AVERAGES for key in WORDS),
    )

    def read(self, statement: Mapping[str, Any]) -> ClassReportProblem:
        return problem_from_dict(statement)

    def read_witness(self, document: Mapping[str, Any]) -> ClassMatrix:
        return ClassMatrix.from_dict(document)

    def decide(self, problem: ClassReportProblem, *, deadline: Deadline, seed: int) -> Decision[ClassMatrix]:
        decision = decide_report(problem, deadline=deadline, seed=seed)
        if decision.witness is None:
            return decision
        return Decision(decision.witness, notes=tuple(_notes(problem, decision.witness)))

    def holds(self, problem: ClassReportProblem, witness: ClassMatrix) -> bool:
        supports = [part.support for part in problem.classes]
        if witness.k != len(supports) or not witness.sound or witness.supports != supports:
            return False
        return model_of(problem).fits(witness.points)

    def subject(self, problem: ClassReportProblem) -> str:
        named = [f"{part.name} {part.support}" for part in problem.classes[:_MOST_NAMED]]
        more = len(problem.classes) - len(named)
        cases = f"{', '.join(named)}{f' and {more} more' if more else ''}"
        return f"one confusion matrix of {len(problem.classes)} classes on {problem.total} cases ({cases})"

    def because(self, problem: ClassReportProblem) -> str:
        beyond = super().because(problem)
        if beyond:
            return beyond
        model = model_of(problem)
        try:
            seen = at_a_glance(model)
        except TooMany:
            return ""
        if isinstance(seen, list) or seen["kind"] == "sums":
            return _sums_in_words(model)
        if seen["kind"] == "class":
            part = problem.classes[seen["class"]]
            own = [claim for claim in problem.claims if asked_of(claim).place == seen["class"]]
            printed = " and ".join(f"{WORDS[asked_of(claim).score]} {claim.text}" for claim in own)
            return f"no counts of right and wrong cases give class {part.name} with {part.support} cases {printed}"
        return _average_in_words(model, seen)

    def quick(self, problem: ClassReportProblem) -> bool:
        return False

    def too_large(self, problem: ClassReportProblem) -> bool:
        try:
            return sum(len(part.rows(MOST_ROWS)) for part in model_of(problem).parts) > _LARGE
        except TooMany:
            return True


def _sums_in_words(model: ReportModel) -> str:
    """Why the classes do not add up."""
    rows = [part.rows(MOST_ROWS) for part in model.parts]
    right = sum(own[0][0] for own in rows), sum(own[-1][0] for own in rows)
    if right[0] > model.most or right[1] < model.least or model.least > model.most:
        stated = _range(model.least, model.most) if model.least <= model.most else "no whole number of"
        return f"the classes have {_range(*right)} correct cases, but the whole report asks for {stated}"
    wrong = model.total - min(right[1], model.most), model.total - max(right[0], model.least)
    given = sum(min(row[1] for row in own) for own in rows), sum(max(row[2] for row in own) for own in rows)
    if given[0] > wrong[1] or given[1] < wrong[0]:
        return (
            f"the classes' scores leave {_range(*given)} false positives, but {_range(*wrong)} false negatives; in one "
            "confusion matrix these are the same cases"
        )
    if trimmed(model, rows) is not None and model.averages:
        return "no counts that give the classes' scores add up to one confusion matrix and give the averages"
    return "no counts that give the classes' scores add up to one confusion matrix"


def _average_in_words(model: ReportModel, seen: Mapping[str, Any]) -> str:
    rows = trimmed(model, [part.rows(MOST_ROWS) for part in model.parts])
    for average in model.averages:
        about = asked_of(average.claim)
        if rows is not None and (about.average, about.score) == (seen["average"], seen["score"]):
            size = sum(average.weights)
            least, most = (float(Fraction(end, SCALE * size)) for end in average_bounds(model, average, rows))
            return f"{average.claim}, but the classes give {least:.6g} to {most:.6g}"
    return ""


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _notes(problem: ClassReportProblem, witness: ClassMatrix) -> list[str]:
    """What a witness needs beside the formulas: a 0/0 that counts as one, an average of printed values."""
    model, counts = model_of(problem), witness.points
    notes = []
    for claim in problem.claims:
        about = asked_of(claim)
        if about.place is None or claim.low <= 0 or problem.undefined is not Undefined.ANY:
            continue
        tp, fp = counts[about.place]
        support = problem.classes[about.place].support
        if {"ppv": tp + fp, "sens": support, "f1": support + tp + fp}[about.score] == 0:
            notes.append(f"{claim} fits as a 0/0 that counts as one")
    for claim in problem.claims:
        about = asked_of(claim)
        if about.average:
            weights = [part.support if about.average == "weighted" else 1 for part in problem.classes]
            size = sum(weights)
            exact = ClassAverage(claim, about.score, tuple(weights), claim.low * size, claim.high * size)
            if not exact.fits(model.parts, counts):
                of_averages = " or is the F1 of averages" * (about.score == "f1")
                notes.append(
                    f"{claim} is not the average of these scores, but follows from printed values{of_averages}"
                )
    return notes


KIND = ClassReportKind()
