"""Other assumptions about the experiment, each tried with the full check.

A hypothesis is an assumption in words and the questions it turns the report into (its variants). It fits if one of
them does, does not fit if every one is proved impossible, and is undecided otherwise. A hypothesis that fits is a
possibility, not a finding: with many variants one may fit by chance, and the words say how many were tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from scoreproof.asking import Verdict, Witness
from scoreproof.errors import ScoreproofError
from scoreproof.explanation import designs
from scoreproof.explanation.class_averages import KINDS, averaged, concerns
from scoreproof.explanation.question import Question
from scoreproof.kinds.binary.experiment import Experiment, KFold, sums_matrices
from scoreproof.kinds.binary.scores import Shape
from scoreproof.reported.conventions import Divisor, Spread, Undefined, choice
from scoreproof.work.deadline import Deadline

_ONE_CHECK = {True: 0.5, False: 2.0}  # seconds, for one matrix and for means
_SHARE = 0.6  # of the remaining time that one hypothesis may use
_LEAST = 0.3  # seconds without which a check of means is not begun: it may overrun its budget by as much
_MOST_VALUES = 1_500_000  # scores at all points of a fold, beyond which folds are not tried
_SHOWN = 6
_CHANCE = 10  # variants from which on a fit by chance is worth a remark


# Labelled questions; None for one that is impossible on its face.
Variants = Iterator[tuple[str, Question | None]]


class Fit(StrEnum):
    """What trying a hypothesis gave."""

    FITS = "fits"
    DOES_NOT_FIT = "does not fit"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """An assumption in words, and what it makes of a question: labelled variants.

    >>> from scoreproof import KFold
    >>> Hypothesis.of("oversampled", KFold(p=244, n=262, k=5)).label
    'oversampled: 5 stratified folds of p=244, n=262, mean of scores'
    """

    name: str
    label: str
    variants: Callable[[Question], Variants] = field(repr=False)

    @classmethod
    def of(cls, name: str, experiment: Experiment) -> Hypothesis:
        """A hypothesis of one's own: that this was the experiment."""
        return cls(name, f"{name}: {experiment}", lambda question: iter([("", question.with_experiment(experiment))]))


@dataclass(frozen=True, slots=True)
class Tried:
    """A hypothesis and its answer; ``fitting`` names the variants that fit, ``witness`` belongs to the first."""

    name: str
    label: str
    answer: Fit
    fitting: tuple[str, ...] = ()
    tried: int = 0
    untried: int = 0
    witness: Witness | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "label": self.label,
            "answer": str(self.answer),
            "words": str(self),
            "fitting": list(self.fitting),
            "tried": self.tried,
            "untried": self.untried,
            "witness": None if self.witness is None else self.witness.to_dict(),
        }

    def __str__(self) -> str:
        words = f"{self.label}: {self.answer}"
        named = [label for label in self.fitting if label]
        if named:
            more = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else ""
            words += f" ({'; '.join(named[:_SHOWN])}{more})"
        if self.answer is Fit.FITS and self.tried >= _CHANCE:
            words += f"; {self.tried} variants were tried, so one may fit by chance"
        if self.untried:
            words += f"; {self.untried} variants not decided in time"
        return words


def standard(question: Question, sizes: tuple[int, ...] = (), names: tuple[str, ...] = ()) -> list[Hypothesis]:
    """The usual suspects, cheap and telling ones first; ``sizes`` of an oversampled class, ``names`` of known data."""
    known = question.experiment is not None
    found = [
        _design("oversampled", "the smaller class raised before evaluation", lambda e: designs.oversampled(e, sizes)),
        _design("aggregation", "the other way of averaging", designs.other_aggregation),
        _design("classes exchanged", "positive and negative class exchanged", designs.exchanged_classes),
        _design("stratification", "the other kind of folds", designs.other_stratification),
        Hypothesis("undefined scores", "another convention for 0/0", _conventions),
        Hypothesis("deviation", "another meaning of ±", _deviations),
        _design("catalogue", "another reading of known data", lambda e: designs.catalogue_readings(e, names)),
        _design("nearby counts", "class counts off by a few", designs.nearby_counts),
        *(_class_average(kind) for kind in KINDS),
        _design("repeats", "another number of repetitions", designs.other_repeats),
        _design("held-out part", "only a held-out part evaluated", designs.held_out_part),
        _design("oversampled to any size", "the smaller class raised to some size", designs.searched_oversampling),
        _design("folds", "another number of folds", designs.other_folds),
    ]
    return found if known else []


