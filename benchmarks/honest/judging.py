"""Asking ``check`` and making a false alarm small enough to read.

A report that is called inconsistent is asked again with scores and options left out one by one, as long as it stays
inconsistent; what is left, with the printer, the design and the traits, names the cause.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import scoreproof as sp
from benchmarks.honest.causes import causes
from benchmarks.honest.reports import Question, Report, report

BUDGET = 0.5  # seconds for a question
NEEDED = ("fold_digits", "spread", "eps")  # leaving these out would make the report untrue


@dataclass(frozen=True, slots=True)
class Failure:
    """An honest report or document that was accused."""

    place: str
    cause: tuple[str, str, str]  # what is peculiar, what experiment, which options
    words: str


@dataclass(slots=True)
class Tally:
    """What became of the questions asked."""

    asked: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.asked.update(other.asked)
        self.failures += other.failures
        self.refused.update(other.refused)


def ask(question: Question, budget: float = BUDGET) -> str:
    """The verdict; or 'refused: why' where ``check`` declines the question."""
    try:
        result = sp.check(question.experiment, question.scores, budget=budget, **question.options)
    except sp.ScoreproofError as error:
        return f"refused: {error}"
    return str(result.verdict)


def judge(seed: int, index: int, budget: float = BUDGET) -> Tally:
    """One honest report, asked about in every way that is true of it."""
    tally = Tally()
    made = report(seed, index)
    if made is None:
        tally.asked["not made"] += 1
        return tally
    for question in made.questions:
        start = time.monotonic()
        verdict = ask(question, budget)
        tally.asked["over budget"] += time.monotonic() - start > max(1.2 * budget, budget + 0.5)
        if verdict.startswith("refused"):
            tally.refused[_without_numbers(verdict)] += 1
            verdict = "refused"
        tally.asked[verdict] += 1
        if verdict == "inconsistent":
            tally.failures.append(_failure(made, question, budget))
    return tally


def _without_numbers(words: str) -> str:
    return "".join("#" if letter.isdigit() else letter for letter in words)[:160]


def shrink(question: Question, budget: float = BUDGET) -> Question:
    """The same question with fewer scores and options, as long as it is still called inconsistent."""
    kept = question
    for name in list(question.scores):
        if len(kept.scores) > 1:
            kept = _if_still(kept, _without_score(kept, name), budget)
    for option in list(kept.options):
        if option not in NEEDED and not (option == "undefined" and kept.options[option] == "exclude"):
            options = {key: value for key, value in kept.options.items() if key != option}
            kept = _if_still(kept, Question(kept.experiment, kept.scores, options), budget)
    for name, text in list(kept.scores.items()):
        for sign in ("±", "+/-", "\\pm"):
            if sign in text and "spread" not in kept.options:
                plain = {**kept.scores, name: text.partition(sign)[0].strip()}
                kept = _if_still(kept, Question(kept.experiment, plain, kept.options), budget)
    return kept


def _without_score(question: Question, name: str) -> Question:
    options: dict[str, Any] = {}
    for key, value in question.options.items():
        left = {one: said for one, said in value.items() if one != name} if isinstance(value, dict) else value
        if left != {}:
            options[key] = left
    experiment = question.experiment
    if isinstance(experiment, (sp.MeanOfScores, sp.KFold)) and name in experiment.ranges:
        left = {one: ends for one, ends in experiment.ranges.items() if one != name}
        experiment = replace(experiment, ranges=left)
    return Question(experiment, {one: text for one, text in question.scores.items() if one != name}, options)


def _if_still(kept: Question, smaller: Question, budget: float) -> Question:
    return smaller if ask(smaller, budget) == "inconsistent" else kept


def _failure(made: Report, question: Question, budget: float) -> Failure:
    small = shrink(question, budget)
    options = [f"{key} {value}" if isinstance(value, str) else key for key, value in small.options.items()]
    cause = (", ".join(causes(made, small)), type(small.experiment).__name__, ", ".join(options))
    return Failure(made.place, cause, words(made, small))


def words(made: Report, question: Question) -> str:
    """A failure as something to paste: the call, and what is true."""
    options = "".join(f", {key}={value!r}" for key, value in question.options.items())
    lines = [f"[{made.place}] sp.check({_short(question.experiment)}, {question.scores}{options})"]
    for name in question.scores:
        exact = made.exact[name]
        lines.append(f"    {name}: truly {'0/0' if exact is None else f'{exact:.20f}'}")
    lines.append(f"    {made.design.name}; {made.tool}; printed by {made.printer}; {', '.join(causes(made, question))}")
    matrices = made.design.matrices
    shown = ", ".join(str(matrix) for matrix in matrices[:10]) + (", ..." if len(matrices) > 10 else "")
    lines.append(f"    tp, fp, fn, tn: {shown}")
    return "\n".join(lines)


def _short(experiment: sp.Experiment) -> str:
    """The experiment as code; equal parts counted."""
    if isinstance(experiment, sp.TestSet):
        return f"sp.TestSet({experiment.p}, {experiment.n})"
    ranges = getattr(experiment, "ranges", None)
    said = f", ranges={dict(ranges)}" if ranges else ""
    if isinstance(experiment, sp.KFold):
        return (
            f"sp.KFold({experiment.p}, {experiment.n}, {experiment.k}, {experiment.repeats}, {experiment.stratified}, "
            f"{str(experiment.aggregation)!r}, {str(experiment.rule)!r}{said})"
        )
    return f"sp.{type(experiment).__name__}([{', '.join(map(_short, experiment.parts))}]{said})"