def _design(name: str, label: str, variants: Callable[[Experiment], designs.Variants]) -> Hypothesis:
    def questions(question: Question) -> Variants:
        if question.experiment is not None:
            for words, experiment in variants(question.experiment):
                asked, left_out = _about_parts(question, experiment)
                yield words + left_out, asked.with_experiment(experiment)

    return Hypothesis(name, label, questions)


def _about_parts(question: Question, experiment: Experiment) -> tuple[Question, str]:
    """The question without what speaks of parts, where the experiment has one matrix; and that this was left out."""
    spreads = any(one.spread is not None for one in question.reported)
    extremes = any(question.options.get(key) for key in ("minimum", "maximum", "fold_digits"))
    if not sums_matrices(experiment) or not (spreads or extremes):
        return question, ""
    plain = question.with_options(spread=Spread.IGNORE, minimum=(), maximum=(), fold_digits=None)
    return plain, " (± and extremes left out)"


def _class_average(kind: str) -> Hypothesis:
    def questions(question: Question) -> Variants:
        if concerns(question.reported):
            reported = averaged(question.reported, kind)
            yield "", None if reported is None else question.with_scores(reported)

    how = {"weighted": "weighted by class size", "macro": "unweighted (macro)", "micro": "counted together (micro)"}
    return Hypothesis(f"{kind} averages", f"scores averaged over both classes, {how[kind]}", questions)


def _conventions(question: Question) -> Variants:
    stated = choice(Undefined, "undefined", question.options.get("undefined", Undefined.ANY))
    for convention in Undefined:
        admitted = stated is Undefined.ANY and convention is not Undefined.ONE
        if convention is stated or admitted or (convention is Undefined.SKIP and question.one_matrix):
            continue
        yield f"undefined={convention}", question.with_options(undefined=convention)


def _deviations(question: Question) -> Variants:
    if not any(one.spread is not None for one in question.reported):
        return
    stated = question.options.get("divisor", Divisor.ANY)
    if stated is not Divisor.ANY:
        for divisor in Divisor:
            if divisor not in (stated, Divisor.ANY):
                yield f"{divisor} deviation", question.with_options(divisor=divisor)
    for spread, words in ((Spread.ERROR, "± is a standard error"), (Spread.IGNORE, "± is something else")):
        if question.options.get("spread") is not spread:
            yield words, question.with_options(spread=spread)


def try_hypotheses(
    question: Question, hypotheses: Iterable[Hypothesis], deadline: Deadline
) -> tuple[tuple[Tried, ...], tuple[str, ...]]:
    """Each hypothesis with its answer, and the labels of those the time did not reach."""
    tried, untried = [], []
    for hypothesis in hypotheses:
        if deadline.passed:
            untried.append(hypothesis.label)
            continue
        answer = try_one(question, hypothesis, deadline.part(_SHARE))
        if answer is not None:
            tried.append(answer)
    return tuple(tried), tuple(untried)


def try_one(question: Question, hypothesis: Hypothesis, deadline: Deadline) -> Tried | None:
    """The answer of one hypothesis; None if it says nothing about this question."""
    fitting: list[str] = []
    witness = None
    decided = open_ones = 0
    for label, variant in hypothesis.variants(question):
        if variant is None:
            decided += 1
            continue
        pooled = variant.experiment is not None and sums_matrices(variant.experiment)
        if deadline.left() <= (0 if pooled else _LEAST) or _too_large(variant):
            open_ones += 1
            continue
        try:
            answer = variant.ask(deadline.budget(_ONE_CHECK[pooled]))
        except ScoreproofError:
            continue  # a variant that cannot be asked, such as a ± over one matrix, is no variant
        if answer.verdict is Verdict.UNDECIDED:
            open_ones += 1
            continue
        decided += 1
        if answer.verdict is Verdict.CONSISTENT:
            fitting.append(label)
            witness = witness or answer.witness
    if not decided and not open_ones:
        return None
    verdict = Fit.FITS if fitting else Fit.UNDECIDED if open_ones else Fit.DOES_NOT_FIT
    return Tried(hypothesis.name, hypothesis.label, verdict, tuple(fitting), decided, open_ones, witness)


def _too_large(question: Question) -> bool:
    """Whether folds are so large that setting up their check takes longer than an explanation may."""
    folds = question.experiment
    if (
        not isinstance(folds, KFold)
        or sums_matrices(folds)
        or all(one.score.shape is Shape.LINEAR for one in question.reported)
    ):
        return False
    points = (folds.p // folds.k + 1) * (folds.n // folds.k + 1)
    return points * len(question.reported) > _MOST_VALUES
